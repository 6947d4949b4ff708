// Parses a PayPal order, and derives the outcome of its attempt. Unknown content throws; it is never a decline.

import { requireMatch } from '../check-response.ts';
import type {
  ApprovedOutcome,
  AttemptOutcome,
  AttemptRequest,
  ProcessorConnection,
  ProcessorRefundRequest,
} from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { type CustomId, decodeCustomId } from './custom-id.ts';
import { declineOfResponse } from './declines.ts';
import {
  findText,
  type PaypalMoney,
  readFields,
  readId,
  readList,
  readMoney,
  readMoneyOfAnyCurrency,
  readText,
} from './fields.ts';

export type PaypalCapture = PaypalMoney & {
  captureId: string;
  status: string;
  responseCode: string | null;
  note: CustomId;
  invoiceId: string | null;
};

export type PaypalRefund = PaypalMoney & {
  id: string;
  status: string;
  refundId: string | null;
  note: CustomId;
};

export type PaypalOrder = {
  orderId: string;
  status: string;
  intent: string | null;
  note: CustomId;
  /** The values given at creation; null where PayPal omits them, as in an order that was just captured. */
  linkCode: string | null;
  invoiceId: string | null;
  requested: PaypalMoney | null;
  /** Where the customer approves it; null once there is nothing to approve. */
  payerUrl: string | null;
  captures: PaypalCapture[];
  refunds: PaypalRefund[];
};

/** A capture with one of these has taken the money, even if it was refunded since. */
const capturedStatuses: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);
/** A capture with one of these has taken no money and never will. */
const declinedStatuses: ReadonlySet<string> = new Set(['DECLINED', 'FAILED']);

function readCapture(fields: UntrustedFields): PaypalCapture {
  const response = fields.processor_response;
  return {
    captureId: readId(fields),
    status: readText(fields, 'status'),
    responseCode: response ? findText(readFields(response, 'processor_response'), 'response_code') : null,
    note: decodeCustomId(findText(fields, 'custom_id')),
    invoiceId: findText(fields, 'invoice_id'),
    ...readMoneyOfAnyCurrency(fields.amount),
  };
}

/** A refund is ours if it has our invoice number; its inherited custom_id belongs to the order. */
export function readRefund(fields: UntrustedFields): PaypalRefund {
  const invoiceId = findText(fields, 'invoice_id');
  const note = decodeCustomId(findText(fields, 'custom_id'));
  return {
    id: readId(fields),
    status: readText(fields, 'status'),
    refundId: invoiceId?.startsWith('ref_') ? invoiceId : note.refundId,
    note,
    ...readMoneyOfAnyCurrency(fields.amount),
  };
}

/** PayPal's page for the customer. Only addresses of PayPal, or of the fake at `apiUrl`, are accepted. */
export function findApprovalUrl(links: unknown, apiUrl: string | null): string | null {
  const link = readList(links, 'links').find(({ rel }) => rel === 'payer-action' || rel === 'approve');
  if (!link) return null;
  const url = new URL(readText(link, 'href'));
  const isPaypal = apiUrl
    ? url.origin === new URL(apiUrl).origin
    : url.protocol === 'https:' && url.port === '' && /(^|\.)paypal\.com$/.test(url.hostname);
  if (!isPaypal) throw new Error('PayPal sent an approval address of another site');
  return url.href;
}

/** Parses an order, as PayPal returns it on creation, on capture and on a query. */
export function readOrder(body: unknown, apiUrl: string | null): PaypalOrder {
  const fields = readFields(body, 'order');
  const [unit, ...others] = readList(fields.purchase_units, 'purchase_units');
  if (!unit || others.length > 0) throw new Error('PayPal sent an order without its one purchase unit');
  const payments = unit.payments ? readFields(unit.payments, 'payments') : {};
  const captures = readList(payments.captures, 'captures');
  // A capture response omits the custom_id of the unit, and has it in the capture.
  const customIdText = [unit, ...captures].map((part) => findText(part, 'custom_id')).find((text) => text);
  return {
    orderId: readId(fields),
    status: readText(fields, 'status'),
    intent: findText(fields, 'intent'),
    note: decodeCustomId(customIdText ?? null),
    linkCode: findText(unit, 'reference_id'),
    invoiceId: findText(unit, 'invoice_id'),
    requested: unit.amount ? readMoney(unit.amount) : null,
    payerUrl: findApprovalUrl(fields.links, apiUrl),
    captures: captures.map(readCapture),
    refunds: readList(payments.refunds, 'refunds').map(readRefund),
  };
}

/** What is known of the attempt of an order. For a refund, the order's amount is unknown. */
export type OrderOwner = Pick<AttemptRequest, 'attemptId'> &
  Partial<Pick<AttemptRequest, 'amountMinor' | 'currency' | 'linkCode'>>;

