// The pause after wrong passwords. A client that has logged in to the account within 90 days is known, and has a counter
// of its own. All other clients share one counter for each account, so that somebody with many addresses has no more
// guesses than somebody with one, and still can't lock the owner out. Holds digests, never an address.

import type { Clock } from '../base/clock.ts';
import { errors, type Refusal } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database, SystemTx } from '../db/database.ts';
import type { Network } from '../http/client.ts';
import {
  type Counter,
  deleteLoginFailure,
  deleteLoginFailures,
  insertLoginFailure,
  listKnownClients,
  listLoginFailures,
  lockCounter,
  purgeKnownClients,
  purgeLoginFailures,
  rememberClients,
} from './store.ts';

export type PauseDeps = { db: Database; keyring: Keyring };

/** Where a login comes from, narrowest network first, and the API key that it brought, if that is one of ours. */
export type Client = { networks: readonly [Network, ...Network[]]; keyId?: string | null };

/** Who tries a password of an account. */
export type Guesser = {
  /** What is guessed at: the address of the account in lower case, or the name of another secret. */
  account: string;
  /** By what the client may be known, best first. */
  clients: readonly string[];
  /** The client is signed in: it has a counter of this name even where it is not known. */
  session?: string;
  /** Nobody is known: whoever tries counts, and a success forgives all. For secrets that come after a password. */
  isSharedByAll?: boolean;
};

/** A try that was counted as a failure until it is forgiven. */
export type SpentTry = { guesser: Guesser; counter: Counter; at: Date; isStranger: boolean };

const pauseAfterFailures = 10;
const pauseWindowMs = 30 * 60 * 1000;
const knownForMs = 90 * 24 * 60 * 60 * 1000;

const messageOfAccount = (account: string) => `login:${account}`;
const messageOfClient = (client: string) => `client:${client}`;

export const nameOfKey = (keyId: string) => `key:${keyId}`;

/** By what a client may be known: its API key, or else its address, which others may share. */
export function namesOfClient({ networks, keyId }: Client): string[] {
  return [...(keyId ? [nameOfKey(keyId)] : []), networks[0].name];
}

const digest = ({ keyring }: PauseDeps, message: string) =>
  keyring.mac('digest', message).toString('base64url');

/** The digests under both master keys while one is being changed. */
const goodDigests = ({ keyring }: PauseDeps, message: string) =>
  keyring.goodMacs('digest', message).map((mac) => mac.toString('base64url'));

async function findKnown(
  deps: PauseDeps,
  tx: SystemTx,
  { account, clients }: Guesser,
  now: Date,
): Promise<string | null> {
  if (clients.length === 0) return null;
  const candidates = clients.map((name) => ({ name, digests: goodDigests(deps, messageOfClient(name)) }));
  const known = await listKnownClients(tx, {
    accountDigests: goodDigests(deps, messageOfAccount(account)),
    clientDigests: candidates.flatMap(({ digests }) => digests),
    since: new Date(now.getTime() - knownForMs),
  });
  return candidates.find(({ digests }) => digests.some((each) => known.includes(each)))?.name ?? null;
}

function pauseRefusal(
  { session, isSharedByAll }: Guesser,
  isStranger: boolean,
  waitSeconds: number,
): Refusal {
  const isOwn = !isStranger && !isSharedByAll && session === undefined;
  const others = isStranger
    ? ' Clients that have logged in to this account in the last 90 days are not affected. To log in from here now, set a new password by a mailed link: POST /v1/password-resets.'
    : isOwn
      ? ' Other clients of this account are not affected.'
      : '';
  return errors.loginPaused({
    detail: `Wait ${waitSeconds} s, then try again.${others}`,
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/**
 * Counts this try as a failure before it is judged, so that many at once can't all slip through. Throws `login_paused`
 * after 10 failures in 30 minutes; a try that is refused so writes nothing and does not make the pause longer.
 */
export async function spendTry(deps: PauseDeps, guesser: Guesser, now: Date): Promise<SpentTry> {
  const since = new Date(now.getTime() - pauseWindowMs);
  const { spent, oldest } = await deps.db.inSystem(async (tx) => {
    const own = (await findKnown(deps, tx, guesser, now)) ?? guesser.session ?? null;
    const counter = {
      accountDigest: digest(deps, messageOfAccount(guesser.account)),
      clientDigest: digest(deps, messageOfClient(own ?? 'anybody')),
    };
    const isStranger = own === null && !guesser.isSharedByAll;
    const read = async () =>
      (await listLoginFailures(tx, counter, since, pauseAfterFailures))[pauseAfterFailures - 1];
    // Without the lock first: during a pause no attempt waits for another one.
    let tenth = await read();
    if (!tenth) {
      await lockCounter(tx, counter);
      tenth = await read();
      if (!tenth) await insertLoginFailure(tx, counter, now);
    }
    return { spent: { guesser, counter, at: now, isStranger }, oldest: tenth };
  });
  if (!oldest) return spent;
  const waitSeconds = Math.max(1, Math.ceil((oldest.getTime() + pauseWindowMs - now.getTime()) / 1000));
  throw pauseRefusal(guesser, spent.isStranger, waitSeconds);
}

/**
 * Forgives a try that was right: all failures that count with it, but of the counter that strangers share only this one,
 * so that a login of the owner gives nobody else new guesses. The client is known from then on.
 */
export async function forgiveTry(deps: PauseDeps, spent: SpentTry): Promise<void> {
  const { guesser, counter, at, isStranger } = spent;
  await deps.db.inSystem(async (tx) => {
    await (isStranger ? deleteLoginFailure(tx, counter, at) : deleteLoginFailures(tx, counter));
    if (guesser.clients.length > 0) await remember(deps, tx, guesser, at);
  });
}

async function remember(
  deps: PauseDeps,
  tx: SystemTx,
  { account, clients }: Pick<Guesser, 'account' | 'clients'>,
  at: Date,
): Promise<void> {
  await rememberClients(tx, {
    accountDigest: digest(deps, messageOfAccount(account)),
    clientDigests: clients.map((name) => digest(deps, messageOfClient(name))),
    at,
  });
}

/** Makes a client known that has shown in another way that it may log in; its failures are forgiven. */
export async function admitClient(
  deps: PauseDeps,
  guesser: Pick<Guesser, 'account' | 'clients'>,
  at: Date,
): Promise<void> {
  const accountDigest = digest(deps, messageOfAccount(guesser.account));
  await deps.db.inSystem(async (tx) => {
    for (const name of guesser.clients)
      await deleteLoginFailures(tx, { accountDigest, clientDigest: digest(deps, messageOfClient(name)) });
    await remember(deps, tx, guesser, at);
  });
}

/** Forgets failures that no pause can count any more, and clients that are not known any more. Returns how many. */
export async function purgeOldFailures(deps: { db: Database; clock: Clock }): Promise<number> {
  const now = deps.clock.now().getTime();
  return await deps.db.inSystem(
    async (tx) =>
      (await purgeLoginFailures(tx, new Date(now - pauseWindowMs))) +
      (await purgeKnownClients(tx, new Date(now - knownForMs))),
  );
}
