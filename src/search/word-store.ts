// The SQL that finds payments by the beginning of a word, in the order of the words and for each word the newest first. Must
// not read more than a bounded number of words, or show a payment twice.

import type { TenantTx } from '../db/database.ts';
import {
  type Bind,
  builtStatement,
  type Fragment,
  first,
  joined,
  outputNames,
  sql,
} from '../db/statements.ts';
import { inMode } from '../payments/list-mode.ts';
import { readAttempts } from '../payments/presented-store.ts';
import { Payment } from '../payments/store.ts';
import {
  allFilters,
  conditionsOf,
  type FoundPayment,
  FoundRow,
  foundFrom,
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
  { ...common, scan: { words, after: start }, filters: {}, end: { term: 'a', paymentId: '' } },
];

/**
 * The words of a scan, in parts that are each one range of the index: the rest of the word that the position is in, the
 * words after it, and the word of the end, up to there. IDs descend and words ascend, so no comparison of rows describes
 * what is between two positions.
 */
function scanned(
  { words: { low, high }, after }: WordScan,
  { company, end, rows }: { company: Fragment; end: SearchPosition | null; rows: Fragment },
  bind: Bind,
): Fragment {
  const part = (condition: Fragment) => sql`(
    select word as term, payment_id as "paymentId" from payment_words
    where company_id = ${company} and ${inMode} and ${condition} order by word, payment_id desc limit ${rows})`;
  const endsIn = (term: string) =>
    end?.term === term ? sql`payment_id >= ${bind(end.paymentId)}` : sql`true`;
  const parts: Fragment[] = [];
  if (after !== null) {
    const { term, paymentId } = after;
    parts.push(part(sql`word = ${bind(term)} and payment_id < ${bind(paymentId)} and ${endsIn(term)}`));
  }
  const from = () => (after === null ? sql`word >= ${bind(low)}` : sql`word > ${bind(after.term)}`);
  if (end === null) parts.push(part(sql`${from()} and word <= ${bind(high)}`));
  else if (end.term !== after?.term)
    parts.push(
      part(sql`${from()} and word < ${bind(end.term)}`),
      part(sql`word = ${bind(end.term)} and ${endsIn(end.term)}`),
    );
  return sql`(${joined(parts, ' union all ')})`;
}

const Matched = { ...Payment, ...SearchTerms };

const inOrder = sql`order by term, "paymentId" desc`;

const wordEnd = builtStatement(SearchPosition, samples, ({ companyId, scan, rows }, bind) => {
  const found = scanned(scan, { company: bind(companyId), end: null, rows: bind(rows) }, bind);
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

const wordPage = builtStatement(FoundRow, samples, (read, bind) => {
  const { companyId, scan, filters, end, limit } = read;
  const company = bind(companyId);
  // The first of several words in the range shows the payment. A value, which is no join: see hasWord.
  const earlier = sql`(
    select true from payment_words
    where company_id = ${company} and payment_id = scanned."paymentId" and word >= ${bind(scan.words.low)} and word < term
      and mode = current_mode() limit 1)`;
  const { words: others, ...rest } = filters;
  const conditions = [sql`${earlier} is null`, conditionsOf(others ? { words: others } : {}, company, bind)];
  return sql`
    select ${foundFrom(sql`matched`, company)} from (
      select ${outputNames(Matched, 'found')}, term from (
        select term, "paymentId" from ${scanned(scan, { company, end, rows: bind(read.rows) }, bind)} scanned
        where ${joined(conditions, ' and ')} ${inOrder}) scanned
      cross join lateral (
        select ${Matched} from payments
        where company_id = ${company} and payment_id = scanned."paymentId" and mode = current_mode() offset 0) found
      ) matched
    where ${conditionsOf(rest, company, bind)} ${inOrder} limit ${bind(limit)}`;
});

/** At most `limit` payments with a word in the range that pass the filters, each once, up to `end`. */
export async function listByWord(
  tx: TenantTx,
  scan: WordScan,
  options: Pick<WordRead, 'filters' | 'end' | 'limit' | 'rows'>,
): Promise<FoundPayment[]> {
  return (await tx.query(...wordPage({ companyId: tx.companyId, scan, ...options }))).map(readAttempts);
}
