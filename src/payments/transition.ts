// The only module that writes a status. A transition is one guarded statement: update where state = from. If it returns
// no row, another transaction was first. The event of a transition is written with it, in one statement for attempts and
// payments.

import { newId } from '../base/ids.ts';
import type { TenantTx } from '../db/database.ts';
import { outputNames, pick, type RowOf, selectList, sql, statement, t } from '../db/statements.ts';
import { jsonRows } from '../db/unnest.ts';
import { appendEvent, insertEventsFrom } from '../events/append-event.ts';
import { LedgerRow, type NewLedgerEntry, postRows, toLedgerRow } from '../ledger/post-entry.ts';
import { businessTime, type DueTime } from '../work/due-rows.ts';
import { liveStates } from './attempt-store.ts';
import {
  type AttemptStatus,
  attemptGraph,
  attemptStatus,
  isAttemptFinal,
  isRefundFinal,
  type PaymentStatus,
  paymentGraph,
  paymentStatus,
  type RefundStatus,
  refundGraph,
  type TransitionEdge,
} from './states.ts';
import { Attempt, Payment } from './store.ts';

type StatusChange<S> = { from: S; to: S; at: Date; actor: string; data?: Record<string, unknown> };
export type PaymentTransition = StatusChange<PaymentStatus> & { paymentId: string };
export type AttemptTransition = StatusChange<AttemptStatus> & {
  attemptId: string;
  paymentId: string;
  /** What the processor reported, stored with the new status. */
  evidence?: { processorReference?: string; actionUrl?: string; declineCode?: string };
};

function edgeOf<S extends string>(
  graph: Record<S, Partial<Record<S, TransitionEdge>>>,
  move: { from: S; to: S },
): TransitionEdge {
  const edge = graph[move.from][move.to];
  if (!edge) throw new Error(`there is no transition from ${move.from} to ${move.to}`);
  return edge;
}

const AttemptMove = {
  ...{ attemptId: t.text, stateFrom: attemptStatus, stateTo: attemptStatus, at: t.timestamptz },
  reference: t.nullable(t.text),
  actionUrl: t.nullable(t.text),
  declineCode: t.nullable(t.text),
};
/** `attemptId`: the attempt whose move this one follows; null for a move of its own. */
const PaymentMove = {
  ...{ paymentId: t.text, attemptId: t.nullable(t.text), at: t.timestamptz },
  ...{ stateFrom: paymentStatus, stateTo: paymentStatus },
};
/** `movedId`: the attempt or payment that the event is about. */
const MoveEvent = {
  ...{ movedId: t.text, eventId: t.text, type: t.text, isPublic: t.bool },
  ...{
    paymentId: t.text,
    attemptId: t.nullable(t.text),
    actor: t.text,
    data: t.jsonObject,
    at: t.timestamptz,
  },
};
type MoveEvent = RowOf<typeof MoveEvent>;

/**
 * Moves attempts, then payments, and writes the events and ledger entries of those that moved. The lists are JSON; $6 is the
 * length of the longest, that of the events. The event of a payment has its new version; that of an attempt has none.
 */
const transitionSql = statement({ id: t.text, processor: t.nullable(t.text) })`
  with attempt_moves as materialized (select ${outputNames(AttemptMove)} from ${jsonRows(AttemptMove, '$2', '$6')}),
  payment_moves as materialized (select ${outputNames(PaymentMove)} from ${jsonRows(PaymentMove, '$3', '$6')}),
  moved_attempts as (
    update attempts set state = "stateTo", updated_at = at,
           processor_reference = coalesce(reference, processor_reference),
           action_url = coalesce("actionUrl", action_url),
           decline_code = coalesce("declineCode", decline_code)
    from attempt_moves where company_id = $1 and attempt_id = "attemptId" and state = "stateFrom"
    returning attempt_id, processor
  ), moved_payments as (
    update payments set state = "stateTo", updated_at = at, version = version + 1
    from payment_moves where company_id = $1 and payment_id = "paymentId" and state = "stateFrom"
      and ("attemptId" is null or "attemptId" in (select attempt_id from moved_attempts))
      and ("stateTo" <> 'expired' or expires_at <= at)
    returning payment_id, version
  ), moved as (
    select attempt_id as id, processor, '{}'::jsonb as version from moved_attempts
    union all select payment_id, null, jsonb_build_object('version', version) from moved_payments
  ), added as (${insertEventsFrom(sql`(
    select "eventId" as event_id, type, "isPublic" as is_public, "paymentId" as payment_id, "attemptId" as attempt_id,
           actor, data || version as data, at
    from ${jsonRows(MoveEvent, '$4', '$6')} join moved on id = "movedId") as event`)}
  ), ${postRows(sql`(
    select ${outputNames(LedgerRow)} from ${jsonRows(LedgerRow, '$5', '$6')} join moved_attempts on attempt_id = "sourceId") as given`)}
  select id, processor from moved`;

