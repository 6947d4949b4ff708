// The responses of Mollie's Payments API v2 in the form of its public reference (docs.mollie.com/reference, 2025):
// payments, refunds, lists and errors, in HAL. Pure. Must not: import code of the service.

import type { FakeResponse } from '../kit/fake-server.ts';

export type Amount = { currency: string; value: string };

export type PaymentStatus = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';

/** A payment in the journal; the last line of an ID is current. */
export type PaymentLine = {
  type: 'payment';
  id: string;
  /** The API key that created it, which is the account. */
  account: string;
  /** Its idempotency key. */
  key: string | null;
  status: PaymentStatus;
  amount: Amount;
  description: string;
  metadata: unknown;
  locale: string | null;
  redirectUrl: string;
  cancelUrl: string | null;
  webhookUrl: string | null;
  isCancelable: boolean;
  createdAt: string;
  expiresAt: string;
  paidAt: string | null;
  failureReason: string | null;
  /** The captured cents of a payment whose method has captures; null for any other. */
  capturedCents: number | null;
};

/** A capture of an authorised payment. */
export type CaptureLine = {
  type: 'capture_made';
  id: string;
  paymentId: string;
  account: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: Amount;
  description: string | null;
  metadata: unknown;
  createdAt: string;
};

export type RefundLine = {
  type: 'refund_made';
  id: string;
  paymentId: string;
  account: string;
  key: string | null;
  status: 'pending' | 'refunded' | 'failed';
  amount: Amount;
  description: string;
  metadata: unknown;
  createdAt: string;
};

/** The content type of every response of the API. */
const hal = { 'content-type': 'application/hal+json' };

const link = (href: string) => ({ href, type: 'application/hal+json' });
const page = (href: string) => ({ href, type: 'text/html' });

/** The cents of an amount, whose value has two decimals. */
export const centsOf = ({ value }: Amount): number => Number(value.replace('.', ''));

export const amountOf = (cents: number, currency: string): Amount => ({
  currency,
  value: `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
});

/** A time in Mollie's form, in seconds. */
export const momentText = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, '+00:00');

export const answer = (status: number, body: object): FakeResponse => ({ status, headers: hal, body });

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized Request',
  404: 'Not Found',
  409: 'Conflict',
  422: 'Unprocessable Entity',
};

export function refuse(status: number, detail: string, field?: string): FakeResponse {
  const documentation = page('https://docs.mollie.com/overview/handling-errors');
  return answer(status, {
    ...{ status, title: titles[status] ?? 'Error', detail },
    ...(field ? { field } : {}),
    _links: { documentation },
  });
}

export function refundShape(url: string, refund: RefundLine): object {
  const { id, paymentId, status, amount, description, metadata, createdAt } = refund;
  const self = `${url}/v2/payments/${paymentId}/refunds/${id}`;
  return {
    ...{ resource: 'refund', id, paymentId, mode: 'test', amount, status, metadata, createdAt },
    description,
    _links: { self: link(self), payment: link(`${url}/v2/payments/${paymentId}`) },
  };
}

export function captureShape(url: string, capture: CaptureLine): object {
  const { id, paymentId, status, amount, description, metadata, createdAt } = capture;
  const self = `${url}/v2/payments/${paymentId}/captures/${id}`;
  return {
    ...{ resource: 'capture', id, paymentId, mode: 'test', amount, status, metadata, createdAt, description },
    _links: { self: link(self), payment: link(`${url}/v2/payments/${paymentId}`) },
  };
}

/** The charged cents of a paid payment. */
export const takenCentsOf = ({ capturedCents, amount }: PaymentLine): number =>
  capturedCents ?? centsOf(amount);

export function paymentShape(
  url: string,
  payment: PaymentLine,
  refunds: { all: readonly RefundLine[]; isEmbedded: boolean },
): object {
  const { id, status, amount, description, metadata, locale, createdAt, expiresAt, paidAt } = payment;
  const refunded = refunds.all
    .filter((refund) => refund.status !== 'failed')
    .reduce((sum, refund) => sum + centsOf(refund.amount), 0);
  const paid = {
    paidAt,
    amountRefunded: amountOf(refunded, amount.currency),
    amountRemaining: amountOf(takenCentsOf(payment) - refunded, amount.currency),
  };
  const details = payment.failureReason && { failureReason: payment.failureReason };
  const shown = { isCancelable: payment.isCancelable, expiresAt };
  return {
    ...{ resource: 'payment', id, mode: 'test', status, amount, description, metadata, locale, createdAt },
    ...{ redirectUrl: payment.redirectUrl, cancelUrl: payment.cancelUrl, webhookUrl: payment.webhookUrl },
    ...{
      profileId: 'pfl_QkEhN94Ba',
      sequenceType: 'oneoff',
      method: status === 'open' ? null : 'creditcard',
    },
    ...(status === 'open' ? shown : {}),
    ...(paidAt ? paid : {}),
    ...(payment.capturedCents === null
      ? {}
      : { amountCaptured: amountOf(payment.capturedCents, amount.currency) }),
    ...(details ? { details } : {}),
    ...(refunds.isEmbedded
      ? { _embedded: { refunds: refunds.all.map((refund) => refundShape(url, refund)) } }
      : {}),
    _links: {
      self: link(`${url}/v2/payments/${id}`),
      ...(status === 'open' ? { checkout: page(`${url}/checkout/select-method/${id}`) } : {}),
      dashboard: page(`${url}/dashboard/payments/${id}`),
    },
  };
}

/** A page of a list, whose next page begins with the entry of an ID. */
export function listShape(
  list: { url: string; path: string; kind: 'payments' | 'refunds' | 'captures'; limit: number },
  shapes: object[],
  nextId: string | null,
): FakeResponse {
  const { url, path, kind, limit } = list;
  const next = nextId === null ? null : link(`${url}${path}?from=${nextId}&limit=${limit}`);
  const self = link(`${url}${path}?limit=${limit}`);
  return answer(200, {
    count: shapes.length,
    _embedded: { [kind]: shapes },
    _links: { self, previous: null, next, documentation: page('https://docs.mollie.com/reference') },
  });
}
