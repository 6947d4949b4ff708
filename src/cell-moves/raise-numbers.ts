// The numbers of the target's events must be above all those of the source before a company works there: its feed continues
// after them, and cursors that readers got from the source lead to nothing that they have read, and skip nothing.

import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { first, statement, t } from '../db/statements.ts';
import { raiseEventNumbers, readEventHorizon } from '../events/event-numbers.ts';

/** More transactions than a server runs between the raise and the switch; if not, it is raised again. */
const beyond = 10_000_000n;

const readNextSql = statement({ next: t.text })`select next_event_number()::text as next`;

/** A number that no event of the database has, nor a higher one. */
export async function readNextNumber(sql: Sql): Promise<bigint> {
  return BigInt(first(await sql.query(readNextSql))?.next ?? '0');
}

/** Whether all events that are written to the target from now on have a number from `wanted` on. */
export async function isAbove(target: Sql, wanted: bigint): Promise<boolean> {
  return BigInt(await readEventHorizon(target)) >= wanted;
}

/** Raises the numbers of the target far above those that the source has now. Both stay in use. */
export async function raiseNumbersAbove(target: Database, source: Database): Promise<void> {
  const wanted = (await readNextNumber(source.asOwner)) + beyond;
  if (!(await isAbove(target.asOwner, wanted))) await raiseEventNumbers(target.asOwner, wanted);
}
