// Connections that webhooks name in their address, with their credentials opened, kept in memory for a few seconds: so
// that a flood of webhooks costs neither a query nor the opening of a seal each. Ids that strangers invent are remembered
// as unknown and looked up only so often for each client. Must never: let credentials into a log or an error.

import { createBuckets } from '../base/buckets.ts';
import type { Clock } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { companyOfConnectionId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { createRecent } from '../base/recent.ts';
import type { Database } from '../db/database.ts';
import type { Connection } from '../processors/processor.ts';
import { toConnection } from './open-connection.ts';
import { findConnection, type StoredConnection } from './store.ts';

export type KnownConnection = { stored: StoredConnection; connection: Connection; readAtMs: number };

export type KnownConnections = {
  /**
   * The connection of an id; null when there is none that is not deleted. Throws `rate_limited` when the client has
   * named too many ids that nobody has.
   */
  find(connectionId: string, client: string): Promise<KnownConnection | null>;
  /** The same, read again: its credentials may have been changed since. */
  reread(known: KnownConnection): Promise<KnownConnection | null>;
};

/** How long a connection is taken from memory, and how many are kept. */
export const keptMs = 10_000;
const mostKept = 1_000;

/** How long an id counts as unknown, and how many are remembered. Ids are random: none becomes one by chance. */
const unknownMs = 60_000;
const mostUnknown = 10_000;

/** How many ids that nobody has a client may name. */
export const missesPerMinute = 60;
const mostClients = 10_000;

type Deps = {
  clock: Clock;
  keyring: Keyring;
  /** For ids that were never seen, and for those that are known. */
  strangers: Database;
  acquainted: Database;
};

/** A memory of connections. */
export function createKnownConnections({ clock, keyring, strangers, acquainted }: Deps): KnownConnections {
  const kept = new Map<string, KnownConnection>();
  const underWay = new Map<string, Promise<KnownConnection | null>>();
  const unknown = createRecent(clock, { lifeMs: unknownMs, most: mostUnknown });
  const misses = createBuckets(clock, { quota: missesPerMinute, windowMs: 60_000, most: mostClients });

  const keep = (connectionId: string, known: KnownConnection) => {
    kept.delete(connectionId);
    kept.set(connectionId, known);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value ?? connectionId);
  };

  const read = async (db: Database, companyId: string, connectionId: string) => {
    const readAtMs = clock.now().getTime();
    const stored = await db.inBothModes(companyId, async (tx) => await findConnection(tx, connectionId));
    if (!stored?.sealed) {
      kept.delete(connectionId);
      unknown.add(connectionId);
      return null;
    }
    const before = kept.get(connectionId);
    // The seal is opened again only when it is another one.
    const isSame = before?.stored.sealed?.equals(stored.sealed) === true;
    const connection = isSame ? before.connection : toConnection(keyring, stored);
    const known = { stored, connection, readAtMs };
    keep(connectionId, known);
    return known;
  };

  /** Those who ask for one at the same time share one query. */
  const readOnce = (db: Database, companyId: string, connectionId: string) => {
    const running = underWay.get(connectionId);
    if (running) return running;
    const begun = read(db, companyId, connectionId).finally(() => underWay.delete(connectionId));
    underWay.set(connectionId, begun);
    return begun;
  };

  return {
    find: async (connectionId, client) => {
      const companyId = companyOfConnectionId(connectionId);
      if (!companyId || unknown.has(connectionId)) return null;
      const known = kept.get(connectionId);
      if (known && clock.now().getTime() - known.readAtMs < keptMs) return known;
      if (known) return await readOnce(acquainted, companyId, connectionId);
      if (!misses.take(client))
        throw errors.rateLimited({
          detail:
            'Too many webhooks for connections that do not exist came from here. Wait 60 s, then try again.',
          headers: { 'retry-after': '60' },
        });
      const found = await readOnce(strangers, companyId, connectionId);
      if (found) misses.giveBack(client);
      return found;
    },
    reread: async ({ stored: { companyId, connectionId } }) =>
      await readOnce(acquainted, companyId, connectionId),
  };
}
