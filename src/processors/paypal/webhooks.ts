// Webhooks of PayPal: whether one is PayPal's, and what it speaks of. Verified here, from the bytes as they came, as
// PayPal recommends ("Integrate webhooks", self verification). The other way, to have PayPal verify it, would make
// each forged one a call with the merchant's credentials, and depend on sending the body on unchanged. Nothing that a
// webhook says is believed: whoever receives it asks PayPal.

import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
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

/**
 * PayPal tries for three days to deliver a webhook, each time with the time of the first. One that comes again is only
 * a reason to ask once more.
 */
const maxAgeMs = 73 * 60 * 60 * 1000;
const maxAheadMs = 5 * 60 * 1000;

type SignatureHeaders = { transmissionId: string; time: string; certUrl: string; signature: string };

function readHeaders({ headers }: ProcessorWebhookRequest): SignatureHeaders | null {
  const transmissionId = headers['paypal-transmission-id'];
  const time = headers['paypal-transmission-time'];
  const certUrl = headers['paypal-cert-url'];
  const signature = headers['paypal-transmission-sig'];
  const isComplete = transmissionId && time && certUrl && signature;
  // The fields are joined by bars, so none may have one.
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

/** Why a webhook is not PayPal's for this connection; null when it is. Throws when the certificate can't be had. */
async function findSignatureError(
  certificates: Certificates,
  { mode, credentials }: ProcessorConnection,
  webhook: ProcessorWebhookRequest,
  signal: AbortSignal,
): Promise<string | null | typeof deferred> {
  if (!credentials.webhookId) return 'the connection has no webhook ID';
  const signed = readHeaders(webhook);
  if (!signed) return 'not signed';
  if (!isInTime(signed.time, webhook.now)) return 'not of this time';
  const { now, mayAsk } = webhook;
  const key = await certificates.find(signed.certUrl, { mode, now, mayAsk }, signal);
  if (key === 'deferred') return deferred;
  if ('fault' in key) return key.fault;
  const text = [signed.transmissionId, signed.time, credentials.webhookId, crc32(webhook.body)].join('|');
  const isTrue = verify('sha256', Buffer.from(text), key, Buffer.from(signed.signature, 'base64'));
  return isTrue ? null : 'the signature is not of this webhook';
}

/** What the units of an order say: one, as we made it. */
function readUnits(resource: UntrustedFields): ProcessorWebhookSubject[] {
  return readList(resource.purchase_units, 'purchase_units').map(readCaptureSubject);
}

/** What an order's unit, a capture or a refund says of ours, and of its money where it does. */
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

/** A refund that is none of ours has the order's notes, and an amount of its own. */
function readRefund(part: UntrustedFields): ProcessorWebhookSubject {
  const subjects = readCaptureSubject(part);
  return subjects.refundId === null ? { ...subjects, amountMinor: null } : subjects;
}

/** How each kind of event that we care for tells of ours; what is not here is irrelevant. */
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

/** The events that a webhook at PayPal has to be told to send. */
export const paypalEventTypes: readonly string[] = Object.keys(readers);

function parseEvent(body: Buffer): UntrustedFields | null {
  try {
    return readFields(JSON.parse(body.toString('utf8')), 'event');
  } catch {
    return null;
  }
}

/** Reads a webhook of this connection. */
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
  if (!event) return { kind: 'forged', why: 'signed, and not of the form of an event' };
  const noticeId = readText(event, 'id');
  const type = readText(event, 'event_type');
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (!reader) return { kind: 'irrelevant', noticeId };
  const subjects = reader(readFields(event.resource, 'resource')).filter(
    ({ attemptId, refundId }) => attemptId !== null || refundId !== null,
  );
  return subjects.length > 0 ? { kind: 'news', noticeId, news: subjects } : { kind: 'irrelevant', noticeId };
}
