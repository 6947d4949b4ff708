-- What it takes to find payments among a million of them, and to tell balances, by reading few rows.

-- Finding ---------------------------------------------------------------------------------------------

-- Columns and not expressions: under row-level security only a leakproof comparison may be looked up in
-- an index, and lower() is none. Collation "C", so that a prefix is a range.
alter table payments
  add column search_order      text collate "C" generated always as (lower(customer_order_id)) stored,
  add column search_email      text collate "C" generated always as (lower(email)) stored,
  add column search_name       text collate "C" generated always as (lower(first_name || coalesce(' ' || last_name, ''))) stored,
  add column search_last_name  text collate "C" generated always as (lower(last_name)) stored,
  -- What the merchant asked for, once the metadata was changed: a repeated request is compared with it.
  add column requested_metadata jsonb;

-- Each in the order of a page's cursor. Ids are in the order of time, so what has no other order has theirs.
create index payments_by_state on payments (company_id, state, payment_id);
create index payments_by_order on payments (company_id, search_order, payment_id);
create index payments_by_email on payments (company_id, search_email, payment_id);
create index payments_by_name on payments (company_id, search_name, payment_id);
create index payments_by_last_name on payments (company_id, search_last_name, payment_id);

-- The same for what belongs to one payment.
drop index events_payment;
create index events_payment on events (company_id, payment_id, xact, event_id);
drop index ledger_entries_payment;
create index ledger_entries_payment on ledger_entries (company_id, payment_id, entry_id);

-- Totals of the ledger ----------------------------------------------------------------------------------

-- What all entries between two accounts come to, counted in the transaction that posts an entry. Many
-- shards, so that two postings at once seldom wait for each other's row.
create table ledger_totals (
  company_id      text not null references companies,
  debit_account   text not null,
  credit_account  text not null,
  currency        text not null,
  shard           integer not null,
  amount_minor    bigint not null check (amount_minor > 0),
  primary key (company_id, debit_account, credit_account, currency, shard)
);

alter table ledger_totals enable row level security;
alter table ledger_totals force row level security;
create policy tenant on ledger_totals to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on ledger_totals to paylink_tenant;

-- What was posted before: the wall binds the connecting role, too, so from inside each company.
do $$
declare
  company text;
  every_company text[];
begin
  set local role paylink_system;
  select array_agg(company_id) into every_company from companies;
  set local role paylink_tenant;
  foreach company in array coalesce(every_company, '{}') loop
    perform set_config('paylink.company_id', company, true);
    insert into ledger_totals (company_id, debit_account, credit_account, currency, shard, amount_minor)
      select company_id, debit_account, credit_account, currency, 0, sum(amount_minor)
      from ledger_entries group by company_id, debit_account, credit_account, currency;
  end loop;
  perform set_config('paylink.company_id', '', true);
  reset role;
end
$$;
