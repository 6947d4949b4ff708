// What both integrations do with a payment link, and how they read its state. Whoever asks decides what follows. Must
// not: treat a link as ended while the customer may still be paying.

import { type Paylink as Client, PaylinkApiError, type Payment, type Refund } from '../../sdk/src/index.ts';
import { toMajor, toMinor } from './amounts.ts';
import { RefusedError } from './refused-error.ts';

/** The part of the client that the integrations use. */
export type Links = { payments: Pick<Client['payments'], 'create' | 'get' | 'cancel' | 'refund' | 'list'> };

export type { Payment, Refund };

/** Whether an error is a response of Paylink with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof PaylinkApiError && codes.includes(error.code);
}

/**
 * What a payment means for an order. `paid` is money that was collected and is kept, at least in part. A payment that
 * was refunded in full pays no order, although Paylink keeps its status `paid`.
 */
export type LinkStatus = 'open' | 'processing' | 'paid' | 'refunded' | 'failed' | 'cancelled';

/** Refunds that are under way count only if the payment was read with them. */
export function linkStatusOf(
  payment: Pick<Payment, 'status' | 'amount' | 'refundedAmount' | 'refunds'>,
): LinkStatus {
  if (payment.status === 'expired') return 'cancelled';
  if (payment.status !== 'paid') return payment.status;
  const underWay = (payment.refunds ?? []).filter(
    ({ kind, status }) => kind === 'merchant' && ['created', 'processing', 'unknown'].includes(status),
  );
  const back = underWay.reduce((sum, { amount }) => sum + toMinor(amount), toMinor(payment.refundedAmount));
  return back >= toMinor(payment.amount) ? 'refunded' : 'paid';
}

export async function readLink({ payments }: Links, code: string): Promise<Payment> {
  return await payments.get(code, { expand: 'refunds' });
}

/**
 * Ends a link so that nobody can pay it. Does nothing if it has ended without money. Throws `RefusedError` while the
 * customer is paying, and if the money was collected.
 */
export async function endLink(links: Links, code: string): Promise<void> {
  try {
    await links.payments.cancel(code);
  } catch (cause) {
    if (hasCode(cause, 'payment_in_progress'))
      throw new RefusedError(
        'not_allowed',
        `The customer is paying ${code} at this moment. Wait until this payment has ended, and try again.`,
        { cause },
      );
    if (!hasCode(cause, 'payment_ended')) throw cause;
    if (linkStatusOf(await readLink(links, code)) === 'paid')
      throw new RefusedError(
        'not_allowed',
        `The payment ${code} is paid, so it cannot be cancelled. Complete the order, or refund it.`,
        { cause },
      );
  }
}

export type RefundAsk = {
  /** The same for each repetition of this refund, and for no other. */
  key: string;
  amountMinor: bigint;
  /** What the host expects to be refundable before this refund. */
  remainingMinor: bigint;
  reason: string;
};

/**
 * Refunds an amount once. Paylink refuses it if something was refunded that the host does not know: by somebody in Paylink,
 * or by a request whose answer was lost. So no lost answer makes a second refund. Throws `RefusedError`.
 */
export async function refundOnce(links: Links, code: string, ask: RefundAsk): Promise<Refund> {
  const { key, amountMinor, remainingMinor, reason } = ask;
  const body = { amount: toMajor(amountMinor), expectedRemaining: toMajor(remainingMinor), reason };
  try {
    return await links.payments.refund(code, body, { idempotencyKey: key });
  } catch (cause) {
    if (!hasCode(cause, 'stale_remaining')) throw cause;
    throw new RefusedError(
      'not_allowed',
      `Paylink has a refund of ${code} that this shop does not know. Look at its refunds in Paylink, and make further ones there.`,
      { cause },
    );
  }
}
