// Asks for a payment: one order, one link. The same request again gets the same link, another request
// for the same order is refused, and a partial unique index decides when many come at once.

import type { Clock } from '../base/clock.ts';
import { errors, type FieldFault } from '../base/errors.ts';
import { newId, newLinkCode } from '../base/ids.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { actorOf } from '../merchants/roles.ts';
import { findCompany } from '../merchants/store.ts';
import { checkPaymentRequest, defaultLifeMs, faultOfExpiry } from './check-request.ts';
import { expireIfDue } from './expire-payments.ts';
import type { PaymentRequest } from './schema.ts';
import { findLivePaymentByOrder, insertPayment, type Payment, type PaymentDetails } from './store.ts';

export type CreateDeps = { db: Database; clock: Clock };
export type Creator = { companyId: string; accountId: string; mode: 'test' | 'live' };

// Each field as the API names it, with what is compared when a request comes again.
const compared: readonly [field: string, read: (details: PaymentDetails) => unknown][] = [
  ['amount', (details) => details.amountMinor],
  ['currency', (details) => details.currency],
  ['email', (details) => details.email],
  ['firstName', (details) => details.firstName],
  ['lastName', (details) => details.lastName],
  ['phone', (details) => details.phone],
  ['success_url', (details) => details.successUrl],
  ['failure_url', (details) => details.failureUrl],
  ['description', (details) => details.description],
  ['locale', (details) => details.locale],
  [
    'metadata',
    (details) => JSON.stringify(Object.entries(details.metadata).sort(([a], [b]) => (a < b ? -1 : 1))),
  ],
  ['expiresAt', (details) => details.requestedExpiresAt?.getTime()],
];

function refuseDifference(standing: Payment, details: PaymentDetails): void {
  const requested = { ...standing, metadata: standing.requestedMetadata ?? standing.metadata };
  const faults: FieldFault[] = compared
    .filter(([, read]) => read(requested) !== read(details))
    .map(([field]) => ({
      field,
      code: 'differs',
      detail: 'This differs from the request that made the link.',
    }));
  if (faults.length > 0) throw errors.orderConflict({ errors: faults });
}

/** The live link of the order if it has one; one whose time is up is expired on the way. */
async function findStanding(tx: TenantTx, customerOrderId: string, now: Date): Promise<Payment | null> {
  const found = await findLivePaymentByOrder(tx, customerOrderId);
  const standing = found && (await expireIfDue(tx, found, now));
  return standing?.state === 'expired' ? null : standing;
}

async function insertNew(
  tx: TenantTx,
  creator: Creator,
  details: PaymentDetails,
  now: Date,
): Promise<Payment | null> {
  const expiresAt = details.requestedExpiresAt ?? new Date(now.getTime() + defaultLifeMs);
  const payment = await insertPayment(tx, {
    ...details,
    paymentId: newId('pay', now),
    code: newLinkCode(creator.companyId),
    mode: creator.mode,
    expiresAt,
    createdAt: now,
    createdBy: creator.accountId,
  });
  if (!payment) return null;
  await appendEvent(tx, {
    type: 'payment.created',
    isPublic: true,
    paymentId: payment.paymentId,
    actor: actorOf(creator),
    data: { to: 'open', amountMinor: payment.amountMinor, currency: payment.currency },
    at: now,
  });
  return payment;
}

/**
 * Creates a payment, or finds the one that the same request made before (`isReplay`).
 * Throws `invalid_fields`, or `order_conflict` naming the fields that differ.
 */
export async function createPayment(
  deps: CreateDeps,
  creator: Creator,
  body: PaymentRequest,
): Promise<{ payment: Payment; isReplay: boolean }> {
  const now = deps.clock.now();
  return await deps.db.inTenant(creator.companyId, async (tx) => {
    const company = await findCompany(tx);
    if (!company) throw new Error('a company that made a call does not exist');
    const details = checkPaymentRequest(body, { ...company, mode: creator.mode });
    const expiryFault = details.requestedExpiresAt && faultOfExpiry(details.requestedExpiresAt, now);
    // A link can end between the insert and the look; then the order is free, and the insert is tried again.
    for (let round = 0; round < 5; round++) {
      const created = expiryFault ? null : await insertNew(tx, creator, details, now);
      if (created) return { payment: created, isReplay: false };
      const standing = await findStanding(tx, details.customerOrderId, now);
      if (standing) {
        refuseDifference(standing, details);
        return { payment: standing, isReplay: true };
      }
      if (expiryFault) throw errors.invalidFields({ errors: [expiryFault] });
    }
    throw errors.unavailable({ headers: { 'retry-after': '1' } });
  });
}
