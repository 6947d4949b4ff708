// How often deliveries that wait are looked at again: quickly while a try is about to be made, slowly while the next one
// is hours away, and not at all when there is nothing to wait for.

export type Waiting = { state: 'pending' | 'delivered' | 'failed'; nextTryAt: string | null };

const soonMs = 30_000;
const quickMs = 1_500;
const slowMs = 30_000;

/** The pause between two looks in milliseconds; false for none. `isOn`: whether their endpoint is sent to at all. */
export function paceOf(deliveries: readonly Waiting[], isOn: boolean, now: Date): number | false {
  const pending = isOn ? deliveries.filter(({ state }) => state === 'pending') : [];
  if (pending.length === 0) return false;
  const isSoon = pending.some(
    ({ nextTryAt }) => nextTryAt === null || Date.parse(nextTryAt) - now.getTime() < soonMs,
  );
  return isSoon ? quickMs : slowMs;
}
