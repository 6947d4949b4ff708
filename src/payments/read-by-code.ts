// Looks at payments by the codes of their links. Looks at one company that come together are read together, in
// few statements, each as of a moment after it came. What a look has to write, that a link's time is up, it
// writes in a transaction of its own: nobody waits for somebody else's lock.

import type { Clock } from '../base/clock.ts';
import { asked, createGather } from '../base/gather.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { expireIfDue, isDue } from './expire-payments.ts';
import { gathering } from './gathering.ts';
import { listPaymentsByCode, type Payment } from './store.ts';

export type ReadDeps = { db: Database; clock: Clock };
export type Look = { companyId: string; code: string };

/** What is read of a payment. */
export type Reading<Found> = {
  /** Reads it of all codes that are payments of the company, by their codes. */
  read(tx: TenantTx, codes: readonly string[], now: Date): Promise<ReadonlyMap<string, Found>>;
  paymentOf(found: Found): Payment;
};

/** One look by itself; null when there is no such payment. A link whose time is up is expired by it. */
export async function readOne<Found>(
  deps: ReadDeps,
  { read, paymentOf }: Reading<Found>,
  { companyId, code }: Look,
): Promise<Found | null> {
  const now = deps.clock.now();
  return await deps.db.inTenant(companyId, async (tx) => {
    const find = async () => (await read(tx, [code], now)).get(code) ?? null;
    const found = await find();
    if (!found || !isDue(paymentOf(found), now)) return found;
    await expireIfDue(tx, paymentOf(found), now);
    return await find();
  });
}

/** What looks as `readOne` does. Looks at the same code that are read together get the same object. */
export function gatherReads<Found>(
  deps: ReadDeps,
  reading: Reading<Found>,
): (look: Look) => Promise<Found | null> {
  const ask = async (companyId: string, codes: readonly string[]) =>
    await deps.db.inTenant(companyId, async (tx) => await reading.read(tx, codes, deps.clock.now()), {
      isBatch: true,
    });
  const gather = createGather({ ...gathering, runBatch: asked((code) => code, ask) });
  return async (look) => {
    const found = await gather(look.companyId, look.code);
    if (!found) return null;
    return isDue(reading.paymentOf(found), deps.clock.now()) ? await readOne(deps, reading, look) : found;
  };
}

/** The payments themselves, and nothing beside them. */
export const bare: Reading<Payment> = {
  read: async (tx, codes) => await listPaymentsByCode(tx, codes),
  paymentOf: (payment) => payment,
};
