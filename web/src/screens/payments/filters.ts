// The filters of the list of payments: their form in the URL, and their API query. Invalid filters in the URL are
// ignored. Must not throw.

import type { Input } from '../../api/call.ts';
import { endOfDay, startOfDay } from '../../base/days.ts';
import { currencies } from '../../base/format.ts';

export const paymentStates = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const;

export const filterNames = [
  'text',
  'status',
  'currency',
  'minAmount',
  'maxAmount',
  'customerOrderId',
  'email',
  'from',
  'to',
  'sort',
] as const;
export type FilterName = (typeof filterNames)[number];
/** Each filter as a text; an empty one is none. Amounts are in major units with a point, days are `2026-11-22`. */
export type Filters = Readonly<Record<FilterName, string>>;
export type PaymentQuery = NonNullable<Input<'listPayments'>['query']>;

const isAmount = (text: string) => /^\d{1,7}(\.\d{1,2})?$/.test(text) && Number(text) > 0;
const isDay = (text: string) => startOfDay(text) !== undefined;
const oneOf = (known: readonly string[]) => (text: string) => known.includes(text);
const isAny = () => true;

const checks: Record<FilterName, (text: string) => boolean> = {
  text: isAny,
  status: oneOf(paymentStates),
  currency: oneOf(currencies),
  minAmount: isAmount,
  maxAmount: isAmount,
  customerOrderId: isAny,
  email: isAny,
  from: isDay,
  to: isDay,
  sort: oneOf(['CreatedOn']),
};

/** The filters of a URL. */
export function readFilters(values: Readonly<Record<string, string>>): Filters {
  const read = filterNames.map((name) => {
    const value = values[name] ?? '';
    return [name, checks[name](value) ? value : ''];
  });
  return Object.fromEntries(read) as Filters;
}

/** No filter; also the change of the URL that removes all filters. */
export const noFilters: Filters = readFilters({});

/** Whether the search determines the order: then no other can be chosen. */
export function isOrderGiven({ text, customerOrderId, email }: Filters): boolean {
  return text.trim() !== '' || customerOrderId.endsWith('*') || email.endsWith('*');
}

/** Whether the filters leave out any payment. */
export function isFiltering(filters: Filters): boolean {
  return filterNames.some((name) => name !== 'sort' && filters[name] !== '');
}

/** The API query of the filters. Days are local, and the last one is included. */
export function queryOf(filters: Filters): PaymentQuery {
  const { text, status, currency, minAmount, maxAmount, customerOrderId, email, from, to, sort } = filters;
  const asked = {
    text: text.trim(),
    status,
    currency,
    minAmount,
    maxAmount,
    customerOrderId,
    email,
    createdFrom: startOfDay(from) ?? '',
    createdTo: endOfDay(to) ?? '',
    sort: isOrderGiven(filters) ? '' : sort,
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '')) as PaymentQuery;
}
