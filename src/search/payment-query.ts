// The queries of lists of payments: their parameters, declared once, and how they become searches in the terms of
// store.ts. Everything arrives as text and is parsed strictly. Reads no database.

import { type Static, Type } from 'typebox';
import { errors, type FieldError } from '../base/errors.ts';
import { afterAllIds, readIdBound } from '../base/id-bound.ts';
import { type Currency, currencies, parseAmount } from '../base/money.ts';
import { expandParameter } from '../http/expand.ts';
import { pageParameters, querySchema } from '../http/page-query.ts';
import { paymentExpansions } from '../payments/expand-payments.ts';
import { type PaymentStatus, paymentGraph } from '../payments/states.ts';
import type { IndexScan, PaymentFilters, SearchIndex, TextRange } from './store.ts';
import { maxSearchedWords, searchedWords } from './words.ts';

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
  text: text(
    254,
    'The beginnings of words of the name, email address, order ID, description or amount, or the last four digits of the card; all must match. A new payment is found within a second',
    'lovel 19.99',
  ),
};

export const PaymentListQuery = querySchema({
  ...filterParameters,
  expand: expandParameter(paymentExpansions),
  sort: Type.Optional(
    Type.String({
      enum: ['-createdAt', 'createdAt', '-CreatedOn', 'CreatedOn'],
      description:
        'Newest first (-createdAt, the default) or oldest first. -CreatedOn and CreatedOn are deprecated',
      examples: ['createdAt'],
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

/** Whether a query asks for the beginning of something. Then it has its own order. */
export function isByWord({ text, customerOrderId, email }: PaymentListQuery): boolean {
  return text !== undefined || [customerOrderId, email].some((given) => given?.endsWith('*'));
}

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

/** Where a page of a list is read: along an index of payments, or along the words from a common beginning. */
export type PaymentSearch = { scan: IndexScan | { words: TextRange }; filters: PaymentFilters };

/** A parsed query. Its search depends on whether the words of the company's payments are filled. */
export type ParsedQuery = {
  filters: PaymentFilters;
  isDescending: boolean;
  /** The exact term of an index; null if the query has none. */
  exact: { source: SearchIndex; term: string; filter: keyof PaymentFilters } | null;
  /** The beginnings of words, longest first. Empty if the query asks for none. */
  words: readonly string[];
  /** What was asked for, for companies without words. */
  text: string | undefined;
};

/** A scan in order of time, over one term or over all payments. Removes the filter that it covers. */
function scanByTime({ filters, isDescending, exact }: ParsedQuery): PaymentSearch {
  const { afterId = '', beforeId = afterAllIds('pay'), ...rest } = filters;
  const { source, term } = exact ?? { source: 'created', term: '' };
  const above = { term, paymentId: afterId };
  const below = { term, paymentId: beforeId };
  if (exact !== null) delete rest[exact.filter as keyof typeof rest];
  return { scan: { source, isDescending, above, below }, filters: rest };
}

/**
 * The search of a query: by the order ID or the address if one is exact, else by the longest of the words, else in the order
 * of time. Until the words are filled, texts are compared with each payment.
 */
export function chooseSearch(query: ParsedQuery, hasWords: boolean): PaymentSearch {
  const { filters, exact, text } = query;
  const ranges = query.words.map(rangeOf);
  const [longest, ...others] = ranges;
  if (longest === undefined) return scanByTime(query);
  if (!hasWords) {
    const compared = text === undefined ? {} : { anyText: rangeOf(text) };
    return scanByTime({ ...query, filters: { ...filters, ...compared } });
  }
  if (exact !== null && exact.source !== 'state')
    return scanByTime({ ...query, filters: { ...filters, words: ranges } });
  return {
    scan: { words: longest },
    filters: { ...filters, ...(others.length > 0 ? { words: others } : {}) },
  };
}

/** The exact term with the fewest payments. */
function exactOf(query: PaymentListQuery): ParsedQuery['exact'] {
  const { customerOrderId, email, status } = query;
  if (customerOrderId !== undefined && !customerOrderId.endsWith('*'))
    return { source: 'order', term: customerOrderId, filter: 'order' };
  if (email !== undefined && !email.endsWith('*')) return { source: 'email', term: email, filter: 'email' };
  return status === undefined ? null : { source: 'state', term: status, filter: 'state' };
}

/** The beginnings of words that a query asks for. */
function wordsOf({ text, customerOrderId, email }: PaymentListQuery, faults: FieldError[]): string[] {
  const begins = [customerOrderId, email].filter((given) => given?.endsWith('*'));
  const words = searchedWords(text ?? '');
  if (words.length > maxSearchedWords) {
    const detail = `A search has at most ${maxSearchedWords} words.`;
    faults.push({ field: 'text', code: 'too_many', detail });
  }
  const all = [...words, ...begins.flatMap((begin) => searchedWords(begin?.slice(0, -1) ?? ''))];
  return [...new Set(all)].sort((a, b) => b.length - a.length).slice(0, maxSearchedWords);
}

/** Parses the query of a list. Throws `invalid_fields` with every error that the schema can't find. */
export function readPaymentQuery(query: PaymentListQuery): ParsedQuery {
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
  const words = wordsOf(query, faults);
  if (isByWord(query) && query.sort !== undefined) {
    const detail = 'A search for words has its own order: leave sort out.';
    faults.push({ field: 'sort', code: 'not_allowed', detail });
  }
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
  const isDescending = query.sort?.startsWith('-') !== false;
  return { filters, isDescending, exact: exactOf(query), words, text: query.text };
}
