// The deliveries to an endpoint, all or those in one status. The URL stores the selection. While some are about to
// be sent, they are polled.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList } from '../../api/queries.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { DeliveryBadge, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useEventTexts } from '../../texts/events.ts';
import { AttemptResult, NextAttempt } from './delivery-status.tsx';
import { useDeliveryTexts } from './delivery-texts.ts';
import type { Endpoint } from './endpoint-status.tsx';
import { pollIntervalOf } from './poll-interval.ts';
import { ResendSince } from './resend-since.tsx';

type Delivery = OperationResponse<'listWebhookDeliveries'>['data'][number];

const choices = ['all', 'pending', 'delivered', 'failed'] as const;
type Choice = (typeof choices)[number];

function useColumns(isOn: boolean): readonly Column<Delivery>[] {
  const texts = useDeliveryTexts();
  const eventText = useEventTexts();
  return [
    {
      id: 'event',
      title: texts.event,
      cell: ({ endpointId, deliveryId, type }) => (
        <>
          <Link href={`/webhooks/${endpointId}/${deliveryId}`}>{eventText(type)}</Link>
          <p class="quiet mono">{type}</p>
        </>
      ),
    },
    { id: 'at', title: texts.at, cell: ({ createdAt }) => <Moment at={createdAt} isExact /> },
    { id: 'status', title: texts.status, cell: ({ state }) => <DeliveryBadge status={state} /> },
    { id: 'attempts', title: texts.attempts, isNumber: true, cell: ({ tries }) => tries },
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
  const query = chosen === 'all' ? {} : { state: chosen };
  const list = useApiList(
    'listWebhookDeliveries',
    { path: { endpointId: endpoint.id }, query },
    { refetchIntervalMs: (entries) => pollIntervalOf(entries, isOn, new Date()), keepsPrevious: true },
  );
  return (
    <PagedTable
      list={list}
      caption={texts.list}
      columns={useColumns(isOn)}
      keyOf={({ deliveryId }) => deliveryId}
      empty={<EmptyState title={texts.empty} hint={texts.emptyHint} />}
    />
  );
}

/** The list, its tabs, and the button to resend many. */
export function Deliveries({ endpoint, canManage }: { endpoint: Endpoint; canManage: boolean }) {
  const texts = useDeliveryTexts();
  const { deliveryStatuses: statuses } = useCommonTexts();
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
        tabs={choices.map((id) => ({ id, label: id === 'all' ? texts.all : statuses[id] }))}
        chosen={chosen}
        onChoose={(id) => change({ state: id === 'all' ? '' : id })}
      >
        <DeliveryTable endpoint={endpoint} chosen={chosen} />
      </Tabs>
      {isResending && <ResendSince endpointId={endpoint.id} onClose={() => setIsResending(false)} />}
    </Section>
  );
}
