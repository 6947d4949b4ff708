-- What a processor says after the end: a refund that fails after it had succeeded, a refund that was made in the
-- processor's own dashboard, and money that only a person can settle.

alter table refunds
  -- When a refund that had succeeded failed after all.
  add column reversed_at timestamptz,
  -- The processor's id of a refund that was made in its dashboard.
  add column outside_reference text;
alter table refunds add constraint refunds_reversed_has_failed check (reversed_at is null or state = 'failed');
-- Each refund of a processor's dashboard is taken over once.
create unique index refunds_one_per_outside_reference on refunds (company_id, attempt_id, outside_reference)
  where outside_reference is not null;

alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in
  ('capture', 'refund', 'surplus', 'surplus_refund', 'refund_reversal', 'surplus_refund_reversal'));

-- Money at a processor that Paylink can't account for by itself.
create table processor_cases (
  company_id          text not null,
  mode                text not null check (mode in ('test', 'live')),
  attempt_id          text not null,
  -- What is wrong, and the processor's id of the charge or refund: each is listed once.
  code                text not null check (code in ('currency_mismatch', 'refund_exceeds_payment')),
  processor_reference text not null,
  payment_id          text not null,
  amount_minor        bigint not null check (amount_minor > 0),
  -- As the processor says it; it may be a currency that Paylink doesn't take.
  currency            text not null check (currency ~ '^[A-Z]{3}$'),
  created_at          timestamptz not null,
  primary key (company_id, mode, attempt_id, code, processor_reference),
  foreign key (company_id, attempt_id) references attempts,
  foreign key (company_id, payment_id) references payments
);
alter table processor_cases enable row level security;
alter table processor_cases force row level security;
create policy tenant on processor_cases to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert on processor_cases to paylink_tenant;
create index processor_cases_payment on processor_cases (company_id, payment_id);