/** An attempt and its payment contradict each other: an error of Paylink. */
export class UnexpectedStatusError extends Error {
  override readonly name = 'UnexpectedStatusError';
}

/**
 * A transition of an attempt, with the one of its payment and the ledger entry that follow, or of a payment alone. The
 * source of the entry is the attempt.
 */
export type Transition = {
  attempt: AttemptTransition | null;
  payment: PaymentTransition | null;
  entry: NewLedgerEntry | null;
};

function moveOfAttempt({ attemptId, from, to, at, evidence }: AttemptTransition): RowOf<typeof AttemptMove> {
  const { processorReference = null, actionUrl = null, declineCode = null } = evidence ?? {};
  return {
    attemptId,
    stateFrom: from,
    stateTo: to,
    at,
    reference: processorReference,
    actionUrl,
    declineCode,
  };
}

function moveOfPayment(move: PaymentTransition & { attemptId: string | null }): RowOf<typeof PaymentMove> {
  const { paymentId, attemptId, from, to, at } = move;
  return { paymentId, attemptId, stateFrom: from, stateTo: to, at };
}

function eventOfAttempt(move: AttemptTransition): MoveEvent {
  const { paymentId, attemptId, actor, from, to, evidence, data, at } = move;
  const { event: type, isPublic } = edgeOf(attemptGraph, move);
  const declineCode = evidence?.declineCode;
  const details = { from, to, ...(declineCode ? { declineCode } : {}), ...data };
  const about = { movedId: attemptId, paymentId, attemptId };
  return { ...about, eventId: newId('evt', at), type, isPublic, actor, data: details, at };
}

/** The statement adds the payment's version. */
function eventOfPayment(move: PaymentTransition): MoveEvent {
  const { paymentId, actor, from, to, data, at } = move;
  const { event: type, isPublic } = edgeOf(paymentGraph, move);
  const about = { movedId: paymentId, paymentId, attemptId: null };
  return { ...about, eventId: newId('evt', at), type, isPublic, actor, data: { from, to, ...data }, at };
}

/**
 * Applies transitions, each at most once, with their events and ledger entries, all in one statement. Returns the IDs of
 * the attempts and payments that moved. An attempt that was no longer in `from` takes its payment and entry with it. For
 * more than one payment, the caller must hold the locks. Throws UnexpectedStatusError if an attempt moved and its payment
 * was not in `from`, and an error for a transition that is not in the graph.
 */
export async function applyTransitions(
  tx: TenantTx,
  transitions: readonly Transition[],
): Promise<ReadonlySet<string>> {
  if (transitions.length === 0) return new Set();
  const attempts = transitions.flatMap(({ attempt }) => attempt ?? []);
  const payments = transitions.flatMap(({ attempt, payment }) =>
    payment ? [{ ...payment, attemptId: attempt?.attemptId ?? null }] : [],
  );
  const events = [...attempts.map(eventOfAttempt), ...payments.map(eventOfPayment)];
  const entries = transitions.flatMap(({ entry }) => (entry ? [toLedgerRow(entry)] : []));
  const lists = [attempts.map(moveOfAttempt), payments.map(moveOfPayment), events, entries];
  const values = [...lists.map((list) => JSON.stringify(list)), events.length];
  const rows = await tx.query(transitionSql, [tx.companyId, ...values]);
  const moved = new Map(rows.map(({ id, processor }) => [id, processor]));
  // The error rolls the transaction back, and the attempt with it.
  if (payments.some(({ attemptId, paymentId }) => attemptId && moved.has(attemptId) && !moved.has(paymentId)))
    throw new UnexpectedStatusError('a payment with a live attempt was not in processing');
  if (events.some(({ movedId, isPublic }) => isPublic && moved.has(movedId))) tx.signal('public_event');
  noteTransitions(tx, transitions, moved);
  return new Set(moved.keys());
}

