// All other SQL of payments and attempts, one exported function per statement. Only this module turns rows into domain
// shapes. Only transition.ts writes the status.

import type { Currency } from '../base/money.ts';
import type { Mode, SystemTx, TenantScope, TenantTx } from '../db/database.ts';
import { unnestDistinct } from '../db/unnest.ts';
import type { AttemptStatus, PaymentStatus } from './states.ts';

export type PaymentDetails = {
  customerOrderId: string;
  amountMinor: number;
  currency: Currency;
  email: string;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  phoneE164: string | null;
  country: string;
  successUrl: string;
  failureUrl: string;
  description: string | null;
  locale: string | null;
  metadata: Record<string, string>;
  requestedExpiresAt: Date | null;
};

export type Payment = PaymentDetails & {
  companyId: string;
  paymentId: string;
  code: string;
  state: PaymentStatus;
  mode: 'test' | 'live';
  refundedMinor: number;
  /** The amount of refunds under way, beside the refunded amount. */
  refundingMinor: number;
  /** The metadata of the request that created the link, once it was changed; null: unchanged. */
  requestedMetadata: Record<string, string> | null;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
  /** When a customer first opened the link; null until then. */
  openedAt: Date | null;
  /** Counts the changes of the payment, from 1. */
  version: number;
};

export type Attempt = {
  attemptId: string;
  paymentId: string;
  mode: Mode;
  state: AttemptStatus;
  processor: string;
  /** Null for the built-in processor. */
  connectionId: string | null;
  processorReference: string | null;
  amountMinor: number;
  currency: Currency;
  cardBrand: string | null;
  cardLast4: string | null;
  actionUrl: string | null;
  declineCode: string | null;
  /** The language of the pages that the customer saw. */
  locale: string | null;
  createdAt: Date;
  /** Until when the customer may act. */
  expiresAt: Date | null;
};

export const paymentColumns = `company_id as "companyId", payment_id as "paymentId", code, state, mode,
  customer_order_id as "customerOrderId", amount_minor as "amountMinor", currency, refunded_minor as "refundedMinor", refunding_minor as "refundingMinor",
  email, first_name as "firstName", last_name as "lastName", phone, phone_e164 as "phoneE164", country,
  success_url as "successUrl", failure_url as "failureUrl", description, locale, metadata,
  requested_metadata as "requestedMetadata",
  requested_expires_at as "requestedExpiresAt", expires_at as "expiresAt", created_at as "createdAt",
  updated_at as "updatedAt", opened_at as "openedAt", version`;

export const attemptColumns = `attempt_id as "attemptId", payment_id as "paymentId", mode, state, processor,
  connection_id as "connectionId", processor_reference as "processorReference", amount_minor as "amountMinor", currency,
  card_brand as "cardBrand", card_last4 as "cardLast4", action_url as "actionUrl", decline_code as "declineCode",
  locale, created_at as "createdAt", expires_at as "expiresAt"`;

export type NewPayment = PaymentDetails &
  Pick<Payment, 'paymentId' | 'code' | 'mode' | 'expiresAt' | 'createdAt'> & { createdBy: string };

/** A payment directly after its insert. */
function asInserted(companyId: string, payment: NewPayment): Payment {
  const { createdBy: _, ...details } = payment;
  return {
    ...details,
    companyId,
    state: 'open',
    refundedMinor: 0,
    refundingMinor: 0,
    requestedMetadata: null,
    updatedAt: payment.createdAt,
    openedAt: null,
    version: 1,
  };
}

/**
 * Inserts open payments, in one statement. Returns the inserted ones by ID. For the others, the order has a live or
 * paid link: the partial unique index decides, whatever runs concurrently. Callers sort by order ID, so that two
 * overlapping batches wait for each other in one direction.
 */
