// The deliveries to an endpoint, all or those in one status. The URL stores the selection. While some are about to
// be sent, they are polled.

import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList } from '../../api/queries.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Moment } from '../../parts/values.tsx';
import { useEventTexts } from '../../texts/events.ts';
import { AttemptResult, DeliveryBadge, NextAttempt } from './delivery-status.tsx';
import { useDeliveryTexts } from './delivery-texts.ts';
import type { Endpoint } from './endpoint-status.tsx';
import { pollIntervalOf } from './poll-interval.ts';
import { ResendSince } from './resend-since.tsx';

type Delivery = OperationResponse<'listWebhookDeliveries'>['data'][number];

const choices = ['all', 'pending', 'delivered', 'failed'] as const;
type Choice = (typeof choices)[number];

function useColumns(isOn: boolean): readonly Column<Delivery>[] {
  const texts = useDeliveryTexts();
  const words = useEventTexts();
  return [
    {
      id: 'event',
      title: texts.event,
      cell: ({ endpointId, deliveryId, type }) => (
        <div class="endpoint-cell">
          <Link href={`/webhooks/${endpointId}/${deliveryId}`}>{words(type)}</Link>
          <p class="quiet mono">{type}</p>
        </div>
      ),
    },
    { id: 'at', title: texts.at, cell: ({ createdAt }) => <Moment at={createdAt} isExact /> },
    { id: 'state', title: texts.state, cell: ({ state }) => <DeliveryBadge state={state} /> },
    { id: 'tries', title: texts.tries, isNumber: true, cell: ({ tries }) => tries },
    {
      id: 'last',
      title: texts.last,
      cell: ({ lastStatus, lastFault }) => <AttemptResult status={lastStatus} fault={lastFault} />,
    },
    {
      id: 'next',
      title: texts.next,
      cell: (delivery) => <NextAttempt delivery={delivery} isOn={isOn} />,
    },
  ];
}

function DeliveryTable({ endpoint, chosen }: { endpoint: Endpoint; chosen: Choice }) {
  const texts = useDeliveryTexts();
  const isOn = endpoint.status === 'enabled';
  const columns = useColumns(isOn);
  const [everyMs, setEveryMs] = useState<number | false>(false);
  const query = chosen === 'all' ? {} : { state: chosen };
  const list = useApiList(
    'listWebhookDeliveries',
    { path: { endpointId: endpoint.id }, query },
    { everyMs, keepsLast: true },
  );
  const pace = pollIntervalOf(list.entries, isOn, new Date());
  useEffect(() => setEveryMs(pace), [pace]);
  return (
    <PagedTable
      list={list}
      caption={texts.list}
      columns={columns}
      keyOf={({ deliveryId }) => deliveryId}
      empty={
        <EmptyState title={texts.empty}>
          <p>{texts.emptyHint}</p>
        </EmptyState>
      }
    />
  );
}

/** The list, its tabs, and the button to resend many. */
export function Deliveries({ endpoint, canManage }: { endpoint: Endpoint; canManage: boolean }) {
  const texts = useDeliveryTexts();
  const [{ state }, change] = useUrlState();
  const [isResending, setIsResending] = useState(false);
  const chosen = choices.find((one) => one === state) ?? 'all';
  return (
    <Section
      title={texts.list}
      hint={texts.hint}
      actions={canManage && <Button onClick={() => setIsResending(true)}>{texts.resendSince}</Button>}
    >
      <Tabs
        label={texts.tabsLabel}
        tabs={choices.map((id) => ({ id, label: texts.tabs[id] }))}
        chosen={chosen}
        onChoose={(id) => change({ state: id === 'all' ? '' : id })}
      >
        <DeliveryTable endpoint={endpoint} chosen={chosen} />
      </Tabs>
      {isResending && <ResendSince endpointId={endpoint.id} onClose={() => setIsResending(false)} />}
    </Section>
  );
}
