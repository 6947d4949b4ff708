// The orders of Vendure as payment links. What belongs to an order is in the metadata of its link, which only this plugin
// writes. Must not: import Vendure.

import { readCurrency, toMajor } from '../../shared/amounts.ts';
import { endLink, hasCode, type Links, type Payment, type Refund } from '../../shared/links.ts';
import { RefusedError } from '../../shared/refused-error.ts';

export type OrderAsk = {
  orderCode: string;
  channelToken: string;
  /** The code of the payment method in Vendure. */
  method: string;
  /** How many payments of the order Paylink has collected: a further one needs an order ID of its own. */
  earlierPayments: number;
  /** What is left to pay, in minor units. */
  amountMinor: number;
  currencyCode: string;
  email: string;
  firstName?: string | undefined;
  lastName?: string | undefined;
  languageCode: string;
  returnUrl: string;
};

type Request = Parameters<Links['payments']['create']>[0];

/**
 * The link of an order. The same order gets the same link again; if it has changed, the old link is ended first. Throws
 * `RefusedError` if the old one is paid or being paid.
 */
export async function openOrderLink(links: Links, ask: OrderAsk): Promise<Payment> {
  const request = requestOf(ask);
  try {
    return await links.payments.create(request);
  } catch (error) {
    if (!hasCode(error, 'order_conflict')) throw error;
  }
  const live = await findLive(links, request.customerOrderId);
  if (live && orderOfLink(live)?.channelToken !== ask.channelToken)
    throw new RefusedError(
      'not_allowed',
      `Another shop of this company has an order ${request.customerOrderId} at Paylink. Give each shop a company of its own.`,
    );
  if (live) await endLink(links, live.paymentLinkCode);
  return await links.payments.create(request);
}

function requestOf(ask: OrderAsk): Request {
  const currency = readCurrency(ask.currencyCode);
  if (currency === null)
    throw new RefusedError(
      'invalid',
      `Paylink takes EUR and USD, not ${ask.currencyCode}. Offer another payment method in this channel.`,
    );
  if (!Number.isSafeInteger(ask.amountMinor) || ask.amountMinor <= 0)
    throw new RefusedError('invalid', 'There is nothing left to pay for this order.');
  const { orderCode, earlierPayments, email, firstName, lastName, returnUrl } = ask;
  return {
    customerOrderId: earlierPayments > 0 ? `${orderCode}-${earlierPayments + 1}` : orderCode,
    amount: toMajor(ask.amountMinor),
    ...{ currency, email },
    firstName: firstName?.slice(0, 100) || undefined,
    lastName: lastName?.slice(0, 100) || undefined,
    // Vendure writes pt_BR.
    locale: ask.languageCode.replaceAll('_', '-'),
    success_url: returnUrl,
    failure_url: returnUrl,
    metadata: { vendure_order: orderCode, vendure_channel: ask.channelToken, vendure_method: ask.method },
  };
}

/** The link of an order ID that is not ended. A new link needs the end of the one before, so it is among the newest. */
async function findLive({ payments }: Links, customerOrderId: string): Promise<Payment | undefined> {
  const { data } = await payments.list({ customerOrderId }).page();
  return data.find(({ status }) => ['open', 'processing', 'paid'].includes(status));
}

export type OrderOfLink = { orderCode: string; channelToken: string; method: string };

/** The order that a link was made for; null for a payment of another program. */
export function orderOfLink({ metadata }: Pick<Payment, 'metadata'>): OrderOfLink | null {
  const { vendure_order: orderCode, vendure_channel: channelToken, vendure_method: method } = metadata;
  return orderCode && channelToken && method ? { orderCode, channelToken, method } : null;
}

/** Throws `RefusedError` unless a link was made for this order of this channel, in its currency. */
export function requireOrderLink(
  payment: Payment,
  order: { code: string; currencyCode: string; channelToken: string },
): void {
  const target = orderOfLink(payment);
  if (target?.orderCode !== order.code || target.channelToken !== order.channelToken)
    throw new RefusedError('not_allowed', 'The payment link is not the one of this order.');
  if (payment.currency !== order.currencyCode)
    throw new RefusedError(
      'not_allowed',
      `The payment link is in ${payment.currency}, the order in ${order.currencyCode}.`,
    );
}

export type RefundState = 'Pending' | 'Settled' | 'Failed';

/** A refund without an outcome is pending, until its webhook says more. */
export function refundStateOf({ status }: Pick<Refund, 'status'>): RefundState {
  if (status === 'succeeded') return 'Settled';
  return status === 'failed' ? 'Failed' : 'Pending';
}

export const refundReason = (orderCode: string) => `Vendure order ${orderCode}`;

/** How long a refund of this shop may be unknown to it: its transaction is not committed yet. */
const commitLimitMs = 600_000;

/** Whether a webhook about a refund that the shop does not know should be sent again. */
export function isAwaited(refund: Refund, orderCode: string, happenedAt: string, nowMs: number): boolean {
  return refund.reason === refundReason(orderCode) && nowMs - Date.parse(happenedAt) < commitLimitMs;
}
