// The SQL that lists payments in the order of time: all, or those with a certain status, order ID or address. A scan
// follows an index in the order of the response; other conditions are filtered afterwards. Must not sort, or read more than
// a bounded number of rows: order and range are row comparisons that a single index serves, and filters are outside of a
// LIMIT, where the planner can't turn them into another plan.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import {
  type Bind,
  builtStatement,
  type Fragment,
  first,
  joined,
  outputNames,
  type RowOf,
  sql,
  t,
} from '../db/statements.ts';
import { inMode } from '../payments/list-mode.ts';
import {
  attemptsOf,
  type PaymentWithAttempts,
  PaymentWithAttemptsRow,
  readAttempts,
} from '../payments/presented-store.ts';
import type { PaymentStatus } from '../payments/states.ts';
import { Payment } from '../payments/store.ts';

/** The indexes to scan: by ID (that is by time), or by a term and then by ID. */
export type SearchIndex = 'created' | 'state' | 'order' | 'email';

/** A position in the order of a scan. Without a term of its own (`created`) the term is empty. */
export const SearchPosition = { term: t.excludingNull(t.text), paymentId: t.text };
export type SearchPosition = RowOf<typeof SearchPosition>;

/** A payment, with its term in the scan that found it. */
export const FoundRow = { ...PaymentWithAttemptsRow, term: SearchPosition.term };
export type FoundPayment = PaymentWithAttempts & { term: string };

/** The columns of FoundRow, from rows with the alias `row`: the attempts only of those that are returned. */
export function foundFrom(row: Fragment, company: Fragment): Fragment {
  const payment = { paymentId: sql`${row}."paymentId"`, version: sql`${row}.version` };
  return sql`${outputNames(Payment)}, term, ${attemptsOf(company, payment)} as attempts`;
}

export type IndexScan = {
  source: SearchIndex;
  isDescending: boolean;
  /** The scan is between these two, exclusive. Terms are compared case-insensitively. */
  above: SearchPosition;
  below: SearchPosition;
};

/** Texts from `low` to `high`, inclusive. */
export type TextRange = { low: string; high: string };

/** The conditions that no index covers. */
export type PaymentFilters = {
  state?: PaymentStatus;
  currency?: Currency;
  /** In minor units, for each currency. */
  leastMinor?: Record<Currency, number>;
  mostMinor?: Record<Currency, number>;
  /** The payments were created after and before these IDs. */
  afterId?: string;
  beforeId?: string;
  /** The exact order ID, case-sensitively. */
  customerOrderId?: string;
  /** Case-insensitively. */
  order?: TextRange;
  email?: TextRange;
  /** Each is the beginning of a word of the payment, folded. */
  words?: readonly TextRange[];
  /** The order ID, the address, the full name or the last name is in it, case-insensitively: as long as there are no words. */
  anyText?: TextRange;
};

const columnOf: Readonly<Record<SearchIndex, Fragment | null>> = {
  created: null,
  state: sql`state`,
  order: sql`search_order`,
  email: sql`search_email`,
};

/** The terms of a payment, which filters compare. */
export const SearchTerms = {
  searchOrder: t.text,
  searchEmail: t.nullable(t.text),
  searchName: t.nullable(t.text),
  searchLastName: t.nullable(t.text),
};
const allTerms = [sql`"searchOrder"`, sql`"searchEmail"`, sql`"searchName"`, sql`"searchLastName"`];

/** The condition that a row is in the scan; up to and including `end`, if given. */
function rangeOf(scan: IndexScan, end: SearchPosition | null, bind: Bind): Fragment {
  const isEndAbove = end !== null && !scan.isDescending;
  const isEndBelow = end !== null && scan.isDescending;
  const column = columnOf[scan.source];
  const placeOf = ({ term, paymentId }: SearchPosition) =>
    column === null ? bind(paymentId) : sql`(fold_case(${bind(term)}), ${bind(paymentId)})`;
  const low = sql`${isEndBelow ? sql`>=` : sql`>`} ${placeOf(isEndBelow ? end : scan.above)}`;
  const high = sql`${isEndAbove ? sql`<=` : sql`<`} ${placeOf(isEndAbove ? end : scan.below)}`;
  const key = column === null ? sql`payment_id` : sql`(${column}, payment_id)`;
  return sql`${key} ${low} and ${key} ${high}`;
}

const inOrder = (columns: readonly Fragment[], isDescending: boolean): Fragment =>
  joined(isDescending ? columns.map((column) => sql`${column} desc`) : columns, ', ');

/** The order of a scan, by the column names of the table. */
function orderOf({ source, isDescending }: IndexScan): Fragment {
  const columns = [columnOf[source], sql`payment_id`].filter((column) => column !== null);
  return inOrder(columns, isDescending);
}

/** The order of a scan, by its own column names. Omits a constant term, which would cost a sort. */
function outerOrderOf({ source, isDescending }: IndexScan): Fragment {
  return inOrder([...(source === 'created' ? [] : [sql`term`]), sql`"paymentId"`], isDescending);
}

const termOf = ({ source }: IndexScan) => columnOf[source] ?? sql`''::text`;

type SearchRead = {
  companyId: string;
  scan: IndexScan;
  filters: PaymentFilters;
  end: SearchPosition | null;
  limit: number;
  rows: number;
};

