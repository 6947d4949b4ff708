// All SQL of the check values of master keys: one exported function per statement.

import type { SystemTx } from './database.ts';
import { type RowOf, statement, t } from './statements.ts';

export const KeyCheck = { keyId: t.text, mac: t.bytea };
export type KeyCheck = RowOf<typeof KeyCheck>;

/**
 * The key of the lock for comparing and writing check values: a fixed number that nothing else uses. Release 0.1.0 has another
 * one for it. Beside a process of that release nothing is lost, because a database that it has used has its check value.
 */
const lockKey = 7_310_595_316_854;

/**
 * Waits until no other transaction compares or writes check values, and excludes others until this one ends.
 */
export async function lockKeyChecks(tx: SystemTx): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [lockKey]);
}

const listKeyChecksSql = statement(KeyCheck)`select ${KeyCheck} from master_key_checks`;

export async function listKeyChecks(tx: SystemTx): Promise<KeyCheck[]> {
  return await tx.query(listKeyChecksSql);
}

/** Adds a check value; an existing one stays. */
export async function insertKeyCheck(tx: SystemTx, { keyId, mac }: KeyCheck): Promise<void> {
  await tx.query('insert into master_key_checks (key_id, mac) values ($1, $2) on conflict do nothing', [
    keyId,
    mac,
  ]);
}

/** Removes the check values of all master keys but one. */
export async function deleteOtherKeyChecks(tx: SystemTx, keyId: string): Promise<void> {
  await tx.query('delete from master_key_checks where key_id <> $1', [keyId]);
}
