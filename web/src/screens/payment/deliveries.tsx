// Which endpoints were notified of a payment, and whether that succeeded.

import { Link } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { type Column, PagedTable, useNamedColumns } from '../../parts/table.tsx';
import { useAction, useShowFault } from '../../parts/toasts.tsx';
import { DeliveryBadge, LongText, Moment } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useEventTexts } from '../../texts/events.ts';
import { usePaymentTexts } from './texts.ts';

type Delivery = OperationResponse<'listPaymentDeliveries'>['data'][number];

const pendingIntervalMs = 3_000;

function LastResponse({ delivery }: { delivery: Delivery }) {
  const texts = usePaymentTexts();
  const { none } = useCommonTexts();
  const { tries, lastStatus } = delivery;
  if (tries === 0) return <span class="quiet">{none}</span>;
  return (
    <span>
      {lastStatus === null ? texts.noResponse : `HTTP ${lastStatus}`}{' '}
      <span class="quiet small">{texts.attempts({ count: tries })}</span>
    </span>
  );
}

function Resend({ delivery: { deliveryId } }: { delivery: Delivery }) {
  const { resend, resent } = useCommonTexts();
  const onError = useShowFault();
  const request = useAction('resendWebhookDelivery', resent, {
    invalidates: ['listPaymentDeliveries', 'listWebhookDeliveries', 'getWebhookDelivery'],
  });
  return (
    <Button
      isSmall
      isWorking={request.isPending}
      onClick={() => request.mutate({ path: { deliveryId } }, { onError })}
    >
      {resend}
    </Button>
  );
}

function useDeliveryColumns(): readonly Column<Delivery>[] {
  const texts = usePaymentTexts();
  const eventText = useEventTexts();
  const { may } = useSession();
  return useNamedColumns(texts, {
    event: ({ type, endpointId, deliveryId }) => (
      <Link href={`/webhooks/${endpointId}/${deliveryId}`}>{eventText(type)}</Link>
    ),
    endpoint: ({ url }) => <LongText text={url} />,
    status: ({ state }) => <DeliveryBadge status={state} />,
    lastResponse: (delivery) => <LastResponse delivery={delivery} />,
    date: ({ createdAt }) => <Moment at={createdAt} />,
    actions:
      may('webhooks:manage') &&
      ((delivery) => delivery.state !== 'pending' && <Resend delivery={delivery} />),
  });
}

/** The deliveries of a payment's events. While one of them is pending, they are polled. */
export function Deliveries({ code }: { code: string }) {
  const texts = usePaymentTexts();
  const list = useApiList(
    'listPaymentDeliveries',
    { path: { code } },
    { refetchIntervalMs: (all) => all.some(({ state }) => state === 'pending') && pendingIntervalMs },
  );
  return (
    <Section title={texts.screens.webhooks}>
      <PagedTable
        list={list}
        empty={<p class="quiet">{texts.noDeliveries}</p>}
        caption={texts.screens.webhooks}
        columns={useDeliveryColumns()}
        keyOf={({ deliveryId }) => deliveryId}
      />
    </Section>
  );
}
