// What a mail speaks of: a payment as it stands when the mail is sent, with its company, the card or the processor
// that paid and the refund; a webhook endpoint as the event told of it when it was switched off; or the link to a new
// password.

import type { Clock } from '../base/clock.ts';
import type { Keyring } from '../base/keyring.ts';
import type { TenantTx } from '../db/database.ts';
import { listEventsById } from '../events/list-events.ts';
import { readResetLink } from '../merchants/ask-password-reset.ts';
import { type Company, findCompany } from '../merchants/store.ts';
import { findRefund, type Refund } from '../payments/refund-store.ts';
import { type Attempt, findPayment, listAttempts, type Payment } from '../payments/store.ts';
import type { ProcessorKind, Processors } from '../processors/processor.ts';
import type { ClaimedMail } from './store.ts';

export type PaymentContents = {
  company: Company;
  payment: Payment;
  /** The attempt that took the money, or whose money is given back; null before there is one. */
  charged: Attempt | null;
  /** The processor of that attempt, where the customer paid there and not with a card entered here. */
  paidThere: Pick<ProcessorKind, 'takes' | 'title'> | null;
  refund: Refund | null;
};

export type EndpointContents = {
  company: Company;
  endpoint: {
    id: string;
    url: string;
    mode: string;
    reason: string;
    /** The first failure that no success followed. */
    failingSince: Date | null;
  };
};

/** The link is null once it is not good any more. */
export type PasswordContents = { company: Company; link: { url: string; expiresAt: Date } | null };

export type Contents = PaymentContents | EndpointContents | PasswordContents;

export type ContentsDeps = {
  clock: Clock;
  keyring: Keyring;
  baseUrl: string;
  processors: Pick<Processors, 'kinds'>;
};

async function readEndpoint(tx: TenantTx, eventId: string): Promise<EndpointContents['endpoint']> {
  const [event] = await listEventsById(tx, [eventId]);
  if (!event) throw new Error('a mail tells of an event that does not exist');
  // As the room of webhooks writes it into webhook_endpoint.disabled.
  const { endpoint, failingSince } = event.data as {
    endpoint: Omit<EndpointContents['endpoint'], 'failingSince'>;
    failingSince?: string | null;
  };
  return { ...endpoint, failingSince: failingSince ? new Date(failingSince) : null };
}

async function readPassword(
  tx: TenantTx,
  deps: ContentsDeps,
  eventId: string,
): Promise<PasswordContents['link']> {
  const [event] = await listEventsById(tx, [eventId]);
  if (!event) throw new Error('a mail tells of an event that does not exist');
  return await readResetLink(tx, deps, { resetId: String(event.data.resetId), now: deps.clock.now() });
}

async function readPayment(
  tx: TenantTx,
  { kinds }: Pick<Processors, 'kinds'>,
  { paymentId, refundId }: { paymentId: string; refundId: string | null },
): Promise<Omit<PaymentContents, 'company'>> {
  const payment = await findPayment(tx, paymentId);
  if (!payment) throw new Error('a mail speaks of a payment that does not exist');
  const refund = refundId === null ? null : await findRefund(tx, refundId);
  const attempts = await listAttempts(tx, paymentId);
  const charged = attempts.find(({ attemptId, state }) =>
    refund ? attemptId === refund.attemptId : state === 'succeeded',
  );
  const kind = kinds.find(({ name }) => name === charged?.processor);
  const paidThere = kind && charged?.cardLast4 === null ? kind : null;
  return { payment, charged: charged ?? null, paidThere, refund };
}

/** Throws when what the mail speaks of is gone, which nothing does. */
export async function readContents(
  tx: TenantTx,
  deps: ContentsDeps,
  mail: Pick<ClaimedMail, 'kind' | 'eventId' | 'paymentId' | 'refundId'>,
): Promise<Contents> {
  const company = await findCompany(tx);
  if (!company) throw new Error('a mail speaks of a company that does not exist');
  const { eventId, paymentId, refundId } = mail;
  if (mail.kind === 'password') return { company, link: await readPassword(tx, deps, eventId) };
  if (paymentId === null) return { company, endpoint: await readEndpoint(tx, eventId) };
  return { company, ...(await readPayment(tx, deps.processors, { paymentId, refundId })) };
}
