// One payment: its status, its link while it can be paid, its refunds, its timeline, and its webhook deliveries. The
// screen follows the events, so it turns paid without a reload. Actions without the right are not offered.

import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import type { OperationResponse } from '../../api/call.ts';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { formatMoment, formatMoney } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { lastListPath } from '../../base/last-list.ts';
import { Button } from '../../parts/button.tsx';
import { LinkCard } from '../../parts/link-card.tsx';
import { Page } from '../../parts/page.tsx';
import { QueryContent } from '../../parts/states.tsx';
import { TestCards } from '../../parts/test-cards.tsx';
import { PaymentBadge } from '../../parts/values.tsx';
import { Deliveries } from './deliveries.tsx';
import { Details } from './details.tsx';
import { isOutcomeUnknown } from './history.ts';
import { leftToRefund } from './money-left.ts';
import { CancelLink, ChangeExpiry } from './open-link-actions.tsx';
import './payment.css';
import { RefundDialog } from './refund-dialog.tsx';
import { Refunds } from './refunds.tsx';
import { usePaymentTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';

type Payment = OperationResponse<'getPayment'>;
type OpenAction = 'refund' | 'cancel' | 'expiry';

/** The status of the payment, as a sentence. */
function useStateText(payment: Payment, isUnknown: boolean): string {
  const { states } = usePaymentTexts();
  const { language } = useLanguage();
  const { status, expiresAt } = payment;
  if (status === 'open') return states.open(formatMoment(language, expiresAt));
  if (status === 'processing') return isUnknown ? states.unknown : states.processing;
  return states[status];
}

function StatusSummary({ payment, isUnknown }: { payment: Payment; isUnknown: boolean }) {
  const text = useStateText(payment, isUnknown);
  return (
    <div class="payment-status" role="status">
      <PaymentBadge payment={payment} />
      <p>
        <bdi class="clamp strong">{payment.customerOrderId}</bdi> <span class="quiet">{text}</span>
      </p>
    </div>
  );
}

/** The actions that the status of the payment and the person's role allow. */
function Actions({
  payment,
  left,
  open,
}: {
  payment: Payment;
  left: number;
  open(action: OpenAction): void;
}) {
  const { may } = useSession();
  const texts = usePaymentTexts();
  const { status } = payment;
  return (
    <>
      {status === 'open' && may('payments:update') && (
        <Button onClick={() => open('expiry')}>{texts.changeExpiry}</Button>
      )}
      {status === 'open' && may('payments:cancel') && (
        <Button weight="bad" onClick={() => open('cancel')}>
          {texts.cancel}
        </Button>
      )}
      {status === 'paid' && left > 0 && may('payments:refund') && (
        <Button weight="main" onClick={() => open('refund')}>
          {texts.refund}
        </Button>
      )}
    </>
  );
}

const Back = () => <Link href={lastListPath()}>← {usePaymentTexts().back}</Link>;

function Shown({ payment }: { payment: Payment }) {
  const { may } = useSession();
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  const [action, setAction] = useState<OpenAction | null>(null);
  const onClose = () => setAction(null);
  const code = payment.PaymentLinkCode;
  const refunds = useApiQuery('listRefunds', { path: { code } });
  const events = useApiList('listPaymentEvents', { path: { code }, query: { limit: 100 } });
  const left = leftToRefund(payment, refunds.data?.data ?? []);
  const hasRefunds = payment.status === 'paid' || (refunds.data?.data.length ?? 0) > 0;
  const isOpen = payment.status === 'open';
  return (
    <Page
      title={texts.title(formatMoney(language, payment.amount, payment.currency))}
      above={<Back />}
      actions={<Actions payment={payment} left={left} open={setAction} />}
    >
      <StatusSummary payment={payment} isUnknown={isOutcomeUnknown(events.entries)} />
      <div class="payment-columns">
        <div class="stack">
          {isOpen && <LinkCard payment={payment} />}
          {isOpen && payment.mode === 'test' && <TestCards />}
          {hasRefunds && <Refunds payment={payment} refunds={refunds} left={left} />}
          <Timeline list={events} />
          {may('webhooks:read') && <Deliveries code={code} />}
        </div>
        <Details payment={payment} />
      </div>
      {action === 'refund' && <RefundDialog {...{ payment, left, onClose }} />}
      {action === 'cancel' && <CancelLink {...{ payment, onClose }} />}
      {action === 'expiry' && <ChangeExpiry {...{ payment, onClose }} />}
    </Page>
  );
}

/** One payment. */
export default function PaymentScreen() {
  const { code = '' } = useParams<{ code: string }>();
  const texts = usePaymentTexts();
  const payment = useApiQuery('getPayment', { path: { code } });
  if (payment.data) return <Shown key={code} payment={payment.data} />;
  return (
    <Page title={texts.back} above={<Back />}>
      <QueryContent result={payment} rows={8}>
        {() => null}
      </QueryContent>
    </Page>
  );
}
