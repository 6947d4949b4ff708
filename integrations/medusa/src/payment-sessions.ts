// The payment sessions of Medusa as payment links: one session is one link, and the ID of the session is the order ID at
// Paylink. Whether a session is paid is read from Paylink. Must not: import Medusa, or believe what a browser sends.

import {
  addDecimals,
  formatDecimal,
  readCurrency,
  roundToMinor,
  toMajor,
  toMinor,
} from '../../shared/amounts.ts';
import {
  endLink,
  hasCode,
  type LinkStatus,
  type Links,
  linkStatusOf,
  type Payment,
  readLink,
  refundOnce,
} from '../../shared/links.ts';
import { RefusedError } from '../../shared/refused-error.ts';
import { readAmount } from './amounts.ts';
import {
  type Data,
  dataOfLink,
  hasLink,
  readSessionData,
  refundedSoFar,
  requireOwn,
  type SessionData,
  withStatus,
} from './session-data.ts';

export type Deps = { links: Links; returnUrl: string };

/** The statuses of Medusa that this provider uses. No status places an order that is not paid. */
export type SessionStatus = 'pending' | 'captured' | 'error' | 'canceled';

type Context = {
  idempotency_key?: string | undefined;
  customer?: { email?: string; first_name?: string | null; last_name?: string | null } | undefined;
};

export type Price = { amount: unknown; currencyCode: string };
export type Asked = Price & { data?: Data | undefined; context?: Context | undefined };

type Request = Parameters<Links['payments']['create']>[0];

const statuses: Record<LinkStatus, SessionStatus> = {
  open: 'pending',
  processing: 'pending',
  // Paylink collects the money when the customer pays.
  paid: 'captured',
  refunded: 'canceled',
  failed: 'error',
  cancelled: 'canceled',
};

export const statusOf = (payment: Payment): SessionStatus => statuses[linkStatusOf(payment)];

/** Creates the link of a new session. */
export async function initiate(
  { links, returnUrl }: Deps,
  { data, context, ...price }: Asked,
): Promise<{ id: string; data: SessionData }> {
  const sessionId = data?.session_id;
  if (typeof sessionId !== 'string')
    throw new RefusedError('invalid', 'Medusa gave no session_id for the payment session.');
  const address = returnAddress(returnUrl, data?.return_url);
  const payment = await links.payments.create({
    ...readPrice(price),
    ...readCustomer(data, context),
    customerOrderId: sessionId,
    success_url: address,
    failure_url: address,
    metadata: { medusa_session_id: sessionId },
  });
  return { id: payment.paymentLinkCode, data: dataOfLink(sessionId, payment) };
}

function readPrice({ amount, currencyCode }: Price): Pick<Request, 'amount' | 'currency'> {
  const currency = readCurrency(currencyCode);
  if (currency === null)
    throw new RefusedError(
      'invalid',
      `Paylink takes EUR and USD, not ${currencyCode.toUpperCase()}. Offer another payment provider in this region.`,
    );
  // Medusa keeps more decimals than the currency has, for example after taxes, and compares rounded amounts itself.
  return { amount: toMajor(roundToMinor(readAmount(amount))), currency };
}

/** A customer with an account has an address in Medusa; of a guest, only the storefront knows it. */
function readCustomer(
  data: Data | undefined,
  context: Context | undefined,
): Pick<Request, 'email'> & Partial<Request> {
  const text = (value: unknown, length: number) =>
    typeof value === 'string' && value.trim() !== '' ? value.slice(0, length) : undefined;
  const email = text(context?.customer?.email, 320) ?? text(data?.email, 320);
  if (email === undefined)
    throw new RefusedError(
      'invalid',
      "Paylink needs the customer's email address: send it as data.email when you create the payment session.",
    );
  const names = { firstName: context?.customer?.first_name, lastName: context?.customer?.last_name };
  const optional = {
    firstName: text(names.firstName, 100),
    lastName: text(names.lastName, 100),
    locale: text(data?.locale, 35),
  };
  return { email, ...optional };
}

/** The address that the storefront asks for, which must be of the same origin as the configured one. */
function returnAddress(configured: string, asked: unknown): string {
  if (asked === undefined || asked === null || asked === '') return configured;
  const url = typeof asked === 'string' ? URL.parse(asked) : null;
  if (url?.origin === new URL(configured).origin) return url.href;
  throw new RefusedError('invalid', `data.return_url must be an address of ${new URL(configured).origin}.`);
}

