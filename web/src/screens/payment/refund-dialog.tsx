// Refunds a payment, partially or in full. The request contains the expected remaining amount, so that two people can't
// refund the same money twice. The result is shown as it is: refunded, under way, unknown, or refused.

import { useEffect, useState } from 'preact/hooks';
import type { OperationResponse } from '../../api/call.ts';
import { isFinalResponse, useApiMutation } from '../../api/queries.ts';
import { formatMoney, readAmount } from '../../base/format.ts';
import { type Language, useLanguage } from '../../base/language.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormError, TextArea, TextField } from '../../parts/field.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useExplain } from '../../texts/problems.ts';
import type { Refund } from './money-left.ts';
import { usePaymentTexts } from './texts.ts';

const maxReasonLength = 500;

const tones: Record<Refund['status'], string> = {
  created: 'notice-busy',
  processing: 'notice-busy',
  unknown: 'notice-busy',
  succeeded: 'notice-good',
  failed: 'notice-bad',
};

/** The result of the refund. */
function Result({ refund, close }: { refund: Refund; close(): void }) {
  const { refundDone } = usePaymentTexts();
  const { done } = useCommonTexts();
  const { language } = useLanguage();
  const { status, amount, currency, failureCode } = refund;
  const say = refundDone[status === 'created' ? 'processing' : status];
  return (
    <div class="stack">
      <div class={`notice ${tones[status]}`} role="status">
        <p>{say(formatMoney(language, amount, currency))}</p>
        {failureCode && <p class="mono">{failureCode}</p>}
      </div>
      <div class="actions">
        <Button weight="main" autoFocus onClick={close}>
          {done}
        </Button>
      </div>
    </div>
  );
}

function amountText(language: Language, amount: number): string {
  const text = amount.toFixed(2);
  return language === 'de' ? text.replace('.', ',') : text;
}

type Payment = OperationResponse<'getPayment'>;
type FormProps = {
  payment: Payment;
  left: number;
  act: ReturnType<typeof useApiMutation<'refundPayment'>>;
  close(): void;
};

/** Amount and reason as they are typed. */
function useRefundDraft(left: number) {
  const { language } = useLanguage();
  const [draft, setDraft] = useState({ amount: amountText(language, left), reason: '' });
  const [isTried, setIsTried] = useState(false);
  const amount = readAmount(draft.amount);
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });
  const isTooLarge = isTried && amount !== null && amount > left;
  return { draft, set, amount, isWrong: isTried && !amount, isTooLarge, markTried: () => setIsTried(true) };
}

function RefundForm({ payment, left, act, close }: FormProps) {
  const texts = usePaymentTexts();
  const { cancel } = useCommonTexts();
  const { language } = useLanguage();
  const { draft, set, amount, isWrong, isTooLarge, markTried } = useRefundDraft(left);
  const tooLarge = isTooLarge
    ? texts.refundTooLarge(formatMoney(language, left, payment.currency))
    : undefined;
  const { fields } = useExplain()(act.error);
  const { currency, PaymentLinkCode: code } = payment;
  const submit = () => {
    markTried();
    if (!amount || amount > left || act.isPending) return;
    const reason = draft.reason.trim();
    const body = { amount, expectedRemaining: left, ...(reason ? { reason } : {}) };
    act.mutate({ path: { code }, body });
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormError fault={act.error} shown={['amount', 'reason']} />
      <TextField
        label={texts.refundAmount(currency)}
        hint={texts.refundHint(formatMoney(language, left, currency))}
        inputMode="decimal"
        value={draft.amount}
        error={isWrong ? texts.badAmount : (tooLarge ?? fields.amount)}
        onInput={(value) => set({ amount: value })}
        autoFocus
      />
      <TextArea
        label={texts.refundReason}
        hint={texts.refundReasonHint}
        isOptional
        maxLength={maxReasonLength}
        value={draft.reason}
        error={fields.reason}
        onInput={(reason) => set({ reason })}
      />
      <div class="actions">
        <Button type="submit" weight="main" isWorking={act.isPending}>
          {amount ? texts.refundAct(formatMoney(language, amount, currency)) : texts.refund}
        </Button>
        <Button onClick={close}>{cancel}</Button>
      </div>
    </form>
  );
}

/**
 * The remaining amount when the dialog opened, or when the API last refused: the amount that the person saw. It does
 * not change while the outcome of a refund is unknown, so that a repeated refund is the same request.
 */
function useExpectedRemaining(left: number, fault: unknown): number {
  const [believed, setBelieved] = useState(left);
  const isRefused = isFinalResponse(fault);
  useEffect(() => {
    if (isRefused) setBelieved(left);
  }, [isRefused, left]);
  return believed;
}

/** The dialog: the form, then the result. */
export function RefundDialog({ payment, left, close }: Omit<FormProps, 'act'>) {
  const texts = usePaymentTexts();
  const act = useApiMutation('refundPayment', {
    refreshes: ['getPayment', 'listRefunds', 'listPaymentEvents', 'listPayments', 'listBalances'],
  });
  const believed = useExpectedRemaining(left, act.error);
  return (
    <Dialog title={texts.refundTitle} onClose={close}>
      {act.data ? (
        <Result refund={act.data} close={close} />
      ) : (
        <RefundForm payment={payment} left={believed} act={act} close={close} />
      )}
    </Dialog>
  );
}
