// The parameters of a Checkout Session. They depend on the attempt only, never on the time, so that a
// repeated request with the same key is identical. Stripe would refuse a different one.

import type Stripe from 'stripe';
import { matchLocale } from '../../base/match-locale.ts';
import type { AttemptRequest, ProcessorConnection } from '../processor.ts';
import { metadataKeys } from './parse.ts';

const minuteMs = 60_000;

/** Stripe allows a session to live from 30 minutes to 24 hours. One minute is a margin for clock differences. */
const shortestLifeMs = 31 * minuteMs;
const longestLifeMs = 24 * 60 * minuteMs - minuteMs;

/** Stripe's limit for one value of `metadata`. */
const maxMetadataLength = 500;

/** The languages of Stripe's pages, by the package's type `Checkout.SessionCreateParams.Locale`. */
export const stripeLocales: readonly string[] = (
  'bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ' +
  'ro ru sk sl sv th tr vi zh zh-HK zh-TW'
).split(' ');

/** If our expiry is nearer than Stripe allows, the shortest lifetime; the caller must cancel at our expiry. */
export function sessionEndsAt({ createdAt, expiresAt }: AttemptRequest): Date {
  const startedAt = createdAt.getTime();
  const wanted = Math.min(
    Math.max(expiresAt.getTime(), startedAt + shortestLifeMs),
    startedAt + longestLifeMs,
  );
  return new Date(Math.floor(wanted / 1000) * 1000);
}

/** Our metadata of an attempt, on the session, on the payment intent and on its charges. */
function metadataOf(connection: ProcessorConnection, request: AttemptRequest): Record<string, string> {
  const { firstName, lastName } = request.customer;
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  return {
    [metadataKeys.companyId]: request.companyId,
    [metadataKeys.connectionId]: connection.connectionId ?? '',
    [metadataKeys.attemptId]: request.attemptId,
    paylink_link: request.linkCode,
    paylink_order: request.customerOrderId,
    // A session has no field for the customer's name, so the merchant finds it here.
    ...(name === '' ? {} : { paylink_customer: name.slice(0, maxMetadataLength) }),
  };
}

/** The items, or one line for the whole amount: Stripe takes no negative line, and so no discount. */
function linesOf(
  { items, amountMinor, currency }: AttemptRequest,
  title: string,
): Stripe.Checkout.SessionCreateParams.LineItem[] {
  const hasDiscount = items.some(({ unitAmountMinor }) => unitAmountMinor < 0);
  const whole = { name: title, quantity: 1, unitAmountMinor: amountMinor };
  const lines = items.length === 0 || hasDiscount ? [whole] : items;
  return lines.map(({ name, quantity, unitAmountMinor }) => ({
    quantity,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: unitAmountMinor,
      product_data: { name },
    },
  }));
}

export function sessionParams(
  connection: ProcessorConnection,
  request: AttemptRequest,
): Stripe.Checkout.SessionCreateParams {
  const title = request.description || request.customerOrderId;
  const metadata = metadataOf(connection, request);
  return {
    mode: 'payment',
    client_reference_id: request.attemptId,
    line_items: linesOf(request, title),
    // Charge the requested amount, whatever the customer's own currency is.
    adaptive_pricing: { enabled: false },
    customer_email: request.customer.email,
    // `auto` is the browser's language.
    locale: matchLocale(request.locale, stripeLocales) ?? 'auto',
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    expires_at: sessionEndsAt(request).getTime() / 1000,
    metadata,
    payment_intent_data: { description: title, metadata },
  };
}
