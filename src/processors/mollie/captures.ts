// Authorised payments at Mollie: captured in full or released at once. Must not: capture a payment twice.

import { toDecimalText } from '../../base/money.ts';
import type { AttemptRequest } from '../processor.ts';
import { fieldsOf } from '../untrusted-fields.ts';
import { type MollieApi, throwIfRejected, unexpectedResponse } from './api.ts';
import { requirePaymentId } from './parse.ts';

function pathOf(id: string, rest: 'captures' | 'release-authorization'): string {
  return `/v2/payments/${requirePaymentId(id)}/${rest}`;
}

/** Whether a capture of the payment was made or is under way. A failed one took nothing. */
async function hasCapture(api: MollieApi, id: string): Promise<boolean> {
  const response = await api.get(pathOf(id, 'captures'));
  const { captures } = fieldsOf(fieldsOf(response.body)._embedded);
  if (response.status !== 200 || !Array.isArray(captures))
    throw unexpectedResponse('a list of captures', response);
  return captures.some((capture) => fieldsOf(capture).status !== 'failed');
}

/** False if Mollie does not capture it: nothing was taken; release it. Throws when the result is unknown. */
export async function captureFullAmount(
  api: MollieApi,
  id: string,
  { attemptId, amountMinor, currency, linkCode }: AttemptRequest,
): Promise<boolean> {
  // Mollie forgets an idempotency key after an hour, so check its list first.
  if (await hasCapture(api, id)) return true;
  const capture = {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    description: linkCode,
    metadata: { attempt: attemptId },
  };
  const response = await api.post(pathOf(id, 'captures'), `${attemptId}:capture`, capture);
  if (response.status === 201) return true;
  throwIfRejected('a capture', response);
  if (response.status !== 422) throw unexpectedResponse('a capture', response);
  return await hasCapture(api, id);
}

/** Asynchronously: query the payment. */
export async function releaseAuthorization(api: MollieApi, id: string, attemptId: string): Promise<void> {
  const response = await api.post(pathOf(id, 'release-authorization'), `${attemptId}:release`, {});
  // 422: it is no longer authorised.
  if (response.status !== 202 && response.status !== 422) throw unexpectedResponse('a release', response);
}
