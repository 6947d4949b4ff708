// Compares the sandbox's own records with the attempts and refunds made through it, in both directions and
// over all time. Other processors provide lists (src/reconciliation/compare-processor.ts). The sandbox's
// records are in this database, so one statement compares both. It only reads.

import { sql } from '../db/statements.ts';
import { checkOf, type LedgerCheck } from './verify-ledger.ts';

// The attempt is committed before the sandbox is asked, and its outcome after the response. So a charge of an
// attempt under way is no fault, and the entry of an attempt that just ended may still be missing.
const charges = sql`
  select case
           when a.attempt_id is null then 'sandbox charge of no attempt'
           when c.reference is null then 'sandbox charge missing'
           when a.state = 'succeeded' then 'sandbox charge differs'
           else 'sandbox charge not recorded' end as fault,
         coalesce(a.attempt_id, c.idempotency_key) as "sourceId", a.payment_id,
         case when a.state = 'succeeded' then a.amount_minor end as "expectedMinor", c.amount_minor as "postedMinor",
         coalesce(a.currency, c.currency) as currency, c.currency as "postedCurrency", a.state
  from (select idempotency_key, reference, mode, amount_minor, currency from sandbox_charges
        where company_id = $1 and state = 'succeeded') c
  full join (select attempt_id, payment_id, mode, state, amount_minor, currency, updated_at from attempts
             where company_id = $1 and processor = 'sandbox') a
    on a.attempt_id = c.idempotency_key and a.mode = c.mode
  where case
    when a.attempt_id is null then true
    when c.reference is null then a.state = 'succeeded'
    when a.state in ('created', 'requires_action', 'processing', 'unknown') then false
    when a.state = 'succeeded' and (a.amount_minor, a.currency) = (c.amount_minor, c.currency) then false
    when exists (select from refunds r where r.company_id = $1 and r.attempt_id = a.attempt_id and r.kind = 'surplus'
                   and (r.amount_minor, r.currency) = (c.amount_minor, c.currency)) then false
    else a.state = 'succeeded' or a.updated_at < statement_timestamp() - interval '1 minute' end`;

// A refund that failed after it had succeeded was reversed by a report: the sandbox itself never does that.
const refunds = sql`
  select case
           when r.refund_id is null then 'sandbox refund of no refund'
           when s.reference is null then 'sandbox refund missing'
           when (r.amount_minor, r.currency) <> (s.amount_minor, s.currency) then 'sandbox refund differs'
           when s.charge_key is distinct from r.attempt_id then 'sandbox refund of another charge'
           else 'sandbox refund not recorded' end as fault,
         coalesce(r.refund_id, s.idempotency_key) as "sourceId", coalesce(r.payment_id, s.payment_id) as payment_id,
         r.amount_minor as "expectedMinor", s.amount_minor as "postedMinor", coalesce(r.currency, s.currency) as currency,
         s.currency as "postedCurrency", r.state
  from (select b.idempotency_key, b.reference, b.mode, b.amount_minor, b.currency, c.idempotency_key as charge_key,
               a.payment_id
        from sandbox_refunds b
        left join sandbox_charges c on c.company_id = $1 and c.reference = b.charge_reference and c.mode = b.mode
        left join attempts a on a.company_id = $1 and a.attempt_id = c.idempotency_key and a.mode = b.mode
        where b.company_id = $1 and b.state = 'succeeded') s
  full join (select refund_id, r.payment_id, attempt_id, r.mode, r.state, r.amount_minor, r.currency, reversed_at
             from refunds r join attempts a using (company_id, attempt_id, mode)
             where company_id = $1 and processor = 'sandbox' and outside_reference is null) r
    on r.refund_id = s.idempotency_key and r.mode = s.mode
  where case
    when r.refund_id is null then true
    when s.reference is null then r.state = 'succeeded'
    when (r.amount_minor, r.currency) <> (s.amount_minor, s.currency) then true
    when s.charge_key is distinct from r.attempt_id then true
    else r.state = 'failed' and r.reversed_at is null end`;

/** The checks of the sandbox's records against ours. */
export const sandboxChecks: readonly LedgerCheck[] = [
  checkOf('charges of the sandbox and attempts', charges),
  checkOf('refunds of the sandbox and refunds', refunds),
];
