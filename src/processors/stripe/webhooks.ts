// Reads Stripe's webhooks, whose signature is verified over the raw bytes. The content is not trusted: it names what to
// query. One without our metadata may be about a dashboard refund (`external-refunds.ts`).

import type { ProcessorWebhook, ProcessorWebhookRequest, ProcessorWebhookSubject } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import { type StripeAccount, stripePackage } from './client.ts';
import { readCurrency, readFields, readMetadata, readMinor, readOptionalText, readText } from './parse.ts';
import { hasMode } from './session-outcome.ts';

type SignedWebhookRequest = Pick<ProcessorWebhookRequest, 'headers' | 'body' | 'now'>;

/** The largest age of a signature, as Stripe recommends. */
const toleranceSeconds = 300;

function readSubjects(
  object: UntrustedFields,
  amountField: string,
  attemptId: string | null,
): ProcessorWebhookSubject[] {
  const { connectionId, refundId } = readMetadata(object);
  // The merchant's account may have other business.
  if (attemptId === null || connectionId === null) return [];
  const amountMinor = readMinor(object, amountField);
  return [{ attemptId, refundId, connectionId, amountMinor, currency: readCurrency(object) }];
}

const readSessionSubjects = (session: UntrustedFields) =>
  readSubjects(session, 'amount_total', readOptionalText(session, 'client_reference_id'));
const readMetadataSubjects = (object: UntrustedFields) =>
  readSubjects(object, 'amount', readMetadata(object).attemptId);

const readers: Readonly<Record<string, (object: UntrustedFields) => ProcessorWebhookSubject[]>> = {
  'checkout.session.completed': readSessionSubjects,
  'checkout.session.expired': readSessionSubjects,
  'checkout.session.async_payment_succeeded': readSessionSubjects,
  'checkout.session.async_payment_failed': readSessionSubjects,
  'charge.refunded': readMetadataSubjects,
  'refund.updated': readMetadataSubjects,
  'refund.failed': readMetadataSubjects,
};

/** The events that an endpoint at Stripe must subscribe to. */
export const stripeEventTypes: readonly string[] = Object.keys(readers);

/** Whether a signature's time is in the future. The package checks only its age. */
function isInFuture(signature: string, now: Date): boolean {
  const stamps = [...signature.matchAll(/(?:^|,)t=([^,]*)/g)].map(([, stamp]) => Number(stamp));
  return !stamps.every((stamp) => stamp <= now.getTime() / 1000 + toleranceSeconds);
}

/** The signed content, or why the signature is invalid. */
function verify(
  { connection }: StripeAccount,
  { headers, body, now }: SignedWebhookRequest,
): { event: unknown } | { why: string } {
  const { webhookSecret } = connection.credentials;
  // Anybody can sign with an empty secret.
  if (!webhookSecret) return { why: 'the connection has no signing secret' };
  const text = body.toString('utf8');
  // Bytes that are not UTF-8 would be verified as different bytes.
  if (!body.equals(Buffer.from(text, 'utf8'))) return { why: 'the body is not UTF-8' };
  const signature = headers['stripe-signature'] ?? '';
  if (isInFuture(signature, now)) return { why: 'the signature time is in the future' };
  const { webhooks, errors } = stripePackage();
  try {
    const event: unknown = webhooks.constructEvent(
      text,
      signature,
      webhookSecret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    );
    return { event };
  } catch (error) {
    const isUnsigned = error instanceof errors.StripeSignatureVerificationError;
    return { why: isUnsigned ? 'the signature is invalid' : 'the body is not an event' };
  }
}

function readEvent(account: StripeAccount, value: unknown): ProcessorWebhook {
  const event = readFields(value, 'event');
  const noticeId = readText(event, 'id');
  if (event.object !== 'event' || !hasMode(account, event))
    throw new Error('stripe: the event is of another mode');
  const type = readText(event, 'type');
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  const object = readFields(readFields(event.data, 'data').object, 'object');
  const subjects = read ? read(object) : [];
  return subjects.length > 0 ? { kind: 'news', noticeId, news: subjects } : { kind: 'irrelevant', noticeId };
}

/** Verifies and reads a webhook of a connection. Makes no calls. */
export function readWebhook(account: StripeAccount, webhook: SignedWebhookRequest): ProcessorWebhook {
  const verified = verify(account, webhook);
  if ('why' in verified) return { kind: 'forged', why: verified.why };
  try {
    return readEvent(account, verified.event);
  } catch {
    return { kind: 'forged', why: 'signed, but not a readable event of this mode' };
  }
}
