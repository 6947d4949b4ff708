// Connections that webhooks name in their address, with their credentials opened, kept in memory for a few seconds: so
// that a flood of webhooks costs neither a query nor the opening of a seal each. Ids that strangers invent are remembered
// as unknown and looked up only so often for each client. Must never: let credentials into a log or an error.

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
  /**
   * The connection of an id; null when there is none that is not deleted. Throws `rate_limited` when the client has
   * named too many ids that nobody has.
   */
  find(connectionId: string, client: string): Promise<CachedConnection | null>;
  /** The same, read again: its credentials may have been changed since. */
  reread(known: CachedConnection): Promise<CachedConnection | null>;
};

/** How long a connection is taken from memory, and how many are kept. */
export const cacheTtlMs = 10_000;
const maxCached = 1_000;

/** How long an id counts as unknown, and how many are remembered. Ids are random: none becomes one by chance. */
const unknownMs = 60_000;
const mostUnknown = 10_000;

/** How many ids that nobody has a client may name. */
export const unknownIdsPerMinute = 60;
const mostClients = 10_000;

type ConnectionCacheDeps = {
  clock: Clock;
  keyring: Keyring;
  /** For ids that were never seen, and for those that are known. */
  strangers: Database;
  acquainted: Database;
};

/** A memory of connections. */
export function createConnectionCache({
  clock,
  keyring,
  strangers: unknownIdsDb,
  acquainted: knownIdsDb,
}: ConnectionCacheDeps): ConnectionCache {
  const cache = new LRUCache<string, CachedConnection>({ max: maxCached });
  const underWay = new Map<string, Promise<CachedConnection | null>>();
  const unknown = createExpiringSet(clock, { lifeMs: unknownMs, most: mostUnknown });
  const misses = createTokenBuckets(clock, {
    quota: unknownIdsPerMinute,
    windowMs: 60_000,
    most: mostClients,
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
    // The seal is opened again only when it is another one.
    const isSame = before?.stored.sealed?.equals(stored.sealed) === true;
    const connection = isSame ? before.connection : toConnection(keyring, stored);
    const known = { stored, connection, readAtMs };
    cache.set(connectionId, known);
    return known;
  };

  /** Those who ask for one at the same time share one query. */
  const readOnce = (db: Database, companyId: string, connectionId: string) => {
    const running = underWay.get(connectionId);
    if (running) return running;
    const started = read(db, companyId, connectionId).finally(() => underWay.delete(connectionId));
    underWay.set(connectionId, started);
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
            'Too many webhooks for connections that do not exist came from here. Wait 60 s, then try again.',
          headers: { 'retry-after': '60' },
        });
      const found = await readOnce(unknownIdsDb, companyId, connectionId);
      if (found) misses.giveBack(client);
      return found;
    },
    reread: async ({ stored: { companyId, connectionId } }) =>
      await readOnce(knownIdsDb, companyId, connectionId),
  };
}