export async function insertPayments(
  tx: TenantTx,
  payments: readonly NewPayment[],
): Promise<ReadonlyMap<string, Payment>> {
  const all = <Value>(read: (payment: NewPayment) => Value) => payments.map(read);
  const rows = await tx.query<{ paymentId: string }>(
    `insert into payments (company_id, payment_id, code, state, mode, customer_order_id, amount_minor, currency, email,
                           first_name, last_name, phone, phone_e164, country, success_url, failure_url, description,
                           locale, metadata, requested_expires_at, expires_at, created_by, created_at, updated_at)
     select $1, payment_id, code, 'open', mode, customer_order_id, amount_minor, currency, email,
            first_name, last_name, phone, phone_e164, country, success_url, failure_url, description,
            locale, metadata, requested_expires_at, expires_at, created_by, created_at, created_at
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::text[],
                 $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::jsonb[],
                 $19::timestamptz[], $20::timestamptz[], $21::text[], $22::timestamptz[])
       as new (payment_id, code, mode, customer_order_id, amount_minor, currency, email, first_name, last_name,
               phone, phone_e164, country, success_url, failure_url, description, locale, metadata,
               requested_expires_at, expires_at, created_by, created_at)
     on conflict (company_id, mode, customer_order_id) where state in ('open', 'processing', 'paid') do nothing
     returning payment_id as "paymentId"`,
    [
      tx.companyId,
      all(({ paymentId }) => paymentId),
      all(({ code }) => code),
      all(({ mode }) => mode),
      all(({ customerOrderId }) => customerOrderId),
      all(({ amountMinor }) => amountMinor),
      all(({ currency }) => currency),
      all(({ email }) => email),
      all(({ firstName }) => firstName),
      all(({ lastName }) => lastName),
      all(({ phone }) => phone),
      all(({ phoneE164 }) => phoneE164),
      all(({ country }) => country),
      all(({ successUrl }) => successUrl),
      all(({ failureUrl }) => failureUrl),
      all(({ description }) => description),
      all(({ locale }) => locale),
      all(({ metadata }) => JSON.stringify(metadata)),
      all(({ requestedExpiresAt }) => requestedExpiresAt),
      all(({ expiresAt }) => expiresAt),
      all(({ createdBy }) => createdBy),
      all(({ createdAt }) => createdAt),
    ],
  );
  const inserted = new Set(rows.map(({ paymentId }) => paymentId));
  return new Map(
    payments
      .filter(({ paymentId }) => inserted.has(paymentId))
      .map((payment) => [payment.paymentId, asInserted(tx.companyId, payment)]),
  );
}

/** What a merchant may change of an open payment; null leaves it unchanged. */
export type PaymentChange = { expiresAt: Date | null; metadata: Record<string, string> | null };

/** Changes an open payment; null if it is no longer open. */
export async function updateOpenPayment(
  tx: TenantTx,
  paymentId: string,
  change: PaymentChange & { at: Date },
): Promise<Payment | null> {
  const [updated] = await tx.query<Payment>(
    `update payments set expires_at = coalesce($3, expires_at),
            requested_metadata = case when $4::jsonb is null then requested_metadata else coalesce(requested_metadata, metadata) end,
            metadata = coalesce($4::jsonb, metadata), updated_at = $5, version = version + 1
     where company_id = $1 and payment_id = $2 and state = 'open'
     returning ${paymentColumns}`,
    [
      tx.companyId,
      paymentId,
      change.expiresAt,
      change.metadata && JSON.stringify(change.metadata),
      change.at,
    ],
  );
  return updated ?? null;
}

