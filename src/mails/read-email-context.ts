// Reads the context of emails. For a payment: its current status, with its company, the card or the processor that
// paid, and the refund. For a webhook endpoint: the event that disabled it. Else the link to a new password, the link
// of an invitation, or the event of an account change. Must not query the database once for each email.

import type { Keyring } from '../base/keyring.ts';
import type { Company } from '../companies/store.ts';
import { type Database, inTenantOrCompany, type TenantTx } from '../db/database.ts';
import { listEventsById, type StoredEvent } from '../events/list-events.ts';
import { listRefundsById, type Refund } from '../payments/refund-store.ts';
import { type Attempt, listAttemptsById, type Payment } from '../payments/store.ts';
import type { ProcessorKind, ProcessorRegistry } from '../processors/processor.ts';
import { type EmailedLink, listInvitationLinks, listResetLinks } from '../team/emailed-links.ts';
import type { ClaimedEmail, EmailScope, EmailWithSubject } from './store.ts';

export type PaymentEmailContext = {
  company: Company;
  payment: Payment;
  /** The attempt that took the money, or whose money is refunded; null before there is one. */
  charged: Attempt | null;
  /** The processor of that attempt, if the customer paid there and not with a card entered here. */
  otherMethod: Pick<ProcessorKind, 'takes' | 'title'> | null;
  refund: Refund | null;
};

export type EndpointEmailContext = {
  company: Company;
  endpoint: {
    id: string;
    url: string;
    mode: string;
    reason: string;
    /** The first failure since the last success. */
    failingSince: Date | null;
  };
};

/** The link is null once it is no longer valid. */
export type PasswordEmailContext = { company: Company; link: EmailedLink | null };
export type InvitationEmailContext = PasswordEmailContext & { invitation: true };

/** A change to how somebody signs in. */
const accountChanges = {
  'password.changed': 'password',
  'password.reset': 'reset',
  'second_factor.added totp': 'totpAdded',
  'second_factor.removed totp': 'totpRemoved',
  'second_factor.added passkey': 'passkeyAdded',
  'second_factor.removed passkey': 'passkeyRemoved',
  'recovery_codes.made': 'codes',
} as const;
export type AccountEmailContext = {
  company: Company;
  change: (typeof accountChanges)[keyof typeof accountChanges];
};

export type EmailContext =
  | PaymentEmailContext
  | EndpointEmailContext
  | PasswordEmailContext
  | InvitationEmailContext
  | AccountEmailContext;

/** An email with its context; null if its subject is gone. */
export type EmailTask = EmailScope & { mail: ClaimedEmail; context: EmailContext | null };

export type EmailContextDeps = {
  keyring: Keyring;
  baseUrl: string;
  processors: Pick<ProcessorRegistry, 'kinds'>;
};

type EmailReference = Pick<ClaimedEmail, 'mailId' | 'kind' | 'eventId' | 'paymentId' | 'refundId'>;

/** The endpoint of an event, in the form that the module webhooks writes into webhook_endpoint.disabled. */
function endpointOf({ data }: StoredEvent): EndpointEmailContext['endpoint'] {
  const { endpoint, failingSince } = data as {
    endpoint: Omit<EndpointEmailContext['endpoint'], 'failingSince'>;
    failingSince?: string | null;
  };
  return { ...endpoint, failingSince: failingSince ? new Date(failingSince) : null };
}

/** The change in an event; null for an event of another kind. */
function changeOf({ type, data }: StoredEvent): AccountEmailContext['change'] | null {
  const name = typeof data.factor === 'string' ? `${type} ${data.factor}` : type;
  return Object.hasOwn(accountChanges, name) ? accountChanges[name as keyof typeof accountChanges] : null;
}

/** The context of an email without a payment; null if there is nothing to report. */
function contextOfEvent(
  kind: EmailReference['kind'],
  company: Company,
  event: StoredEvent,
  links: Rows['links'],
): EmailContext | null {
  if (kind === 'password') return { company, link: links.get(resetIdOf(event)) ?? null };
  if (kind === 'invitation')
    return { company, invitation: true, link: links.get(invitationIdOf(event)) ?? null };
  if (kind === 'endpoint') return { company, endpoint: endpointOf(event) };
  const change = changeOf(event);
  return change && { company, change };
}

