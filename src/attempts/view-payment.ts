// How a link stands when somebody looks at it: the payment with all that its page shows. A link whose time is up is
// expired by the look itself. Views are shared by those who look at the same moment: nobody may change one.

import { type Company, findCompany } from '../companies/store.ts';
import { listMethods, type PaymentMethod } from '../connections/list-methods.ts';
import type { TenantTx } from '../db/database.ts';
import {
  createBatchedReader,
  type LinkQuery,
  type LinkReader,
  type ReadDeps,
  readByCode,
} from '../links/read-by-code.ts';
import { listAttemptsOfPayments } from '../payments/attempt-store.ts';
import { listWithHeldFunds } from '../payments/case-store.ts';
import { listOverpaid } from '../payments/refund-store.ts';
import { type Attempt, listPaymentsByCode, type Payment } from '../payments/store.ts';
import type { ProcessorRegistry } from '../processors/processor.ts';
import { countRefusedAttempts } from './retry-policy.ts';

export type PaymentView = {
  readonly payment: Payment;
  readonly company: Company;
  /** The attempt that counts now, and how many have ended with somebody's no. */
  readonly attempt: Attempt | null;
  readonly endedAttempts: number;
  /** The ways to pay that are offered, in order; none when the payment is not open. */
  readonly methods: readonly PaymentMethod[];
  /** Whether money was taken that the payment has no place for, and goes back. */
  readonly isMoneySentBack: boolean;
  /** Whether money was taken that the payment has no place for, and that only the merchant can send back. */
  readonly isMoneyHeld: boolean;
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
  const offered = await listMethods(tx, processors, { dues: open, now });
  const methods = new Map(open.map(({ paymentId }, index) => [paymentId, offered[index]]));
  const viewOf = (payment: Payment): PaymentView => {
    const own = attempts.get(payment.paymentId) ?? [];
    return {
      payment,
      company,
      attempt: own.at(-1) ?? null,
      endedAttempts: countRefusedAttempts(own),
      methods: methods.get(payment.paymentId) ?? [],
      isMoneySentBack: overpaid.has(payment.paymentId),
      isMoneyHeld: held.has(payment.paymentId),
    };
  };
  return new Map(payments.map((payment) => [payment.code, viewOf(payment)]));
}

const viewReader = (deps: ViewDeps): LinkReader<PaymentView> => ({
  read: async (tx, codes, now) => await readViews(deps, tx, { codes, now }),
  paymentOf: ({ payment }) => payment,
});

/** The payment of a link code with what a page shows of it; null when there is none. */
export async function viewPayment(deps: ViewDeps, query: LinkQuery): Promise<PaymentView | null> {
  return await readByCode(deps, viewReader(deps), query);
}

export type ViewPayment = (query: LinkQuery) => Promise<PaymentView | null>;

/** What views a payment as `viewPayment` does; payments of a company that are viewed together are read together. */
export function createBatchedViewer(deps: ViewDeps): ViewPayment {
  return createBatchedReader(deps, viewReader(deps));
}
