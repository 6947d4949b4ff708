// Reads payments by their link codes. Concurrent reads of one company form a batch with few statements, each as
// of a moment after the read came. The expiry of an overdue link is written in a transaction of its own, so that
// no read waits for the lock of another.

import { createSharedBatcher, dedupe } from '../base/batcher.ts';
import { activeTestTime, type Clock, runInTestTime, type TestTime } from '../base/clock.ts';
import type { Database, Mode, TenantTx } from '../db/database.ts';
import { batchOptions } from '../payments/batch-options.ts';
import { listPaymentsByCode, type PaymentWithAttempts } from '../payments/presented-store.ts';
import type { Payment } from '../payments/store.ts';
import { expireIfDue, isExpiryDue } from './expire-payments.ts';

export type ReadDeps = { db: Database; clock: Clock };
/**
 * Whose payment is read. The mode is that of the credentials. It is null for a customer, who only knows the code:
 * then the code is looked up in both modes, and everything after runs in the mode of its row.
 */
export type LinkQuery = { companyId: string; mode: Mode | null; code: string };

type Scope = Pick<LinkQuery, 'companyId' | 'mode'>;

/** Reads in the mode of the query, or in both modes by name. */
async function runInScope<T>(
  { db }: ReadDeps,
  { companyId, mode }: Scope,
  work: (tx: TenantTx) => Promise<T>,
): Promise<T> {
  const options = { isBatch: true, isSingle: true };
  return mode
    ? await db.inTenant({ companyId, mode }, work, options)
    : await db.inBothModes(companyId, work, options);
}

const keyOf = ({ companyId, mode }: Scope) => `${companyId} ${mode ?? ''}`;
function scopeOf(key: string): Scope {
  const [companyId = '', mode] = key.split(' ');
  return { companyId, mode: mode === 'test' || mode === 'live' ? mode : null };
}

/** What is read about a payment. */
export type LinkReading<Deps, Found> = {
  /** Reads it for all codes that are payments of the company, in one statement. Returns it by code. */
  read(deps: Deps, tx: TenantTx, codes: readonly string[]): Promise<ReadonlyMap<string, Found>>;
  paymentOf(found: Found): Payment;
  /** The test time of the payment, for callers without credentials; unset: that of the caller. */
  testTimeOf?(found: Found): TestTime | null;
};

/**
 * A function that reads one payment and returns null if it does not exist. It expires an overdue link. Calls with the
 * same `deps` object share batches, and calls for the same code in a batch get the same object.
 */
export function createLinkReader<Deps extends ReadDeps, Found>({
  read,
  paymentOf,
  testTimeOf = activeTestTime,
}: LinkReading<Deps, Found>): (deps: Deps, query: LinkQuery) => Promise<Found | null> {
  const readInBatch = createSharedBatcher((deps: Deps) => {
    const readCodes = async (key: string, codes: readonly string[]) =>
      await runInScope(deps, scopeOf(key), async (tx) => await read(deps, tx, codes));
    return { ...batchOptions, runBatch: dedupe((code: string) => code, readCodes) };
  });
  return async (deps, query) => {
    const found = (await readInBatch(deps, keyOf(query), query.code)) ?? null;
    if (!found) return null;
    return await runInTestTime(testTimeOf(found), async () => {
      const now = deps.clock.now();
      if (!isExpiryDue(paymentOf(found), now)) return found;
      return await deps.db.inTenant(paymentOf(found), async (tx) => {
        await expireIfDue(tx, paymentOf(found), now);
        return (await read(deps, tx, [query.code])).get(query.code) ?? null;
      });
    });
  };
}

/** The payment of a link code, as the API presents it. */
export const readByCode = createLinkReader<ReadDeps, PaymentWithAttempts>({
  read: async (_, tx, codes) => await listPaymentsByCode(tx, codes),
  paymentOf: (payment) => payment,
});