/** A payment that is open again was counted when it was created. */
function noteTransitions(
  tx: TenantTx,
  transitions: readonly Transition[],
  moved: ReadonlyMap<string, string | null>,
): void {
  for (const { attempt, payment } of transitions) {
    if (payment && payment.to !== 'open' && moved.has(payment.paymentId))
      tx.note({ kind: 'payment', status: payment.to });
    const processor = attempt && moved.get(attempt.attemptId);
    if (!attempt || !processor || !hasOutcome(attempt.to)) continue;
    const declineCode = attempt.evidence?.declineCode ?? null;
    tx.note({ kind: 'attempt', processor, outcome: attempt.to, declineCode });
  }
}

/** Whether an attempt in this status has ended, or its outcome is unknown. */
function hasOutcome(state: AttemptStatus): boolean {
  return state === 'unknown' || isAttemptFinal(state);
}

/**
 * Applies transitions to payments alone. Returns the IDs of those that this call changed. The others were no longer in
 * `from`, or were to expire and have a later expiry now.
 */
export async function transitionPayments(
  tx: TenantTx,
  moves: readonly PaymentTransition[],
): Promise<ReadonlySet<string>> {
  return await applyTransitions(
    tx,
    moves.map((payment) => ({ attempt: null, payment, entry: null })),
  );
}

/** `transitionPayments` for a single payment: true if this call changed it. */
export async function transitionPayment(tx: TenantTx, move: PaymentTransition): Promise<boolean> {
  return (await transitionPayments(tx, [move])).has(move.paymentId);
}

/** A new attempt on an open link, and the event of the link's transition. */
const NewAttempt = {
  ...pick(Attempt, 'attemptId', 'processor', 'connectionId', 'cardBrand', 'cardLast4', 'locale'),
  code: t.text,
  /** The language of the page that was paid on, to be kept for the customer; null keeps none. */
  pageLocale: t.nullable(t.text),
  /** Until when the customer may act: not longer than the link, unless the attempt may outlive it. */
  actionEndsAt: t.timestamptz,
  mayOutliveLink: t.bool,
  eventId: t.text,
  at: t.timestamptz,
};
export type NewAttempt = Omit<RowOf<typeof NewAttempt>, 'eventId'>;

/** A started attempt, and its payment as it was when it was locked. */
const StartedAttempt = {
  ...Payment,
  attemptId: t.text,
  attemptLocale: t.nullable(t.text),
  attemptExpiresAt: t.nullable(t.timestamptz),
};

/**
 * `locked` has the payments as they are once locked, so `started` decides by their present status. All else is as of the
 * beginning of the statement, a moment before, which is why `moved` has no condition on the status: it would test the status
 * of then, and the payment is ours. The index of live attempts decides whether there is one. The count of attempts may be
 * older by one.
 */
const startAttemptsSql = statement(StartedAttempt)`
  with given as materialized (select ${outputNames(NewAttempt)} from ${jsonRows(NewAttempt, '$2', '$3')}),
  locked as materialized (
    select ${selectList(Payment, 'payments')} from given join payments on payments.code = given.code
    where company_id = $1 order by payment_id for update of payments skip locked
  ), started as (
    insert into attempts (company_id, state, attempt_id, payment_id, processor, connection_id, amount_minor, currency,
                          card_brand, card_last4, locale, due_at, expires_at, created_at, updated_at)
    select $1, 'created', "attemptId", "paymentId", processor, "connectionId", "amountMinor", currency,
           "cardBrand", "cardLast4", given.locale,
           ${businessTime(sql`$4`)} + $5::float8 * interval '1 millisecond',
           case when "mayOutliveLink" then "actionEndsAt" else least("actionEndsAt", "expiresAt") end, at, at
    from locked join given using (code)
    where state = 'open' and "expiresAt" > at
      and (select count(*) from attempts where company_id = $1 and payment_id = "paymentId") < $6
    on conflict (company_id, mode, payment_id) where state in ${liveStates} do nothing
    returning attempt_id, payment_id, locale, expires_at
  ), moved as (
    update payments p set state = 'processing', updated_at = at, version = version + 1,
           customer_locale = coalesce(customer_locale, "pageLocale")
    from started join given on attempt_id = "attemptId"
    where p.company_id = $1 and p.payment_id = started.payment_id
    returning p.payment_id, p.version
  ), added as (${insertEventsFrom(sql`(
    select "eventId" as event_id, $7::text as type, $8::boolean as is_public, payment_id, null as attempt_id,
           'customer' as actor, at, jsonb_build_object(
             'from', 'open', 'to', 'processing', 'version', version, 'attemptId', attempt_id) as data
    from started join moved using (payment_id) join given on attempt_id = "attemptId") as event`)}
  )
  select ${outputNames(Payment, 'locked')}, attempt_id as "attemptId", started.locale as "attemptLocale", expires_at as "attemptExpiresAt"
  from started join moved using (payment_id) join locked on "paymentId" = payment_id`;

