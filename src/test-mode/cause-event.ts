// Causes an event of each public type: creates the payment or the endpoint that it is about, and runs what causes it.

import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { findLatestEvent } from '../events/list-events.ts';
import type { Principal } from '../http/authentication.ts';
import { actorOf } from '../http/roles.ts';
import { createPayment } from '../links/create-payment.ts';
import { sendLink } from '../links/send-link.ts';
import type { PaymentRequest } from '../payments/schema.ts';
import type { Payment } from '../payments/store.ts';
import { createEndpoint, removeEndpoint } from '../webhooks/change-endpoint.ts';
import { disableEndpoint } from '../webhooks/deliver.ts';
import type { eventTypes } from '../webhooks/event-types.ts';
import { runKinds } from './advance-clock.ts';
import type { BookingDeps } from './book-transfer.ts';
import { type ActionName, type ActionOrder, paymentActions } from './payment-actions.ts';

export type CauseDeps = BookingDeps & { keyring: Keyring; webhooksAllowLoopback: boolean };
export type EventType = keyof typeof eventTypes;
type IdPrefix = 'ref' | 'bst' | 'evt' | 'whe';

/** The fields of the payment that the caller chose. */
export type ChosenFields = Partial<
  Pick<
    PaymentRequest,
    'customerOrderId' | 'amount' | 'currency' | 'email' | 'metadata' | 'success_url' | 'failure_url'
  >
>;
export type Cause = {
  caller: Principal;
  type: EventType;
  fields: ChosenFields;
  /** An ID, the same in each run of a request. */
  newId(prefix: IdPrefix): string;
};
export type Caused = { eventId: string; at: Date; payment: Payment | null };

/** Emails to it fail in test mode: src/mails/send-emails.ts. */
const undeliverableAddress = 'undeliverable@example.com';
const exampleAmount = 19.99;

type Step = ActionName | { action: ActionName; body: Record<string, unknown> };
type StepsOf = (amount: number) => readonly Step[];

/** Half of an amount, at most 2 decimals. */
const halfOf = (amount: number) => Math.max(1, Math.floor(amount * 50)) / 100;

/** What follows the creation of a payment. `mail.failed` and `webhook_endpoint.disabled` have other causes. */
const stepsByType: Readonly<
  Record<Exclude<EventType, 'mail.failed' | 'webhook_endpoint.disabled'>, StepsOf>
> = {
  'payment.created': () => [],
  'payment.opened': () => ['open'],
  'payment.processing': () => ['process'],
  'payment.paid': () => ['pay'],
  'payment.failed': () => ['decline'],
  'payment.expired': () => ['expire'],
  'payment.cancelled': () => ['cancel'],
  'payment.link_requested': () => ['decline', 'request-link'],
  'payment.partly_paid': (amount) => [{ action: 'transfer', body: { amount: halfOf(amount) } }],
  'payment.transfer_review': () => [{ action: 'transfer', body: { isReturn: true } }],
  'payment.late': () => ['overpay'],
  'refund.created': () => ['pay', 'refund'],
  'refund.succeeded': () => ['pay', 'refund'],
  'refund.failed': () => ['pay', { action: 'refund', body: { outcome: 'failed' } }],
  'refund.escalated': () => ['pay', { action: 'refund', body: { outcome: 'unknown' } }, 'escalate'],
  'attempt.unknown': () => [{ action: 'process', body: { attemptStatus: 'unknown' } }],
  'attempt.resolved': () => [{ action: 'process', body: { attemptStatus: 'unknown' } }, 'settle'],
  'attempt.escalated': () => ['process', 'escalate'],
};

function requestOf({ baseUrl }: CauseDeps, { type, fields, newId }: Cause): PaymentRequest {
  return {
    customerOrderId: `test-${newId('evt').slice('evt_'.length)}`,
    email: type === 'mail.failed' ? undeliverableAddress : 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    amount: exampleAmount,
    currency: 'EUR',
    success_url: `${baseUrl}/sandbox/shop/success`,
    failure_url: `${baseUrl}/sandbox/shop/failure`,
    ...fields,
  };
}

async function runSteps(deps: CauseDeps, order: ActionOrder, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { action, body } = typeof step === 'string' ? { action: step, body: {} } : step;
    await paymentActions[action].run(deps, order, body);
  }
}

/** An email to an address that refuses it. */
async function failEmail(deps: CauseDeps, order: ActionOrder, eventId: string): Promise<void> {
  await sendLink(deps, { ...order, eventId });
  await runKinds(deps, order, ['emails']);
}

/** Disables an endpoint that exists only for this, as a response of 410 does, and deletes it. */
async function disableNewEndpoint(deps: CauseDeps, { caller, newId }: Cause): Promise<void> {
  const endpointId = newId('whe');
  const url = 'https://gone.example/paylink';
  await createEndpoint(deps, caller, { endpointId, url, events: ['payment.created'] });
  const at = deps.clock.now();
  await deps.db.inTenant(caller, async (tx) => await disableEndpoint(tx, endpointId, { reason: 'gone', at }));
  await removeEndpoint(deps, caller, endpointId);
}

async function causeByPayment(deps: CauseDeps, cause: Cause): Promise<Payment> {
  const { caller, type, newId } = cause;
  const request = requestOf(deps, cause);
  const { payment } = await createPayment(deps, caller, request);
  const { companyId, mode } = caller;
  const order = { companyId, mode, code: payment.code, actor: actorOf(caller), newId };
  if (type === 'mail.failed') await failEmail(deps, order, newId('evt'));
  else if (type !== 'webhook_endpoint.disabled')
    await runSteps(deps, order, stepsByType[type](request.amount));
  return payment;
}

/** How often and how long an event is waited for: another process may have claimed the email that causes it. */
const maxLooks = 50;
const lookPauseMs = 100;

async function waitForEvent(
  { db }: CauseDeps,
  caller: Principal,
  wanted: { type: EventType; paymentId: string | null },
): Promise<{ eventId: string; at: Date } | null> {
  for (let look = 0; look < maxLooks; look++) {
    const event = await db.inTenant(caller, async (tx) => await findLatestEvent(tx, wanted));
    if (event) return event;
    await pause(lookPauseMs);
  }
  return null;
}

/** Causes an event. Throws what its cause throws, and `state_not_reachable` if the event did not follow. */
export async function causeEvent(deps: CauseDeps, cause: Cause): Promise<Caused> {
  const { caller, type } = cause;
  const isOfEndpoint = type === 'webhook_endpoint.disabled';
  if (isOfEndpoint) await disableNewEndpoint(deps, cause);
  const payment = isOfEndpoint ? null : await causeByPayment(deps, cause);
  const paymentId = payment?.paymentId ?? null;
  const event = await waitForEvent(deps, caller, { type, paymentId });
  if (event) return { ...event, payment };
  throw errors.stateNotReachable({
    detail: `${type} did not follow. Send the request again with another order.`,
  });
}
