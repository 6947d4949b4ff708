// How often waiting deliveries are polled: often while an attempt is about to be made, rarely while the next one is
// hours away, and not at all if there is nothing to wait for.

export type PendingDelivery = { status: 'pending' | 'delivered' | 'failed'; nextTryAt: string | null };

const soonMs = 30_000;
const fastIntervalMs = 1_500;
const slowIntervalMs = 30_000;

/** Polls one delivery while it is pending. */
export const pollDelivery = (isOn: boolean) => ({
  refetchIntervalMs: (delivery: PendingDelivery) => pollIntervalOf([delivery], isOn, new Date()),
});

/** The interval of polling in milliseconds; false for none. `isOn`: whether their endpoint is enabled. */
export function pollIntervalOf(
  deliveries: readonly PendingDelivery[],
  isOn: boolean,
  now: Date,
): number | false {
  const pending = isOn ? deliveries.filter(({ status }) => status === 'pending') : [];
  if (pending.length === 0) return false;
  const isSoon = pending.some(
    ({ nextTryAt }) => nextTryAt === null || Date.parse(nextTryAt) - now.getTime() < soonMs,
  );
  return isSoon ? fastIntervalMs : slowIntervalMs;
}
