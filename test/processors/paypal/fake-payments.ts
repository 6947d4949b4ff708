// Captures, refunds and the list of transactions of the fake PayPal. Must not: import code of the service.

import { type FakeRequest, type FakeResponse, jsonOf } from '../kit/fake-server.ts';
import { listPageSize } from './commands.ts';
import type { FakeState } from './fake-state.ts';
import { type Amount, type Capture, minorOf, newId, type RefundLine } from './records.ts';
import { notFound, refusal, showCapture, showRefund, showTransaction } from './shapes.ts';

type RefundBody = { amount: Amount; invoice_id: string; custom_id: string };

const longestSpanMs = 31 * 24 * 60 * 60 * 1000;

export function getCapture({ records, url }: FakeState, app: string, { params }: FakeRequest): FakeResponse {
  const found = records.findByCapture(app, params.id ?? '');
  return found ? { status: 200, body: showCapture(url, found.order, found.capture) } : notFound;
}

/** Pays out a refund, and sends a webhook. */
export function payRefund({ records, sendWebhook, url }: FakeState, line: RefundLine): RefundLine {
  const order = records.findForPayer(line.orderId);
  if (order) records.book('refund', order, line);
  const paid = records.saveRefund({ ...line, status: 'COMPLETED' });
  sendWebhook(line.app, 'PAYMENT.CAPTURE.REFUNDED', 'refund', showRefund(url, paid));
  return paid;
}

/** PayPal's error for the body of a refund, by its OpenAPI document; null for a valid one. */
function findFault({ amount, invoice_id, custom_id }: RefundBody): FakeResponse | null {
  const refuse = (issue: string, field: string) => refusal(400, issue, { field });
  if (!amount?.currency_code) return refuse('MISSING_REQUIRED_PARAMETER', '/amount/currency_code');
  if (!amount.value) return refuse('MISSING_REQUIRED_PARAMETER', '/amount/value');
  if (!/^\d{1,10}\.\d{2}$/.test(amount.value))
    return refusal(422, 'DECIMAL_PRECISION', { field: '/amount/value' });
  const isFine = (text: string | undefined) => text === undefined || (text.length >= 1 && text.length <= 127);
  if (!isFine(invoice_id)) return refuse('INVALID_STRING_LENGTH', '/invoice_id');
  return isFine(custom_id) ? null : refuse('INVALID_STRING_LENGTH', '/custom_id');
}

export function refundCapture(fake: FakeState, app: string, request: FakeRequest): FakeResponse {
  const { records, url, now } = fake;
  const requestId = request.headers['paypal-request-id'] ?? null;
  const known = requestId === null ? null : records.findRefund(app, requestId);
  if (known) return { status: 200, body: showRefund(url, known) };
  const found = records.findByCapture(app, request.params.id ?? '');
  if (!found) return notFound;
  const { order, capture } = found;
  const body = jsonOf(request) as RefundBody;
  const fault = findFault(body);
  if (fault) return fault;
  if (body.amount.currency_code !== order.amount.currency_code)
    return refusal(422, 'REFUND_CAPTURE_CURRENCY_MISMATCH');
  const given = records.refundsOf(order.id).reduce((sum, { amount }) => sum + minorOf(amount), 0);
  const leftMinor = minorOf(capture.amount ?? order.amount) - given;
  if (leftMinor === 0) return refusal(422, 'CAPTURE_FULLY_REFUNDED');
  if (minorOf(body.amount) > leftMinor) return refusal(422, 'REFUND_AMOUNT_EXCEEDED');

  const status: Capture['status'] = minorOf(body.amount) === leftMinor ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  const captures = order.captures.map((one) => (one.id === capture.id ? { ...one, status } : one));
  records.saveOrder({ ...order, captures });
  const line = records.saveRefund({
    type: 'refund_asked',
    id: newId(),
    app,
    orderId: order.id,
    captureId: capture.id,
    requestId,
    status: 'PENDING',
    amount: body.amount,
    invoiceId: body.invoice_id,
    customId: body.custom_id,
    createdAt: now().toISOString(),
  });
  const shown = fake.settings.areRefundsPending ? line : payRefund(fake, line);
  return { status: 201, body: showRefund(url, shown) };
}

/** A page of Transaction Search: in whole seconds, including both ends of the period. */
export function listTransactions(
  { records, now, settings }: FakeState,
  app: string,
  { query }: FakeRequest,
): FakeResponse {
  const from = new Date(query.get('start_date') ?? '');
  const until = new Date(query.get('end_date') ?? '');
  if (!(until.getTime() - from.getTime() <= longestSpanMs))
    return refusal(400, 'Date range is greater than 31 days');
  const refreshedAt = new Date(now().getTime() - settings.listLagMs);
  if (from > refreshedAt) return refusal(400, 'Data for the given start date is not available.');
  const rows = records.transactionsOf(app).filter(({ at }) => {
    const shownAt = new Date(`${at.slice(0, 19)}Z`);
    return new Date(at) <= refreshedAt && shownAt >= from && shownAt <= until;
  });
  const page = Number(query.get('page') ?? 1);
  const start = (page - 1) * listPageSize;
  const body = {
    transaction_details: rows.slice(start, start + listPageSize).map(showTransaction),
    last_refreshed_datetime: `${refreshedAt.toISOString().slice(0, 19)}+0000`,
    page,
    total_items: rows.length,
    total_pages: Math.ceil(rows.length / listPageSize),
  };
  return { status: 200, body };
}

/** An external refund of an attempt: it has the IDs of the order, and none of its own. */
export function refundAtPaypal(
  fake: FakeState,
  app: string,
  { attemptId, amountMinor }: { attemptId: string; amountMinor: number },
): void {
  const { records, now } = fake;
  const order = records.findByRequestId(app, attemptId);
  const capture = order?.captures.at(-1);
  if (!order || !capture) throw new Error(`there is no money of ${attemptId}`);
  const { invoiceId, customId, amount } = order;
  const value = String(amountMinor).padStart(3, '0').replace(/(..)$/, '.$1');
  const line = records.saveRefund({
    ...{ type: 'refund_asked', id: newId(), app, orderId: order.id, captureId: capture.id, requestId: null },
    ...{
      status: 'PENDING',
      amount: { ...amount, value },
      invoiceId,
      customId,
      createdAt: now().toISOString(),
    },
  });
  payRefund(fake, line);
}

/** External refunds of an attempt fail after they were paid out. */
export function failAtPaypal({ records, sendWebhook, url }: FakeState, app: string, attemptId: string): void {
  const order = records.findByRequestId(app, attemptId);
  if (!order) throw new Error(`there is no money of ${attemptId}`);
  for (const line of records.refundsOf(order.id).filter(({ requestId }) => requestId === null)) {
    const failed = records.saveRefund({ ...line, status: 'FAILED' });
    sendWebhook(app, 'PAYMENT.REFUND.FAILED', 'refund', showRefund(url, failed));
  }
}
