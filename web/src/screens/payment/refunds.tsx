// The refunded amount of a payment, and the status of each refund.

import { useEffect, useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { isFinalResponse, useApiMutation, type useApiQuery } from '../../api/queries.ts';
import { formatMoney, readAmount, writeAmount } from '../../base/format.ts';
import { type Language, useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { ActionForm, Dialog } from '../../parts/dialog.tsx';
import { bindFields, TextArea, TextField } from '../../parts/field.tsx';
import { QueryContent, Section } from '../../parts/page.tsx';
import { type Column, Table, useNamedColumns } from '../../parts/table.tsx';
import { Badge, LongText, Moment, Money, type Tone } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import type { Refund } from './history.ts';
import { usePaymentTexts } from './texts.ts';

const maxReasonLength = 500;

const tones: Record<Refund['status'], Tone> = {
  created: 'busy',
  processing: 'busy',
  unknown: 'busy',
  succeeded: 'good',
  failed: 'bad',
};

function Result({ refund, onClose }: { refund: Refund; onClose(): void }) {
  const { refundDone } = usePaymentTexts();
  const { done } = useCommonTexts();
  const { language } = useLanguage();
  const { status, amount, currency, failureCode } = refund;
  const sentence = refundDone[status === 'created' ? 'processing' : status];
  return (
    <div class="stack">
      <div class={`notice notice-${tones[status]}`} role="status">
        <p>{sentence({ amount: formatMoney(language, amount, currency) })}</p>
        {failureCode && <p class="mono">{failureCode}</p>}
      </div>
      <div class="actions">
        <Button weight="main" autoFocus onClick={onClose}>
          {done}
        </Button>
      </div>
    </div>
  );
}

function amountText(language: Language, amount: number): string {
  const text = amount.toFixed(2);
  return writeAmount(language, text);
}

type Payment = OperationResponse<'getPayment'>;
type FormProps = {
  payment: Payment;
  left: number;
  request: ReturnType<typeof useApiMutation<'refundPayment'>>;
  onClose(): void;
};

function RefundForm({ payment, left, request, onClose }: FormProps) {
  const { currency, PaymentLinkCode: code } = payment;
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  const money = (amount: number) => formatMoney(language, amount, currency);
  const [draft, setDraft] = useState({ amount: amountText(language, left), reason: '' });
  const [isSubmitted, setIsSubmitted] = useState(false);
  const amount = readAmount(draft.amount);
  const invalid = !amount
    ? texts.invalidAmount
    : amount > left
      ? texts.refundTooLarge({ left: money(left) })
      : null;
  const { fields } = useExplain()(request.error);
  const errors = { ...fields, ...(isSubmitted && invalid ? { amount: invalid } : {}) };
  const field = bindFields(draft, (part) => setDraft({ ...draft, ...part }), errors);
  const submit = () => {
    setIsSubmitted(true);
    if (!amount || invalid) return;
    const reason = draft.reason.trim();
    const body = { amount, expectedRemaining: left, ...(reason ? { reason } : {}) };
    request.mutate({ path: { code }, body });
  };
  return (
    <ActionForm
      action={amount ? texts.refundAction({ amount: money(amount) }) : texts.refund}
      request={request}
      shown={['amount', 'reason']}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        {...field('amount')}
        label={texts.refundAmount({ currency })}
        hint={texts.refundHint({ left: money(left) })}
        inputMode="decimal"
        autoFocus
      />
      <TextArea
        {...field('reason')}
        label={texts.reason}
        hint={texts.refundReasonHint}
        isOptional
        maxLength={maxReasonLength}
      />
    </ActionForm>
  );
}

/**
 * The remaining amount when the dialog opened, or when the API last refused: the amount that the person saw. It does
 * not change while the outcome of a refund is unknown, so that a repeated refund is the same request.
 */
function useExpectedRemaining(left: number, fault: unknown): number {
  const [expected, setExpected] = useState(left);
  const isRefused = isFinalResponse(fault);
  useEffect(() => {
    if (isRefused) setExpected(left);
  }, [isRefused, left]);
  return expected;
}

/** The request contains the expected remaining amount, so that two people can’t refund the same money twice. */
export function RefundDialog({ payment, left, onClose }: Omit<FormProps, 'request'>) {
  const texts = usePaymentTexts();
  const request = useApiMutation('refundPayment', {
    invalidates: ['getPayment', 'listRefunds', 'listPaymentEvents', 'listPayments', 'listBalances'],
  });
  const expected = useExpectedRemaining(left, request.error);
  return (
    <Dialog title={texts.refundTitle} onClose={onClose}>
      {request.data ? (
        <Result refund={request.data} onClose={onClose} />
      ) : (
        <RefundForm payment={payment} left={expected} request={request} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Reason({ refund }: { refund: Refund }) {
  const { overpayment } = usePaymentTexts();
  const { none } = useCommonTexts();
  const { kind, reason, failureCode } = refund;
  return (
    <span>
      {kind === 'surplus' ? overpayment : <LongText text={reason ?? none} />}
      {failureCode && <span class="mono"> {failureCode}</span>}
    </span>
  );
}

function useRefundColumns(): readonly Column<Refund>[] {
  const texts = usePaymentTexts();
  return useNamedColumns(texts, {
    amount: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    status: ({ status }) => <Badge tone={tones[status]}>{texts.refundStates[status]}</Badge>,
    date: ({ createdAt }) => <Moment at={createdAt} />,
    reason: (refund) => <Reason refund={refund} />,
  });
}

type RefundsProps = {
  payment: { refundedAmount: number; currency: string };
  refunds: ReturnType<typeof useApiQuery<'listRefunds'>>;
  left: number;
};

/** The refunds of a payment that was paid, or whose overpayment was refunded. */
export function Refunds({ payment, refunds, left }: RefundsProps) {
  const texts = usePaymentTexts();
  const { language } = useLanguage();
  const columns = useRefundColumns();
  const money = (amount: number) => formatMoney(language, amount, payment.currency);
  const { refundedAmount } = payment;
  return (
    <Section
      title={texts.refunds}
      hint={
        refundedAmount > 0
          ? texts.refundedOf({ refunded: money(refundedAmount), left: money(left) })
          : undefined
      }
    >
      <QueryContent result={refunds} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{texts.noRefunds}</p>
          ) : (
            <Table caption={texts.refunds} columns={columns} rows={data} keyOf={({ refundId }) => refundId} />
          )
        }
      </QueryContent>
    </Section>
  );
}
