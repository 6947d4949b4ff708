// Proves the ledger of a company against the payments that it is about: each attempt that took money and
// each refund that gave it back has exactly one entry of its amount, and nothing else has any. And the
// totals, which balances are told from, are what the entries come to.

import type { TenantTx } from '../db/database.ts';

export type LedgerFault = {
  fault: string;
  sourceId: string;
  expectedMinor: number | null;
  postedMinor: number | null;
};

// What must have moved, by the books of payments, against what was posted. A full join finds both
// what is missing and what is too much.
const comparison = `
  with expected as (
    select 'capture' as kind, attempt_id as source_id, amount_minor, currency from attempts
      where company_id = $1 and state = 'succeeded'
    union all
    select case kind when 'merchant' then 'refund' else 'surplus_refund' end, refund_id, amount_minor, currency from refunds
      where company_id = $1 and (state = 'succeeded' or reversed_at is not null)
    union all
    select case kind when 'merchant' then 'refund_reversal' else 'surplus_refund_reversal' end, refund_id, amount_minor,
           currency
      from refunds where company_id = $1 and reversed_at is not null
    union all
    -- Sent back again after a refusal, it is the same money still.
    select distinct 'surplus', attempt_id, amount_minor, currency from refunds where company_id = $1 and kind = 'surplus'
  ), posted as (
    select kind, source_id, amount_minor, currency from ledger_entries where company_id = $1
  )
  select coalesce(e.kind, p.kind) || case when p.source_id is null then ' missing' when e.source_id is null then ' unfounded'
         else ' differs' end as fault,
         coalesce(e.source_id, p.source_id) as "sourceId", e.amount_minor as "expectedMinor", p.amount_minor as "postedMinor"
  from expected e full join posted p on p.kind = e.kind and p.source_id = e.source_id
  where e.source_id is null or p.source_id is null or e.amount_minor <> p.amount_minor or e.currency <> p.currency
  order by 2 limit 1000`;

// The counters on a payment that guard its refunds, against the refunds themselves.
const counters = `
  select 'refund counters differ' as fault, p.payment_id as "sourceId",
         coalesce(sum(r.amount_minor) filter (where r.state = 'succeeded'), 0)::bigint as "expectedMinor",
         p.refunded_minor as "postedMinor"
  from payments p left join refunds r
    on r.company_id = p.company_id and r.payment_id = p.payment_id and r.kind = 'merchant'
  where p.company_id = $1
  group by p.company_id, p.mode, p.payment_id
  having p.refunded_minor <> coalesce(sum(r.amount_minor) filter (where r.state = 'succeeded'), 0)
      or p.refunding_minor <> coalesce(sum(r.amount_minor) filter (where r.state not in ('succeeded', 'failed')), 0)
  order by 2 limit 1000`;

// The totals that tell the balances, against the entries. An account pair has no id of its own: it is named.
const totals = `
  with entries as (
    select debit_account || ' to ' || credit_account || ' in ' || currency as pair, sum(amount_minor)::bigint as amount
    from ledger_entries where company_id = $1 group by 1
  ), counted as (
    select debit_account || ' to ' || credit_account || ' in ' || currency as pair, sum(amount_minor)::bigint as amount
    from ledger_totals where company_id = $1 group by 1
  )
  select 'total differs' as fault, pair as "sourceId", entries.amount as "expectedMinor", counted.amount as "postedMinor"
  from entries full join counted using (pair) where entries.amount is distinct from counted.amount order by 2`;

/** Every disagreement between the ledger of the transaction's company and its payments; none when all is well. */
export async function verifyLedger(tx: TenantTx): Promise<LedgerFault[]> {
  return [
    ...(await tx.query<LedgerFault>(comparison, [tx.companyId])),
    ...(await tx.query<LedgerFault>(counters, [tx.companyId])),
    ...(await tx.query<LedgerFault>(totals, [tx.companyId])),
  ];
}
