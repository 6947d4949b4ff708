// A transaction on a connection of one's own, as `withConnection` gives it: for migrations, and for copies of whole
// databases and companies. Must not: leave a transaction open.

import type { Sql } from './engine.ts';
import { type Settings, setLocal } from './session-settings.ts';

type Opening = {
  settings: Settings;
  /** A read-only copy of one moment, or writes that fail if another transaction changes the same rows. */
  isolation?: 'snapshot' | 'repeatable read';
  /** Undoes everything at the end. */
  isRehearsal?: boolean;
};

const begins = {
  snapshot: 'begin isolation level repeatable read, read only',
  'repeatable read': 'begin isolation level repeatable read',
};

/** Runs work in a transaction with these settings. An error rolls back. */
export async function inOwnTransaction<T>(
  sql: Sql,
  { settings, isolation, isRehearsal = false }: Opening,
  work: () => Promise<T>,
): Promise<T> {
  const begin = isolation ? begins[isolation] : 'begin';
  try {
    // safe: constants. Two statements in one text take no parameters.
    await sql.query(`${begin}; ${setLocal(settings)}`);
    const result = await work();
    await sql.query(isRehearsal ? 'rollback' : 'commit');
    return result;
  } catch (error) {
    await sql.query('rollback').catch(() => undefined);
    throw error;
  }
}
