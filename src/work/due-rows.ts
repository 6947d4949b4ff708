// Rows that carry due work: which lanes have any, who works on a row, and when it is due again. Every kind of due work
// uses these statements. A lane is what must not delay others: a connection, an endpoint, a company. Leases use the
// database's clock. Due times are business time: that of the company's clock, which is the database's unless it was moved.
// Must not change a row for a process that has lost its lease.

import { modeOf, type SystemTx, type TenantTx } from '../db/database.ts';
import {
  type Columns,
  type Fragment,
  first,
  outputNames,
  type RowOf,
  sql,
  statement,
  t,
} from '../db/statements.ts';

/**
 * A lane with a due row. The mode is null for rows of a company itself. `offsetMs`: how far the company's test clock is
 * ahead; null for rows that have none.
 */
export const Lane = {
  companyId: t.text,
  mode: t.nullable(t.mode),
  lane: t.text,
  isFailing: t.bool,
  offsetMs: t.nullable(t.int8),
};
export type Lane = RowOf<typeof Lane>;

/** Where rows with due work are. An index over company, lane, due time and ID has all waiting rows, and only them. */
export type DueTable = {
  table: Fragment;
  /** The columns of the ID and of the count of claims. */
  id: Fragment;
  token: Fragment;
  /** The expression of a row's lane. */
  lane: Fragment;
  /** The condition that a row waits, in the words of the index. */
  waiting: Fragment;
  /** The lanes that may be worked, if not all, joined with what shows that the last attempt of one failed. */
  openLanes?: { source: Fragment; isFailing: Fragment };
};

/** So many milliseconds after a time; null: the database's. */
export type DueTime = { at: Date | null; inMs: number };

export type ClaimOptions = { lane: string; limit: number; leaseSeconds: number; at: Date | null };
export type Postponement = {
  /** Milliseconds until the row is due again. */
  afterMs: number;
  at: Date | null;
  error: string;
};

/** How many rows are due, since when the oldest of them is, and how many wait for a person. */
export const DueCount = { due: t.int4, oldestAt: t.nullable(t.timestamptz), dead: t.int4 };
export type DueCount = RowOf<typeof DueCount>;

/**
 * Counts due and dead rows of all companies, `limit` of each at most. It includes rows that somebody has claimed. The
 * transaction must prefer index scans: it steps from lane to lane, as `listLanes` does.
 */
export type CountDue = (tx: SystemTx, at: Date, limit: number) => Promise<DueCount>;

export type FindNextDue = (tx: TenantTx, after: Date) => Promise<Date | null>;

export type DueRows<Claimed> = {
  countDue: CountDue;

  /**
   * The lanes with a due row that nobody has claimed; of certain companies, or of all. Steps from lane to lane along the
   * index, if the transaction prefers index scans.
   */
  listLanes(tx: SystemTx, companyIds: readonly string[] | null, at: Date | null): Promise<Lane[]>;
  /** Claims due rows of a lane, longest due first. Skips those that others have claimed. */
  claim(tx: TenantTx, options: ClaimOptions): Promise<Claimed[]>;
  /**
   * When the next row of the transaction's company and mode is due after a time; null without one. A claimed row counts
   * with the time that it was due, so a time in the past says that somebody works on it.
   */
  findNextDue: FindNextDue;
};

/** Ends a lease: the row is due again later. False if another process has claimed it since, or its work has ended. */
export type PostponeRow = (
  tx: TenantTx,
  claim: { id: string; token: number },
  to: Postponement,
) => Promise<boolean>;

const maxErrorLength = 500;

/** The time of the company's clock: that of the database, unless a parameter says otherwise. */
export const businessTime = (at: Fragment): Fragment =>
  sql`coalesce(${at}::timestamptz, statement_timestamp())`;
const isUnclaimed = sql`(leased_until is null or leased_until < clock_timestamp())`;

