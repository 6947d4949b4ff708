// Creates payments: one order, one link. Repeating a request returns the same link, another request for the same order
// is refused, and a partial unique index decides between concurrent ones. Requests of a company that come together are
// written in a batch, because a commit costs more than its writes. Each has its own response, and an error in one does
// not affect another.

import { type BatchItemResult, createSharedBatcher } from '../base/batcher.ts';
import type { Clock } from '../base/clock.ts';
import { ApiError, errors, type FieldError } from '../base/errors.ts';
import { newId, newLinkCode } from '../base/ids.ts';
import { type Company, findCompany } from '../companies/store.ts';
import { isRowError } from '../db/connection.ts';
import { type Database, scopeKey, scopeOfKey, type TenantScope, type TenantTx } from '../db/database.ts';
import { appendEvents } from '../events/append-event.ts';
import { actorOf, type Caller, creatorOf } from '../http/roles.ts';
import { listLivePaymentsByOrder, type PaymentWithAttempts } from '../payments/presented-store.ts';
import type { PaymentRequest } from '../payments/schema.ts';
import { insertPayments, type NewPayment, type Payment, type PaymentDetails } from '../payments/store.ts';
import { checkPaymentRequest, defaultLinkTtlMs, expiryError, refuseRequest } from './check-request.ts';
import { expireIfDue } from './expire-payments.ts';

export type CreateDeps = { db: Database; clock: Clock };
export type Creator = TenantScope & Caller;
/** `isReplay`: an earlier identical request created the payment. */
export type CreatedPayment = { payment: PaymentWithAttempts; isReplay: boolean };

/** The input of one request. */
type CreatePaymentInput = { creator: Creator; body: PaymentRequest };

/** An order without a result yet, and its position in the batch. */
type PendingOrder = {
  place: number;
  creator: Creator;
  details: PaymentDetails;
  expiryFault: FieldError | null;
};

/** Bounds one statement. Further orders of the company wait for the next. */
const maxBatchSize = 200;

/** A link can end between the insert and the read. Then the order is free, and the insert is retried. */
const maxRounds = 5;

type ComparedField = Exclude<keyof PaymentRequest, 'customerOrderId'>;

// Each field by its API name, with the value that is compared with a repeated request.
const comparedFields: Record<ComparedField, (details: PaymentDetails) => unknown> = {
  amount: (details) => details.amountMinor,
  currency: (details) => details.currency,
  email: (details) => details.email,
  firstName: (details) => details.firstName,
  lastName: (details) => details.lastName,
  phone: (details) => details.phone,
  success_url: (details) => details.successUrl,
  failure_url: (details) => details.failureUrl,
  description: (details) => details.description,
  locale: (details) => details.locale,
  metadata: (details) =>
    JSON.stringify(Object.entries(details.metadata).sort(([a], [b]) => (a < b ? -1 : 1))),
  items: ({ items }) =>
    JSON.stringify(items.map((one) => [one.name, one.quantity, one.unitAmountMinor, one.taxRate])),
  expiresAt: (details) => details.requestedExpiresAt?.getTime(),
};

/** The fields in which a request differs from the one that created the link. */
function differingFields(existing: Payment, details: PaymentDetails): FieldError[] {
  const requested = { ...existing, metadata: existing.requestedMetadata ?? existing.metadata };
  return Object.entries(comparedFields)
    .filter(([, read]) => read(requested) !== read(details))
    .map(([field]) => ({
      field,
      code: 'differs',
      detail: 'This differs from the request that created the link.',
    }));
}

function newPayment({ creator, details }: PendingOrder, now: Date): NewPayment {
  return {
    ...details,
    paymentId: newId('pay', now),
    code: newLinkCode(creator.companyId),
    mode: creator.mode,
    expiresAt: details.requestedExpiresAt ?? new Date(now.getTime() + defaultLinkTtlMs),
    createdAt: now,
    createdBy: creatorOf(creator),
  };
}

function createdEvent({ creator }: PendingOrder, payment: Payment, at: Date) {
  const { paymentId, amountMinor, currency } = payment;
  const data = { to: 'open', amountMinor, currency };
  return { type: 'payment.created', isPublic: true, paymentId, actor: actorOf(creator), data, at };
}

/** The existing link, an error, or null if the order is free again. */
async function resolveExisting(
  tx: TenantTx,
  { details, expiryFault }: PendingOrder,
  found: PaymentWithAttempts | undefined,
  now: Date,
): Promise<BatchItemResult<CreatedPayment> | null> {
  const existing = found && (await expireIfDue(tx, found, now));
  if (existing && existing.state !== 'expired') {
    const differing = differingFields(existing, details);
    if (differing.length > 0) return { error: errors.orderConflict({ errors: differing }) };
    return { value: { payment: { ...existing, attempts: found.attempts }, isReplay: true } };
  }
  return expiryFault ? { error: errors.invalidFields({ errors: [expiryFault] }) } : null;
}

