// The SQL that finds payments. A scan follows indexes in the order of the response; other conditions are filtered
// afterwards. Must not sort, or read more than a bounded number of rows: order and range are row comparisons that a single
// index serves, and filters are outside of a LIMIT, where the planner can't turn them into another plan.

import type { Currency } from '../base/money.ts';
import type { TenantTx } from '../db/database.ts';
import type { PaymentStatus } from '../payments/states.ts';
import { type Payment, paymentColumns } from '../payments/store.ts';

/** The indexes to scan: by ID (that is by time), or by a term and then by ID. */
export type SearchIndex = 'created' | 'state' | 'order' | 'email' | 'name' | 'lastName';

/** A position in the order of a scan. Without a term of its own (`created`) the term is empty. */
export type SearchPosition = { term: string; paymentId: string };

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

const columnOf: Readonly<Record<SearchIndex, string | null>> = {
  created: null,
  state: 'state',
  order: 'search_order',
  email: 'search_email',
  name: 'search_name',
  lastName: 'search_last_name',
};

const searchColumns = `search_order as "searchOrder", search_email as "searchEmail", search_name as "searchName",
  search_last_name as "searchLastName"`;
const searchNames: Partial<Record<SearchIndex, string>> = {
  order: '"searchOrder"',
  email: '"searchEmail"',
  name: '"searchName"',
  lastName: '"searchLastName"',
};

/** The names of the columns in `paymentColumns`. */
const paymentNames = paymentColumns.split(/,\s+/).map((column) => column.split(' as ').at(-1));

/** Adds a value of the statement and returns its placeholder. */
type Bind = (value: unknown) => string;

function bindInto(values: unknown[]): Bind {
  return (value) => `$${values.push(value)}`;
}

/** The condition that a row is in the scan; up to and including `end`, if given. */
function rangeOf(scan: IndexScan, end: SearchPosition | null, bind: Bind): (source: SearchIndex) => string {
  const isEndAbove = end !== null && !scan.isDescending;
  const isEndBelow = end !== null && scan.isDescending;
  const isByTime = scan.sources[0] === 'created';
  const placeOf = ({ term, paymentId }: SearchPosition) =>
    isByTime ? bind(paymentId) : `(fold_case(${bind(term)}), ${bind(paymentId)})`;
  const low = `${isEndBelow ? '>=' : '>'} ${placeOf(isEndBelow ? end : scan.above)}`;
  const high = `${isEndAbove ? '<=' : '<'} ${placeOf(isEndAbove ? end : scan.below)}`;
  return (source) => {
    const column = columnOf[source];
    const key = column === null ? 'payment_id' : `(${column}, payment_id)`;
    return `${key} ${low} and ${key} ${high}`;
  };
}

/** The order of a source, by the column names of the table. */
function orderOf(source: SearchIndex, isDescending: boolean): string {
  const direction = isDescending ? ' desc' : '';
  const columns = [columnOf[source], 'payment_id'].filter((column) => column !== null);
  return columns.map((column) => column + direction).join(', ');
}

/** The order of the union of sources, by its column names. Omits a constant term, which would cost a sort. */
function outerOrderOf({ sources, isDescending }: IndexScan): string {
  const direction = isDescending ? ' desc' : '';
  const columns = sources[0] === 'created' ? ['"paymentId"'] : ['term', '"paymentId"'];
  return columns.map((column) => column + direction).join(', ');
}

/**
 * The condition of the mode in the form of the list indexes: see migrations/0024_mode_isolation.sql. A parameter
 * instead of current_mode() would be folded into the expression, which then matches no index.
 */
export const inMode = `mode = current_mode() and (mode = 'live') = (current_mode() = 'live')`;

/** All sources of a scan, with `select` for each, in one union. */
function unionOf(scan: IndexScan, select: (source: SearchIndex, nth: number) => string): string {
  return scan.sources.map((source, nth) => `(${select(source, nth)})`).join(' union all ');
}

/**
 * The position of the `rows`-th row of a scan, at which a read of so many rows must end. Null if the scan ends before.
 * With several sources, the nearest end counts.
 */
