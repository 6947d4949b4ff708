// The deliveries to an endpoint, all or those in one status. The URL stores the selection. While some are about to
// be sent, they are polled.

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList } from '../../api/queries.ts';
import { lengthsMs } from '../../base/days.ts';
import { localTimeZone } from '../../base/format.ts';
import { useUrlState } from '../../base/url-state.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { EmptyState, Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { DeliveryBadge, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useEventTexts } from '../../texts/events.ts';
import { useExplain } from '../../texts/problems.ts';
import { useDeliveryTexts } from './delivery-texts.ts';
import { AttemptResult, type Endpoint, NextAttempt } from './endpoint-status.tsx';
import { pollIntervalOf } from './poll-interval.ts';

const periods = ['hour', 'day', 'week', 'moment'] as const;
type ResendPeriod = (typeof periods)[number];

/** The chosen time, in the form of the API; null while none is chosen. */
function momentOf(choice: ResendPeriod, own: string): string | null {
  const at = choice === 'moment' ? new Date(own) : new Date(Date.now() - lengthsMs[choice]);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function ResendSince({ endpointId, onClose }: { endpointId: string; onClose(): void }) {
  const texts = useDeliveryTexts();
  const common = useCommonTexts();
  const explain = useExplain();
  const [choice, setChoice] = useState<ResendPeriod>('hour');
  const [own, setOwn] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const resend = useAction('resendWebhookDeliveries', ({ count }) => texts.resentCount({ count }), {
    invalidates: ['listWebhookDeliveries'],
    onClose,
  });
  const send = () => {
    const since = momentOf(choice, own);
    setIsMissing(since === null);
    if (since !== null) resend.mutate({ path: { endpointId }, body: { createdFrom: since } });
  };
  return (
    <FormDialog
      title={texts.resendTitle}
      action={common.resend}
      request={resend}
      onSubmit={send}
      onClose={onClose}
    >
      <p>{texts.resendHint}</p>
      <SelectField
        label={texts.since}
        value={choice}
        choices={periods.map((value) => ({ value, label: texts.sinces[value] }))}
        onInput={setChoice}
      />
      {choice === 'moment' && (
        <TextField
          label={texts.time}
          hint={texts.momentHint({ zone: localTimeZone() })}
          error={isMissing ? texts.invalidTime : explain(resend.error).fields.createdFrom}
          type="datetime-local"
          value={own}
          onInput={setOwn}
        />
      )}
    </FormDialog>
  );
}

type Delivery = OperationResponse<'listWebhookDeliveries'>['data'][number];

const choices = ['all', 'pending', 'delivered', 'failed'] as const;
type Choice = (typeof choices)[number];

function useColumns(isOn: boolean): readonly Column<Delivery>[] {
  const texts = useDeliveryTexts();
  const eventText = useEventTexts();
  return useNamedColumns(texts, {
    event: ({ endpointId, deliveryId, type }) => (
      <div class="stacked">
        <Link href={`/webhooks/${endpointId}/${deliveryId}`}>{eventText(type)}</Link>
        <p class="quiet mono">{type}</p>
      </div>
    ),
    time: ({ createdAt }) => <Moment at={createdAt} isExact />,
    status: ({ status }) => <DeliveryBadge status={status} />,
    attempts: ({ tries }) => tries,
    lastResponse: ({ lastStatus, lastFault }) => <AttemptResult status={lastStatus} fault={lastFault} />,
    next: (delivery) => <NextAttempt delivery={delivery} isOn={isOn} />,
  });
}

function DeliveryTable({ endpoint, chosen }: { endpoint: Endpoint; chosen: Choice }) {
  const texts = useDeliveryTexts();
  const isOn = endpoint.status === 'enabled';
  const query = chosen === 'all' ? {} : { status: chosen };
  const list = useApiList(
    'listWebhookDeliveries',
    { path: { endpointId: endpoint.endpointId }, query },
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
      {isResending && <ResendSince endpointId={endpoint.endpointId} onClose={() => setIsResending(false)} />}
    </Section>
  );
}