/** Replaces the link if the price has changed. Throws `RefusedError` if the old link is paid or being paid. */
export async function update({ links }: Deps, { data, ...price }: Asked): Promise<{ data: Data }> {
  const known = readSessionData(data);
  const wanted = readPrice(price);
  const isSame =
    String(wanted.amount) === known.payment_link_amount && wanted.currency === known.payment_link_currency;
  if (isSame) return { data: { ...data } };
  const old = await readLink(links, known.payment_link_code);
  await endLink(links, known.payment_link_code);
  const { email, firstName, lastName, locale, success_url, failure_url, metadata } = old;
  const payment = await links.payments.create({
    ...wanted,
    ...{ email, firstName, lastName, locale, success_url, failure_url, metadata },
    customerOrderId: known.session_id,
  });
  return { data: { ...data, ...dataOfLink(known.session_id, payment) } };
}

/** Ends the link of a session that Medusa deletes. Throws `RefusedError` if it is paid or being paid. */
export async function remove({ links }: Deps, data: Data | undefined): Promise<{ data: Data }> {
  // Medusa passes the data without a link if it failed before it stored the link.
  if (!hasLink(data)) return { data: { ...data } };
  const { payment_link_code: code } = readSessionData(data);
  try {
    await endLink(links, code);
  } catch (error) {
    // A link of the other mode, from before the service key was changed.
    if (!hasCode(error, 'payment_not_found')) throw error;
  }
  return { data: { ...data } };
}

/** Ends the link of a payment. A paid one cannot be cancelled: Medusa refunds it. */
export async function cancel({ links }: Deps, data: Data | undefined): Promise<{ data: Data }> {
  await endLink(links, readSessionData(data).payment_link_code);
  return { data: { ...data } };
}

/** The present state of a session, read from Paylink. Throws `RefusedError` if the link is not the session's own. */
export async function look(
  { links }: Deps,
  data: Data | undefined,
): Promise<{ status: SessionStatus; data: Data; payment: Payment }> {
  const known = readSessionData(data);
  const payment = await readLink(links, known.payment_link_code);
  requireOwn(payment, known);
  return { status: statusOf(payment), data: withStatus({ ...data }, payment), payment };
}

/** `look`, for the session that Medusa authorises. */
export async function authorise(
  deps: Deps,
  { data, context }: { data?: Data | undefined; context?: Context | undefined },
): Promise<{ status: SessionStatus; data: Data }> {
  const key = context?.idempotency_key;
  if (key?.startsWith('payses_') && key !== readSessionData(data).session_id)
    throw new RefusedError('not_allowed', 'The payment link is of another payment session.');
  const { status, data: found } = await look(deps, data);
  return { status, data: found };
}

/** Confirms that the money was collected, which Paylink does when the customer pays. */
export async function capture(deps: Deps, data: Data | undefined): Promise<{ data: Data }> {
  const { status, data: found, payment } = await look(deps, data);
  if (status === 'captured') return { data: found };
  throw new RefusedError(
    'not_allowed',
    `The payment is ${payment.status} at Paylink, which collects the money when the customer pays.`,
  );
}

/**
 * Refunds an amount once: the key comes from Medusa's refund. A refund that Medusa does not know, because its answer was
 * lost or because somebody made it in Paylink, makes Paylink refuse this one.
 */
export async function refund(
  { links }: Deps,
  { data, amount, context }: { data?: Data | undefined; amount: unknown; context?: Context | undefined },
): Promise<{ data: Data }> {
  const known = readSessionData(data);
  const key = context?.idempotency_key;
  if (!key) throw new RefusedError('invalid', 'Medusa gave no idempotency key for the refund.');
  const before = refundedSoFar(known);
  const after = addDecimals(before, readAmount(amount));
  // Rounding the sums and not the parts, so that all parts together are the amount that was paid.
  const refundMinor = roundToMinor(after) - roundToMinor(before);
  if (refundMinor <= 0n)
    throw new RefusedError('invalid', 'The amount is less than a cent: nothing can be refunded.');
  const made = await refundOnce(links, known.payment_link_code, {
    key: `medusa-${key}`,
    amountMinor: refundMinor,
    remainingMinor: toMinor(Number(known.payment_link_amount)) - roundToMinor(before),
    reason: `Medusa ${key}`,
  });
  if (made.status === 'failed')
    throw new RefusedError(
      'not_allowed',
      `The processor refused the refund${made.failureCode ? ` (${made.failureCode})` : ''}. Nothing was refunded.`,
    );
  return { data: { ...data, refunded_amount: formatDecimal(after), last_refund_id: made.refundId } };
}
