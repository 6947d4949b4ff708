// The link back to the merchant: the success or failure URL with its own query, and a signed result that any
// JWT library can verify against the published key set.

import { type Clock, realTimeOf } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import { toMajorNumber } from '../base/money.ts';
import type { Payment } from '../payments/store.ts';

const resultTtlSeconds = 15 * 60;

export type ResultDeps = { clock: Clock; keyring: Keyring; baseUrl: string };

/** Adds parameters to a URL and leaves the rest unchanged, fragment included. */
export function addToQuery(address: string, parameters: Record<string, string>): string {
  const hashAt = address.indexOf('#');
  const [front, fragment] = hashAt < 0 ? [address, ''] : [address.slice(0, hashAt), address.slice(hashAt)];
  const added = new URLSearchParams(parameters).toString();
  const joint = !front.includes('?') ? '?' : front.endsWith('?') || front.endsWith('&') ? '' : '&';
  return front + joint + added + fragment;
}

/** Signs the result for the merchant, valid for 15 minutes of real time: its reader has no test clock. */
export async function signResult(deps: ResultDeps, payment: Payment): Promise<string> {
  const issuedAt = Math.floor(realTimeOf(deps.clock).getTime() / 1000);
  return await deps.keyring.sign('payment-result+jwt', {
    iss: deps.baseUrl,
    aud: payment.companyId,
    sub: payment.code,
    customerOrderId: payment.customerOrderId,
    amount: toMajorNumber(payment.amountMinor, payment.currency),
    currency: payment.currency,
    status: payment.state,
    iat: issuedAt,
    exp: issuedAt + resultTtlSeconds,
  });
}

/** Where the customer's browser goes: `success_url` if the payment is paid, else `failure_url`. */
export async function resultLink(deps: ResultDeps, payment: Payment): Promise<string> {
  const address = payment.state === 'paid' ? payment.successUrl : payment.failureUrl;
  // A Location header is ASCII only: the URL in the form that a browser would send.
  return addToQuery(new URL(address).href, {
    PaymentLinkCode: payment.code,
    customerOrderId: payment.customerOrderId,
    status: payment.state,
    paymentResult: await signResult(deps, payment),
  });
}
