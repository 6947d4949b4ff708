// PayPal's webhooks, verified from the raw bytes: by PayPal's API, each forged one would cause a call. Their content is
// not trusted: the receiver queries PayPal.

import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { parseJson } from '../../base/json.ts';
import type {
  ProcessorConnection,
  ProcessorWebhook,
  ProcessorWebhookRequest,
  ProcessorWebhookSubject,
} from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import type { Certificates } from './certificates.ts';
import { decodeCustomId } from './custom-id.ts';
import { findText, readClaimedMoney, readFields, readList, readText } from './fields.ts';

/** PayPal tries for three days, always with the time of the first attempt. A repeat only causes another query. */
const maxAgeMs = 73 * 60 * 60 * 1000;
const maxAheadMs = 5 * 60 * 1000;

type SignatureHeaders = { transmissionId: string; time: string; certUrl: string; signature: string };

function readHeaders({ headers }: ProcessorWebhookRequest): SignatureHeaders | null {
  const transmissionId = headers['paypal-transmission-id'];
  const time = headers['paypal-transmission-time'];
  const certUrl = headers['paypal-cert-url'];
  const signature = headers['paypal-transmission-sig'];
  const isComplete = transmissionId && time && certUrl && signature;
  // Bars join the fields, so no field may contain one.
  if (!isComplete || /[|\s]/.test(transmissionId + time)) return null;
  return headers['paypal-auth-algo'] === 'SHA256withRSA'
    ? { transmissionId, time, certUrl, signature }
    : null;
}

function isInTime(time: string, now: Date): boolean {
  const ageMs = now.getTime() - new Date(time).getTime();
  return ageMs >= -maxAheadMs && ageMs <= maxAgeMs;
}

/** Its certificate would have to be fetched, and no call is allowed now. */
const deferred = Symbol('deferred');

/** Why a webhook is not PayPal's for this connection; null when it is. Throws when the certificate is unavailable. */
async function findSignatureError(
  certificates: Certificates,
  { mode, credentials }: ProcessorConnection,
  webhook: ProcessorWebhookRequest,
  signal: AbortSignal,
): Promise<string | null | typeof deferred> {
  if (!credentials.webhookId) return 'the connection has no webhook ID';
  const signed = readHeaders(webhook);
  if (!signed) return 'not signed';
  if (!isInTime(signed.time, webhook.now)) return 'too old, or from the future';
  const { now, mayAsk } = webhook;
  const key = await certificates.find(signed.certUrl, { mode, now, mayAsk }, signal);
  if (key === 'deferred') return deferred;
  if ('fault' in key) return key.fault;
  const text = [signed.transmissionId, signed.time, credentials.webhookId, crc32(webhook.body)].join('|');
  const isTrue = verify('sha256', Buffer.from(text), key, Buffer.from(signed.signature, 'base64'));
  return isTrue ? null : 'the signature is invalid';
}

/** The units of an order: exactly one, as we created it. */
function readUnits(resource: UntrustedFields): ProcessorWebhookSubject[] {
  return readList(resource.purchase_units, 'purchase_units').map(readCaptureSubject);
}

/** The IDs of ours in an order's unit, a capture or a refund, and its amount if any. */
function readCaptureSubject(part: UntrustedFields): ProcessorWebhookSubject {
  const note = decodeCustomId(findText(part, 'custom_id'));
  const invoice = decodeCustomId(findText(part, 'invoice_id'));
  return {
    attemptId: note.attemptId ?? invoice.attemptId,
    refundId: invoice.refundId ?? note.refundId,
    connectionId: note.connectionId,
    ...readClaimedMoney(part.amount),
  };
}

/** An external refund has the order's custom_id, and its own amount. */
function readRefund(part: UntrustedFields): ProcessorWebhookSubject {
  const subject = readCaptureSubject(part);
  return subject.refundId === null ? { ...subject, amountMinor: null } : subject;
}

/** How to read each relevant event type; others are irrelevant. */
const readers: Readonly<Record<string, (resource: UntrustedFields) => ProcessorWebhookSubject[]>> = {
  'CHECKOUT.ORDER.APPROVED': readUnits,
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': readUnits,
  'PAYMENT.CAPTURE.COMPLETED': (resource) => [readCaptureSubject(resource)],
  'PAYMENT.CAPTURE.DECLINED': (resource) => [readCaptureSubject(resource)],
  'PAYMENT.CAPTURE.DENIED': (resource) => [readCaptureSubject(resource)],
  'PAYMENT.CAPTURE.PENDING': (resource) => [readCaptureSubject(resource)],
  'PAYMENT.CAPTURE.REFUNDED': (resource) => [readRefund(resource)],
  'PAYMENT.REFUND.FAILED': (resource) => [readRefund(resource)],
};

/** The events that a webhook at PayPal must subscribe to. */
export const paypalEventTypes: readonly string[] = Object.keys(readers);

function parseEvent(body: Buffer): UntrustedFields | null {
  try {
    return readFields(parseJson(body.toString('utf8')), 'event');
  } catch {
    return null;
  }
}

export async function readWebhook(
  certificates: Certificates,
  connection: ProcessorConnection,
  webhook: ProcessorWebhookRequest,
  signal: AbortSignal,
): Promise<ProcessorWebhook> {
  const why = await findSignatureError(certificates, connection, webhook, signal);
  if (why === deferred) return { kind: 'deferred' };
  if (why) return { kind: 'forged', why };
  const event = parseEvent(webhook.body);
  if (!event) return { kind: 'forged', why: 'signed, but not an event' };
  const noticeId = readText(event, 'id');
  const type = readText(event, 'event_type');
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (!reader) return { kind: 'irrelevant', noticeId };
  const subjects = reader(readFields(event.resource, 'resource')).filter(
    ({ attemptId, refundId }) => attemptId !== null || refundId !== null,
  );
  return subjects.length > 0 ? { kind: 'news', noticeId, news: subjects } : { kind: 'irrelevant', noticeId };
}
