// Cases: attempts, refunds and money that wait for a person, because a processor gives no outcome or has refused. When
// they are escalated, and all SQL of them. Must not end anything: only evidence does.

import type { SystemTx, TenantTx } from '../db/database.ts';
import { first, omit, outputNames, type RowOf, sql, statement, t, type ValueOf } from '../db/statements.ts';
import { type AttemptStatus, attemptStatus, refundStatus } from './states.ts';

/** After this time a case is opened. The worker continues to query the processor. */
export const escalateAfterMs = 3 * 24 * 60 * 60 * 1000;

const escalateAttemptSql = statement({ state: attemptStatus })`
  update attempts set escalated_at = $3
  where company_id = $1 and attempt_id = $2 and escalated_at is null
    and state in ('created', 'requires_action', 'processing', 'unknown')
  returning state`;

/** Escalates an attempt that has not ended. Returns its status, or null if it was escalated before or has ended. */
export async function escalateAttempt(
  tx: TenantTx,
  attemptId: string,
  at: Date,
): Promise<AttemptStatus | null> {
  const [handed] = await tx.query(escalateAttemptSql, [tx.companyId, attemptId, at]);
  return handed?.state ?? null;
}

/** Escalates a refund. False if it was escalated before. */
export async function escalateRefund(tx: TenantTx, refundId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update refunds set escalated_at = $3
     where company_id = $1 and refund_id = $2 and escalated_at is null
     returning refund_id`,
    [tx.companyId, refundId, at],
  );
  return rows.length === 1;
}

/** Money at a processor that can't be accounted for. `reference` is the processor's ID of the charge or refund. */
export type ProcessorCase = {
  attempt: { attemptId: string; paymentId: string };
  code: 'currency_mismatch' | 'refund_exceeds_payment';
  reference: string;
  amountMinor: number;
  currency: string;
  at: Date;
};

/** Adds a case about money. False if it was added before. */
export async function addProcessorCase(tx: TenantTx, entry: ProcessorCase): Promise<boolean> {
  const { attempt, code, reference, amountMinor, currency, at } = entry;
  const rows = await tx.query(
    `insert into processor_cases (company_id, mode, attempt_id, code, processor_reference, payment_id, amount_minor,
                                  currency, created_at)
     select $1, p.mode, $2, $3, $4, p.payment_id, $6, $7, $8 from payments p where p.company_id = $1 and p.payment_id = $5
     on conflict do nothing
     returning attempt_id`,
    [tx.companyId, attempt.attemptId, code, reference, attempt.paymentId, amountMinor, currency, at],
  );
  return rows.length === 1;
}

type CaseKey = { paymentId: string; processorReference: string };

const closeProcessorCasesSql = statement({ attemptId: t.text })`
  update processor_cases set closed_at = $4, closed_by = $5, closing_note = $6
  where company_id = $1 and payment_id = $2 and processor_reference = $3 and closed_at is null
  returning attempt_id as "attemptId"`;

/** Closes the open cases about a charge or refund of the processor. Returns their attempts. */
export async function closeProcessorCases(
  tx: TenantTx,
  closing: CaseKey & { at: Date; actor: string; note: string | null },
): Promise<string[]> {
  const { paymentId, processorReference, at, actor, note } = closing;
  const rows = await tx.query(closeProcessorCasesSql, [
    ...[tx.companyId, paymentId, processorReference],
    ...[at, actor, note],
  ]);
  return rows.map(({ attemptId }) => attemptId);
}

/** Who closed a case, when, and with which note. */
export const ClosedCase = {
  processorReference: t.text,
  closedAt: t.excludingNull(t.timestamptz),
  closedBy: t.excludingNull(t.text),
  closingNote: t.nullable(t.text),
};
export type ClosedCase = RowOf<typeof ClosedCase>;

const findClosedCaseSql = statement(ClosedCase)`
  select ${ClosedCase} from processor_cases
  where company_id = $1 and payment_id = $2 and processor_reference = $3 and closed_at is not null
  order by closed_at limit 1`;

export async function findClosedCase(
  tx: TenantTx,
  { paymentId, processorReference }: CaseKey,
): Promise<ClosedCase | null> {
  return first(await tx.query(findClosedCaseSql, [tx.companyId, paymentId, processorReference]));
}

/** An attempt or a refund that waits for a person, or money that can't be accounted for. */
export const EscalatedCase = {
  code: t.text,
  attemptId: t.text,
  /** Null if the attempt itself waits. */
  refundId: t.nullable(t.text),
  state: t.either(attemptStatus, refundStatus),
  processor: t.text,
  processorReference: t.nullable(t.text),
  amountMinor: t.int8,
  /** As the processor reports it, for money that can't be accounted for. */
  currency: t.text,
  failureCode: t.nullable(t.text),
  createdAt: t.timestamptz,
  escalatedAt: t.timestamptz,
};
export type EscalatedCase = RowOf<typeof EscalatedCase>;

// All cases. A refused refund of an overpayment is no case any more once a later refund has succeeded.
const waiting = sql`(
       select payment_id, attempt_id as "attemptId", null as "refundId", state, processor,
              processor_reference as "processorReference", amount_minor as "amountMinor", currency,
              null as "failureCode", created_at as "createdAt", escalated_at as "escalatedAt"
       from attempts
       where company_id = $1 and escalated_at is not null
         and state in ('created', 'requires_action', 'processing', 'unknown')
       union all
       select r.payment_id, r.attempt_id, r.refund_id, r.state, a.processor, a.processor_reference, r.amount_minor,
              r.currency, r.failure_code, r.created_at, r.escalated_at
       from refunds r join attempts a using (company_id, attempt_id)
       where company_id = $1 and r.escalated_at is not null and r.state <> 'succeeded'
         and not exists (select from refunds later
                         where later.company_id = $1 and later.attempt_id = r.attempt_id and later.kind = 'surplus'
                           and r.kind = 'surplus' and later.refund_id > r.refund_id)
       union all
       select c.payment_id, c.attempt_id, null, a.state, a.processor, c.processor_reference, c.amount_minor, c.currency,
              c.code, c.created_at, c.created_at
       from processor_cases c join attempts a using (company_id, attempt_id)
       where company_id = $1 and c.closed_at is null
     ) waiting`;

const listCasesSql = statement(EscalatedCase)`
  select p.code, ${outputNames(omit(EscalatedCase, 'code'), 'waiting')}
  from ${waiting} join payments p on p.company_id = $1 and p.payment_id = waiting.payment_id
  order by "escalatedAt" limit 1000`;

/** The cases, longest waiting first. */
export async function listCases(tx: TenantTx): Promise<EscalatedCase[]> {
  return await tx.query(listCasesSql, [tx.companyId]);
}

const countCasesSql = statement({ count: t.int4 })`
  select count(*)::integer as count
  from ${waiting} join payments p on p.company_id = $1 and p.payment_id = waiting.payment_id
  where p.mode = $2`;

/** How many cases a mode has. */
export async function countCases(tx: TenantTx, mode: 'test' | 'live'): Promise<number> {
  const [counted] = await tx.query(countCasesSql, [tx.companyId, mode]);
  return counted?.count ?? 0;
}

/** What a case is about: an attempt, a refund, or money that can't be accounted for. */
export const caseKinds = ['attempt', 'refund', 'currency_mismatch', 'refund_exceeds_payment'] as const;
const caseKind = t.oneOf(...caseKinds);
export type CaseKind = ValueOf<typeof caseKind>;

// The same cases as above. Each part is ordered as the index of its table that has only cases.
const countCasesByKindSql = statement({ kind: caseKind, count: t.int4 })`
  select 'attempt' as kind, count(*)::integer as count
  from (select from attempts
    where escalated_at is not null and state in ('created', 'requires_action', 'processing', 'unknown')
    order by company_id, escalated_at limit $1) found
  union all
  select 'refund', count(*)::integer
  from (select from refunds r
    where r.escalated_at is not null and r.state <> 'succeeded'
      and not exists (select from refunds later
                      where later.company_id = r.company_id and later.attempt_id = r.attempt_id
                        and later.kind = 'surplus' and r.kind = 'surplus' and later.refund_id > r.refund_id)
    order by r.company_id, r.escalated_at limit $1) found
  union all
  select code, count(*)::integer
  from (select code from processor_cases where closed_at is null order by company_id limit $1) found
  group by code`;

/** How many cases of each kind all companies have, `limit` of a kind at most. Kinds without cases are missing. */
export async function countCasesByKind(
  tx: SystemTx,
  limit: number,
): Promise<{ kind: CaseKind; count: number }[]> {
  return await tx.query(countCasesByKindSql, [limit]);
}
