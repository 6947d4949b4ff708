// Checks a company's records against each other: the ledger, attempts, refunds, the status of payments, and the events
// that reported them. It only reads. Each check is one statement, which sees one moment and returns a bounded number of
// rows, so that checks can run in separate transactions.

import type { TenantTx } from '../db/database.ts';
import {
  type Fragment,
  joined,
  type RowOf,
  raw,
  type Statement,
  sql,
  statement,
  t,
} from '../db/statements.ts';
import { postingRules } from './post-entry.ts';

/** Minor units; text when an amount exceeds the safe integers or is not a number. */
export type MinorUnits = number | string;

/** One discrepancy. Fields that do not apply are null. */
export type LedgerDiscrepancy = {
  fault: string;
  /** The attempt, refund, payment, or pair of accounts concerned. */
  sourceId: string;
  paymentId: string | null;
  PaymentLinkCode: string | null;
  expectedMinor: MinorUnits | null;
  postedMinor: MinorUnits | null;
  currency: string | null;
  /** The currency that was found, if it differs. */
  postedCurrency: string | null;
  /** The status that was found. */
  state: string | null;
  /**
   * How many discrepancies of the kind named by `sourceId` are not listed. Only a fault `not listed` has it.
   */
  unlisted: number | null;
};

/** One check: what it compares, and its statement, with the company as $1. */
export type LedgerCheck = { about: string; statement: Statement<RowOf<typeof Listed>> };

/** A check lists this many discrepancies of each kind and counts the others. */
const maxListed = 1000;

const kinds = Object.keys(postingRules) as (keyof typeof postingRules)[];
const postingRuleValues = joined(
  kinds.map((kind) => raw(`('${kind}', '${postingRules[kind].debit}', '${postingRules[kind].credit}')`)),
  ', ',
);

// What must have moved according to the payments, against the entries. A full join finds missing and surplus
// entries.
// safe: kinds and accounts are literals of post-entry.ts.
const entries = sql`
  with expected as (
    select 'capture' as kind, attempt_id as source_id, payment_id, mode, amount_minor, currency from attempts
      where company_id = $1 and state = 'succeeded'
    union all
    select case kind when 'merchant' then 'refund' else 'surplus_refund' end, refund_id, payment_id, mode, amount_minor,
           currency
      from refunds where company_id = $1 and (state = 'succeeded' or reversed_at is not null)
    union all
    select case kind when 'merchant' then 'refund_reversal' else 'surplus_refund_reversal' end, refund_id, payment_id, mode,
           amount_minor, currency
      from refunds where company_id = $1 and reversed_at is not null
    union all
    -- Sent back again after a refusal, it is the same money still.
    select distinct 'surplus', attempt_id, payment_id, mode, amount_minor, currency
      from refunds where company_id = $1 and kind = 'surplus'
  ), posted as (
    select e.kind, source_id, payment_id, mode, amount_minor, currency,
           (debit_account, credit_account) is distinct from (account.debit, account.credit) as is_swapped
    from ledger_entries e left join (values ${postingRuleValues}) account (kind, debit, credit) on account.kind = e.kind
    where company_id = $1
  )
  select coalesce(e.kind, p.kind) || case
           when p.source_id is null then ' missing'
           when e.source_id is null then ' unfounded'
           when e.currency <> p.currency then ' in another currency'
           when e.amount_minor <> p.amount_minor then ' differs'
           when is_swapped then ' on other accounts'
           else ' of another payment' end as fault,
         coalesce(e.source_id, p.source_id) as "sourceId", coalesce(e.payment_id, p.payment_id) as payment_id,
         e.amount_minor as "expectedMinor", p.amount_minor as "postedMinor", coalesce(e.currency, p.currency) as currency,
         p.currency as "postedCurrency", null as state
  from expected e full join posted p on p.kind = e.kind and p.source_id = e.source_id
  where e.source_id is null or p.source_id is null or e.amount_minor <> p.amount_minor or e.currency <> p.currency
     or is_swapped or (e.payment_id, e.mode) is distinct from (p.payment_id, p.mode)`;

// The unique constraint prevents a second entry of a movement. This check finds one that bypassed it.
const duplicates = sql`
  select kind || ' posted twice' as fault, source_id as "sourceId", min(payment_id) as payment_id,
         min(amount_minor) as "expectedMinor", sum(amount_minor) as "postedMinor", min(currency) as currency,
         null as "postedCurrency", null as state
  from ledger_entries where company_id = $1 group by source_id, kind having count(*) > 1`;

