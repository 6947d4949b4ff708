// The SQL that finds payments. A scan follows indexes in the order of the response; other conditions are filtered
// afterwards. Must not sort, or read more than a bounded number of rows: order and range are row comparisons that a single
// index serves, and filters are outside of a LIMIT, where the planner can't turn them into another plan.

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
  raw,
  sql,
  t,
} from '../db/statements.ts';
import type { PaymentStatus } from '../payments/states.ts';
import { Payment } from '../payments/store.ts';

/** The indexes to scan: by ID (that is by time), or by a term and then by ID. */
export type SearchIndex = 'created' | 'state' | 'order' | 'email' | 'name' | 'lastName';

/** A position in the order of a scan. Without a term of its own (`created`) the term is empty. */
export const SearchPosition = { term: t.excludingNull(t.text), paymentId: t.text };
export type SearchPosition = RowOf<typeof SearchPosition>;

/** A payment, with its term in the scan that found it. */
const FoundPayment = { ...Payment, term: SearchPosition.term };
export type FoundPayment = RowOf<typeof FoundPayment>;

export type IndexScan = {
  /** More than one only in ascending order. */
  sources: readonly SearchIndex[];
  isDescending: boolean;
  /** The scan is between these two, exclusive. Terms are compared case-insensitively. */
  above: SearchPosition;
  below: SearchPosition;
};

/** Texts from `low` to `high`, inclusive, case-insensitively. */
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
  order?: TextRange;
  email?: TextRange;
  /** Shows a payment from several sources once, where it comes first: their common range. */
  onceWithin?: TextRange;
};

const columnOf: Readonly<Record<SearchIndex, Fragment | null>> = {
  created: null,
  state: sql`state`,
  order: sql`search_order`,
  email: sql`search_email`,
  name: sql`search_name`,
  lastName: sql`search_last_name`,
};

/** The terms of a payment, which filters compare. */
const SearchTerms = {
  searchOrder: t.text,
  searchEmail: t.nullable(t.text),
  searchName: t.nullable(t.text),
  searchLastName: t.nullable(t.text),
};
const searchNames: Partial<Record<SearchIndex, Fragment>> = {
  order: sql`"searchOrder"`,
  email: sql`"searchEmail"`,
  name: sql`"searchName"`,
  lastName: sql`"searchLastName"`,
};

/** The condition that a row is in the scan; up to and including `end`, if given. */
function rangeOf(scan: IndexScan, end: SearchPosition | null, bind: Bind): (source: SearchIndex) => Fragment {
  const isEndAbove = end !== null && !scan.isDescending;
  const isEndBelow = end !== null && scan.isDescending;
  const isByTime = scan.sources[0] === 'created';
  const placeOf = ({ term, paymentId }: SearchPosition) =>
    isByTime ? bind(paymentId) : sql`(fold_case(${bind(term)}), ${bind(paymentId)})`;
  const low = sql`${isEndBelow ? sql`>=` : sql`>`} ${placeOf(isEndBelow ? end : scan.above)}`;
  const high = sql`${isEndAbove ? sql`<=` : sql`<`} ${placeOf(isEndAbove ? end : scan.below)}`;
  return (source) => {
    const column = columnOf[source];
    const key = column === null ? sql`payment_id` : sql`(${column}, payment_id)`;
    return sql`${key} ${low} and ${key} ${high}`;
  };
}

const inOrder = (columns: readonly Fragment[], isDescending: boolean): Fragment =>
  joined(isDescending ? columns.map((column) => sql`${column} desc`) : columns, ', ');

/** The order of a source, by the column names of the table. */
function orderOf(source: SearchIndex, isDescending: boolean): Fragment {
  const columns = [columnOf[source], sql`payment_id`].filter((column) => column !== null);
  return inOrder(columns, isDescending);
}

/** The order of the union of sources, by its column names. Omits a constant term, which would cost a sort. */
function outerOrderOf({ sources, isDescending }: IndexScan): Fragment {
  return inOrder([...(sources[0] === 'created' ? [] : [sql`term`]), sql`"paymentId"`], isDescending);
}

/**
 * The condition of the mode in the form of the list indexes: see migrations/0024_mode_isolation.sql. A parameter
 * instead of current_mode() would be folded into the expression, which then matches no index.
 */
export const inMode = sql`mode = current_mode() and (mode = 'live') = (current_mode() = 'live')`;

/** All sources of a scan, with `select` for each, in one union. */
function unionOf(scan: IndexScan, select: (source: SearchIndex, nth: number) => Fragment): Fragment {
  return joined(
    scan.sources.map((source, nth) => sql`(${select(source, nth)})`),
    ' union all ',
  );
}

const termOf = (source: SearchIndex) => columnOf[source] ?? sql`''::text`;

type SearchRead = {
  companyId: string;
  scan: IndexScan;
  filters: PaymentFilters;
  end: SearchPosition | null;
  limit: number;
  rows: number;
};