/**
 * Creates the payments of the orders that are free, with their events, and finds those of the others. Returns the orders
 * that became free meanwhile.
 */
async function insertRound(
  tx: TenantTx,
  pending: readonly PendingOrder[],
  outcomes: Map<number, BatchItemResult<CreatedPayment>>,
  now: Date,
): Promise<PendingOrder[]> {
  const wanted = pending.filter(({ expiryFault }) => !expiryFault);
  const payments = wanted.map((order) => newPayment(order, now));
  const inserted = await insertPayments(tx, payments);
  const made = wanted.flatMap((order, index) => {
    const payment = inserted.get(payments[index]?.paymentId ?? '');
    return payment ? [{ order, payment }] : [];
  });
  await appendEvents(
    tx,
    made.map(({ order, payment }) => createdEvent(order, payment, now)),
  );
  for (const { order, payment } of made)
    outcomes.set(order.place, { value: { payment: { ...payment, attempts: [] }, isReplay: false } });
  const others = pending.filter(({ place }) => !outcomes.has(place));
  if (others.length === 0) return [];
  const orderIds = others.map(({ details }) => details.customerOrderId);
  const existing = await listLivePaymentsByOrder(tx, orderIds);
  const free: PendingOrder[] = [];
  for (const order of others) {
    const outcome = await resolveExisting(tx, order, existing.get(order.details.customerOrderId), now);
    if (outcome) outcomes.set(order.place, outcome);
    else free.push(order);
  }
  return free;
}

/** Separates invalid requests and sorts the rest by order ID: see insertPayments. */
function checkOrders(
  orders: readonly CreatePaymentInput[],
  company: Company,
  outcomes: Map<number, BatchItemResult<CreatedPayment>>,
  now: Date,
): PendingOrder[] {
  const pending: PendingOrder[] = [];
  for (const [place, { creator, body }] of orders.entries()) {
    try {
      const details = checkPaymentRequest(body, { ...company, mode: creator.mode, now });
      const expiryFault = details.requestedExpiresAt && expiryError(details.requestedExpiresAt, now);
      pending.push({ place, creator, details, expiryFault });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      outcomes.set(place, { error });
    }
  }
  const idOf = ({ details }: PendingOrder) => details.customerOrderId;
  return pending.sort((a, b) => (idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : a.place - b.place));
}

const orderStillTaken = () => ({ error: errors.unavailable({ headers: { 'retry-after': '1' } }) });

/** Creates or finds the payments of orders in one transaction. Returns the outcomes in the same order. */
async function createBatch(
  { db, clock }: CreateDeps,
  scope: TenantScope,
  orders: readonly CreatePaymentInput[],
): Promise<BatchItemResult<CreatedPayment>[]> {
  const now = clock.now();
  const work = async (tx: TenantTx) => {
    const company = await findCompany(tx);
    if (!company) throw new Error('the company of the caller does not exist');
    const outcomes = new Map<number, BatchItemResult<CreatedPayment>>();
    let pending = checkOrders(orders, company, outcomes, now);
    for (let round = 0; round < maxRounds && pending.length > 0; round++)
      pending = await insertRound(tx, pending, outcomes, now);
    return orders.map((_, place) => outcomes.get(place) ?? orderStillTaken());
  };
  return await db.inTenant(scope, work, { isBatch: true });
}

const createInBatch = createSharedBatcher<CreateDeps, CreatePaymentInput, CreatedPayment>((deps) => ({
  runBatch: async (key, orders) => await createBatch(deps, scopeOfKey(key), orders),
  maxItems: maxBatchSize,
  mayBeOfOne: isRowError,
}));

/**
 * Creates a payment, or finds the one that the same request created before. Calls of a company with the same `deps` that
 * come while others are written form the next batch. Throws `invalid_fields`, or `order_conflict` with the fields that
 * differ.
 */
export async function createPayment(
  deps: CreateDeps,
  creator: Creator,
  body: PaymentRequest,
): Promise<CreatedPayment> {
  return await createInBatch(deps, scopeKey(creator), { creator, body });
}

/** Throws the error of a request: `found`, and every other error in it. */
export async function refusePayment(
  { db, clock }: CreateDeps,
  { companyId, mode }: Creator,
  request: { body: unknown; found: readonly FieldError[] },
): Promise<never> {
  const company = await db.inCompany(companyId, findCompany);
  if (!company) throw new Error('the company of the caller does not exist');
  throw refuseRequest(request.body, request.found, { ...company, mode, now: clock.now() });
}
