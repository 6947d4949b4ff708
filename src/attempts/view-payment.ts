// Reads a payment with everything that its page shows. Expires an overdue link. Concurrent requests share a view, so
// callers must not change it.

import { runInTestTime, type TestTime } from '../base/clock.ts';
import type { Company } from '../companies/store.ts';
import { chooseMethods, type OfferedMethod } from '../connections/list-methods.ts';
import type { TenantTx } from '../db/database.ts';
import { createLinkReader, type ReadDeps } from '../links/read-by-code.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import { listViews, type StoredView } from '../payments/view-store.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';
import { countDeclinedAttempts } from './retry-policy.ts';

export type PaymentView = {
  readonly payment: Payment;
  readonly company: Company;
  /** The current attempt, and how many attempts ended with a decline. */
  readonly attempt: Attempt | null;
  /** In order, the current one last. */
  readonly attempts: readonly Attempt[];
  readonly declinedAttempts: number;
  /** The offered methods, in order; none if the payment is not open. */
  readonly methods: readonly OfferedMethod[];
  /** The refund of an overpayment that was collected; null if there was none. */
  readonly overpaymentRefund: OverpaymentRefund | null;
  /** Whether an overpayment was collected that only the merchant can refund. */
  readonly isOverpaymentHeld: boolean;
  /** The test time of the payment; null in real time. */
  readonly testTime: TestTime | null;
};

export type OverpaymentRefund = 'in_progress' | 'complete';

export type ViewDeps = ReadDeps & { processors: ProcessorRegistry };

async function readViews(
  { processors, clock }: ViewDeps,
  tx: TenantTx,
  codes: readonly string[],
): Promise<ReadonlyMap<string, PaymentView>> {
  const stored = await listViews(tx, codes);
  if (!stored) return new Map();
  const { company, connections, views } = stored;
  const inMode = Object.groupBy(connections, ({ mode }) => mode);
  const methodsOf = (payment: Payment) =>
    payment.state === 'open'
      ? chooseMethods(processors, inMode[payment.mode] ?? [], { amountDue: payment, now: clock.now() })
      : [];
  const viewOf = ({ payment, attempts, isReturned, isHeld, testTime }: StoredView): PaymentView => ({
    payment,
    company,
    attempt: attempts.at(-1) ?? null,
    attempts,
    declinedAttempts: countDeclinedAttempts(attempts),
    methods: runInTestTime(testTime, () => methodsOf(payment)),
    overpaymentRefund: isReturned === null ? null : isReturned ? 'complete' : 'in_progress',
    isOverpaymentHeld: isHeld,
    testTime,
  });
  return new Map(views.map((view) => [view.payment.code, viewOf(view)]));
}

/** The payment of a link code with what a page shows of it; null if it does not exist. */
export const viewPayment = createLinkReader<ViewDeps, PaymentView>({
  read: readViews,
  paymentOf: ({ payment }) => payment,
  testTimeOf: ({ testTime }) => testTime,
});