const start: SearchPosition = { term: '', paymentId: '' };
const range: TextRange = { low: '', high: '' };
const bounds = { USD: 0, EUR: 0 };
/** Every filter, for the samples of statements. */
export const allFilters: Required<PaymentFilters> = {
  ...{ state: 'open', currency: 'EUR', leastMinor: bounds, mostMinor: bounds, afterId: '', beforeId: '' },
  ...{ customerOrderId: '', order: range, email: range, words: [range, range], anyText: range },
};
const samples = (Object.keys(columnOf) as SearchIndex[]).flatMap((source): SearchRead[] => {
  const common = { companyId: '', limit: 1, rows: 1 };
  const scan = { source, isDescending: true, above: start, below: start };
  return [
    { ...common, scan, filters: {}, end: null },
    { ...common, scan: { ...scan, isDescending: false }, filters: allFilters, end: start },
  ];
});

const scanEnd = builtStatement(SearchPosition, samples, ({ companyId, scan, rows }, bind) => {
  const company = bind(companyId);
  return sql`
    select ${termOf(scan)} as term, payment_id as "paymentId" from payments
    where company_id = ${company} and ${inMode} and ${rangeOf(scan, null, bind)}
    order by ${orderOf(scan)} offset ${bind(rows - 1)} limit 1`;
});

/**
 * The position of the `rows`-th row of a scan, at which a read of so many rows must end. Null if the scan ends before.
 */
export async function findScanEnd(
  tx: TenantTx,
  scan: IndexScan,
  rows: number,
): Promise<SearchPosition | null> {
  const read = { companyId: tx.companyId, scan, rows, filters: {}, end: null, limit: 1 };
  return first(await tx.query(...scanEnd(read)));
}

/**
 * The condition that a payment has a word in a range. It is the value of a subquery and not `exists`, which the planner could
 * turn into a join that reads all words of the company.
 */
function hasWord(company: Fragment, { low, high }: TextRange, bind: Bind): Fragment {
  return sql`(
    select true from payment_words
    where company_id = ${company} and payment_id = "paymentId" and word >= ${bind(low)} and word <= ${bind(high)}
      and mode = current_mode() limit 1) is true`;
}

/** The conditions of filters, by the names of the columns of a payment. */
export function conditionsOf(filters: PaymentFilters, company: Fragment, bind: Bind): Fragment {
  const conditions: Fragment[] = [sql`true`];
  const add = <T>(value: T | undefined, condition: (given: T) => Fragment) => {
    if (value !== undefined) conditions.push(condition(value));
  };
  const within = (name: Fragment, { low, high }: TextRange) =>
    sql`${name} between fold_case(${bind(low)}) and fold_case(${bind(high)})`;
  const inMinor = (minor: Record<Currency, number>) =>
    sql`(${bind(JSON.stringify(minor))}::jsonb ->> currency)::bigint`;
  add(filters.state, (state) => sql`state = ${bind(state)}`);
  add(filters.currency, (currency) => sql`currency = ${bind(currency)}`);
  add(filters.leastMinor, (minor) => sql`"amountMinor" >= ${inMinor(minor)}`);
  add(filters.mostMinor, (minor) => sql`"amountMinor" <= ${inMinor(minor)}`);
  add(filters.afterId, (id) => sql`"paymentId" > ${bind(id)}`);
  add(filters.beforeId, (id) => sql`"paymentId" < ${bind(id)}`);
  add(filters.customerOrderId, (orderId) => sql`"customerOrderId" = ${bind(orderId)}`);
  add(filters.order, (given) => within(sql`"searchOrder"`, given));
  add(filters.email, (given) => within(sql`"searchEmail"`, given));
  for (const word of filters.words ?? []) conditions.push(hasWord(company, word, bind));
  add(filters.anyText, (given) => {
    const none = allTerms.map((name) => sql`not coalesce(${within(name, given)}, false)`);
    return sql`not (${joined(none, ' and ')})`;
  });
  return joined(conditions, ' and ');
}

/** Whether a scan needs no filter. */
export function isUnfiltered(filters: PaymentFilters): boolean {
  return Object.keys(filters).length === 0;
}

const paymentPage = builtStatement(FoundRow, samples, (read, bind) => {
  const { companyId, scan, filters, end, limit } = read;
  const company = bind(companyId);
  const rows = bind(isUnfiltered(filters) ? limit : read.rows);
  return sql`
    select ${foundFrom(sql`scanned`, company)} from (
      select ${Payment}, ${SearchTerms}, ${termOf(scan)} as term from payments
      where company_id = ${company} and ${inMode} and ${rangeOf(scan, end, bind)}
      order by ${orderOf(scan)} limit ${rows}) scanned
    where ${conditionsOf(filters, company, bind)} order by ${outerOrderOf(scan)} limit ${bind(limit)}`;
});

/** At most `limit` payments of a scan that pass the filters, in its order, up to `end` and from at most `rows` rows. */
export async function listPayments(
  tx: TenantTx,
  scan: IndexScan,
  options: Pick<SearchRead, 'filters' | 'end' | 'limit' | 'rows'>,
): Promise<FoundPayment[]> {
  return (await tx.query(...paymentPage({ companyId: tx.companyId, scan, ...options }))).map(readAttempts);
}
