// What processors charge, as their records say, stored with our payments. Must not: take the fee of a charge that we have not
// booked as the processor has.

import type { Database, TenantScope } from '../db/database.ts';
import { setFees } from '../payments/attempt-store.ts';
import type { BalanceTransaction } from '../processors/processor.ts';
import type { BookedCharge } from './store.ts';

/** Whether we have booked what the processor lists. */
export function isEqual(
  ours: { amountMinor: number; currency: string },
  theirs: BalanceTransaction,
): boolean {
  return ours.amountMinor === theirs.amountMinor && ours.currency === theirs.currency;
}

/** Stores what the processor charges for payments that we have booked as it has. */
export async function recordFees(
  db: Database,
  { processor, ...scope }: TenantScope & { processor: string },
  movements: readonly BalanceTransaction[],
  charges: ReadonlyMap<string, BookedCharge>,
): Promise<void> {
  const fees = movements.flatMap((theirs) => {
    const ours = theirs.kind === 'charge' ? charges.get(theirs.key) : undefined;
    const isBooked = ours?.state === 'succeeded' && ours.processor === processor && isEqual(ours, theirs);
    return isBooked && theirs.feeMinor !== undefined
      ? [{ attemptId: theirs.key, feeMinor: theirs.feeMinor }]
      : [];
  });
  if (fees.length > 0) await db.inTenant(scope, async (tx) => await setFees(tx, fees));
}
