// Reads payments by their link codes. Concurrent reads of one company form a batch with few statements, each as
// of a moment after the read came. The expiry of an overdue link is written in a transaction of its own, so that
// no read waits for the lock of another.

import { createBatcher, dedupe } from '../base/batcher.ts';
import type { Clock } from '../base/clock.ts';
import type { Database, Mode, TenantTx } from '../db/database.ts';
import { batchOptions } from '../payments/batch-options.ts';
import { listPaymentsByCode, type Payment } from '../payments/store.ts';
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
  const options = { isBatch: true };
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
export type LinkReader<Found> = {
  /** Reads it for all codes that are payments of the company. Returns it by code. */
  read(tx: TenantTx, codes: readonly string[], now: Date): Promise<ReadonlyMap<string, Found>>;
  paymentOf(found: Found): Payment;
};

/** Reads one payment; null if it does not exist. Expires an overdue link. */
export async function readByCode<Found>(
  deps: ReadDeps,
  { read, paymentOf }: LinkReader<Found>,
  query: LinkQuery,
): Promise<Found | null> {
  const now = deps.clock.now();
  const { code } = query;
  const find = async (tx: TenantTx) => (await read(tx, [code], now)).get(code) ?? null;
  const found = await runInScope(deps, query, find);
  if (!found || !isExpiryDue(paymentOf(found), now)) return found;
  return await deps.db.inTenant(paymentOf(found), async (tx) => {
    await expireIfDue(tx, paymentOf(found), now);
    return await find(tx);
  });
}

/** `readByCode` in batches. Reads of the same code in one batch get the same object. */
export function createBatchedReader<Found>(
  deps: ReadDeps,
  reading: LinkReader<Found>,
): (query: LinkQuery) => Promise<Found | null> {
  const runQuery = async (key: string, codes: readonly string[]) =>
    await runInScope(deps, scopeOf(key), async (tx) => await reading.read(tx, codes, deps.clock.now()));
  const batch = createBatcher({ ...batchOptions, runBatch: dedupe((code) => code, runQuery) });
  return async (query) => {
    const found = await batch(keyOf(query), query.code);
    if (!found) return null;
    return isExpiryDue(reading.paymentOf(found), deps.clock.now())
      ? await readByCode(deps, reading, query)
      : found;
  };
}

/** Reads the payments themselves, and nothing else. */
export const paymentReader: LinkReader<Payment> = {
  read: async (tx, codes) => await listPaymentsByCode(tx, codes),
  paymentOf: (payment) => payment,
};