/** Records that a link was opened, once: false if that was recorded before, or the link is no longer open. */
export async function markOpened(tx: TenantTx, paymentId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update payments set opened_at = $3
     where company_id = $1 and payment_id = $2 and opened_at is null and state = 'open'
     returning payment_id`,
    [tx.companyId, paymentId, at],
  );
  return rows.length === 1;
}

export async function listPaymentsById(tx: TenantTx, paymentIds: readonly string[]): Promise<Payment[]> {
  return await tx.query<Payment>(
    // safe: our own text around a parameter.
    `select ${paymentColumns} from ${unnestDistinct('$2')} join payments on payment_id = wanted where company_id = $1`,
    [tx.companyId, paymentIds],
  );
}

/**
 * Marks open links that expire by `until` as reminded, soonest first, each once. Skips a link whose lifetime was less
 * than twice `hours`: the customer knew its expiry when it came.
 */
export async function markReminded(
  tx: TenantTx,
  look: { now: Date; until: Date; hours: number; limit: number },
): Promise<string[]> {
  const rows = await tx.query<{ paymentId: string }>(
    `with due as materialized (
       select payment_id from payments
       where company_id = $1 and state = 'open' and reminded_at is null and expires_at > $2 and expires_at <= $3
         and expires_at - created_at >= $4 * interval '2 hours'
       order by expires_at limit $5 for update skip locked)
     update payments p set reminded_at = $2 from due
     where p.company_id = $1 and p.payment_id = due.payment_id
     returning p.payment_id as "paymentId"`,
    [tx.companyId, look.now, look.until, look.hours, look.limit],
  );
  return rows.map(({ paymentId }) => paymentId);
}

/** The live or paid payments of orders: at most one for each order, by its ID. */
export async function listLivePaymentsByOrder(
  tx: TenantTx,
  customerOrderIds: readonly string[],
): Promise<ReadonlyMap<string, Payment>> {
  const rows = await tx.query<Payment>(
    // safe: our own text around a parameter.
    `select ${paymentColumns} from ${unnestDistinct('$2')} join payments on customer_order_id = wanted
     where company_id = $1 and state in ('open', 'processing', 'paid')`,
    [tx.companyId, customerOrderIds],
  );
  return new Map(rows.map((payment) => [payment.customerOrderId, payment]));
}

export async function findPayment(tx: TenantTx, paymentId: string): Promise<Payment | null> {
  const [payment] = await tx.query<Payment>(
    `select ${paymentColumns} from payments where company_id = $1 and payment_id = $2`,
    [tx.companyId, paymentId],
  );
  return payment ?? null;
}

export async function findPaymentByCode(tx: TenantTx, code: string): Promise<Payment | null> {
  const [payment] = await tx.query<Payment>(
    `select ${paymentColumns} from payments where company_id = $1 and code = $2`,
    [tx.companyId, code],
  );
  return payment ?? null;
}

/** `findPaymentByCode` for many codes. Returns them by code. */
export async function listPaymentsByCode(
  tx: TenantTx,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Payment>> {
  const rows = await tx.query<Payment>(
    // safe: our own text around a parameter.
    `select ${paymentColumns} from ${unnestDistinct('$2')} join payments on code = wanted where company_id = $1`,
    [tx.companyId, codes],
  );
  return new Map(rows.map((payment) => [payment.code, payment]));
}

/** The payment of a code, locked until the transaction ends. Paying and recording take this lock first. */
export async function lockPaymentByCode(tx: TenantTx, code: string): Promise<Payment | null> {
  const [payment] = await tx.query<Payment>(
    `select ${paymentColumns} from payments where company_id = $1 and code = $2 for update`,
    [tx.companyId, code],
  );
  return payment ?? null;
}

export async function lockPayment(tx: TenantTx, paymentId: string): Promise<Payment | null> {
  const [payment] = await tx.query<Payment>(
    `select ${paymentColumns} from payments where company_id = $1 and payment_id = $2 for update`,
    [tx.companyId, paymentId],
  );
  return payment ?? null;
}

/** `skipsLocked`: skips payments that another transaction has locked, instead of waiting. */
export type LockOptions = { skipsLocked: boolean };

const lockOf = ({ skipsLocked }: LockOptions) =>
  skipsLocked ? 'for update of payments skip locked' : 'for update of payments';

/** `lockPaymentByCode` for many codes. Returns them by code. */
export async function lockPaymentsByCode(
  tx: TenantTx,
  codes: readonly string[],
  options: LockOptions,
): Promise<ReadonlyMap<string, Payment>> {
  const rows = await tx.query<Payment>(
    // safe: one of two clauses of this file. Locks in one order, so that no two callers deadlock.
    `select ${paymentColumns} from ${unnestDistinct('$2')} join payments on code = wanted where company_id = $1
     order by payment_id ${lockOf(options)}`,
    [tx.companyId, codes],
  );
  return new Map(rows.map((payment) => [payment.code, payment]));
}

/** `lockPayment` for many IDs. Returns them by ID. */
export async function lockPayments(
  tx: TenantTx,
  paymentIds: readonly string[],
  options: LockOptions,
): Promise<ReadonlyMap<string, Payment>> {
  const rows = await tx.query<Payment>(
    // safe: one of two clauses of this file. Locks in one order, so that no two callers deadlock.
    `select ${paymentColumns} from ${unnestDistinct('$2')} join payments on payment_id = wanted where company_id = $1
     order by payment_id ${lockOf(options)}`,
    [tx.companyId, paymentIds],
  );
  return new Map(rows.map((payment) => [payment.paymentId, payment]));
}

export async function findAttempt(tx: TenantTx, attemptId: string): Promise<Attempt | null> {
  const [attempt] = await tx.query<Attempt>(
    `select ${attemptColumns} from attempts where company_id = $1 and attempt_id = $2`,
    [tx.companyId, attemptId],
  );
  return attempt ?? null;
}

export async function listAttemptsById(tx: TenantTx, attemptIds: readonly string[]): Promise<Attempt[]> {
  return await tx.query<Attempt>(
    // safe: our own text around a parameter.
    `select ${attemptColumns} from ${unnestDistinct('$2')} join attempts on attempt_id = wanted where company_id = $1`,
    [tx.companyId, attemptIds],
  );
}

/** The attempts that took the money of payments; at most one for each. */
export async function listSucceededAttempts(tx: TenantTx, paymentIds: readonly string[]): Promise<Attempt[]> {
  return await tx.query<Attempt>(
    // safe: our own text around a parameter.
    `select ${attemptColumns} from ${unnestDistinct('$2')} join attempts on payment_id = wanted
     where company_id = $1 and state = 'succeeded'`,
    [tx.companyId, paymentIds],
  );
}

/** Overdue open links of any company, soonest first: the one query across tenants, by the system's role. */
export async function listDuePayments(
  tx: SystemTx,
  before: Date,
  limit: number,
): Promise<(TenantScope & { paymentId: string })[]> {
  return await tx.query<TenantScope & { paymentId: string }>(
    `select company_id as "companyId", mode, payment_id as "paymentId" from payments
     where state = 'open' and expires_at <= $1 order by expires_at limit $2`,
    [before, limit],
  );
}

/** Stores the processor's reference of a charge that came after its attempt had ended, for its refund. */
export async function saveProcessorReference(
  tx: TenantTx,
  attemptId: string,
  reference: string,
): Promise<void> {
  await tx.query('update attempts set processor_reference = $3 where company_id = $1 and attempt_id = $2', [
    tx.companyId,
    attemptId,
    reference,
  ]);
}
