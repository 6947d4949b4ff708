// The filters of the audit log: how they stand in the address, and what they ask of the API. What somebody wrote into the
// address and is no filter is left out.

import type { Input } from '../../api/call.ts';
import { endOfDay, startOfDay } from '../../base/days.ts';

export const filterNames = ['type', 'actor', 'about', 'payment', 'from', 'to'] as const;
export type AuditFilters = Readonly<Record<(typeof filterNames)[number], string>>;
export type AuditQuery = NonNullable<Input<'listAuditEvents'>['query']>;

/** As the API wants names of types and actors. */
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

/** The filters of an address; an empty text is none. */
export function readFilters(values: Readonly<Record<string, string>>): AuditFilters {
  const read = filterNames.map((name) => {
    const value = values[name] ?? '';
    return [name, checks[name](value) ? value : ''];
  });
  return Object.fromEntries(read) as AuditFilters;
}

/** No filter at all; also what to change the address to, to take all of them away. */
export const noFilters: AuditFilters = readFilters({});

/** Whether anything is left out of the log. */
export function isFiltering(filters: AuditFilters): boolean {
  return filterNames.some((name) => filters[name] !== '');
}

/** What the filters ask of the API. What happened to a payment is about it, whatever `about` says. */
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
