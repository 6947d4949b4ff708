// The filters of the audit log: their form in the URL, and their API query. Invalid filters in the URL are ignored.

import type { Input } from '../../api/call.ts';
import { endOfDay, startOfDay } from '../../base/days.ts';

export const filterNames = ['type', 'actor', 'about', 'payment', 'from', 'to'] as const;
export type AuditFilters = Readonly<Record<(typeof filterNames)[number], string>>;
export type AuditQuery = NonNullable<Input<'listAuditEvents'>['query']>;

/** The names of types and actors that the API accepts. */
const isName = (text: string) => text.length <= 80 && /^[A-Za-z0-9_.:-]+\*?$/.test(text);
const isCode = (text: string) => /^[A-Za-z0-9]{1,64}$/.test(text);

const checks: Record<keyof AuditFilters, (text: string) => boolean> = {
  type: isName,
  actor: isName,
  about: (text) => text === 'company',
  payment: isCode,
  from: (text) => startOfDay(text) !== undefined,
  to: (text) => startOfDay(text) !== undefined,
};

/** The filters of a URL; an empty text is none. */
export function readFilters(values: Readonly<Record<string, string>>): AuditFilters {
  const read = filterNames.map((name) => {
    const value = values[name] ?? '';
    return [name, checks[name](value) ? value : ''];
  });
  return Object.fromEntries(read) as AuditFilters;
}

/** No filter; also the change of the URL that removes all filters. */
export const noFilters: AuditFilters = readFilters({});

/** Whether the filters leave out any entry. */
export function isFiltering(filters: AuditFilters): boolean {
  return filterNames.some((name) => filters[name] !== '');
}

/** The API query of the filters. The events of a payment are about it, whatever `about` is. */
export function queryOf({ type, actor, about, payment, from, to }: AuditFilters): AuditQuery {
  const asked = {
    ...{ type, actor },
    about: payment === '' ? about : '',
    PaymentLinkCode: payment,
    from: startOfDay(from) ?? '',
    to: endOfDay(to) ?? '',
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '')) as AuditQuery;
}
