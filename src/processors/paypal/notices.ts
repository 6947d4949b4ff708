// Webhooks of PayPal: whether one is PayPal's, and what it speaks of. Verified here, from the bytes as they came, as
// PayPal recommends ("Integrate webhooks", self verification). The other way, to have PayPal verify it, would make
// each forged one a call with the merchant's credentials, and depend on sending the body on unchanged. Nothing that a
// webhook says is believed: whoever receives it asks PayPal.

import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Connection, Notice, NoticeNews, NoticeRequest } from '../processor.ts';
import type { Certificates } from './certificates.ts';
import { type Fields, findText, readClaim, readFields, readList, readText } from './fields.ts';
import { readNote } from './note.ts';

/**
 * PayPal tries for three days to deliver a webhook, each time with the time of the first. One that comes again is only
 * a reason to ask once more.
 */
const maxAgeMs = 73 * 60 * 60 * 1000;
const maxAheadMs = 5 * 60 * 1000;

type Signed = { transmissionId: string; time: string; certUrl: string; signature: string };

function readHeaders({ headers }: NoticeRequest): Signed | null {
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
async function findFault(
  certificates: Certificates,
  { mode, credentials }: Connection,
  notice: NoticeRequest,
  signal: AbortSignal,
): Promise<string | null | typeof deferred> {
  if (!credentials.webhookId) return 'the connection has no webhook ID';
  const signed = readHeaders(notice);
  if (!signed) return 'not signed';
  if (!isInTime(signed.time, notice.now)) return 'not of this time';
  const { now, mayAsk } = notice;
  const key = await certificates.find(signed.certUrl, { mode, now, mayAsk }, signal);
  if (key === 'deferred') return deferred;
  if ('fault' in key) return key.fault;
  const text = [signed.transmissionId, signed.time, credentials.webhookId, crc32(notice.body)].join('|');
  const isTrue = verify('sha256', Buffer.from(text), key, Buffer.from(signed.signature, 'base64'));
  return isTrue ? null : 'the signature is not of this webhook';
}

/** What the units of an order say: one, as we made it. */
function readUnits(resource: Fields): NoticeNews[] {
  return readList(resource.purchase_units, 'purchase_units').map(readPart);
}

/** What an order's unit, a capture or a refund says of ours, and of its money where it does. */
function readPart(part: Fields): NoticeNews {
  const note = readNote(findText(part, 'custom_id'));
  const invoice = readNote(findText(part, 'invoice_id'));
  return {
    attemptId: note.attemptId ?? invoice.attemptId,
    refundId: invoice.refundId ?? note.refundId,
    connectionId: note.connectionId,
    ...readClaim(part.amount),
  };
}

/** A refund that is none of ours has the order's notes, and an amount of its own. */
function readRefund(part: Fields): NoticeNews {
  const news = readPart(part);
  return news.refundId === null ? { ...news, amountMinor: null } : news;
}

/** How each kind of event that we care for tells of ours; what is not here is irrelevant. */
const readers: Readonly<Record<string, (resource: Fields) => NoticeNews[]>> = {
  'CHECKOUT.ORDER.APPROVED': readUnits,
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': readUnits,
  'PAYMENT.CAPTURE.COMPLETED': (resource) => [readPart(resource)],
  'PAYMENT.CAPTURE.DECLINED': (resource) => [readPart(resource)],
  'PAYMENT.CAPTURE.DENIED': (resource) => [readPart(resource)],
  'PAYMENT.CAPTURE.PENDING': (resource) => [readPart(resource)],
  'PAYMENT.CAPTURE.REFUNDED': (resource) => [readRefund(resource)],
  'PAYMENT.REFUND.FAILED': (resource) => [readRefund(resource)],
};

/** The events that a webhook at PayPal has to be told to send. */
export const eventTypes: readonly string[] = Object.keys(readers);

function parseEvent(body: Buffer): Fields | null {
  try {
    return readFields(JSON.parse(body.toString('utf8')), 'event');
  } catch {
    return null;
  }
}

/** Reads a webhook of this connection. */
export async function readNotice(
  certificates: Certificates,
  connection: Connection,
  notice: NoticeRequest,
  signal: AbortSignal,
): Promise<Notice> {
  const why = await findFault(certificates, connection, notice, signal);
  if (why === deferred) return { kind: 'deferred' };
  if (why) return { kind: 'forged', why };
  const event = parseEvent(notice.body);
  if (!event) return { kind: 'forged', why: 'signed, and not of the form of an event' };
  const noticeId = readText(event, 'id');
  const type = readText(event, 'event_type');
  const reader = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (!reader) return { kind: 'irrelevant', noticeId };
  const news = reader(readFields(event.resource, 'resource')).filter(
    ({ attemptId, refundId }) => attemptId !== null || refundId !== null,
  );
  return news.length > 0 ? { kind: 'news', noticeId, news } : { kind: 'irrelevant', noticeId };
}
