// An order of PayPal's as we read it, and what it says of an attempt. Pure: it asks nobody. What it does not
// know throws, and is never taken for a decline.

import type { Approved, AttemptRequest, Connection, Outcome } from '../processor.ts';
import { declineOfResponse } from './declines.ts';
import {
  type Fields,
  findText,
  type Money,
  readFields,
  readId,
  readList,
  readMoney,
  readText,
} from './fields.ts';
import { type Note, readNote } from './note.ts';

export type Capture = Money & { captureId: string; status: string; responseCode: string | null };

export type Refund = Money & { id: string; status: string; refundId: string | null };

export type Order = {
  orderId: string;
  status: string;
  intent: string | null;
  note: Note;
  /** Where the customer approves it; null once there is nothing to approve. */
  payerUrl: string | null;
  captures: Capture[];
  refunds: Refund[];
};

/** A capture has taken the money when it has one of these, whatever went back since. */
const taken: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);

function readCapture(fields: Fields): Capture {
  const response = fields.processor_response;
  return {
    captureId: readId(fields),
    status: readText(fields, 'status'),
    responseCode: response ? findText(readFields(response, 'processor_response'), 'response_code') : null,
    ...readMoney(fields.amount),
  };
}

/** A refund is ours by the invoice number that we gave it; what it inherits of the order's note is not its own. */
export function readRefund(fields: Fields): Refund {
  const invoiceId = findText(fields, 'invoice_id');
  return {
    id: readId(fields),
    status: readText(fields, 'status'),
    refundId: invoiceId?.startsWith('ref_') ? invoiceId : readNote(findText(fields, 'custom_id')).refundId,
    ...readMoney(fields.amount),
  };
}

/**
 * Where PayPal wants the customer to go. An address of anybody else's is not believed: it is PayPal's own, or that of
 * the fake at `apiUrl`.
 */
export function findPayerUrl(links: unknown, apiUrl: string | null): string | null {
  const link = readList(links, 'links').find(({ rel }) => rel === 'payer-action' || rel === 'approve');
  if (!link) return null;
  const url = new URL(readText(link, 'href'));
  const isTheirs = apiUrl
    ? url.origin === new URL(apiUrl).origin
    : url.protocol === 'https:' && url.port === '' && /(^|\.)paypal\.com$/.test(url.hostname);
  if (!isTheirs) throw new Error('PayPal sent the customer to an address that is not its own');
  return url.href;
}

/** Reads an order, as PayPal shows it on creation, on capture and when it is asked for. */
export function readOrder(body: unknown, apiUrl: string | null): Order {
  const fields = readFields(body, 'order');
  const [unit, ...others] = readList(fields.purchase_units, 'purchase_units');
  if (!unit || others.length > 0) throw new Error('PayPal sent an order without its one purchase unit');
  const payments = unit.payments ? readFields(unit.payments, 'payments') : {};
  const captures = readList(payments.captures, 'captures');
  // What PayPal shows of a capture leaves the note out of the unit, and has it in the capture.
  const noted = [unit, ...captures].map((part) => findText(part, 'custom_id')).find((text) => text);
  return {
    orderId: readId(fields),
    status: readText(fields, 'status'),
    intent: findText(fields, 'intent'),
    note: readNote(noted ?? null),
    payerUrl: findPayerUrl(fields.links, apiUrl),
    captures: captures.map(readCapture),
    refunds: readList(payments.refunds, 'refunds').map(readRefund),
  };
}

/** Throws for an order that was made for another attempt, or on another connection. */
export function requireOurs(
  order: Order,
  { attemptId }: Pick<AttemptRequest, 'attemptId'>,
  { connectionId, companyId }: Connection,
): void {
  const { note } = order;
  if (note.attemptId !== attemptId || note.connectionId !== connectionId || note.companyId !== companyId)
    throw new Error('PayPal speaks of an order that was made for something else');
}

/** The capture that took an order's money; null when none has. */
export function findTaken(order: Order): Capture | null {
  const [capture, ...others] = order.captures.filter(({ status }) => taken.has(status));
  if (others.length > 0) throw new Error('PayPal took the money of one order twice');
  return capture ?? null;
}

function outcomeOfCapture(reference: string, capture: Capture): Outcome {
  const { status, responseCode } = capture;
  // It waits for a review, an e-cheque or the merchant, and PayPal decides later.
  if (status === 'PENDING') return { kind: 'processing', reference };
  if (status === 'DECLINED' || status === 'FAILED')
    return { kind: 'declined', reference, code: declineOfResponse(responseCode) };
  throw new Error('PayPal sent a capture in a state that is not known');
}

/** What an order says of its attempt. The order's id is the reference: by it, everything else can be found. */
export function outcomeOfOrder(order: Order): Outcome | Approved {
  const { orderId: reference, status, payerUrl } = order;
  const money = findTaken(order);
  if (money)
    return { kind: 'succeeded', reference, amountMinor: money.amountMinor, currency: money.currency };
  const capture = order.captures.find((one) => one.status === 'PENDING') ?? order.captures.at(-1);
  if (capture) return outcomeOfCapture(reference, capture);
  // `cancel` changes the intent, after which PayPal refuses to capture.
  if (status === 'VOIDED' || order.intent === 'AUTHORIZE') return { kind: 'void' };
  if (status === 'APPROVED') return { kind: 'approved', reference };
  if ((status === 'CREATED' || status === 'PAYER_ACTION_REQUIRED') && payerUrl)
    return { kind: 'requires_action', reference, url: payerUrl };
  throw new Error('PayPal sent an order in a state that is not known');
}
