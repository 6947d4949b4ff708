// The filters of the audit log, and their API query.

import type { Input } from '../../api/call.ts';
import { endOfDay, startOfDay } from '../../base/days.ts';
import { defineFilters, withoutEmpty } from '../../base/url-filters.ts';

/** The names of types and actors that the API accepts. */
const isName = (text: string) => text.length <= 80 && /^[A-Za-z0-9_.:-]+\*?$/.test(text);
const isCode = (text: string) => /^[A-Za-z0-9]{1,64}$/.test(text);

const isDay = (text: string) => startOfDay(text) !== undefined;

export const { readFilters, noFilters } = defineFilters({
  type: isName,
  actor: isName,
  about: (text) => text === 'company',
  payment: isCode,
  from: isDay,
  to: isDay,
});

export type AuditFilters = typeof noFilters;
type AuditQuery = NonNullable<Input<'listAuditEvents'>['query']>;

export function isFiltering(filters: AuditFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

/** The API query of the filters. The events of a payment are about it, whatever `about` is. */
export function queryOf({ type, actor, about, payment, from, to }: AuditFilters): AuditQuery {
  return withoutEmpty<AuditQuery>({
    type,
    actor,
    about: payment === '' ? about : '',
    paymentLinkCode: payment,
    createdFrom: startOfDay(from) ?? '',
    createdTo: endOfDay(to) ?? '',
  });
}
