// Opens a processor with decrypted credentials. Must not: let them into a log, a response or an event.

import type { Keyring } from '../base/keyring.ts';
import type { Database, TenantScope } from '../db/database.ts';
import type { Processor, ProcessorConnection, ProcessorRegistry } from '../processors/processor.ts';
import { findConnection, type StoredConnection } from './store.ts';

export type OpenConnectionDeps = { db: Database; keyring: Keyring; processors: ProcessorRegistry };

/** The processor of an attempt, and its connection; null for the built-in processor. */
export type ProcessorRoute = TenantScope & { processor: string; connectionId: string | null };

const encryptionContext = ({ companyId, connectionId }: { companyId: string; connectionId: string }) =>
  `${companyId}/${connectionId}`;

export function encryptCredentials(
  keyring: Keyring,
  owner: { companyId: string; connectionId: string },
  credentials: Readonly<Record<string, string>>,
): Buffer {
  return keyring.seal('credentials', encryptionContext(owner), Buffer.from(JSON.stringify(credentials)));
}

/** Decrypts the result of `encryptCredentials`. Throws for a deleted connection, whose credentials are gone. */
export function decryptCredentials(
  keyring: Keyring,
  stored: Pick<StoredConnection, 'companyId' | 'connectionId' | 'sealed'>,
): Record<string, string> {
  if (!stored.sealed) throw new Error(`the connection ${stored.connectionId} is deleted`);
  return JSON.parse(keyring.open('credentials', encryptionContext(stored), stored.sealed).toString());
}

export function toConnection(keyring: Keyring, stored: StoredConnection): ProcessorConnection {
  const { companyId, connectionId, mode } = stored;
  return { connectionId, companyId, mode, credentials: decryptCredentials(keyring, stored) };
}

/** Opens the processor of an attempt. Throws when no processor has that name, or the connection is gone. */
export async function openProcessor(deps: OpenConnectionDeps, route: ProcessorRoute): Promise<Processor> {
  const { companyId, processor, connectionId } = route;
  const kind = deps.processors.find(processor);
  if (connectionId === null)
    return kind.connect({ connectionId: null, companyId, mode: 'test', credentials: {} });
  const stored = await deps.db.inTenant(route, async (tx) => await findConnection(tx, connectionId));
  if (!stored || stored.processor !== processor)
    throw new Error(`${processor} has no connection ${connectionId}`);
  return kind.connect(toConnection(deps.keyring, stored));
}
