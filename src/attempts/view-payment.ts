// Reads a payment with everything that its page shows. Expires an overdue link. Concurrent requests share a view, so
// callers must not change it.

import { type Company, findCompany } from '../companies/store.ts';
import { listMethods, type PaymentMethod } from '../connections/list-methods.ts';
import type { TenantTx } from '../db/database.ts';
import { createLinkReader, type ReadDeps } from '../links/read-by-code.ts';
import { listAttemptsOfPayments } from '../payments/attempt-store.ts';
import { listWithHeldFunds } from '../payments/case-store.ts';
import { listOverpaid } from '../payments/refund-store.ts';
import { type Attempt, listPaymentsByCode, type Payment } from '../payments/store.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';
import { countDeclinedAttempts } from './retry-policy.ts';

export type PaymentView = {
  readonly payment: Payment;
  readonly company: Company;
  /** The current attempt, and how many attempts ended with a decline. */
  readonly attempt: Attempt | null;
  readonly declinedAttempts: number;
  /** The offered methods, in order; none if the payment is not open. */
  readonly methods: readonly PaymentMethod[];
  /** Whether an overpayment was collected and is refunded. */
  readonly isOverpaymentRefunded: boolean;
  /** Whether an overpayment was collected that only the merchant can refund. */
  readonly isOverpaymentHeld: boolean;
};

export type ViewDeps = ReadDeps & { processors: ProcessorRegistry };

async function readViews(
  { processors }: ViewDeps,
  tx: TenantTx,
  { codes, now }: { codes: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, PaymentView>> {
  const payments = [...(await listPaymentsByCode(tx, codes)).values()];
  const company = payments.length > 0 ? await findCompany(tx) : null;
  if (!company) return new Map();
  const attempts = await listAttemptsOfPayments(
    tx,
    payments.map(({ paymentId }) => paymentId),
  );
  const overpaid = attempts.size > 0 ? await listOverpaid(tx, [...attempts.keys()]) : new Set<string>();
  const held = attempts.size > 0 ? await listWithHeldFunds(tx, [...attempts.keys()]) : new Set<string>();
  const open = payments.filter(({ state }) => state === 'open');
  const offered = await listMethods(tx, processors, { amountsDue: open, now });
  const methods = new Map(open.map(({ paymentId }, index) => [paymentId, offered[index]]));
  const viewOf = (payment: Payment): PaymentView => {
    const own = attempts.get(payment.paymentId) ?? [];
    return {
      payment,
      company,
      attempt: own.at(-1) ?? null,
      declinedAttempts: countDeclinedAttempts(own),
      methods: methods.get(payment.paymentId) ?? [],
      isOverpaymentRefunded: overpaid.has(payment.paymentId),
      isOverpaymentHeld: held.has(payment.paymentId),
    };
  };
  return new Map(payments.map((payment) => [payment.code, viewOf(payment)]));
}

/** The payment of a link code with what a page shows of it; null if it does not exist. */
export const viewPayment = createLinkReader<ViewDeps, PaymentView>({
  read: readViews,
  paymentOf: ({ payment }) => payment,
});
