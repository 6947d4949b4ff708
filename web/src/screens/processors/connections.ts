// The state of a connection's settings, and the change request of a form. Pure.

import type { Input, OperationResponse } from '../../api/call.ts';

export type Kind = OperationResponse<'listProcessors'>['data'][number];
export type Field = Kind['fields'][number];
export type Connection = OperationResponse<'listProcessorConnections'>['data'][number];
export type Currency = NonNullable<Input<'createProcessorConnection'>['body']['currencies']>[number];

/** Comes after all connections of test mode, also without a connection to it. */
export const sandbox = 'sandbox';

/** A field that verifies webhooks: its value is known once the address is entered. */
export const isOfWebhook = ({ name }: Pick<Field, 'name'>) => name.startsWith('webhook');

/**
 * Whether the person has to enter the webhook address at the processor. Other processors receive it with each
 * payment.
 */
export const isAddressEntered = ({ fields }: Pick<Kind, 'fields'>) => fields.some(isOfWebhook);

/** The missing fields without which the processor's webhooks count as forged. */
export function missingOf({ credentials }: Connection, { fields }: Kind): Field[] {
  const isSet = (name: string) => credentials.some((one) => one.name === name && one.isSet);
  return fields.filter((field) => isOfWebhook(field) && !isSet(field.name));
}

/** The IDs in order, after one of them has changed places with its neighbour. */
export function moveConnection(ids: readonly string[], id: string, step: -1 | 1): string[] {
  const from = ids.indexOf(id);
  const to = from + step;
  if (from < 0 || to < 0 || to >= ids.length) return [...ids];
  return ids.toSpliced(from, 1).toSpliced(to, 0, id);
}

export type Form = { name: string; currencies: readonly string[]; credentials: Record<string, string> };

export const emptyForm = ({ currencies }: Kind): Form => ({ name: '', currencies, credentials: {} });

/** The form of an existing connection. Secrets are unknown and stay empty. */
export function formOf({ name, currencies, credentials }: Connection): Form {
  const known = credentials.map((one) => [one.name, one.value ?? '']);
  return { name, currencies, credentials: Object.fromEntries(known) };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The changed fields. An empty secret stays unchanged. */
export function changeOf(before: Form, after: Form): Input<'updateProcessorConnection'>['body'] {
  const entries = Object.entries(after.credentials);
  const changed = entries.filter(([name, value]) => value !== (before.credentials[name] ?? ''));
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(isSame(after.currencies, before.currencies) ? {} : { currencies: after.currencies as Currency[] }),
    ...(changed.length === 0 ? {} : { credentials: Object.fromEntries(changed) }),
  };
}

/** The body of a new connection. Empty fields are omitted. */
export function bodyOf(
  { processor, currencies }: Kind,
  form: Form,
): Input<'createProcessorConnection'>['body'] {
  const given = Object.entries(form.credentials).filter(([, value]) => value.trim() !== '');
  return {
    processor,
    ...(form.name.trim() === '' ? {} : { name: form.name }),
    ...(isSame(form.currencies, currencies) ? {} : { currencies: form.currencies as Currency[] }),
    ...(given.length === 0 ? {} : { credentials: Object.fromEntries(given) }),
  };
}
