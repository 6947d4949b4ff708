// What stands between strangers and the work that processor webhooks cause: limits, budgets and shares of the database.
// A webhook that is proven passes all of it. Must never: store a key that an unauthenticated caller invents, or ask the
// database about a client that is over its limit.

import type { FastifyReply } from 'fastify';
import { createBuckets } from '../base/buckets.ts';
import type { Clock } from '../base/clock.ts';
import { errors, Refusal } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { createRecent } from '../base/recent.ts';
import { createKnownConnections, type KnownConnections } from '../connections/known-connections.ts';
import type { Database } from '../db/database.ts';
import { shareOf } from '../db/share.ts';
import { enforceLimit } from '../http/rate-limit.ts';

/** Forged webhooks of one client for one connection; the connection exists, so a stranger invents no key. */
export const forgedLimit = { name: 'notices', quota: 120, windowSeconds: 60 };

/**
 * Calls to a processor that unproven webhooks of one connection may cause in a minute, over all senders, in each
 * process. In memory: the budget is there so that a flood costs nothing, and a count in the database would cost a
 * statement for each webhook. A processor sees at most this much for each process.
 */
export const unprovenCallsPerMinute = 60;

const mostConnections = 10_000;
const mostClients = 10_000;

/** A client over its limit is refused from memory for this long at least, then the database is asked again. */
const refusedMs = 5_000;

/** Connections to the database, of 10: so many for what is proven, and as many for what is not. */
const shareOfTen = 2;
const mostWaiting = { proven: 10_000, unproven: 200 };

const quietMs = 60_000;

/** What stands before webhooks. */
export type NoticeGate = {
  connections: KnownConnections;
  /** The database for webhooks that are proven. */
  proven: Database;
  /** The database for those that are not. */
  unproven: Database;
  /** Takes one from the budget of calls of a connection, unless the client is over its limit. */
  mayAsk(connectionId: string, client: string): boolean;
  isOverLimit(connectionId: string, client: string): boolean;
  /** Counts a forged webhook. Throws `rate_limited` when the client is over its limit. */
  countForged(forged: { connectionId: string; client: string; reply: FastifyReply }): Promise<void>;
  /** Counts a refusal that is not logged by itself; gives how many there were when it is time to log them. */
  countQuietly(): number | null;
  /** How many refusals were not logged yet. */
  unlogged(): number;
};

type GateDeps = { db: Database; clock: Clock; keyring: Keyring; poolSize: number };

/** Counts what is logged at most once a minute. */
function createQuietCount(clock: Clock) {
  let count = 0;
  let loggedAtMs: number | null = null;
  return {
    count: (): number | null => {
      count += 1;
      const now = clock.now().getTime();
      if (loggedAtMs !== null && now - loggedAtMs < quietMs) return null;
      const counted = count;
      [loggedAtMs, count] = [now, 0];
      return counted;
    },
    unlogged: () => count,
  };
}

export function tooManyForged(waitSeconds: number): Refusal {
  return errors.rateLimited({
    detail: `Too many webhooks that prove nothing came from here. Wait ${waitSeconds} s, then try again.`,
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/** One for each process. */
export function createNoticeGate({ db, clock, keyring, poolSize }: GateDeps): NoticeGate {
  // The embedded database has one connection.
  const atOnce = db.kind === 'embedded' ? 1 : Math.max(1, Math.floor((poolSize * shareOfTen) / 10));
  const proven = shareOf(db, { atOnce, mostWaiting: mostWaiting.proven });
  const unproven = shareOf(db, { atOnce, mostWaiting: mostWaiting.unproven });
  const refused = createRecent(clock, { lifeMs: refusedMs, most: mostClients });
  const calls = createBuckets(clock, {
    quota: unprovenCallsPerMinute,
    windowMs: 60_000,
    most: mostConnections,
  });
  // As much as the database would allow this process alone: many at once don't all ask it.
  const forged = createBuckets(clock, {
    quota: forgedLimit.quota,
    windowMs: forgedLimit.windowSeconds * 1000,
    most: mostClients,
  });
  const quiet = createQuietCount(clock);
  const bucketOf = (connectionId: string, client: string) => `${connectionId} ${client}`;
  const isOverLimit = (connectionId: string, client: string) => refused.has(bucketOf(connectionId, client));
  return {
    connections: createKnownConnections({ clock, keyring, strangers: unproven, acquainted: proven }),
    proven,
    unproven,
    isOverLimit,
    mayAsk: (connectionId, client) => !isOverLimit(connectionId, client) && calls.take(connectionId),
    countForged: async ({ connectionId, client, reply }) => {
      const who = bucketOf(connectionId, client);
      const leftMs = refused.leftMs(who);
      if (leftMs > 0) throw tooManyForged(Math.ceil(leftMs / 1000));
      if (!forged.take(who)) {
        refused.add(who);
        throw tooManyForged(refusedMs / 1000);
      }
      try {
        await enforceLimit(unproven, { limit: forgedLimit, who, reply });
      } catch (error) {
        if (error instanceof Refusal && error.code === 'rate_limited') refused.add(who);
        throw error;
      }
    },
    countQuietly: quiet.count,
    unlogged: quiet.unlogged,
  };
}