/** Throws `ResponseMismatchError` for an order of anything else. `orderId` is the requested one. */
export function requireOwnOrder(
  order: PaypalOrder,
  { attemptId: attempt, amountMinor, currency, linkCode }: OrderOwner,
  { connectionId: connection, companyId: company }: ProcessorConnection,
  orderId: string | null,
): void {
  const { note, requested } = order;
  const same = <Value>(expected: Value | undefined, actual: Value | null) =>
    expected === undefined || actual === null || expected === actual;
  const noteOf = (one: CustomId) => ({
    company: one.companyId,
    connection: one.connectionId,
    attempt: one.attemptId,
  });
  requireMatch(
    'an order of PayPal',
    {
      ...{ id: orderId ?? order.orderId, company, connection, attempt, invoice: true },
      ...{ reference: true, amountMinor: true, currency: true },
    },
    {
      ...{ id: order.orderId, ...noteOf(note), invoice: same(attempt, order.invoiceId) },
      ...{
        reference: same(linkCode, order.linkCode),
        amountMinor: same(amountMinor, requested?.amountMinor ?? null),
      },
      currency: same<string>(currency, requested?.currency ?? null),
    },
  );
  for (const capture of order.captures)
    requireMatch(
      'a capture of PayPal',
      { company, connection, attempt, invoice: true },
      // A part of our order without its own custom_id is ours by the order's.
      {
        ...noteOf(capture.note.attemptId === null ? note : capture.note),
        invoice: same(attempt, capture.invoiceId),
      },
    );
}

/** Throws `ResponseMismatchError` unless a refund is the requested one. */
export function requireOwnRefund(
  made: PaypalRefund,
  request: ProcessorRefundRequest,
  { connectionId, companyId }: ProcessorConnection,
): void {
  const { refundId: refund, attemptId, amountMinor, currency } = request;
  const { note } = made;
  // PayPal may omit the custom_id, or return the order's: if present it must be ours.
  requireMatch(
    'a refund of PayPal',
    {
      refund,
      company: companyId,
      connection: connectionId,
      attempt: attemptId,
      noted: refund,
      amountMinor,
      currency,
    },
    {
      refund: made.refundId,
      company: note.companyId ?? companyId,
      connection: note.connectionId ?? connectionId,
      attempt: note.attemptId ?? attemptId,
      noted: note.refundId ?? refund,
      amountMinor: made.amountMinor,
      currency: made.currency,
    },
  );
}

/** Null when none has taken the money. */
export function findCompletedCapture(order: PaypalOrder): PaypalCapture | null {
  const [capture, ...others] = order.captures.filter(({ status }) => capturedStatuses.has(status));
  if (others.length > 0) throw new Error('PayPal took the money of one order twice');
  return capture ?? null;
}

function outcomeOfCapture(reference: string, capture: PaypalCapture): AttemptOutcome {
  const { status, responseCode } = capture;
  // It waits for a review, an e-check or the merchant, and PayPal decides later.
  if (status === 'PENDING') return { kind: 'processing', reference };
  if (declinedStatuses.has(status))
    return { kind: 'declined', reference, code: declineOfResponse(responseCode) };
  throw new Error('PayPal sent a capture with an unknown status');
}

/** While none has taken the money: one that still may comes before refused ones. Their order is undocumented. */
function findDecisive({ captures }: PaypalOrder): PaypalCapture | null {
  const pending = captures.find(({ status }) => status === 'PENDING');
  return pending ?? captures.find(({ status }) => !declinedStatuses.has(status)) ?? captures.at(-1) ?? null;
}

/** The outcome of an order's attempt. The order's ID is the reference, which leads to everything else. */
export function outcomeOfOrder(order: PaypalOrder): AttemptOutcome | ApprovedOutcome {
  const { orderId: reference, status, payerUrl } = order;
  const money = findCompletedCapture(order);
  // A part of the requested amount, which was refunded: in the end nothing was taken.
  const isPart =
    money !== null && order.requested !== null && money.amountMinor < order.requested.amountMinor;
  if (isPart && money.status === 'REFUNDED')
    return order.captures.some((one) => one.status === 'PENDING')
      ? { kind: 'processing', reference }
      : { kind: 'void' };
  if (money)
    return { kind: 'succeeded', reference, amountMinor: money.amountMinor, currency: money.currency };
  const capture = findDecisive(order);
  if (capture) return outcomeOfCapture(reference, capture);
  // `cancel` changes the intent, after which PayPal refuses to capture.
  if (status === 'VOIDED' || order.intent === 'AUTHORIZE') return { kind: 'void' };
  if (status === 'APPROVED') return { kind: 'approved', reference };
  if ((status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED') && payerUrl)
    return { kind: 'requires_action', reference, url: payerUrl };
  throw new Error('PayPal sent an order with an unknown status');
}