// A payment's refund counters against its refunds, and both against the amount it received.
const counters = sql`
  select counter.fault, p.payment_id as "sourceId", p.payment_id, counter.expected as "expectedMinor",
         counter.stored as "postedMinor", p.currency, null as "postedCurrency", null as state
  from payments p
  left join (
    select payment_id, mode, coalesce(sum(amount_minor) filter (where state = 'succeeded'), 0) as given_back,
           coalesce(sum(amount_minor) filter (where state not in ('succeeded', 'failed')), 0) as pending
    from refunds where company_id = $1 and kind = 'merchant' group by payment_id, mode
  ) r on r.payment_id = p.payment_id and r.mode = p.mode
  cross join lateral (values
    ('refunded amount differs', coalesce(r.given_back, 0), p.refunded_minor,
     coalesce(r.given_back, 0) <> p.refunded_minor),
    ('pending refunds differ', coalesce(r.pending, 0), p.refunding_minor, coalesce(r.pending, 0) <> p.refunding_minor),
    ('refunds exceed the payment', p.amount_minor, r.given_back + r.pending, r.given_back + r.pending > p.amount_minor)
  ) counter (fault, expected, stored, is_wrong)
  where p.company_id = $1 and counter.is_wrong`;

// The status of each payment against its attempts, which transitions change in one transaction. Each fault
// has its own query, so that none hides another of the same payment.
const states = sql`
  select found.fault, p.payment_id as "sourceId", p.payment_id, p.amount_minor as "expectedMinor",
         a.taken_minor as "postedMinor", p.currency, a.taken_currency as "postedCurrency", p.state
  from payments p
  left join (
    select payment_id, mode, count(*) as tries, count(*) filter (where state = 'succeeded') as taken,
           count(*) filter (where state in ('created', 'requires_action', 'processing', 'unknown')) as live,
           min(amount_minor) filter (where state = 'succeeded') as taken_minor,
           min(currency) filter (where state = 'succeeded') as taken_currency
    from attempts where company_id = $1 group by payment_id, mode
  ) a on a.payment_id = p.payment_id and a.mode = p.mode
  cross join lateral (values
    ('payment taken twice', a.taken > 1),
    ('payment taken and not paid', a.taken > 0 and p.state <> 'paid'),
    ('payment taken with another amount',
     a.taken = 1 and (a.taken_minor, a.taken_currency) <> (p.amount_minor, p.currency)),
    ('payment paid without an attempt', p.state = 'paid' and coalesce(a.taken, 0) = 0),
    ('payment processing without an attempt', p.state = 'processing' and coalesce(a.live, 0) = 0),
    ('payment with an attempt under way', p.state <> 'processing' and a.live > 0),
    ('payment with several attempts under way', a.live > 1),
    ('payment failed without an attempt', p.state = 'failed' and coalesce(a.tries, 0) = 0)
  ) found (fault, is_wrong)
  where p.company_id = $1 and found.is_wrong`;

// Only a paid payment has refunds by its merchant, of the attempt that took the money.
const refunds = sql`
  select 'refund without its capture' as fault, r.refund_id as "sourceId", r.payment_id,
         r.amount_minor as "expectedMinor", null as "postedMinor", p.currency, r.currency as "postedCurrency",
         p.state
  from refunds r
  left join payments p on p.company_id = $1 and p.payment_id = r.payment_id and p.mode = r.mode
  left join attempts a on a.company_id = $1 and a.attempt_id = r.attempt_id and a.mode = r.mode
  where r.company_id = $1 and (a.payment_id is distinct from r.payment_id
    or (r.kind = 'merchant' and (p.state, a.state, r.currency) is distinct from ('paid', 'succeeded', p.currency)))`;

// The final outcomes in events against the stored rows. An event is written in the transaction of its cause.
const reported = sql`
  select 'payment reported as paid' as fault, e.payment_id as "sourceId", e.payment_id, p.amount_minor::text as "expectedMinor",
         null as "postedMinor", p.currency, null as "postedCurrency", coalesce(p.state, 'removed') as state
  from events e left join payments p on p.company_id = $1 and p.payment_id = e.payment_id
  where e.company_id = $1 and e.type = 'payment.paid' and p.state is distinct from 'paid'
  union all
  select case e.type when 'refund.created' then 'refund removed' else 'refund reported as succeeded' end,
         e.refund_id, e.payment_id, coalesce(r.amount_minor::text, e.amount), null, coalesce(r.currency, e.currency), null,
         coalesce(r.state, 'removed')
  -- "offset 0": joined by data->>'refundId' itself, which may not run before row-level security, refunds would be read
  -- without their index, once for each event.
  from (select type, payment_id, data->>'refundId' as refund_id, data->>'amountMinor' as amount,
               data->>'currency' as currency
        from events where company_id = $1 and type in ('refund.created', 'refund.succeeded') offset 0) e
  left join refunds r on r.company_id = $1 and r.refund_id = e.refund_id
  where (e.type = 'refund.created' and r.refund_id is null)
    or (e.type = 'refund.succeeded' and r.state <> 'succeeded' and r.reversed_at is null)`;

