// Refuses a master key that does not belong to the database: with another key every API key would be invalid,
// and stored secrets could not be decrypted. The database stores a check value of its key. During a rotation
// it stores one for each, and the service starts with either. Of several cells, each stores its own, and so does the directory.

import { isEqualSecret, type Keyring, openKeyring } from './base/keyring.ts';
import { OperatorError } from './base/operator-error.ts';
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
  return new OperatorError(
    `The database was written with another master key (${found}): set PAYLINK_MASTER_KEY to that key, ` +
      'or without that setting restore the file master.key in DATA_DIR. The database was not changed.',
  );
}

/** The key that decrypts the stored secrets of a database without check values; null when there are none. */
async function findKeyOfRows(db: Database, rings: readonly Keyring[]): Promise<Keyring | null> {
  let hasEncryptedRows = false;
  for (const keyring of rings) {
    const found = await findEncryptedRow({ db, keyring });
    if (found === 'opened') return keyring;
    if (found === 'unopened') hasEncryptedRows = true;
  }
  if (hasEncryptedRows) throw wrongKey('the current key decrypts none of its secrets');
  return null;
}

/**
 * Checks that one of the master keys belongs to the database; stores its check value the first time. Throws
 * an Error of one sentence for the operator otherwise. If two processes start at once with different keys,
 * one of them fails.
 */
export async function requireMasterKey(db: Database, keys: MasterKeys): Promise<void> {
  for (const cell of db.cells()) await requireKeyOfCell(cell, keys);
}

async function requireKeyOfCell(db: Database, keys: MasterKeys): Promise<void> {
  const current = await openKeyring(keys.current);
  const rings = keys.old ? [current, await openKeyring(keys.old)] : [current];
  const isNew = (await db.inSystem(listKeyChecks)).length === 0;
  const own = isNew ? ((await findKeyOfRows(db, rings)) ?? current) : null;
  await db.inSystem(async (tx) => {
    await lockKeyChecks(tx);
    const existing = await listKeyChecks(tx);
    if (existing.length === 0 && own) return await insertKeyCheck(tx, checkOf(own));
    const isKnown = rings.some((ring) => existing.some((check) => isSame(check, checkOf(ring))));
    if (!isKnown) throw wrongKey(`named ${existing.map(({ keyId }) => keyId).join(' or ')}`);
  });
}

/** The check values in the database: of one of these keys, none, or of other keys with these IDs. */
export type KeyMatch = { kind: 'own' } | { kind: 'none' } | { kind: 'other'; keyIds: string[] };

/** Compares master keys with the check values in the database; of several, the worst result. Writes nothing. */
export async function compareMasterKeys(db: Database, keys: MasterKeys): Promise<KeyMatch> {
  let worst: KeyMatch = { kind: 'own' };
  for (const cell of db.cells()) {
    const match = await compareKeysOfCell(cell, keys);
    if (match.kind === 'other') return match;
    if (match.kind === 'none') worst = match;
  }
  return worst;
}

async function compareKeysOfCell(db: Database, keys: MasterKeys): Promise<KeyMatch> {
  const checks = await db.inSystem(listKeyChecks);
  if (checks.length === 0) return { kind: 'none' };
  const rings = [await openKeyring(keys.current), ...(keys.old ? [await openKeyring(keys.old)] : [])];
  const isOwn = rings.some((ring) => checks.some((check) => isSame(check, checkOf(ring))));
  return isOwn ? { kind: 'own' } : { kind: 'other', keyIds: checks.map(({ keyId }) => keyId) };
}

/** The first step of a rotation: from now on the service also starts with the current key. */
export async function allowCurrentKey(db: Database, keyring: Keyring): Promise<void> {
  for (const cell of db.cells())
    await cell.inSystem(async (tx) => {
      await lockKeyChecks(tx);
      await insertKeyCheck(tx, checkOf(keyring));
    });
}

/**
 * The last step of a rotation, once everything is re-encrypted: from now on the service starts only with the
 * current key.
 */
export async function revokeOldKeys(db: Database, keyring: Keyring): Promise<void> {
  for (const cell of db.cells())
    await cell.inSystem(async (tx) => {
      await lockKeyChecks(tx);
      await deleteOtherKeyChecks(tx, keyring.keyId);
    });
}
