// One payment: its status, its link while it can be paid, its refunds, its timeline, and its webhook deliveries. The
// screen follows the events, so it turns paid without a reload. Actions without the right are not offered.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import type { OperationId, OperationResponse } from '../../api/call.ts';
import { useApiList, useApiQuery } from '../../api/queries.ts';
import { useSession } from '../../api/session.tsx';
import { type Expiry, expiryMoment } from '../../base/days.ts';
import { formatCountry, formatLanguage, formatMoment, formatMoney } from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { lastListPath } from '../../base/storage.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { ExpiryField } from '../../parts/expiry-field.tsx';
import { LinkCard, TestCards } from '../../parts/link-card.tsx';
import { Facts, Page, QueryContent, Section } from '../../parts/page.tsx';
import { useAction } from '../../parts/toasts.tsx';
import { LongText, ModeBadge, Moment, PaymentBadge } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import { Deliveries } from './deliveries.tsx';
import { isOutcomeUnknown, leftToRefund } from './history.ts';
import { Items } from './items.tsx';
import { RefundDialog, Refunds } from './refunds.tsx';
import { usePaymentTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';
import './payment.css';

type Payment = OperationResponse<'getPayment'>;
type Fact = readonly [name: string, value: ComponentChildren];

function Text({ text }: { text: string | null }) {
  const { none } = useCommonTexts();
  return text ? <LongText text={text} /> : <span class="quiet">{none}</span>;
}

function useOrderFacts(payment: Payment): Fact[] {
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  const name = [payment.firstName, payment.lastName].filter(Boolean).join(' ');
  return [
    [texts.order, <Text key="order" text={payment.customerOrderId} />],
    [texts.customer, <Text key="customer" text={name} />],
    [texts.email, <Text key="email" text={payment.email} />],
    [texts.phone, <Text key="phone" text={payment.phone} />],
    [texts.country, formatCountry(language, payment.country)],
    [texts.description, <Text key="description" text={payment.description} />],
  ];
}

function useLinkFacts(payment: Payment): Fact[] {
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  return [
    [texts.created, <Moment key="created" at={payment.createdAt} isExact />],
    [texts.expires, <Moment key="expires" at={payment.expiresAt} isExact />],
    [texts.pageLanguage, payment.locale ? formatLanguage(language, payment.locale) : texts.browserLanguage],
    [texts.successUrl, <Text key="success" text={payment.success_url} />],
    [texts.failureUrl, <Text key="failure" text={payment.failure_url} />],
    [texts.mode, <ModeBadge key="mode" mode={payment.mode} />],
    [texts.code, <code key="code">{payment.PaymentLinkCode}</code>],
  ];
}

const maxShown = 6;

function Metadata({ metadata }: Pick<Payment, 'metadata'>) {
  const texts = usePaymentTexts();
  const pairs = Object.entries(metadata);
  if (pairs.length === 0) return null;
  return (
    <details open={pairs.length <= maxShown}>
      <summary class="strong">{texts.metadata({ count: pairs.length })}</summary>
      <Facts
        class="payment-details"
        items={pairs.map(([name, value]) => [
          <bdi key={name}>{name}</bdi>,
          <LongText key={name} text={value} />,
        ])}
      />
    </details>
  );
}

/** All fields of a link. They are texts that people wrote, and are shown as text. */
function Details({ payment }: { payment: Payment }) {
  const texts = usePaymentTexts();
  const facts = [...useOrderFacts(payment), ...useLinkFacts(payment)];
  return (
    <Section title={texts.details}>
      <div class="payment-details">
        <Facts items={facts} />
      </div>
      <Items payment={payment} />
      <Metadata metadata={payment.metadata} />
    </Section>
  );
}

type DialogProps = { payment: Payment; onClose(): void };

const invalidates: readonly OperationId[] = ['getPayment', 'listPayments', 'listPaymentEvents'];

function CancelLink({ payment, onClose }: DialogProps) {
  const texts = usePaymentTexts();
  const cancel = useAction('cancelPayment', texts.cancelled, { invalidates, onClose });
  return (
    <FormDialog
      title={texts.cancelTitle}
      action={texts.cancel}
      weight="bad"
      request={cancel}
      onSubmit={() => cancel.mutate({ path: { code: payment.PaymentLinkCode } })}
      onClose={onClose}
    >
      <p>{texts.cancelText}</p>
    </FormDialog>
  );
}

function ChangeExpiry({ payment, onClose }: DialogProps) {
  const texts = usePaymentTexts();
  const { save } = useCommonTexts();
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'week', own: '' });
  const [isInvalid, setIsInvalid] = useState(false);
  const update = useAction('updatePayment', texts.expiryChanged, { invalidates, onClose });
  const { fields } = useExplain()(update.error);
  const submit = () => {
    const expiresAt = expiryMoment(expiry, new Date());
    setIsInvalid(expiresAt === null);
    if (expiresAt) update.mutate({ path: { code: payment.PaymentLinkCode }, body: { expiresAt } });
  };
  return (
    <FormDialog
      title={texts.changeExpiry}
      action={save}
      request={update}
      shown={['expiresAt']}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <ExpiryField
        expiry={expiry}
        onInput={setExpiry}
        error={isInvalid ? texts.invalidTime : fields.expiresAt}
      />
    </FormDialog>
  );
}

type OpenAction = 'refund' | 'cancel' | 'expiry';

function useStateText(payment: Payment, isUnknown: boolean): string {
  const { states } = usePaymentTexts();
  const { language } = useLanguage();
  const { status, expiresAt } = payment;
  if (status === 'open') return states.open({ expires: formatMoment(language, expiresAt) });
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

const Back = () => <Link href={lastListPath()}>← {usePaymentTexts().screens.payments}</Link>;

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
      title={texts.title({ amount: formatMoney(language, payment.amount, payment.currency) })}
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

export default function PaymentScreen() {
  const { code = '' } = useParams<{ code: string }>();
  const texts = usePaymentTexts();
  const payment = useApiQuery('getPayment', { path: { code } });
  if (payment.data) return <Shown key={code} payment={payment.data} />;
  return (
    <Page title={texts.screens.payments} above={<Back />}>
      <QueryContent result={payment} rows={8}>
        {() => null}
      </QueryContent>
    </Page>
  );
}
