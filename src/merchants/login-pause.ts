// The pause after passwords that were wrong: counted for an account and a client together, so that a
// stranger who guesses pauses himself and not the owner. Holds digests, never an address.

import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import {
  deleteLoginFailures,
  insertLoginFailure,
  listLoginFailures,
  lockLoginPair,
  purgeLoginFailures,
} from './store.ts';

export type PauseDeps = { db: Database; keyring: Keyring };

/** Whose password is tried, by the address in lower case, and from which client; null: whoever tries counts. */
export type Guesser = { email: string; client: string | null };

const pauseAfterFailures = 10;
const pauseWindowMs = 30 * 60 * 1000;

function pairOf(keyring: Keyring, guesser: Guesser) {
  const digest = (text: string) => keyring.mac('digest', text).toString('base64url');
  return {
    accountDigest: digest(`login:${guesser.email}`),
    clientDigest: digest(`client:${guesser.client ?? 'anybody'}`),
  };
}

/**
 * Counts this try as a failure before it is judged, so that many at once can't all slip through.
 * Throws `login_paused` after 10 failures in 30 minutes.
 */
export async function spendTry(deps: PauseDeps, guesser: Guesser, now: Date): Promise<void> {
  const pair = pairOf(deps.keyring, guesser);
  const since = new Date(now.getTime() - pauseWindowMs);
  const oldest = await deps.db.inSystem(async (tx) => {
    await lockLoginPair(tx, pair);
    const failures = await listLoginFailures(tx, pair, since, pauseAfterFailures);
    if (failures.length < pauseAfterFailures) await insertLoginFailure(tx, pair, now);
    return failures[pauseAfterFailures - 1];
  });
  if (!oldest) return;
  const waitSeconds = Math.max(1, Math.ceil((oldest.getTime() + pauseWindowMs - now.getTime()) / 1000));
  throw errors.loginPaused({
    detail: `Wait ${waitSeconds} s, then try again.${guesser.client === null ? '' : ' Other clients of this account are not affected.'}`,
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/** Forgets the failures of who has shown to know the password. */
export async function forgiveTries(deps: PauseDeps, guesser: Guesser): Promise<void> {
  await deps.db.inSystem(async (tx) => await deleteLoginFailures(tx, pairOf(deps.keyring, guesser)));
}

/** Forgets failures that no pause can count any more. Returns how many. */
export async function purgeOldFailures(deps: { db: Database; clock: Clock }): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - pauseWindowMs);
  return await deps.db.inSystem(async (tx) => await purgeLoginFailures(tx, before));
}
