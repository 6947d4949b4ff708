// The objects of the fake Stripe, in the form of Stripe's public API reference, version 2026-10-28.endive. Must not: import
// code of the service.

import { randomUUID } from 'node:crypto';

type Common = { id: string; livemode: boolean; created: number; metadata: Record<string, string> };

export type LastError = { type: 'card_error'; code: string; decline_code?: string; message: string };

export type Intent = Common & {
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  currency: string;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  last_payment_error: LastError | null;
  latest_charge: string | null;
  description: string | null;
};

export type Session = Common & {
  object: 'checkout.session';
  mode: 'payment';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  customer_email: string | null;
  locale: string | null;
  expires_at: number;
  /** Null until the customer has tried to pay. */
  payment_intent: string | null;
  success_url: string;
  cancel_url: string | null;
  url: string | null;
};

export type Charge = Common & {
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  currency: string;
  payment_intent: string | null;
  status: 'succeeded' | 'pending' | 'failed';
  paid: boolean;
  refunded: boolean;
};

/** Stripe's refunds have no `livemode`. */
export type Refund = Omit<Common, 'livemode'> & {
  object: 'refund';
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string | null;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled';
  failure_reason?: string;
};

/** Internal data of a session: the fields of its payment intent. */
export type SessionNotes = {
  object: 'session_notes';
  id: string;
  description: string | null;
  metadata: Record<string, string>;
};

export type StripeObject = Session | Intent | Charge | Refund | SessionNotes;

/** An ID in Stripe's form: a prefix, and letters and digits. */
export const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** An API error. */
export type Refusal = {
  status: number;
  error: { type: string; code?: string; param?: string; message: string };
  /** Whether execution had begun, so that the response is stored for the key. */
  isKept: boolean;
};

export function invalid(param: string, message: string, code?: string): Refusal {
  const error = { type: 'invalid_request_error', ...(code ? { code } : {}), param, message };
  return { status: 400, error, isKept: false };
}

/** A refusal during execution. */
export function impossible(message: string, details: { code?: string; param?: string }): Refusal {
  return { status: 400, error: { type: 'invalid_request_error', ...details, message }, isKept: true };
}

export function missing(what: string, id: string): Refusal {
  const refusal = invalid('id', `No such ${what}: '${id}'`, 'resource_missing');
  return { ...refusal, status: 404 };
}
