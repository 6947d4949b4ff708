// The numbers of events: the number of the transaction plus the base of the database. Rows that came from another server may
// have numbers that this one has not reached: the feed would hide them, and order new events before them. So the base is
// raised above them. Must not: lower the base, or raise it in a transaction that has written events.
// migrations/0054_event_numbers.sql has the rules of the order.

import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../base/operator-error.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/engine.ts';
import { statement, t } from '../db/statements.ts';

/** No installation gets there. Above it, the base could exceed what the database can add to it. */
const mostNumber = 2n ** 62n;

/** Each try holds up writers of events for a second at most, and lets them through before the next one. */
const tries = 30;
const pauseMs = 200;

// As paylink_system, which sees the events from `below` on. A seal has the number of its event, so it is covered as well.
const readNumbersSql = statement({ below: t.text, highest: t.text, next: t.text })`
  select greatest((select sealed_below from seal_progress), (select filled_below from payment_word_progress))::text as below,
         coalesce(greatest((select xact from events order by xact desc limit 1),
                           (select xact from payment_word_positions order by xact desc limit 1)), '0')::text as highest,
         next_event_number()::text as next`;

const readHorizonSql = statement({ horizon: t.text })`
  select event_horizon()::text as horizon`;

/** Below it no event can be added any more. */
export async function readEventHorizon(sql: Sql): Promise<string> {
  const [row] = await sql.query(readHorizonSql);
  return row?.horizon ?? '0';
}

export type EventNumbers = {
  /** The number that the next transaction must have at least, so that its events come after all stored rows. */
  needed: bigint;
  /** The number of the next transaction. */
  next: bigint;
};

/** The number that the stored rows need, and the one that the database has reached. As the owner of all rows, or in `inSystem`. */
export async function readEventNumbers(sql: Sql): Promise<EventNumbers> {
  const [row] = await sql.query(readNumbersSql);
  if (!row) throw new Error('a select without a table gave no row');
  const [below, afterRows] = [BigInt(row.below), BigInt(row.highest) + 1n];
  return { needed: below > afterRows ? below : afterRows, next: BigInt(row.next) };
}

/** The first number above all stored rows and all cursors that clients may hold. */
export const endOfNumbers = ({ needed, next }: EventNumbers): bigint => (needed > next ? needed : next);

/** By how much the numbers of a database are behind. Throws an OperatorError if no installation can have come that far. */
export function countMissingNumbers({ needed, next }: EventNumbers): bigint {
  if (needed > mostNumber)
    throw new OperatorError(
      `The database has an event of the number ${needed - 1n}, and no installation can have come that far: somebody ` +
        'changed the event. Run paylink audit verify.',
    );
  return needed > next ? needed - next : 0n;
}

const raiseSql = statement({ raisedBy: t.nullable(t.text) })`
  select raise_event_numbers($1::xid8)::text as "raisedBy"`;

/**
 * Raises the base until every event that is written later has the number `lowest` or a higher one. As the owner, outside of a
 * transaction; services may write meanwhile. Returns by how much. Throws an OperatorError if a transaction that has written events does not end.
 */
export async function raiseEventNumbers(sql: Sql, lowest: bigint): Promise<bigint> {
  if (lowest > mostNumber)
    throw new OperatorError(
      `Events would get numbers from ${lowest} on, and no installation can have come that far: somebody changed the number ` +
        'of an event where the rows come from. Run paylink audit verify there.',
    );
  for (let tried = 0; tried < tries; tried += 1) {
    const [row] = await sql.query(raiseSql, [String(lowest)]);
    if (row?.raisedBy != null) return BigInt(row.raisedBy);
    await pause(pauseMs);
  }
  throw new OperatorError(
    'A transaction that has written events does not end, so their numbers cannot be raised: end it (pg_stat_activity ' +
      'shows it), and try again.',
  );
}

/**
 * Raises the numbers above those of the stored rows, and `beyond` further. Returns by how much: 0 in the usual case, in which
 * it only reads. `log` gets a line afterwards. Throws an OperatorError if a stored number is too high.
 */
export async function catchUpEventNumbers(
  db: Database,
  { beyond = 0n, log = () => undefined }: { beyond?: bigint; log?: (line: string) => void } = {},
): Promise<bigint> {
  const numbers = await db.inSystem(readEventNumbers);
  const missing = countMissingNumbers(numbers);
  if (missing + beyond === 0n) return 0n;
  const raisedBy = await raiseEventNumbers(db.asOwner, endOfNumbers(numbers) + beyond);
  if (missing > 0n)
    log(
      `raised the numbers of events by ${raisedBy}, above those of the stored events, as after a restore of a dump`,
    );
  return raisedBy;
}
