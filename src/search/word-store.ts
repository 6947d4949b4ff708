// The SQL that finds payments by the beginning of a word, in the order of the words and for each word the newest first. Must
// not read more than a bounded number of words, or show a payment twice.

import type { TenantTx } from '../db/database.ts';
import { type Bind, builtStatement, type Fragment, first, outputNames, sql } from '../db/statements.ts';
import { Payment } from '../payments/store.ts';
import {
  allFilters,
  conditionsOf,
  FoundPayment,
  inMode,
  type PaymentFilters,
  SearchPosition,
  SearchTerms,
  type TextRange,
} from './store.ts';

/** The words in a range, after a position. */
export type WordScan = { words: TextRange; after: SearchPosition | null };

type WordRead = {
  companyId: string;
  scan: WordScan;
  filters: PaymentFilters;
  end: SearchPosition | null;
  limit: number;
  rows: number;
};

const start: SearchPosition = { term: '', paymentId: '' };
const words: TextRange = { low: '', high: '' };
const common = { companyId: '', limit: 1, rows: 1 };
const samples: readonly WordRead[] = [
  { ...common, scan: { words, after: null }, filters: {}, end: null },
  { ...common, scan: { words, after: start }, filters: allFilters, end: start },
];

/**
 * At most `rows` words of each half of a scan: the rest of the word that the position is in, and the words after it. In two
 * halves, because IDs descend and words ascend: no comparison of rows describes what follows a position.
 */
function scanned({ words: { low, high }, after }: WordScan, company: Fragment, rows: Fragment, bind: Bind) {
  const select = sql`select word as term, payment_id as "paymentId" from payment_words
    where company_id = ${company} and ${inMode} and word <= ${bind(high)}`;
  const order = sql`order by word, payment_id desc limit ${rows}`;
  if (after === null) return sql`(${select} and word >= ${bind(low)} ${order})`;
  const term = bind(after.term);
  return sql`(
    (${select} and word = ${term} and payment_id < ${bind(after.paymentId)} ${order})
    union all
    (${select} and word > ${term} ${order}))`;
}

const inOrder = sql`order by term, "paymentId" desc`;

const wordEnd = builtStatement(SearchPosition, samples, ({ companyId, scan, rows }, bind) => {
  const found = scanned(scan, bind(companyId), bind(rows), bind);
  return sql`
    select ${outputNames(SearchPosition)} from ${found} scanned ${inOrder} offset ${bind(rows - 1)} limit 1`;
});

/** The position of the `rows`-th word of a scan, at which a read of so many must end. Null if the scan ends before. */
export async function findWordEnd(
  tx: TenantTx,
  scan: WordScan,
  rows: number,
): Promise<SearchPosition | null> {
  const read = { companyId: tx.companyId, scan, rows, filters: {}, end: null, limit: 1 };
  return first(await tx.query(...wordEnd(read)));
}

function isUpTo(end: SearchPosition, bind: Bind): Fragment {
  const term = bind(end.term);
  return sql`(term < ${term} or (term = ${term} and scanned."paymentId" >= ${bind(end.paymentId)}))`;
}

const wordPage = builtStatement(FoundPayment, samples, (read, bind) => {
  const { companyId, scan, filters, end, limit } = read;
  const company = bind(companyId);
  const within = end === null ? sql`true` : isUpTo(end, bind);
  // The first of several words in the range shows the payment.
  const isFirst = sql`not exists (
    select from payment_words
    where company_id = ${company} and payment_id = scanned."paymentId" and word >= ${bind(scan.words.low)} and word < term
      and mode = current_mode())`;
  return sql`
    select ${outputNames(FoundPayment)} from (
      select found.*, term from ${scanned(scan, company, bind(read.rows), bind)} scanned
      cross join lateral (
        select ${Payment}, ${SearchTerms} from payments
        where company_id = ${company} and payment_id = scanned."paymentId" and mode = current_mode() offset 0) found
      where ${within} and ${isFirst}) matched
    where ${conditionsOf(filters, company, bind)} ${inOrder} limit ${bind(limit)}`;
});

/** At most `limit` payments with a word in the range that pass the filters, each once, up to `end`. */
export async function listByWord(
  tx: TenantTx,
  scan: WordScan,
  options: Pick<WordRead, 'filters' | 'end' | 'limit' | 'rows'>,
): Promise<FoundPayment[]> {
  return await tx.query(...wordPage({ companyId: tx.companyId, scan, ...options }));
}
