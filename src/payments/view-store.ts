// Everything that the page of a link shows, in one statement for all links of a batch.

import { type TestTime, testTimeOf } from '../base/clock.ts';
import { Company } from '../companies/store.ts';
import { StoredConnection } from '../connections/store.ts';
import type { TenantTx } from '../db/database.ts';
import { jsonOf, pick, type RowOf, readJson, selectList, statement, t } from '../db/statements.ts';
import { unnestDistinct } from '../db/unnest.ts';
import { currentAttemptLast } from './attempt-store.ts';
import { Attempt, Payment } from './store.ts';

/** What decides whether a connection is offered. */
const OfferedConnection = pick(
  StoredConnection,
  ...([
    'connectionId',
    'name',
    'processor',
    'mode',
    'currencies',
    'offers',
    'isEnabled',
    'openUntil',
  ] as const),
);
export type OfferedConnection = RowOf<typeof OfferedConnection>;

/** The company and its connections are the same for all rows. Only one row has them. */
const ViewRow = {
  ...Payment,
  attempts: t.nullable(t.jsonRows),
  isReturned: t.nullable(t.bool),
  isHeld: t.bool,
  company: t.nullable(t.json),
  connections: t.nullable(t.jsonRows),
  offsetMs: t.nullable(t.int8),
};

const listViewsSql = statement(ViewRow)`
  select ${selectList(Payment, 'p')}, a.list as attempts,
         case when a.list is not null then (
           select bool_and(exists (
             select from refunds done where done.company_id = $1 and done.attempt_id = r.attempt_id
               and done.kind = 'surplus' and done.state = 'succeeded'
           ))
           from refunds r where r.company_id = $1 and r.payment_id = p.payment_id and r.kind = 'surplus'
         ) end as "isReturned",
         a.list is not null and exists (
           select from processor_cases c
           where c.company_id = $1 and c.payment_id = p.payment_id and c.code = 'currency_mismatch' and c.closed_at is null
         ) as "isHeld",
         case when row_number() over () = 1
           then (select ${jsonOf(Company, 'co')} from companies co where co.company_id = $1) end as company,
         case when row_number() over () = 1
           then (select json_agg(${jsonOf(OfferedConnection, 'cn')} order by cn.position, cn.connection_id)
                 from connections cn where cn.company_id = $1 and cn.deleted_at is null) end as connections,
         case when p.mode = 'test'
           then (select offset_ms from test_clocks where company_id = $1 and mode = 'test') end as "offsetMs"
  from ${unnestDistinct('$2')} join payments p on p.code = wanted
    left join lateral (
      select json_agg(${jsonOf(Attempt, 'a')} order by ${currentAttemptLast}) as list
      from attempts a where a.company_id = $1 and a.payment_id = p.payment_id
    ) a on true
  where p.company_id = $1`;

/** A payment with its attempts, the current one last. */
export type StoredView = {
  payment: Payment;
  attempts: readonly Attempt[];
  /** Whether the refund of every overpayment is complete; null without an overpayment. */
  isReturned: boolean | null;
  /** Whether there is an overpayment that Paylink can't refund by itself, and that nobody has settled. */
  isHeld: boolean;
  /** The test time of the payment; null in real time. */
  testTime: TestTime | null;
};

export type StoredViews = {
  company: Company;
  /** In the merchant's order. */
  connections: readonly OfferedConnection[];
  views: readonly StoredView[];
};

/** The payments of these codes; null if there are none. */
export async function listViews(tx: TenantTx, codes: readonly string[]): Promise<StoredViews | null> {
  const rows = await tx.query(listViewsSql, [tx.companyId, codes]);
  const first = rows.find(({ company }) => company !== null);
  if (!first?.company) return null;
  return {
    company: readJson(Company, first.company),
    connections: (first.connections ?? []).map((connection) => readJson(OfferedConnection, connection)),
    views: rows.map(
      ({ attempts, isReturned, isHeld, company: _, connections: __, offsetMs, ...payment }) => ({
        payment,
        attempts: (attempts ?? []).map((attempt) => readJson(Attempt, attempt)),
        isReturned,
        isHeld,
        testTime: testTimeOf(payment, offsetMs),
      }),
    ),
  };
}
