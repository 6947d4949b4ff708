// Which endpoints were notified of a payment, and whether that succeeded.

import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiMutation } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { formatCount } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { useShowToast } from '../../parts/toasts.tsx';
import { Badge, Moment, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useEventTexts } from '../../texts/events.ts';
import { useExplain } from '../../texts/problems.ts';
import { usePaymentTexts } from './texts.ts';

type Delivery = OperationResponse<'listPaymentDeliveries'>['data'][number];

const tones: Record<Delivery['state'], Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' };
const pendingEveryMs = 3_000;

/** The deliveries, polled while one of them is under way. */
function useDeliveries(code: string) {
  const [hasPending, setHasPending] = useState(false);
  const everyMs = hasPending ? pendingEveryMs : false;
  const list = useApiList('listPaymentDeliveries', { path: { code } }, { everyMs });
  const isPending = list.entries.some(({ state }) => state === 'pending');
  useEffect(() => setHasPending(isPending), [isPending]);
  return list;
}

function LastResponse({ delivery }: { delivery: Delivery }) {
  const texts = usePaymentTexts();
  const { none } = useCommonTexts();
  const { language } = useLanguage();
  const { tries, lastStatus } = delivery;
  if (tries === 0) return <span class="quiet">{none}</span>;
  const count = tries === 1 ? texts.oneTry : texts.tries(formatCount(language, tries));
  return (
    <span>
      {lastStatus === null ? texts.noAnswer : `HTTP ${lastStatus}`} <span class="quiet small">{count}</span>
    </span>
  );
}

function Resend({ delivery }: { delivery: Delivery }) {
  const texts = usePaymentTexts();
  const showToast = useShowToast();
  const explain = useExplain();
  const act = useApiMutation('resendWebhookDelivery', {
    refreshes: ['listPaymentDeliveries', 'listWebhookDeliveries', 'getWebhookDelivery'],
    onDone: () => showToast(texts.resent),
  });
  const send = () =>
    act.mutate(
      { path: { deliveryId: delivery.deliveryId } },
      { onError: (fault) => showToast(explain(fault).sentence) },
    );
  return (
    <Button isSmall isWorking={act.isPending} onClick={send}>
      {texts.resend}
    </Button>
  );
}

function useDeliveryColumns(): readonly Column<Delivery>[] {
  const { deliveryColumns: titles, deliveryStates } = usePaymentTexts();
  const sayEvent = useEventTexts();
  const { may } = useSession();
  const columns: Column<Delivery>[] = [
    {
      id: 'event',
      title: titles.event,
      cell: ({ type, endpointId, deliveryId }) => (
        <Link href={`/webhooks/${endpointId}/${deliveryId}`}>{sayEvent(type)}</Link>
      ),
    },
    { id: 'to', title: titles.to, cell: ({ url }) => <LongText text={url} /> },
    {
      id: 'state',
      title: titles.state,
      cell: ({ state }) => <Badge tone={tones[state]}>{deliveryStates[state]}</Badge>,
    },
    { id: 'answer', title: titles.answer, cell: (delivery) => <LastResponse delivery={delivery} /> },
    { id: 'at', title: titles.at, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ];
  const acts: Column<Delivery> = {
    id: 'acts',
    title: titles.acts,
    isTitleHidden: true,
    cell: (delivery) => (delivery.state === 'pending' ? null : <Resend delivery={delivery} />),
  };
  return may('webhooks:manage') ? [...columns, acts] : columns;
}

/** The deliveries of a payment's events. */
export function Deliveries({ code }: { code: string }) {
  const texts = usePaymentTexts();
  const list = useDeliveries(code);
  const columns = useDeliveryColumns();
  return (
    <Section title={texts.deliveries}>
      <PagedTable
        list={list}
        empty={<p class="quiet">{texts.noDeliveries}</p>}
        caption={texts.deliveries}
        columns={columns}
        keyOf={({ deliveryId }) => deliveryId}
      />
    </Section>
  );
}