export async function findScanEnd(
  tx: TenantTx,
  scan: IndexScan,
  rows: number,
): Promise<SearchPosition | null> {
  const values: unknown[] = [tx.companyId];
  const bind = bindInto(values);
  const inRange = rangeOf(scan, null, bind);
  const offset = bind(rows - 1);
  const ends = unionOf(
    scan,
    (source) =>
      // safe: names are literals of this file, values are parameters.
      `select ${columnOf[source] ?? "''::text"} as term, payment_id as "paymentId" from payments
       where company_id = $1 and ${inMode} and ${inRange(source)}
       order by ${orderOf(source, scan.isDescending)} offset ${offset} limit 1`,
  );
  const [end] = await tx.query<SearchPosition>(
    // safe: names are literals of this file, values are parameters.
    `select term, "paymentId" from (${ends}) ends order by ${outerOrderOf(scan)} limit 1`,
    values,
  );
  return end ?? null;
}

function conditionsOf(scan: IndexScan, filters: PaymentFilters, bind: Bind): string[] {
  const conditions: string[] = [];
  const add = <T>(value: T | undefined, condition: (given: T) => string) => {
    if (value !== undefined) conditions.push(condition(value));
  };
  const within = (name: string, { low, high }: TextRange) =>
    `${name} between fold_case(${bind(low)}) and fold_case(${bind(high)})`;
  const inMinor = (bounds: Record<Currency, number>) =>
    `(${bind(JSON.stringify(bounds))}::jsonb ->> currency)::bigint`;
  add(filters.state, (state) => `state = ${bind(state)}`);
  add(filters.currency, (currency) => `currency = ${bind(currency)}`);
  add(filters.leastMinor, (bounds) => `"amountMinor" >= ${inMinor(bounds)}`);
  add(filters.mostMinor, (bounds) => `"amountMinor" <= ${inMinor(bounds)}`);
  add(filters.afterId, (id) => `"paymentId" > ${bind(id)}`);
  add(filters.beforeId, (id) => `"paymentId" < ${bind(id)}`);
  add(filters.customerOrderId, (orderId) => `"customerOrderId" = ${bind(orderId)}`);
  add(filters.order, (range) => within('"searchOrder"', range));
  add(filters.email, (range) => within('"searchEmail"', range));
  add(filters.onceWithin, (range) => {
    const earlier = scan.sources.map((source, nth) => {
      const name = searchNames[source] ?? 'null';
      return `not coalesce(${within(name, range)} and (${name}, ${nth}) < (term, nth), false)`;
    });
    return earlier.join(' and ');
  });
  return conditions;
}

/** Whether a scan needs no filter. */
export function isUnfiltered(filters: PaymentFilters): boolean {
  return Object.keys(filters).length === 0;
}

/**
 * At most `limit` payments of a scan that pass the filters, in its order, up to `end` and from at most `rows` rows of
 * each source.
 */
export async function listPayments(
  tx: TenantTx,
  scan: IndexScan,
  options: { filters: PaymentFilters; end: SearchPosition | null; limit: number; rows: number },
): Promise<(Payment & { term: string })[]> {
  const values: unknown[] = [tx.companyId];
  const bind = bindInto(values);
  const inRange = rangeOf(scan, options.end, bind);
  const rows = bind(isUnfiltered(options.filters) ? options.limit : options.rows);
  const scanned = unionOf(
    scan,
    (source, nth) =>
      // safe: names are literals of this file, values are parameters.
      `select ${paymentColumns}, ${searchColumns}, ${columnOf[source] ?? "''::text"} as term, ${nth} as nth
       from payments where company_id = $1 and ${inMode} and ${inRange(source)}
       order by ${orderOf(source, scan.isDescending)} limit ${rows}`,
  );
  const conditions = ['true', ...conditionsOf(scan, options.filters, bind)].join(' and ');
  return await tx.query<Payment & { term: string }>(
    // safe: names are literals of this file, values are parameters.
    `select ${paymentNames.join(', ')}, term from (${scanned}) scanned
     where ${conditions} order by ${outerOrderOf(scan)} limit ${bind(options.limit)}`,
    values,
  );
}
