// Counts the calls that a rate limit allows. It is refilled as time passes, so on a slow machine it allows more of them.

import assert from 'node:assert/strict';

/** How many calls a limit of a minute allows again since a time of `performance.now()`. */
export const refilled = (perMinute: number, since: number): number =>
  Math.floor(((performance.now() - since) / 60_000) * perMinute);

/** Fails unless an unused limit of a minute allows its quota of these calls, and no more than it allows again meanwhile. */
export async function assertAllows(
  perMinute: number,
  calls: () => Promise<readonly { status: number }[]>,
  what = 'of one client',
): Promise<void> {
  const since = performance.now();
  const allowed = (await calls()).filter(({ status }) => status !== 429).length;
  const most = perMinute + refilled(perMinute, since);
  assert.ok(allowed >= perMinute && allowed <= most, `${allowed} of ${perMinute} calls ${what}`);
}
