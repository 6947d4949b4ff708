// Limits the work that unverified processor webhooks can cause. Verified ones are not limited. Must not store a key that
// an unauthenticated caller invents, or query the database about a client over its limit.

import type { FastifyReply } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { ApiError, errors } from '../base/errors.ts';
import { createExpiringSet } from '../base/expiring-set.ts';
import type { Keyring } from '../base/keyring.ts';
import { createTokenBuckets } from '../base/token-buckets.ts';
import { type ConnectionCache, createConnectionCache } from '../connections/connection-cache.ts';
import type { Database } from '../db/database.ts';
import { limitConcurrency } from '../db/limit-concurrency.ts';
import { enforceLimit } from '../http/rate-limit.ts';

/** Limits forged webhooks of one client for one connection. */
export const forgedWebhookLimit = { name: 'notices', quota: 120, windowSeconds: 60 };

/** Calls to a processor that unverified webhooks of one connection may cause, for each process. Counted in memory. */
export const unverifiedCallsPerMinute = 60;

const maxConnections = 10_000;
const maxClients = 10_000;

/** How long a client over its limit is refused from memory, without a query. */
const refusalCacheMs = 5_000;

/** Connections to each database, of 10: this many for verified webhooks, and as many for unverified ones. */
const poolShareTenths = 2;
const maxQueued = { verified: 10_000, unverified: 200 };

const logIntervalMs = 60_000;

/** The checks before the processing of webhooks. */
export type ProcessorWebhookGuard = {
  connections: ConnectionCache;
  /** The database for verified webhooks. */
  verifiedDb: Database;
  /** The database for unverified webhooks. */
  unverifiedDb: Database;
  /** Takes one from the budget of calls of a connection, unless the client is over its limit. */
  mayCallProcessor(connectionId: string, client: string): boolean;
  isOverLimit(connectionId: string, client: string): boolean;
  /** Counts a forged webhook. Throws `rate_limited` if the client is over its limit. */
  countForged(forged: { connectionId: string; client: string; reply: FastifyReply }): Promise<void>;
  /** Counts a refusal without logging it. Returns the count when it is time to log. */
  countUnlogged(): number | null;
  /** How many refusals were not logged yet. */
  unloggedCount(): number;
};

type GuardDeps = { db: Database; clock: Clock; keyring: Keyring; poolSize: number };

/** Counts events that are logged at most once a minute. */
function createThrottledCount(clock: Clock) {
  let count = 0;
  let loggedAtMs: number | null = null;
  return {
    count: (): number | null => {
      count += 1;
      const now = clock.now().getTime();
      if (loggedAtMs !== null && now - loggedAtMs < logIntervalMs) return null;
      const counted = count;
      [loggedAtMs, count] = [now, 0];
      return counted;
    },
    unloggedCount: () => count,
  };
}

export function tooManyForgedWebhooks(waitSeconds: number): ApiError {
  return errors.rateLimited({
    detail: `Too many unverified webhooks from this client. Wait ${waitSeconds} s, then try again.`,
    headers: { 'retry-after': String(waitSeconds) },
    limit: forgedWebhookLimit.name,
  });
}

export function createProcessorWebhookGuard({
  db,
  clock,
  keyring,
  poolSize,
}: GuardDeps): ProcessorWebhookGuard {
  // The embedded database has one connection.
  const atOnce = db.kind === 'embedded' ? 1 : Math.max(1, Math.floor((poolSize * poolShareTenths) / 10));
  const verifiedDb = limitConcurrency(db, { atOnce, mostWaiting: maxQueued.verified });
  const unverifiedDb = limitConcurrency(db, { atOnce, mostWaiting: maxQueued.unverified });
  const refused = createExpiringSet(clock, { lifeMs: refusalCacheMs, most: maxClients });
  const calls = createTokenBuckets(clock, {
    quota: unverifiedCallsPerMinute,
    windowMs: 60_000,
    most: maxConnections,
  });
  // The same limit as in the database, for this process: concurrent requests do not all query it.
  const forged = createTokenBuckets(clock, {
    quota: forgedWebhookLimit.quota,
    windowMs: forgedWebhookLimit.windowSeconds * 1000,
    most: maxClients,
  });
  const throttled = createThrottledCount(clock);
  const bucketOf = (connectionId: string, client: string) => `${connectionId} ${client}`;
  const isOverLimit = (connectionId: string, client: string) => refused.has(bucketOf(connectionId, client));
  return {
    connections: createConnectionCache({
      clock,
      keyring,
      unknownIdsDb: unverifiedDb,
      knownIdsDb: verifiedDb,
    }),
    verifiedDb,
    unverifiedDb,
    isOverLimit,
    mayCallProcessor: (connectionId, client) =>
      !isOverLimit(connectionId, client) && calls.take(connectionId),
    countForged: async ({ connectionId, client, reply }) => {
      const clientKey = bucketOf(connectionId, client);
      const leftMs = refused.leftMs(clientKey);
      if (leftMs > 0) throw tooManyForgedWebhooks(Math.ceil(leftMs / 1000));
      if (!forged.take(clientKey)) {
        refused.add(clientKey);
        throw tooManyForgedWebhooks(refusalCacheMs / 1000);
      }
      try {
        await enforceLimit(unverifiedDb, { limit: forgedWebhookLimit, who: clientKey, reply });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'rate_limited') refused.add(clientKey);
        throw error;
      }
    },
    countUnlogged: throttled.count,
    unloggedCount: throttled.unloggedCount,
  };
}