/** Runs no query for an empty list, which is the usual case. */
async function listIfAny<T>(
  ids: readonly (string | null)[],
  list: (ids: readonly string[]) => Promise<T[]>,
): Promise<T[]> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  return wanted.length === 0 ? [] : await list(wanted);
}

type Rows = {
  refunds: readonly Refund[];
  /** The attempts whose money is refunded. */
  refunded: readonly Attempt[];
  events: readonly StoredEvent[];
  links: ReadonlyMap<string, EmailedLink>;
};

const noRows: Rows = { refunds: [], refunded: [], events: [], links: new Map() };

/** The reset of an event, in the form that the module sign-in writes into password.reset_asked. */
const resetIdOf = ({ data }: StoredEvent) => String(data.resetId);

/** The invitation of an event, in the form that the module team writes into member.invited. */
const invitationIdOf = ({ data }: StoredEvent) => String(data.invitationId);

async function readRows(
  tx: TenantTx,
  deps: EmailContextDeps,
  mails: readonly EmailReference[],
): Promise<Rows> {
  const refunds = await listIfAny(
    mails.map(({ refundId }) => refundId),
    async (ids) => await listRefundsById(tx, ids),
  );
  const refunded = await listIfAny(
    refunds.map(({ attemptId }) => attemptId),
    async (ids) => await listAttemptsById(tx, ids),
  );
  const events = await listIfAny(
    mails.map(({ paymentId, eventId }) => (paymentId === null ? eventId : null)),
    async (ids) => await listEventsById(tx, ids),
  );
  const asked = events.filter(({ type }) => type === 'password.reset_asked').map(resetIdOf);
  const invited = events.filter(({ type }) => type === 'member.invited').map(invitationIdOf);
  const links = [
    ...(await listIfAny(asked, async (ids) => await listResetLinks(tx, deps, ids))),
    ...(await listIfAny(invited, async (ids) => await listInvitationLinks(tx, deps, ids))),
  ];
  return { refunds, refunded, events, links: new Map(links) };
}

function contextOf(
  { mail, company, payment, charged }: EmailWithSubject,
  { refunds, refunded, events, links }: Rows,
  { kinds }: Pick<ProcessorRegistry, 'kinds'>,
): EmailContext | null {
  if (!company) return null;
  if (mail.paymentId === null) {
    const event = events.find(({ eventId }) => eventId === mail.eventId);
    return event ? contextOfEvent(mail.kind, company, event, links) : null;
  }
  if (!payment) return null;
  const refund = refunds.find(({ refundId }) => refundId === mail.refundId) ?? null;
  const attempt = refund
    ? (refunded.find(({ attemptId }) => attemptId === refund.attemptId) ?? null)
    : charged;
  const kind = kinds.find(({ name }) => name === attempt?.processor);
  const otherMethod = kind && attempt?.cardLast4 === null ? kind : null;
  return { company, payment, charged: attempt, otherMethod, refund };
}

/**
 * The contexts of claimed emails of one scope, by email ID. Those about a payment have all they need; for the others, a
 * few statements read the rest of all. An email whose subject is gone, which nothing causes today, is missing.
 */
export async function readEmailContexts(
  deps: EmailContextDeps & { db: Database },
  scope: EmailScope,
  claimed: readonly EmailWithSubject[],
): Promise<ReadonlyMap<string, EmailContext>> {
  const others = claimed.map(({ mail }) => mail).filter(({ paymentId, refundId }) => !paymentId || refundId);
  const read = async (tx: TenantTx) => await readRows(tx, deps, others);
  const rows =
    others.length === 0 ? noRows : await inTenantOrCompany(deps.db, scope, read, { isBatch: true });
  return new Map(
    claimed.flatMap((each) => {
      const context = contextOf(each, rows, deps.processors);
      return context ? [[each.mail.mailId, context] as const] : [];
    }),
  );
}
