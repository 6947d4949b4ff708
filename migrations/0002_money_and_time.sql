-- Refunds, the ledger, and what time does: expiry by job, the cases that a person must look at.

-- Refunds -----------------------------------------------------------------------------------------

-- What is being given back right now, beside what has been: together never more than was captured.
alter table payments add column refunding_minor bigint not null default 0 check (refunding_minor >= 0);
alter table payments add constraint payments_refunds_within_amount check (refunded_minor + refunding_minor <= amount_minor);
alter table payments add constraint payments_refunds_after_payment
  check (state = 'paid' or (refunded_minor = 0 and refunding_minor = 0));

create table refunds (
  company_id           text not null,
  refund_id            text not null,
  payment_id           text not null,
  attempt_id           text not null,
  -- A merchant's refund gives back what was owed and paid; a surplus is money that nobody owed.
  kind                 text not null check (kind in ('merchant', 'surplus')),
  state                text not null check (state in ('created', 'processing', 'unknown', 'succeeded', 'failed')),
  amount_minor         bigint not null check (amount_minor > 0),
  currency             text not null check (currency ~ '^[A-Z]{3}$'),
  reason               text check (length(reason) <= 500),
  processor_reference  text,
  failure_code         text,
  created_by           text not null,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  primary key (company_id, refund_id),
  foreign key (company_id, payment_id) references payments,
  foreign key (company_id, attempt_id) references attempts
);
create index refunds_payment on refunds (company_id, payment_id, refund_id);

-- Money that nobody owed is sent back once for each attempt that took it, however often it is reported.
create unique index refunds_one_surplus_per_attempt on refunds (company_id, attempt_id) where kind = 'surplus';

-- The ledger ----------------------------------------------------------------------------------------

-- One row moves one amount from one account to another, so that every entry balances by its form.
create table ledger_entries (
  company_id      text not null references companies,
  entry_id        text not null,
  kind            text not null check (kind in ('capture', 'refund', 'surplus', 'surplus_refund')),
  debit_account   text not null check (debit_account in ('processor', 'merchant', 'refunds', 'fees', 'suspense')),
  credit_account  text not null check (credit_account in ('processor', 'merchant', 'refunds', 'fees', 'suspense')),
  amount_minor    bigint not null check (amount_minor > 0),
  currency        text not null check (currency ~ '^[A-Z]{3}$'),
  payment_id      text not null,
  -- The attempt or the refund whose money this is: one movement, one entry.
  source_id       text not null,
  at              timestamptz not null,
  primary key (company_id, entry_id),
  unique (company_id, source_id, kind),
  check (debit_account <> credit_account),
  foreign key (company_id, payment_id) references payments
);
create index ledger_entries_payment on ledger_entries (company_id, payment_id);

-- Cases for a person --------------------------------------------------------------------------------

-- When an attempt was handed to a person because nobody could say what became of it.
alter table attempts add column escalated_at timestamptz;
create index attempts_escalated on attempts (company_id, escalated_at)
  where escalated_at is not null and state in ('created', 'requires_action', 'processing', 'unknown');

-- Expiry by job --------------------------------------------------------------------------------------

create index payments_open_until on payments (expires_at) where state = 'open';

-- The job looks over the wall only for which links are due, and closes each from inside its company.
create policy due on payments for select to paylink_system using (state = 'open');
grant select (company_id, payment_id, state, expires_at) on payments to paylink_system;

-- The sandbox's refunds -------------------------------------------------------------------------------

create table sandbox_refunds (
  company_id        text not null references companies,
  idempotency_key   text not null,
  charge_reference  text not null,
  reference         text not null,
  state             text not null check (state in ('succeeded', 'failed')),
  amount_minor      bigint not null check (amount_minor > 0),
  currency          text not null,
  created_at        timestamptz not null,
  primary key (company_id, idempotency_key)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['refunds', 'ledger_entries', 'sandbox_refunds']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to paylink_tenant using (company_id = current_company()) '
                   'with check (company_id = current_company())', tenant_table);
  end loop;
end
$$;

grant select, insert, update on refunds to paylink_tenant;
-- Rows of the ledger are never changed.
grant select, insert on ledger_entries, sandbox_refunds to paylink_tenant;
