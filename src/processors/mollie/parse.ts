// Parses Mollie's payments and refunds (Payments API v2) from untrusted responses. Our own objects are parsed
// strictly and throw. Foreign objects must not throw, since they may have any form.

import { isCurrency, parseAmount } from '../../base/money.ts';
import type { ExternalRefund } from '../processor.ts';
import { fieldsOf, parseProcessorAmount } from '../untrusted-fields.ts';
import { isLoopback } from './webhook-address.ts';

/** Our metadata on a payment or a refund at Mollie, to recognise it. */
export type MollieMetadata = {
  company: string;
  connection: string;
  attempt: string;
  refund: string | null;
  /** The payment was created only to use up its key and belongs to no attempt. */
  isVoid: boolean;
};

export type MollieAmount = { amountMinor: number; currency: string };

const paymentStatuses = ['open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed'] as const;
const refundStatuses = ['queued', 'pending', 'processing', 'refunded', 'failed', 'canceled'] as const;

/** `amountMinor` is the requested amount. */
export type MolliePayment = MollieAmount & {
  id: string;
  mode: string | null;
  metadata: MollieMetadata;
  /** The captured amount of a paid payment: less than requested if it was captured partially. */
  captured: MollieAmount;
  /** Whether the whole captured amount was refunded. */
  isRefunded: boolean;
  status: (typeof paymentStatuses)[number];
  isCancelable: boolean;
  checkoutUrl: string | null;
  failureReason: string | null;
};

export type MollieRefund = MollieAmount & {
  id: string;
  mode: string | null;
  paymentId: string | null;
  metadata: MollieMetadata & { refund: string };
  status: (typeof refundStatuses)[number];
};

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Whether a text has the form of a payment ID (`tr_`) or a refund ID (`re_`). */
export function isMollieId(prefix: 'tr' | 're', text: string): boolean {
  return new RegExp(`^${prefix}_[0-9A-Za-z]{6,64}$`).test(text);
}

function readId(prefix: 'tr' | 're', value: unknown): string {
  const id = textOf(value);
  if (id === null || !isMollieId(prefix, id)) throw new Error(`the ID does not have the form ${prefix}_…`);
  return id;
}

/** A payment ID, checked before it goes into an address. */
export const requirePaymentId = (id: string): string => readId('tr', id);

function readStatus<Status extends string>(known: readonly Status[], value: unknown): Status {
  const status = known.find((candidate) => candidate === value);
  if (!status) throw new Error('the status is unknown');
  return status;
}

/** Null when it is invalid. */
export function timestampOf(value: unknown): Date | null {
  const text = textOf(value);
  if (text === null || !/^\d{4}-\d\d-\d\dT/.test(text)) return null;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** An exact amount of a supported currency; null for any other. */
export function amountOf(value: unknown): MollieAmount | null {
  const { currency, value: text } = fieldsOf(value);
  if (typeof currency !== 'string' || !isCurrency(currency)) return null;
  if (typeof text !== 'string' || !/^\d+(\.\d+)?$/.test(text)) return null;
  const parsed = parseAmount(text, currency);
  return 'amountMinor' in parsed ? { amountMinor: parsed.amountMinor, currency } : null;
}

function readAmount(value: unknown): MollieAmount {
  const amount = amountOf(value);
  if (!amount) throw new Error('the amount is not readable');
  return amount;
}

/** A moved amount in any currency; a person handles unsupported ones. Throws when it is unreadable. */
function readMoved(value: unknown): MollieAmount {
  const { currency, value: text } = fieldsOf(value);
  if (typeof currency !== 'string' || isCurrency(currency)) return readAmount(value);
  const amountMinor = parseProcessorAmount(currency, textOf(text));
  if (amountMinor === null) throw new Error('the amount is not readable');
  return { amountMinor, currency };
}

/** Our metadata on a payment or a refund; null for a foreign one, whatever it contains. */
export function readMetadata(item: unknown): MollieMetadata | null {
  const { company, connection, attempt, refund, void: isVoid } = fieldsOf(fieldsOf(item).metadata);
  if (typeof company !== 'string' || typeof connection !== 'string' || typeof attempt !== 'string')
    return null;
  return { company, connection, attempt, refund: textOf(refund), isVoid: isVoid === true };
}

/** Null without a page. Any host, since banks have their own, but only over TLS; a fake Mollie is on this machine. */
function readCheckoutUrl(checkout: unknown): string | null {
  if (checkout === null || checkout === undefined) return null;
  const text = textOf(fieldsOf(checkout).href) ?? '';
  const url = URL.parse(text);
  const isOfFake = url?.protocol === 'http:' && isLoopback(url.hostname);
  if (url?.protocol !== 'https:' && !isOfFake) throw new Error('the checkout address is not a web address');
  return text;
}

/** Throws for anything else. */
export function readPayment(body: unknown): MolliePayment {
  const fields = fieldsOf(body);
  const metadata = readMetadata(fields);
  if (fields.resource !== 'payment' || !metadata)
    throw new Error('the response is not a payment with our metadata');
  const amount = readAmount(fields.amount);
  const status = readStatus(paymentStatuses, fields.status);
  // Methods without captures lack the field: they always take the full amount.
  const hasCaptures = status === 'paid' && fields.amountCaptured;
  const captured = hasCaptures ? readMoved(fields.amountCaptured) : amount;
  const refunded = amountOf(fields.amountRefunded);
  return {
    id: readId('tr', fields.id),
    mode: textOf(fields.mode),
    metadata,
    status,
    ...amount,
    captured,
    isRefunded: refunded !== null && refunded.amountMinor >= captured.amountMinor,
    isCancelable: fields.isCancelable === true,
    checkoutUrl: readCheckoutUrl(fieldsOf(fields._links).checkout),
    failureReason:
      textOf(fieldsOf(fields.details).failureReason) ?? textOf(fieldsOf(fields.statusReason).code),
  };
}

/** Throws for anything else. */
export function readRefund(body: unknown): MollieRefund {
  const fields = fieldsOf(body);
  const metadata = readMetadata(fields);
  if (fields.resource !== 'refund' || !metadata?.refund)
    throw new Error('the response is not a refund with our metadata');
  return {
    id: readId('re', fields.id),
    mode: textOf(fields.mode),
    paymentId: textOf(fields.paymentId),
    metadata: { ...metadata, refund: metadata.refund },
    status: readStatus(refundStatuses, fields.status),
    ...readAmount(fields.amount),
  };
}

/** An external refund of an attempt's money; null while it is under way. Throws when it is unreadable. */
export function readExternalRefund(attemptId: string, item: unknown): ExternalRefund[] {
  const { id, amount, status } = fieldsOf(item);
  const isFailed = status === 'failed' || status === 'canceled';
  if (status !== 'refunded' && !isFailed) return [];
  return [
    {
      kind: isFailed ? 'failed_outside_refund' : 'outside_refund',
      ...{ key: attemptId, reference: readId('re', id), ...readMoved(amount) },
    },
  ];
}
