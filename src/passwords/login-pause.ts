// The pause after wrong passwords. A client known by a login within 90 days has its own counter, and all others share
// one: many addresses give no more guesses, and nobody can lock the owner out. Stores digests only.

import type { Clock } from '../base/clock.ts';
import { type ApiError, errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database, SystemTx } from '../db/database.ts';
import type { ClientNetwork } from '../http/client-network.ts';
import {
  deleteLoginFailure,
  deleteLoginFailures,
  type FailureCounter,
  insertKnownClients,
  insertLoginFailure,
  listKnownClients,
  listLoginFailures,
  lockCounter,
  purgeKnownClients,
  purgeLoginFailures,
} from './store.ts';

export type PauseDeps = { db: Database; keyring: Keyring };

/** Where a login comes from, narrowest network first, and the API key that it used, if it is a valid one. */
export type Client = { networks: readonly [ClientNetwork, ...ClientNetwork[]]; keyId?: string | null };

export type LoginSource = {
  /** What is guessed: the address of the account in lower case, or the name of another secret. */
  account: string;
  /** The names by which the client may be known, best first. */
  clients: readonly string[];
  /** The counter of a signed-in client that is not known. */
  session?: string;
  /** All clients share one counter, and a success clears it. For second factors. */
  isCounterShared?: boolean;
};

/** An attempt that counts as a failure until it is cleared. */
export type CountedLoginAttempt = {
  source: LoginSource;
  counter: FailureCounter;
  at: Date;
  isUnknownClient: boolean;
};

const pauseAfterFailures = 10;
const pauseWindowMs = 30 * 60 * 1000;
const trustedForMs = 90 * 24 * 60 * 60 * 1000;

const messageOfAccount = (account: string) => `login:${account}`;
const messageOfClient = (client: string) => `client:${client}`;

export const nameOfKey = (keyId: string) => `key:${keyId}`;

/** The names by which a client may be known: its API key, or else its address, which others may share. */
export function namesOfClient({ networks, keyId }: Client): string[] {
  return [...(keyId ? [nameOfKey(keyId)] : []), networks[0].name];
}

const digest = ({ keyring }: PauseDeps, message: string) =>
  keyring.mac('digest', message).toString('base64url');

/** The digests under both master keys during a rotation. */
const acceptedDigests = ({ keyring }: PauseDeps, message: string) =>
  keyring.acceptedMacs('digest', message).map((mac) => mac.toString('base64url'));

async function findTrustedClient(
  deps: PauseDeps,
  tx: SystemTx,
  { account, clients }: LoginSource,
  now: Date,
): Promise<string | null> {
  if (clients.length === 0) return null;
  const candidates = clients.map((name) => ({ name, digests: acceptedDigests(deps, messageOfClient(name)) }));
  const known = await listKnownClients(tx, {
    accountDigests: acceptedDigests(deps, messageOfAccount(account)),
    clientDigests: candidates.flatMap(({ digests }) => digests),
    since: new Date(now.getTime() - trustedForMs),
  });
  return candidates.find(({ digests }) => digests.some((each) => known.includes(each)))?.name ?? null;
}

function pauseRefusal(
  { session, isCounterShared }: LoginSource,
  isUnknownClient: boolean,
  waitSeconds: number,
): ApiError {
  const isOwn = !isUnknownClient && !isCounterShared && session === undefined;
  const others = isUnknownClient
    ? ' Clients that have logged in to this account in the last 90 days are not affected. To log in from this client now, reset the password: POST /v1/password-resets.'
    : isOwn
      ? ' Other clients of this account are not affected.'
      : '';
  return errors.loginPaused({
    detail: `Wait ${waitSeconds} s, then try again.${others}`,
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/** Counts a failure before the check: concurrent attempts can't all pass. Throws `login_paused` after 10 in 30 min. */
export async function countLoginAttempt(
  deps: PauseDeps,
  source: LoginSource,
  now: Date,
): Promise<CountedLoginAttempt> {
  const since = new Date(now.getTime() - pauseWindowMs);
  const { counted, oldest } = await deps.db.inSystem(async (tx) => {
    const own = (await findTrustedClient(deps, tx, source, now)) ?? source.session ?? null;
    const counter = {
      accountDigest: digest(deps, messageOfAccount(source.account)),
      clientDigest: digest(deps, messageOfClient(own ?? 'anybody')),
    };
    const isUnknownClient = own === null && !source.isCounterShared;
    const read = async () =>
      (await listLoginFailures(tx, counter, since, pauseAfterFailures))[pauseAfterFailures - 1];
    // Checks without the lock first, so that no attempt waits during a pause.
    let tenth = await read();
    if (!tenth) {
      await lockCounter(tx, counter);
      tenth = await read();
      if (!tenth) await insertLoginFailure(tx, counter, now);
    }
    return { counted: { source, counter, at: now, isUnknownClient }, oldest: tenth };
  });
  if (!oldest) return counted;
  const waitSeconds = Math.max(1, Math.ceil((oldest.getTime() + pauseWindowMs - now.getTime()) / 1000));
  throw pauseRefusal(source, counted.isUnknownClient, waitSeconds);
}

/** Remembers the client. Clears only this attempt of a shared counter, so that a login gives nobody new guesses. */
export async function clearLoginFailures(deps: PauseDeps, counted: CountedLoginAttempt): Promise<void> {
  const { source, counter, at, isUnknownClient } = counted;
  await deps.db.inSystem(async (tx) => {
    await (isUnknownClient ? deleteLoginFailure(tx, counter, at) : deleteLoginFailures(tx, counter));
    if (source.clients.length > 0) await rememberClient(deps, tx, source, at);
  });
}

async function rememberClient(
  deps: PauseDeps,
  tx: SystemTx,
  { account, clients }: Pick<LoginSource, 'account' | 'clients'>,
  at: Date,
): Promise<void> {
  await insertKnownClients(tx, {
    accountDigest: digest(deps, messageOfAccount(account)),
    clientDigests: clients.map((name) => digest(deps, messageOfClient(name))),
    at,
  });
}

/** Makes a client known that was authenticated in another way, and clears its failures. */
export async function trustClient(
  deps: PauseDeps,
  source: Pick<LoginSource, 'account' | 'clients'>,
  at: Date,
): Promise<void> {
  const accountDigest = digest(deps, messageOfAccount(source.account));
  await deps.db.inSystem(async (tx) => {
    for (const name of source.clients)
      await deleteLoginFailures(tx, { accountDigest, clientDigest: digest(deps, messageOfClient(name)) });
    await rememberClient(deps, tx, source, at);
  });
}

export async function purgeOldFailures(deps: { db: Database; clock: Clock }): Promise<number> {
  const now = deps.clock.now().getTime();
  return await deps.db.inSystem(
    async (tx) =>
      (await purgeLoginFailures(tx, new Date(now - pauseWindowMs))) +
      (await purgeKnownClients(tx, new Date(now - trustedForMs))),
  );
}