const start = { term: '', paymentId: '' };
const range = { low: '', high: '' };
const bounds = { USD: 0, EUR: 0 };
const allFilters: Required<PaymentFilters> = {
  ...{ state: 'open', currency: 'EUR', leastMinor: bounds, mostMinor: bounds, afterId: '', beforeId: '' },
  ...{ customerOrderId: '', order: range, email: range, onceWithin: range },
};
const samples = (Object.keys(columnOf) as SearchIndex[]).flatMap((source): SearchRead[] => {
  const common = { companyId: '', limit: 1, rows: 1 };
  const scan = { sources: [source], isDescending: true, above: start, below: start };
  const union = { ...scan, sources: ['order', 'email', 'name', 'lastName'] as const, isDescending: false };
  return [
    { ...common, scan, filters: {}, end: null },
    { ...common, scan: union, filters: allFilters, end: start },
  ];
});

const scanEnd = builtStatement(SearchPosition, samples, ({ companyId, scan, rows }, bind) => {
  const company = bind(companyId);
  const inRange = rangeOf(scan, null, bind);
  const offset = bind(rows - 1);
  const ends = unionOf(
    scan,
    (source) => sql`
      select ${termOf(source)} as term, payment_id as "paymentId" from payments
      where company_id = ${company} and ${inMode} and ${inRange(source)}
      order by ${orderOf(source, scan.isDescending)} offset ${offset} limit 1`,
  );
  return sql`select ${outputNames(SearchPosition)} from (${ends}) ends order by ${outerOrderOf(scan)} limit 1`;
});

/**
 * The position of the `rows`-th row of a scan, at which a read of so many rows must end. Null if the scan ends before.
 * With several sources, the nearest end counts.
 */
export async function findScanEnd(
  tx: TenantTx,
  scan: IndexScan,
  rows: number,
): Promise<SearchPosition | null> {
  const read = { companyId: tx.companyId, scan, rows, filters: {}, end: null, limit: 1 };
  return first(await tx.query(...scanEnd(read)));
}

function conditionsOf(scan: IndexScan, filters: PaymentFilters, bind: Bind): Fragment[] {
  const conditions: Fragment[] = [];
  const add = <T>(value: T | undefined, condition: (given: T) => Fragment) => {
    if (value !== undefined) conditions.push(condition(value));
  };
  const within = (name: Fragment, { low, high }: TextRange) =>
    sql`${name} between fold_case(${bind(low)}) and fold_case(${bind(high)})`;
  const inMinor = (bounds: Record<Currency, number>) =>
    sql`(${bind(JSON.stringify(bounds))}::jsonb ->> currency)::bigint`;
  add(filters.state, (state) => sql`state = ${bind(state)}`);
  add(filters.currency, (currency) => sql`currency = ${bind(currency)}`);
  add(filters.leastMinor, (bounds) => sql`"amountMinor" >= ${inMinor(bounds)}`);
  add(filters.mostMinor, (bounds) => sql`"amountMinor" <= ${inMinor(bounds)}`);
  add(filters.afterId, (id) => sql`"paymentId" > ${bind(id)}`);
  add(filters.beforeId, (id) => sql`"paymentId" < ${bind(id)}`);
  add(filters.customerOrderId, (orderId) => sql`"customerOrderId" = ${bind(orderId)}`);
  add(filters.order, (range) => within(sql`"searchOrder"`, range));
  add(filters.email, (range) => within(sql`"searchEmail"`, range));
  add(filters.onceWithin, (range) => {
    const earlier = scan.sources.map((source, nth) => {
      const name = searchNames[source] ?? sql`null`;
      return sql`not coalesce(${within(name, range)} and (${name}, ${raw(`${nth}`)}) < (term, nth), false)`;
    });
    return joined(earlier, ' and ');
  });
  return conditions;
}

/** Whether a scan needs no filter. */
export function isUnfiltered(filters: PaymentFilters): boolean {
  return Object.keys(filters).length === 0;
}

const paymentPage = builtStatement(FoundPayment, samples, (read, bind) => {
  const { companyId, scan, filters, end, limit } = read;
  const company = bind(companyId);
  const inRange = rangeOf(scan, end, bind);
  const rows = bind(isUnfiltered(filters) ? limit : read.rows);
  const scanned = unionOf(
    scan,
    (source, nth) => sql`
      select ${Payment}, ${SearchTerms}, ${termOf(source)} as term, ${raw(`${nth}`)} as nth
      from payments where company_id = ${company} and ${inMode} and ${inRange(source)}
      order by ${orderOf(source, scan.isDescending)} limit ${rows}`,
  );
  const conditions = joined([sql`true`, ...conditionsOf(scan, filters, bind)], ' and ');
  return sql`
    select ${outputNames(FoundPayment)} from (${scanned}) scanned
    where ${conditions} order by ${outerOrderOf(scan)} limit ${bind(limit)}`;
});

/**
 * At most `limit` payments of a scan that pass the filters, in its order, up to `end` and from at most `rows` rows of
 * each source.
 */
export async function listPayments(
  tx: TenantTx,
  scan: IndexScan,
  options: Pick<SearchRead, 'filters' | 'end' | 'limit' | 'rows'>,
): Promise<FoundPayment[]> {
  return await tx.query(...paymentPage({ companyId: tx.companyId, scan, ...options }));
}
