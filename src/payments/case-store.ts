// What a person has to look at, because no processor gives its word or one has refused: when something
// is handed over, and all SQL of it. It must never end anything: only evidence does.

import type { TenantTx } from '../db/database.ts';
import type { AttemptStatus, RefundStatus } from './states.ts';

/** After this long a person is asked to look; the jobs go on asking the processor all the same. */
export const escalateAfterMs = 3 * 24 * 60 * 60 * 1000;

/** Hands an attempt that has not ended to a person; the state that it is in, or null when it was handed over before or has ended. */
export async function escalateAttempt(
  tx: TenantTx,
  attemptId: string,
  at: Date,
): Promise<AttemptStatus | null> {
  const [handed] = await tx.query<{ state: AttemptStatus }>(
    `update attempts set escalated_at = $3
     where company_id = $1 and attempt_id = $2 and escalated_at is null
       and state in ('created', 'requires_action', 'processing', 'unknown')
     returning state`,
    [tx.companyId, attemptId, at],
  );
  return handed?.state ?? null;
}

/** Hands a refund to a person. False when it had been handed over before. */
export async function escalateRefund(tx: TenantTx, refundId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update refunds set escalated_at = $3
     where company_id = $1 and refund_id = $2 and escalated_at is null
     returning refund_id`,
    [tx.companyId, refundId, at],
  );
  return rows.length === 1;
}

/** Money at a processor that can't be accounted for: `reference` is the processor's id of the charge or refund. */
export type ProcessorCase = {
  attempt: { attemptId: string; paymentId: string };
  code: 'currency_mismatch' | 'refund_exceeds_payment';
  reference: string;
  amountMinor: number;
  currency: string;
  at: Date;
};

/** Lists money for a person. False when it had been listed before. */
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

/** Those of some payments for which money was taken that Paylink can't send back by itself. */
export async function listWithHeldFunds(
  tx: TenantTx,
  paymentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ paymentId: string }>(
    `select distinct payment_id as "paymentId" from processor_cases
     where company_id = $1 and payment_id = any($2) and code = 'currency_mismatch'`,
    [tx.companyId, paymentIds],
  );
  return new Set(rows.map(({ paymentId }) => paymentId));
}

/** An attempt or a refund that waits for a person, or money that can't be accounted for. */
export type EscalatedCase = {
  code: string;
  attemptId: string;
  /** Null when it is the attempt itself that waits. */
  refundId: string | null;
  state: AttemptStatus | RefundStatus;
  processor: string;
  processorReference: string | null;
  amountMinor: number;
  /** As the processor says it, where money can't be accounted for. */
  currency: string;
  failureCode: string | null;
  createdAt: Date;
  escalatedAt: Date;
};

// What waits for a person. A refusal to take back what nobody owed is no case any more once a later try has arrived.
const waiting = `(
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
       where company_id = $1
     ) waiting`;

/** What waits for a person, longest first. */
export async function listCases(tx: TenantTx): Promise<EscalatedCase[]> {
  return await tx.query<EscalatedCase>(
    // safe: a literal of this file.
    `select p.code, waiting.* from ${waiting} join payments p on p.company_id = $1 and p.payment_id = waiting.payment_id
     order by "escalatedAt" limit 1000`,
    [tx.companyId],
  );
}

/** How many payments' attempts and refunds of a mode wait for a person. */
export async function countCases(tx: TenantTx, mode: 'test' | 'live'): Promise<number> {
  const [counted] = await tx.query<{ count: number }>(
    // safe: a literal of this file.
    `select count(*)::integer as count
     from ${waiting} join payments p on p.company_id = $1 and p.payment_id = waiting.payment_id
     where p.mode = $2`,
    [tx.companyId, mode],
  );
  return counted?.count ?? 0;
}
