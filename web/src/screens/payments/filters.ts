// The filters of the list of payments, and their API query.

import type { Input } from '../../api/call.ts';
import { endOfDay, startOfDay } from '../../base/days.ts';
import { currencies } from '../../base/format.ts';
import { defineFilters, withoutEmpty } from '../../base/url-filters.ts';

export const paymentStates = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const;

const isAmount = (text: string) => /^\d{1,7}(\.\d{1,2})?$/.test(text) && Number(text) > 0;
const isDay = (text: string) => startOfDay(text) !== undefined;
const oneOf = (known: readonly string[]) => (text: string) => known.includes(text);
const isAny = () => true;

export const { readFilters, noFilters } = defineFilters({
  text: isAny,
  status: oneOf(paymentStates),
  currency: oneOf(currencies),
  minAmount: isAmount,
  maxAmount: isAmount,
  customerOrderId: isAny,
  email: isAny,
  from: isDay,
  to: isDay,
  sort: oneOf(['createdAt']),
});

/** Amounts are in major units with a point, days are `2026-11-22`. */
export type Filters = typeof noFilters;
export type FilterName = keyof Filters;
export type PaymentQuery = NonNullable<Input<'listPayments'>['query']>;

/** Whether the search determines the order: then no other can be chosen. */
export function isOrderGiven(filters: Pick<Filters, 'text' | 'customerOrderId' | 'email'>): boolean {
  const { text, customerOrderId, email } = filters;
  return text.trim() !== '' || customerOrderId.endsWith('*') || email.endsWith('*');
}

export function isFiltering({ sort: _, ...filters }: Filters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The API query of the filters. Days are local, and the last one is included. */
export function queryOf({ from, to, ...filters }: Filters): PaymentQuery {
  return withoutEmpty<PaymentQuery>({
    ...filters,
    text: filters.text.trim(),
    createdFrom: startOfDay(from) ?? '',
    createdTo: endOfDay(to) ?? '',
    sort: isOrderGiven(filters) ? '' : filters.sort,
  });
}