function listStatements({ table, id, lane, waiting, openLanes }: DueTable) {
  const source = openLanes?.source ?? sql`lanes`;
  const isFailing = openLanes?.isFailing ?? sql`false`;
  const rows = sql`select company_id, mode, ${lane} as lane from ${table} where ${waiting}`;
  const listed = (at: Fragment) => sql`
    select lanes.company_id as "companyId", lanes.mode, lanes.lane, ${isFailing} as "isFailing",
      ahead.offset_ms as "offsetMs"
    from ${source} left join test_clocks ahead on ahead.company_id = lanes.company_id and ahead.mode = lanes.mode
    where exists (
      select from ${table} where ${waiting} and company_id = lanes.company_id and ${lane} = lanes.lane
        and due_at <= ${businessTime(at)} + coalesce(ahead.offset_ms, 0) * interval '1 millisecond' and ${isUnclaimed})`;
  const allLanes = sql`
      recursive lanes as (
        (${rows} order by company_id, ${lane}, due_at, ${id} limit 1)
        union all
        select next.company_id, next.mode, next.lane from lanes cross join lateral (
          ${rows} and (company_id, ${lane}) > (lanes.company_id, lanes.lane)
          order by company_id, ${lane}, due_at, ${id} limit 1) next
      )`;
  const rowsOfLanes = (dueAt: Fragment, limit: Fragment) => sql`
    open_lanes cross join lateral (
      select due_at from ${table} where ${waiting} and company_id = open_lanes.company_id
        and ${lane} = open_lanes.lane and due_at ${dueAt} order by due_at, ${id} limit ${limit}) found`;
  const countOf = (dueAt: Fragment) => sql`
    (select count(*)::integer from (select from ${rowsOfLanes(dueAt, sql`$2`)} limit $2) counted)`;
  // Nothing is above infinity. With `=` the order would be that of the ID alone, and the planner would follow the primary
  // key. A row that is due since ever has no age.
  const count = statement(DueCount)`
    with ${allLanes}, open_lanes as materialized (
      select lanes.company_id, lanes.lane, ${isFailing} as is_failing from ${source})
    select ${countOf(sql`<= $1::timestamptz`)} as due, ${countOf(sql`>= 'infinity'`)} as dead,
      (select nullif(min(due_at), '-infinity') from ${rowsOfLanes(sql`<= $1::timestamptz`, sql`1`)}
        where not is_failing) as "oldestAt"`;
  return {
    count,
    next: statement({ at: t.nullable(t.timestamptz) })`
      select min(greatest(due_at, 'epoch'::timestamptz)) as at from ${table}
      where company_id = $1 and mode = $2 and ${waiting} and due_at < 'infinity' and (due_at > $3 or not ${isUnclaimed})`,
    all: statement(Lane)`with ${allLanes}${listed(sql`$1`)}`,
    ofCompanies: statement(Lane)`
      with recursive lanes as (
        select first.company_id, first.mode, first.lane
        from (select distinct wanted from unnest($1::text[]) as wanted) list cross join lateral (
          ${rows} and company_id = wanted order by company_id, ${lane}, due_at, ${id} limit 1) first
        union all
        select next.company_id, next.mode, next.lane from lanes cross join lateral (
          ${rows} and company_id = lanes.company_id and ${lane} > lanes.lane
          order by company_id, ${lane}, due_at, ${id} limit 1) next
      )${listed(sql`$2`)}`,
  };
}

/** What a claim reads of other tables: `columns` from `source`, which joins them to `claimed`. */
export type ClaimContext<C extends Columns> = { columns: C; source: Fragment };

/** The statements of a table with due work. `claimed` are the columns of a claimed row. */
export function dueRows<C extends Columns, J extends Columns = Record<never, never>>(
  rows: DueTable,
  claimed: C,
  context?: ClaimContext<J>,
): DueRows<RowOf<C> & RowOf<J>> {
  const { table, id, token, lane, waiting } = rows;
  const list = listStatements(rows);
  // Materialized: a plan that runs it once for each row would lock other rows each time. The second limit makes the
  // planner expect few rows, so that it finds them by their key.
  const claimSql = statement({ ...claimed, ...context?.columns } as C & J)`
    with due as materialized (
      select ${id} as due_id from ${table}
      where company_id = $1 and ${lane} = $2 and ${waiting} and due_at <= ${businessTime(sql`$3`)} and ${isUnclaimed}
      order by due_at, ${id} limit $4 for update skip locked
    ), claimed as (
      update ${table} set ${token} = ${token} + 1, leased_until = clock_timestamp() + $5::float8 * interval '1 second'
      from (select due_id from due limit $4) as due where company_id = $1 and ${id} = due_id
      returning ${claimed})
    select ${outputNames(claimed, 'claimed')}${context ? sql`, ${context.columns}` : sql``} from claimed ${context?.source ?? sql``}`;
  return {
    listLanes: async (tx, companyIds, at) =>
      companyIds === null
        ? await tx.query(list.all, [at])
        : await tx.query(list.ofCompanies, [companyIds, at]),
    countDue: async (tx, at, limit) =>
      first(await tx.query(list.count, [at, limit])) ?? { due: 0, oldestAt: null, dead: 0 },
    findNextDue: async (tx, after) =>
      first(await tx.query(list.next, [tx.companyId, modeOf(tx), after]))?.at ?? null,
    claim: async (tx, { lane: wanted, limit, leaseSeconds, at }) =>
      await tx.query(claimSql, [tx.companyId, wanted, at, limit, leaseSeconds]),
  };
}

/**
 * The statement that postpones a row, for tables that keep the error of the last run. A row that is given up is not due
 * again until a person decides so.
 */
export function createPostponeRow(
  { table, id, token, waiting }: DueTable,
  isGivenUp: (now: Fragment) => Fragment = () => sql`false`,
): PostponeRow {
  const now = businessTime(sql`$5`);
  const postponeSql = sql`
    update ${table} set leased_until = null, last_error = $6,
      due_at = case when ${isGivenUp(now)} then 'infinity' else ${now} + $4::float8 * interval '1 millisecond' end
    where company_id = $1 and ${id} = $2 and ${token} = $3 and ${waiting} and leased_until is not null
    returning company_id`;
  return async (tx, claim, { afterMs, at, error }) => {
    const values = [claim.id, claim.token, afterMs, at, error.slice(0, maxErrorLength)];
    return (await tx.query(postponeSql, [tx.companyId, ...values])).length === 1;
  };
}
