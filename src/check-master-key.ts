// Refuses a master key that the database was not written with: a service that started with another one would make every
// API key void and could open nothing that is sealed. The database keeps a check value of its key; while the key is
// being changed it keeps one of each, and either starts.

import { isEqualSecret, type Keyring, openKeyring } from './base/keyring.ts';
import type { Database } from './db/database.ts';
import {
  deleteOtherKeyChecks,
  insertKeyCheck,
  type KeyCheck,
  listKeyChecks,
  lockKeyChecks,
} from './db/key-check-store.ts';
import type { MasterKeys } from './master-key.ts';
import { findEncryptedRow } from './rotate-master-key.ts';

const checkOf = (keyring: Keyring): KeyCheck => ({
  keyId: keyring.keyId,
  mac: keyring.mac('key-check', 'paylink'),
});

const isSame = (one: KeyCheck, other: KeyCheck) =>
  one.keyId === other.keyId && isEqualSecret(one.mac.toString('hex'), other.mac.toString('hex'));

function wrongKey(found: string): Error {
  return new Error(
    `The master key is not the one that this database was written with (${found}): set PAYLINK_MASTER_KEY to that one, ` +
      'or without that setting restore the file master.key in DATA_DIR. The database was not changed.',
  );
}

/** Which of the keys opens what is sealed in a database from before check values; null when nothing is sealed. */
async function findKeyOfRows(db: Database, rings: readonly Keyring[]): Promise<Keyring | null> {
  let hasEncryptedRows = false;
  for (const keyring of rings) {
    const found = await findEncryptedRow({ db, keyring });
    if (found === 'opened') return keyring;
    if (found === 'unopened') hasEncryptedRows = true;
  }
  if (hasEncryptedRows) throw wrongKey('it opens nothing that is sealed there');
  return null;
}

/**
 * Checks that one of the master keys is the database's own; the first time, its check value is kept. Throws an Error of
 * one sentence for the operator when none is. Of two processes that start at once with different keys, one wins.
 */
export async function requireMasterKey(db: Database, keys: MasterKeys): Promise<void> {
  const current = await openKeyring(keys.current);
  const rings = keys.old ? [current, await openKeyring(keys.old)] : [current];
  const isNew = (await db.inSystem(listKeyChecks)).length === 0;
  const own = isNew ? ((await findKeyOfRows(db, rings)) ?? current) : null;
  await db.inSystem(async (tx) => {
    await lockKeyChecks(tx);
    const existing = await listKeyChecks(tx);
    if (existing.length === 0 && own) return await insertKeyCheck(tx, checkOf(own));
    const isKnown = rings.some((ring) => existing.some((check) => isSame(check, checkOf(ring))));
    if (!isKnown) throw wrongKey(`that one is named ${existing.map(({ keyId }) => keyId).join(' or ')}`);
  });
}

/** What a database says of master keys: whose check value it keeps, none, or others with these names. */
export type KeyMatch = { kind: 'own' } | { kind: 'none' } | { kind: 'other'; keyIds: string[] };

/** Compares master keys with the check values that a database keeps. It writes nothing. */
export async function compareMasterKeys(db: Database, keys: MasterKeys): Promise<KeyMatch> {
  const checks = await db.inSystem(listKeyChecks);
  if (checks.length === 0) return { kind: 'none' };
  const rings = [await openKeyring(keys.current), ...(keys.old ? [await openKeyring(keys.old)] : [])];
  const isOwn = rings.some((ring) => checks.some((check) => isSame(check, checkOf(ring))));
  return isOwn ? { kind: 'own' } : { kind: 'other', keyIds: checks.map(({ keyId }) => keyId) };
}

/** The first step of a change: from here on the current key starts as well as the one before. */
export async function allowCurrentKey(db: Database, keyring: Keyring): Promise<void> {
  await db.inSystem(async (tx) => {
    await lockKeyChecks(tx);
    await insertKeyCheck(tx, checkOf(keyring));
  });
}

/** The last step of a change, once everything is sealed under the current key: from here on no other one starts. */
export async function revokeOldKeys(db: Database, keyring: Keyring): Promise<void> {
  await db.inSystem(async (tx) => {
    await lockKeyChecks(tx);
    await deleteOtherKeyChecks(tx, keyring.keyId);
  });
}