// The totals behind the balances against the entries. An account pair has no ID, so it is named.
const totals = sql`
  with posted as (
    select debit_account || ' to ' || credit_account || ' in ' || currency || ' (' || mode || ')' as pair, currency,
           sum(amount_minor) as amount
    from ledger_entries where company_id = $1 group by 1, 2
  ), counted as (
    select debit_account || ' to ' || credit_account || ' in ' || currency || ' (' || mode || ')' as pair, currency,
           sum(amount_minor) as amount
    from ledger_totals where company_id = $1 group by 1, 2
  )
  select 'total differs' as fault, pair as "sourceId", null as payment_id, posted.amount as "expectedMinor",
         counted.amount as "postedMinor", currency, null as "postedCurrency", null as state
  from posted full join counted using (pair, currency)
  where coalesce(posted.amount, 0) <> coalesce(counted.amount, 0)`;

const Listed = {
  fault: t.text,
  sourceId: t.text,
  paymentId: t.nullable(t.text),
  PaymentLinkCode: t.nullable(t.text),
  expectedMinor: t.nullable(t.text),
  postedMinor: t.nullable(t.text),
  currency: t.nullable(t.text),
  postedCurrency: t.nullable(t.text),
  state: t.nullable(t.text),
  foundInAll: t.int8,
};

// The faults of a check, with `payment_id` in place of the two columns that identify the payment. Each kind
// has its own limit of a thousand, so that one kind never hides another. Amounts are text: the driver would
// refuse all rows for an amount beyond the safe integers.
const listingOf = (found: Fragment) => statement(Listed)`
  select listed.fault, listed."sourceId", listed.payment_id as "paymentId", p.code as "PaymentLinkCode",
         listed."expectedMinor"::text, listed."postedMinor"::text, listed.currency,
         nullif(listed."postedCurrency", listed.currency) as "postedCurrency", listed.state, listed."foundInAll"
  from (
    select found.fault, found."sourceId", found.payment_id, found."expectedMinor", found."postedMinor", found.currency,
           found."postedCurrency", found.state, count(*) over (partition by fault) as "foundInAll",
           row_number() over (partition by fault order by "sourceId") as place
    from (${found}) found
  ) listed left join payments p on p.company_id = $1 and p.payment_id = listed.payment_id
  where listed.place <= ${raw(`${maxListed}`)}
  order by listed."sourceId", listed.fault`;

/** A check that finds discrepancies by a select of them. */
export const checkOf = (about: string, found: Fragment): LedgerCheck => ({
  about,
  statement: listingOf(found),
});

/** Every check of a company's records. */
export const ledgerChecks: readonly LedgerCheck[] = [
  checkOf('entries, attempts and refunds', entries),
  checkOf('entries with each other', duplicates),
  checkOf('refunded amounts and refunds', counters),
  checkOf('payments and attempts', states),
  checkOf('refunds, payments and attempts', refunds),
  checkOf('events, payments and refunds', reported),
  checkOf('totals and entries', totals),
];

/** Parses an amount to a number if that is exact. */
function parseMinor(minor: string | null): MinorUnits | null {
  return minor !== null && Number.isSafeInteger(Number(minor)) ? Number(minor) : minor;
}

const noDetails = {
  ...{ paymentId: null, PaymentLinkCode: null, expectedMinor: null, postedMinor: null, currency: null },
  ...{ postedCurrency: null, state: null, unlisted: null },
} as const;

/** Reports that a comparison of a company's records could not run. */
export function notVerified(companyId: string): LedgerDiscrepancy {
  return { ...noDetails, fault: 'not verified', sourceId: companyId };
}

/** The discrepancies of one check, and for each kind with too many to list, how many more. */
export async function runCheck(tx: TenantTx, { statement }: LedgerCheck): Promise<LedgerDiscrepancy[]> {
  const rows = await tx.query(statement, [tx.companyId]);
  const counts = new Map(rows.map(({ fault, foundInAll }) => [fault, foundInAll]));
  const listed = rows.map(({ foundInAll: _, ...row }) => ({
    ...row,
    expectedMinor: parseMinor(row.expectedMinor),
    postedMinor: parseMinor(row.postedMinor),
    unlisted: null,
  }));
  const others = [...counts]
    .filter(([, count]) => count > maxListed)
    .map(([fault, count]) => ({
      ...noDetails,
      fault: 'not listed',
      sourceId: fault,
      unlisted: count - maxListed,
    }));
  return [...listed, ...others];
}

/** Every discrepancy within the records of the transaction's company; empty when all is well. */
export async function verifyLedger(tx: TenantTx): Promise<LedgerDiscrepancy[]> {
  const faults: LedgerDiscrepancy[] = [];
  for (const check of ledgerChecks) faults.push(...(await runCheck(tx, check)));
  return faults;
}
