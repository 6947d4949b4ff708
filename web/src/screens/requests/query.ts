// The filters of the request log, and their API query.

import type { Input } from '../../api/call.ts';
import { endOfDay, startOfDay } from '../../base/days.ts';
import { defineFilters, withoutEmpty } from '../../base/url-filters.ts';

/** What the filter by status offers, in order: the name in the texts, and the filter in the API's form. */
export const statusFilters = { all: '', ok: '2xx', refused: '4xx', failed: '5xx' } as const;

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const isDay = (text: string) => startOfDay(text) !== undefined;

export const { readFilters, noFilters } = defineFilters({
  status: (text) => /^[1-5](\d\d|xx)$/.test(text),
  method: (text) => methods.some((method) => method === text),
  path: (text) => /^\/[\w/.-]{0,199}$/.test(text),
  key: (text) => /^[\w-]{1,64}$/.test(text),
  from: isDay,
  to: isDay,
});

export type RequestFilters = typeof noFilters;
type RequestQuery = NonNullable<Input<'listRequests'>['query']>;

export function isFiltering(filters: RequestFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The API query of the filters. */
export function queryOf({ status, method, path, key, from, to }: RequestFilters): RequestQuery {
  return withoutEmpty<RequestQuery>({
    ...{ status, method, path, keyId: key },
    createdFrom: startOfDay(from) ?? '',
    createdTo: endOfDay(to) ?? '',
  });
}

/** The address of a request in the dashboard. */
export const pathOfRequest = (requestId: string) => `/requests/${encodeURIComponent(requestId.trim())}`;
