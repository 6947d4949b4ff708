// The responses of the fake PayPal: orders, captures, refunds, transactions, errors and webhook events in the forms of
// developer.paypal.com (Orders v2.13, Payments v2.9, Transaction Search v1.9, Webhooks v1). Pure.

import type { FakeResponse } from '../kit/fake-server.ts';
import type { Capture, OrderLine, RefundLine, TransactionLine } from './records.ts';

/** An error in PayPal's form, with the issue in its details. */
export function refusal(
  status: number,
  issue: string,
  { links = [], field }: { links?: object[]; field?: string } = {},
): FakeResponse {
  const names: Readonly<Record<number, string>> = {
    400: 'INVALID_REQUEST',
    401: 'AUTHENTICATION_FAILURE',
    404: 'RESOURCE_NOT_FOUND',
    422: 'UNPROCESSABLE_ENTITY',
  };
  const body = {
    name: names[status],
    message: 'Refused.',
    debug_id: 'f4ke',
    details: [{ issue, ...(field ? { field } : {}) }],
    links,
  };
  return { status, body };
}

export const notFound = refusal(404, 'INVALID_RESOURCE_ID');

const link = (rel: string, href: string, method = 'GET') => ({ href, rel, method });

/** The link to the payer's page. */
export const payerLink = (url: string, orderId: string) =>
  link('payer-action', `${url}/checkoutnow?token=${orderId}`);

const idsOf = ({ customId, invoiceId }: { customId: string; invoiceId: string }) => ({
  custom_id: customId,
  invoice_id: invoiceId,
});

export const showCapture = (url: string, order: OrderLine, capture: Capture) => ({
  id: capture.id,
  status: capture.status,
  amount: capture.amount ?? order.amount,
  ...idsOf(order),
  final_capture: true,
  ...(capture.responseCode ? { processor_response: { response_code: capture.responseCode } } : {}),
  supplementary_data: { related_ids: { order_id: order.id } },
  create_time: capture.at,
  links: [
    link('self', `${url}/v2/payments/captures/${capture.id}`),
    link('refund', `${url}/v2/payments/captures/${capture.id}/refund`, 'POST'),
    link('up', `${url}/v2/checkout/orders/${order.id}`),
  ],
});

export const showRefund = (url: string, refund: RefundLine) => ({
  id: refund.id,
  status: refund.status,
  amount: refund.amount,
  ...idsOf(refund),
  create_time: refund.createdAt,
  links: [
    link('self', `${url}/v2/payments/refunds/${refund.id}`),
    link('up', `${url}/v2/payments/captures/${refund.captureId}`),
  ],
});

export function showOrder(url: string, order: OrderLine, refunds: readonly RefundLine[]) {
  const captures = order.captures.map((capture) => showCapture(url, order, capture));
  const payments = {
    captures,
    ...(refunds.length > 0 ? { refunds: refunds.map((refund) => showRefund(url, refund)) } : {}),
  };
  const self = `${url}/v2/checkout/orders/${order.id}`;
  const next = {
    PAYER_ACTION_REQUIRED: [payerLink(url, order.id)],
    APPROVED: [link('capture', `${self}/capture`, 'POST')],
    COMPLETED: [],
    VOIDED: [],
  }[order.status];
  return {
    id: order.id,
    intent: order.intent,
    status: order.status,
    purchase_units: [
      {
        reference_id: order.referenceId,
        amount: order.amount,
        description: order.description,
        ...idsOf(order),
        ...(captures.length > 0 ? { payments } : {}),
      },
    ],
    create_time: order.createdAt,
    links: [link('self', self), ...next],
  };
}

/** PayPal writes these times in whole seconds, and the zone without a colon. */
export const showTransaction = (line: TransactionLine) => ({
  transaction_info: {
    transaction_id: line.id,
    transaction_event_code: line.code,
    transaction_initiation_date: `${line.at.slice(0, 19)}+0000`,
    transaction_updated_date: `${line.at.slice(0, 19)}+0000`,
    transaction_amount: line.amount,
    transaction_status: line.status,
    custom_field: line.customField,
    invoice_id: line.invoiceId,
  },
});

/** A webhook's body. */
export const showEvent = (id: string, type: string, resourceType: string, resource: object, at: Date) =>
  JSON.stringify({
    id: `WH-${id}`,
    event_version: '1.0',
    resource_version: '2.0',
    create_time: at.toISOString(),
    event_type: type,
    resource_type: resourceType,
    summary: 'An event of the fake.',
    resource,
  });
