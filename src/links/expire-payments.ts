// Expires overdue links: when they are read, and by a job, so that merchants are notified of all. An attempt that
// started in time may finish.

import { type Clock, runInTimeOf, type TestClocks } from '../base/clock.ts';
import { type Database, scopeKey, scopeOfKey, type TenantScope, type TenantTx } from '../db/database.ts';
import {
  listDuePayments,
  listOverdueLinks,
  lockPayment,
  lockPayments,
  type Payment,
} from '../payments/store.ts';
import { transitionPayment, transitionPayments } from '../payments/transition.ts';

export function isExpiryDue({ state, expiresAt }: Pick<Payment, 'state' | 'expiresAt'>, now: Date): boolean {
  return state === 'open' && expiresAt <= now;
}

/**
 * The payment as it is now: an open overdue payment is expired by this call. If another transaction was first
 * (a customer's attempt, or a longer expiry from the merchant), returns that result.
 */
export async function expireIfDue(tx: TenantTx, payment: Payment, now: Date): Promise<Payment> {
  if (!isExpiryDue(payment, now)) return payment;
  const { paymentId } = payment;
  await transitionPayment(tx, { paymentId, from: 'open', to: 'expired', at: now, actor: 'system' });
  return (await lockPayment(tx, paymentId)) ?? payment;
}

/** Links that are read at once, and those of them that one transaction expires: no lock is held for long. */
const batchSize = 500;
const maxPerTransaction = 100;

/** Expires due links of one company in one transaction. Returns how many it expired. */
async function expireTogether(
  db: Database,
  scope: TenantScope,
  due: { paymentIds: readonly string[]; now: Date },
): Promise<number> {
  const move = { from: 'open', to: 'expired', at: due.now, actor: 'job:expire-payments' } as const;
  return await db.inTenant(scope, async (tx) => {
    const locked = await lockPayments(tx, due.paymentIds, { skipsLocked: false });
    const moves = [...locked.keys()].map((paymentId) => ({ ...move, paymentId }));
    return (await transitionPayments(tx, moves)).size;
  });
}

type ExpireDeps = { db: Database; clock: Clock };

/** Expires the overdue links of one company in one mode. Returns how many. */
export async function expireCompany({ db, clock }: ExpireDeps, scope: TenantScope): Promise<number> {
  const now = clock.now();
  let expired = 0;
  for (;;) {
    const paymentIds = await db.inTenant(
      scope,
      async (tx) => await listOverdueLinks(tx, now, maxPerTransaction),
    );
    if (paymentIds.length > 0) expired += await expireTogether(db, scope, { paymentIds, now });
    if (paymentIds.length < maxPerTransaction) return expired;
  }
}

/** Expires the links of companies whose test clock is ahead, in their time. A fault of one is kept for the end. */
async function expireInTestTimes(deps: ExpireDeps, clocks: TestClocks, faults: unknown[]): Promise<number> {
  let expired = 0;
  for (const companyId of clocks.keys()) {
    const scope = { companyId, mode: 'test' } as const;
    const expire = async () => await expireCompany(deps, scope);
    expired += await runInTimeOf(clocks, scope, expire).catch((fault: unknown) => {
      faults.push(fault);
      return 0;
    });
  }
  return expired;
}

/**
 * Expires every overdue open link in batches. Returns how many this call expired. The links of a company whose
 * transaction fails wait for the next call, and the others expire; then this throws. Companies whose test clock is ahead
 * come first, so that their links expire in their time.
 */
export async function expirePayments(deps: ExpireDeps, clocks: TestClocks = new Map()): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  const failed = new Map<string, unknown>();
  const faults: unknown[] = [];
  let expired = await expireInTestTimes(deps, clocks, faults);
  for (;;) {
    const page = { before: now, limit: batchSize, except: [...failed.keys()] };
    const due = await db.inSystem(async (tx) => await listDuePayments(tx, page));
    for (const [key, links] of Map.groupBy(due, scopeKey)) {
      const scope = scopeOfKey(key);
      try {
        for (let start = 0; start < links.length; start += maxPerTransaction) {
          const paymentIds = links.slice(start, start + maxPerTransaction).map(({ paymentId }) => paymentId);
          expired += await expireTogether(db, scope, { paymentIds, now });
        }
      } catch (error) {
        failed.set(scope.companyId, error);
      }
    }
    if (due.length < batchSize) break;
  }
  faults.push(...failed.values());
  if (faults.length === 0) return expired;
  throw new AggregateError(faults, `links of ${faults.length} companies could not be expired`);
}
