// All SQL of test clocks. Must not: move a clock backwards; a trigger refuses it.

import type { TestClocks } from '../base/clock.ts';
import type { SystemTx, TenantScope, TenantTx } from '../db/database.ts';
import { first, type RowOf, statement, t } from '../db/statements.ts';

/** How far a clock is ahead, and how far it will be at the end of the advance under way. */
export const TestClock = { offsetMs: t.int8, targetMs: t.int8 };
export type TestClock = RowOf<typeof TestClock>;

const findClockSql = statement(TestClock)`select ${TestClock} from test_clocks where company_id = $1`;

/** The clock of the transaction's company; null if it was never moved. */
export async function findClock(tx: TenantTx): Promise<TestClock | null> {
  return first(await tx.query(findClockSql, [tx.companyId]));
}

const lockClockSql = statement(TestClock)`
  insert into test_clocks (company_id, offset_ms, target_ms, moved_at) values ($1, 0, 0, $2)
  on conflict (company_id, mode) do update set moved_at = excluded.moved_at
  returning ${TestClock}`;

/** The clock of the transaction's company, locked until the transaction ends. Creates it if there is none. */
export async function lockClock(tx: TenantTx, at: Date): Promise<TestClock> {
  const [clock] = await tx.query(lockClockSql, [tx.companyId, at]);
  if (!clock) throw new Error('a test clock is neither new nor there');
  return clock;
}

const extendTargetSql = statement(TestClock)`
  update test_clocks set target_ms = target_ms + $2 where company_id = $1 returning ${TestClock}`;

/** Sets the end of an advance further ahead. The caller has locked the clock. */
export async function extendTarget(tx: TenantTx, byMs: number): Promise<TestClock> {
  const [clock] = await tx.query(extendTargetSql, [tx.companyId, byMs]);
  if (!clock) throw new Error('a locked test clock is gone');
  return clock;
}

const moveClockSql = statement(TestClock)`
  update test_clocks set offset_ms = greatest(offset_ms, least($2::bigint, target_ms)), moved_at = $3
  where company_id = $1 returning ${TestClock}`;

/** Moves a clock ahead, at most to the end of its advance. One that is further ahead stays where it is. */
export async function moveClock(tx: TenantTx, offsetMs: number, at: Date): Promise<TestClock> {
  const [clock] = await tx.query(moveClockSql, [tx.companyId, offsetMs, at]);
  if (!clock) throw new Error('a test clock is gone');
  return clock;
}

const listClocksSql = statement({ companyId: t.text, offsetMs: t.int8 })`
  select company_id as "companyId", offset_ms as "offsetMs" from test_clocks where offset_ms > 0 order by company_id`;

/** The clocks of all companies that are ahead. */
export async function listClocks(tx: SystemTx): Promise<TestClocks> {
  const rows = await tx.query(listClocksSql);
  return new Map(rows.map(({ companyId, offsetMs }) => [companyId, offsetMs]));
}

const listStalledSql = statement({ companyId: t.text, mode: t.mode, targetMs: t.int8 })`
  select company_id as "companyId", mode, target_ms as "targetMs" from test_clocks
  where offset_ms < target_ms and moved_at < $1`;

/** The clocks whose advance has stopped on the way since before a time. */
export async function listStalledClocks(
  tx: SystemTx,
  before: Date,
): Promise<(TenantScope & { targetMs: number })[]> {
  return await tx.query(listStalledSql, [before]);
}
