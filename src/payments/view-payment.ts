// How a link stands when somebody looks at it. A link whose time is up is expired by the look itself.

import type { Clock } from '../base/clock.ts';
import { listMethods, type Method } from '../connections/list-methods.ts';
import type { Database } from '../db/database.ts';
import { type Company, findCompany } from '../merchants/store.ts';
import type { Processors } from '../processors/processor.ts';
import { expireIfDue } from './expire-payments.ts';
import { hasSurplus } from './refund-store.ts';
import { countRefused } from './retry-policy.ts';
import { type Attempt, findPaymentByCode, listAttempts, type Payment } from './store.ts';

export type PaymentView = {
  payment: Payment;
  company: Company;
  /** The attempt that counts now, and how many have ended with somebody's no. */
  attempt: Attempt | null;
  endedAttempts: number;
  /** The ways to pay that are offered, in order; none when the payment is not open. */
  methods: Method[];
  /** Whether money was taken that the payment has no place for, and goes back. */
  isMoneySentBack: boolean;
};

/** The payment of a link code with what a page shows of it; null when there is none. */
export async function viewPayment(
  deps: { db: Database; clock: Clock; processors: Processors },
  look: { companyId: string; code: string },
): Promise<PaymentView | null> {
  const now = deps.clock.now();
  return await deps.db.inTenant(look.companyId, async (tx) => {
    const found = await findPaymentByCode(tx, look.code);
    const company = found && (await findCompany(tx));
    if (!found || !company) return null;
    const payment = await expireIfDue(tx, found, now);
    const attempts = await listAttempts(tx, payment.paymentId);
    return {
      payment,
      company,
      attempt: attempts.at(-1) ?? null,
      endedAttempts: countRefused(attempts),
      methods: payment.state === 'open' ? await listMethods(tx, deps.processors, { ...payment, now }) : [],
      isMoneySentBack: attempts.length > 0 && (await hasSurplus(tx, payment.paymentId)),
    };
  });
}
