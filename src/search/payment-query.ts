// The queries of lists of payments: their parameters, declared once, and how they become searches in the terms of
// store.ts. Everything arrives as text and is parsed strictly. Reads no database.

import { type Static, Type } from 'typebox';
import { errors, type FieldError } from '../base/errors.ts';
import { afterAllIds, readIdBound } from '../base/id-bound.ts';
import { type Currency, currencies, parseAmount } from '../base/money.ts';
import { pageParameters, querySchema } from '../http/page-query.ts';
import { type PaymentStatus, paymentGraph } from '../payments/states.ts';
import type { IndexScan, PaymentFilters, SearchIndex, TextRange } from './store.ts';

const text = (maxLength: number, description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description, examples: [example] }));
/** Without a length limit: any number of zeros may follow the milliseconds. */
const moment = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, description, examples: [example] }));

const amountText = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,12}(\\.[0-9]{1,6})?$',
      'x-hint': 'This must be an amount in major units such as 19.99.',
      description,
      examples: ['19.99'],
    }),
  );

const filterParameters = {
  status: Type.Optional(
    Type.String({
      enum: Object.keys(paymentGraph),
      description: 'Status of the payment',
      examples: ['paid'],
    }),
  ),
  customerOrderId: text(129, 'The order ID; a * at the end matches any ending', 'order-7*'),
  email: text(255, 'The customer’s email address; a * at the end matches any ending', 'ada@example.com'),
  minAmount: amountText('The smallest amount, in major units'),
  maxAmount: amountText('The largest amount, in major units'),
  currency: Type.Optional(Type.String({ enum: currencies, description: 'ISO 4217 code', examples: ['EUR'] })),
  mode: Type.Optional(
    Type.String({
      enum: ['test', 'live'],
      description: 'The mode of the credentials; the other mode is rejected',
      examples: ['test'],
    }),
  ),
  createdFrom: moment('Created at this time or later; RFC 3339', '2026-01-01T00:00:00Z'),
  createdTo: moment('Created before this time; RFC 3339', '2026-02-01T00:00:00Z'),
  text: text(254, 'The start of an order ID, an email address, a full name or a last name', 'lovel'),
};

export const PaymentListQuery = querySchema({
  ...filterParameters,
  sort: Type.Optional(
    Type.String({
      enum: ['-CreatedOn', 'CreatedOn'],
      description: 'Newest first (-CreatedOn, the default) or oldest first',
      examples: ['CreatedOn'],
    }),
  ),
  ...pageParameters,
});
export type PaymentListQuery = Static<typeof PaymentListQuery>;

export const ExportQuery = querySchema({
  format: Type.Optional(
    Type.String({ enum: ['csv', 'ndjson'], description: 'Default: csv', examples: ['ndjson'] }),
  ),
  ...filterParameters,
});
export type ExportQuery = Static<typeof ExportQuery>;

/** Sorts after every other text with the same beginning, bytewise: the last code point. */
const lastCharacter = '\u{10FFFF}';

const rangeOf = (prefix: string): TextRange => ({ low: prefix, high: prefix + lastCharacter });

/** Parses a search for `value` or `begin*`. */
function readSearch(given: string): { range: TextRange; isPrefix: boolean } {
  if (given.endsWith('*')) return { range: rangeOf(given.slice(0, -1)), isPrefix: true };
  return { range: { low: given, high: given }, isPrefix: false };
}

function readBound(
  field: 'minAmount' | 'maxAmount',
  given: string,
  faults: FieldError[],
): Record<Currency, number> | undefined {
  const read = currencies.map((currency) => ({ currency, parsed: parseAmount(given, currency) }));
  const bounds: Partial<Record<Currency, number>> = {};
  for (const { currency, parsed } of read) {
    if ('amountMinor' in parsed) bounds[currency] = parsed.amountMinor;
    else {
      faults.push({
        field,
        code: parsed.fault,
        detail: 'This must be an amount that a payment can have: more than 0, with at most 2 decimals.',
      });
      return undefined;
    }
  }
  return bounds as Record<Currency, number>;
}