/**
 * Starts attempts on different open links, which it locks: inserts them in status `created`, with the time at which the
 * worker asks about them, and moves the links to `processing`, in one statement. Returns the started ones by link code. The
 * others do not exist, are not open or are overdue, are locked by another transaction, have a live attempt, or have had
 * `mostAttempts`.
 */
export async function startAttempts(
  tx: TenantTx,
  attempts: readonly NewAttempt[],
  { due, mostAttempts }: { due: DueTime; mostAttempts: number },
): Promise<ReadonlyMap<string, { payment: Payment; attempt: Attempt }>> {
  const { event: type, isPublic } = edgeOf(paymentGraph, { from: 'open', to: 'processing' });
  const given = attempts.map((attempt) => ({ ...attempt, eventId: newId('evt', attempt.at) }));
  const limits = [due.at, due.inMs, mostAttempts];
  const values = [JSON.stringify(given), given.length, ...limits, type, isPublic];
  const rows = await tx.query(startAttemptsSql, [tx.companyId, ...values]);
  if (rows.length > 0 && isPublic) tx.signal('public_event');
  for (const _ of rows) tx.note({ kind: 'payment', status: 'processing' });
  const byId = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  const asStarted = ({ attemptId, attemptLocale, attemptExpiresAt, ...locked }: (typeof rows)[number]) => {
    const { processor, connectionId, cardBrand, cardLast4, pageLocale, at } = byId.get(
      attemptId,
    ) as NewAttempt;
    const change = { state: 'processing', updatedAt: at, version: locked.version + 1 } as const;
    const customerLocale = locked.customerLocale ?? pageLocale;
    const payment: Payment = { ...locked, ...change, customerLocale };
    const { paymentId, mode, amountMinor, currency } = payment;
    const attempt: Attempt = {
      ...{ attemptId, paymentId, mode, state: 'created', processor, connectionId, amountMinor, currency },
      ...{
        processorReference: null,
        cardBrand,
        cardLast4,
        feeMinor: null,
        actionUrl: null,
        declineCode: null,
      },
      ...{ locale: attemptLocale, createdAt: at, updatedAt: at, expiresAt: attemptExpiresAt },
    };
    return [payment.code, { payment, attempt }] as const;
  };
  return new Map(rows.map(asStarted));
}

export type RefundTransition = StatusChange<RefundStatus> & {
  refundId: string;
  paymentId: string;
  evidence?: { processorReference?: string; failureCode?: string };
};

const transitionRefundSql = statement({ refundId: t.text, processor: t.nullable(t.text) })`
  update refunds set state = $4, updated_at = $5,
         processor_reference = coalesce($6, processor_reference), failure_code = coalesce($7, failure_code),
         reversed_at = case when $3 = 'succeeded' then $5 else reversed_at end
  where company_id = $1 and refund_id = $2 and state = $3
  returning refund_id as "refundId", (
    select processor from attempts a where a.company_id = $1 and a.attempt_id = refunds.attempt_id) as processor`;

/** Applies a transition to a refund: true if this call changed it. */
export async function transitionRefund(tx: TenantTx, move: RefundTransition): Promise<boolean> {
  const edge = edgeOf(refundGraph, move);
  const evidence = move.evidence ?? {};
  const [moved] = await tx.query(transitionRefundSql, [
    tx.companyId,
    move.refundId,
    move.from,
    move.to,
    move.at,
    evidence.processorReference ?? null,
    evidence.failureCode ?? null,
  ]);
  if (!moved) return false;
  if (moved.processor && (move.to === 'unknown' || isRefundFinal(move.to)))
    tx.note({ kind: 'refund', processor: moved.processor, outcome: move.to });
  await appendEvent(tx, {
    type: edge.event,
    isPublic: edge.isPublic,
    paymentId: move.paymentId,
    actor: move.actor,
    data: { refundId: move.refundId, from: move.from, to: move.to, ...move.data },
    at: move.at,
  });
  return true;
}
