// The SQL that lists and finds refunds for the API: all of a company in one mode, or those of a payment or with a status,
// newest first. Order and range are row comparisons that one index serves, so that a page reads no more than it returns.

import type { TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import {
  type Bind,
  builtStatement,
  type Fragment,
  first,
  type RowOf,
  selectList,
  sql,
  statement,
  t,
} from '../db/statements.ts';
import { inMode } from '../payments/list-mode.ts';
import { Refund } from '../payments/refund-store.ts';
import type { RefundStatus } from '../payments/states.ts';

/** A refund with the code of its payment. */
export const RefundWithCode = { ...Refund, code: t.text };
export type RefundWithCode = RowOf<typeof RefundWithCode>;

const columns = sql`${selectList(Refund, 'r')}, (
  select p.code from payments p where p.company_id = r.company_id and p.payment_id = r.payment_id) as code`;

const findRefundSql = statement(RefundWithCode)`
  select ${columns} from refunds r where r.company_id = $1 and r.refund_id = $2`;

export async function findRefundWithCode(tx: TenantTx, refundId: string): Promise<RefundWithCode | null> {
  return first(await tx.query(findRefundSql, [tx.companyId, refundId]));
}

export type RefundSearch = {
  paymentId: string | null;
  status: RefundStatus | null;
  /** Refunds from this ID on and before the other one. */
  fromId: string;
  beforeId: string;
  limit: number;
};

/** The columns of the index before the ID, with what they must be. */
function termOf(
  { paymentId, status }: RefundSearch,
  bind: Bind,
): { column: Fragment; value: Fragment } | null {
  if (paymentId !== null) return { column: sql`r.payment_id`, value: bind(paymentId) };
  return status === null ? null : { column: sql`r.state`, value: bind(status) };
}

const sample: RefundSearch = { paymentId: null, status: null, fromId: '', beforeId: '', limit: 1 };
const samples: (RefundSearch & { companyId: string })[] = [
  { ...sample, companyId: '' },
  { ...sample, companyId: '', status: 'created' },
  { ...sample, companyId: '', paymentId: '' },
  { ...sample, companyId: '', paymentId: '', status: 'created' },
];

const refundPage = builtStatement(RefundWithCode, samples, ({ companyId, ...search }, bind) => {
  const { paymentId, status, fromId, beforeId, limit } = search;
  const company = bind(companyId);
  const term = termOf(search, bind);
  const placeOf = (id: string) => (term === null ? bind(id) : sql`(${term.value}, ${bind(id)})`);
  const key = term === null ? sql`r.refund_id` : sql`(${term.column}, r.refund_id)`;
  const order = term === null ? sql`r.refund_id desc` : sql`${term.column} desc, r.refund_id desc`;
  const mode = paymentId === null ? sql`and ${inMode}` : sql``;
  // A payment has few refunds: they are filtered.
  const filter = paymentId !== null && status !== null ? sql`and r.state = ${bind(status)}` : sql``;
  return sql`
    select ${columns} from refunds r
    where r.company_id = ${company} ${mode} and ${key} >= ${placeOf(fromId)} and ${key} < ${placeOf(beforeId)} ${filter}
    order by ${order} limit ${bind(limit)}`;
});

/** The refunds of a search, newest first. */
export async function searchRefunds(tx: TenantTx, search: RefundSearch): Promise<RefundWithCode[]> {
  await preferIndexScans(tx);
  return await tx.query(...refundPage({ companyId: tx.companyId, ...search }));
}