const textSources: readonly SearchIndex[] = ['order', 'email', 'name', 'lastName'];

type SearchInput = { query: PaymentListQuery; filters: PaymentFilters; isDescending: boolean };

/** A scan over one term, or over all payments, in order of time. Removes the filter that it covers. */
function scanByTime(
  input: SearchInput,
  source: SearchIndex,
  term: string,
  redundant: keyof PaymentFilters | null,
): PaymentSearch {
  const { filters, isDescending } = input;
  const { afterId = '', beforeId = afterAllIds('pay'), ...rest } = filters;
  const above = { term, paymentId: afterId };
  const below = { term, paymentId: beforeId };
  if (redundant !== null) delete rest[redundant as keyof typeof rest];
  return { scan: { sources: [source], isDescending, above, below }, filters: rest };
}

/** A scan over terms with a common beginning, in their order. */
function scanByTerm(
  input: SearchInput,
  sources: readonly SearchIndex[],
  range: TextRange,
  filters: PaymentFilters,
): PaymentSearch {
  if (input.query.sort !== undefined) {
    const detail = 'A search by prefix has its own order: leave sort out.';
    throw errors.invalidFields({ errors: [{ field: 'sort', code: 'not_allowed', detail }] });
  }
  const above = { term: range.low, paymentId: '' };
  const below = { term: range.high, paymentId: '' };
  return { scan: { sources, isDescending: false, above, below }, filters };
}

export type PaymentSearch = { scan: IndexScan; filters: PaymentFilters };

/** Chooses the index that leaves the least to filter. */
function chooseScan(input: SearchInput): PaymentSearch {
  const { query, filters } = input;
  if (query.text !== undefined) {
    const onceWithin = rangeOf(query.text);
    return scanByTerm(input, textSources, onceWithin, { ...filters, onceWithin });
  }
  for (const [given, name] of [
    [query.customerOrderId, 'order'],
    [query.email, 'email'],
  ] as const) {
    if (given === undefined) continue;
    const { range, isPrefix } = readSearch(given);
    if (!isPrefix) return scanByTime(input, name, range.low, name);
    const { [name]: _, ...rest } = filters;
    return scanByTerm(input, [name], range, rest);
  }
  if (filters.state !== undefined) return scanByTime(input, 'state', filters.state, 'state');
  return scanByTime(input, 'created', '', null);
}

/** The search of a list. Throws `invalid_fields` with every error that the schema can't find. */
export function readPaymentQuery(query: PaymentListQuery): PaymentSearch {
  const faults: FieldError[] = [];
  const given = <K extends keyof PaymentFilters>(name: K, value: PaymentFilters[K] | undefined) =>
    value === undefined ? {} : { [name]: value };
  const bound = (field: 'minAmount' | 'maxAmount') =>
    query[field] === undefined ? undefined : readBound(field, query[field], faults);
  const order = query.customerOrderId === undefined ? undefined : readSearch(query.customerOrderId);
  const email = query.email === undefined ? undefined : readSearch(query.email);
  const filters: PaymentFilters = {
    ...given('state', query.status as PaymentStatus | undefined),
    ...given('currency', query.currency as Currency | undefined),
    ...given('leastMinor', bound('minAmount')),
    ...given('mostMinor', bound('maxAmount')),
    ...given('afterId', readIdBound('pay', 'createdFrom', query.createdFrom, faults)),
    ...given('beforeId', readIdBound('pay', 'createdTo', query.createdTo, faults)),
    ...given('order', order?.range),
    ...given('customerOrderId', order?.isPrefix === false ? query.customerOrderId : undefined),
    ...given('email', email?.range),
  };
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
  return chooseScan({ query, filters, isDescending: query.sort !== 'CreatedOn' });
}
