// Caches the connections named in the addresses of webhooks, with decrypted credentials, for a few seconds, so
// that a flood of webhooks causes few queries. Must not: let credentials into a log or an error.

import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { createExpiringSet } from '../base/expiring-set.ts';
import { companyOfConnectionId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { createTokenBuckets } from '../base/token-buckets.ts';
import type { Database } from '../db/database.ts';
import type { ProcessorConnection } from '../processors/processor.ts';
import { toConnection } from './open-connection.ts';
import { findConnection, type StoredConnection } from './store.ts';

export type CachedConnection = {
  stored: StoredConnection;
  connection: ProcessorConnection;
  readAtMs: number;
};

export type ConnectionCache = {
  /** Null when it does not exist or is deleted. Throws `rate_limited` after too many unknown IDs of the client. */
  find(connectionId: string, client: string): Promise<CachedConnection | null>;
  /** The same, read again: its credentials may have changed. */
  reread(known: CachedConnection): Promise<CachedConnection | null>;
};

/** How long connections are cached, and how many. */
export const cacheTtlMs = 10_000;
const maxCached = 1_000;

/** How long unknown IDs are cached, and how many. IDs are random: an unknown one does not come into use by chance. */
const unknownMs = 60_000;
const maxUnknown = 10_000;

export const unknownIdsPerMinute = 60;
const maxClients = 10_000;

type ConnectionCacheDeps = {
  clock: Clock;
  keyring: Keyring;
  /** The databases for connection IDs that are not in the cache, and for those that are. */
  unknownIdsDb: Database;
  knownIdsDb: Database;
};

export function createConnectionCache({
  clock,
  keyring,
  unknownIdsDb,
  knownIdsDb,
}: ConnectionCacheDeps): ConnectionCache {
  const cache = new LRUCache<string, CachedConnection>({ max: maxCached });
  const inProgress = new Map<string, Promise<CachedConnection | null>>();
  const unknown = createExpiringSet(clock, { lifeMs: unknownMs, most: maxUnknown });
  const misses = createTokenBuckets(clock, {
    quota: unknownIdsPerMinute,
    windowMs: 60_000,
    most: maxClients,
  });

  const read = async (db: Database, companyId: string, connectionId: string) => {
    const readAtMs = clock.now().getTime();
    const stored = await db.inBothModes(companyId, async (tx) => await findConnection(tx, connectionId));
    if (!stored?.sealed) {
      cache.delete(connectionId);
      unknown.add(connectionId);
      return null;
    }
    const before = cache.get(connectionId);
    // Decrypt again only if the ciphertext has changed.
    const isSame = before?.stored.sealed?.equals(stored.sealed) === true;
    const connection = isSame ? before.connection : toConnection(keyring, stored);
    const known = { stored, connection, readAtMs };
    cache.set(connectionId, known);
    return known;
  };

  /** Concurrent calls for one connection share one query. */
  const readOnce = (db: Database, companyId: string, connectionId: string) => {
    const running = inProgress.get(connectionId);
    if (running) return running;
    const started = read(db, companyId, connectionId).finally(() => inProgress.delete(connectionId));
    inProgress.set(connectionId, started);
    return started;
  };

  return {
    find: async (connectionId, client) => {
      const companyId = companyOfConnectionId(connectionId);
      if (!companyId || unknown.has(connectionId)) return null;
      const known = cache.get(connectionId);
      if (known && clock.now().getTime() - known.readAtMs < cacheTtlMs) return known;
      if (known) return await readOnce(knownIdsDb, companyId, connectionId);
      if (!misses.take(client))
        throw errors.rateLimited({
          detail:
            'Too many webhooks for connections that do not exist came from your address. Wait 60 s, then try again.',
          headers: { 'retry-after': '60' },
          limit: 'unknown_connections',
        });
      const found = await readOnce(unknownIdsDb, companyId, connectionId);
      if (found) misses.putBack(client);
      return found;
    },
    reread: async ({ stored: { companyId, connectionId } }) =>
      await readOnce(knownIdsDb, companyId, connectionId),
  };
}
