-- The tables of companies, their people and keys, payments, attempts, events and the sandbox.
--
-- Every table of a company starts its primary key with company_id, forces row-level security, and is
-- readable by paylink_tenant only for the company that the transaction has set. Tables that belong
-- to no company are readable by paylink_system only. Neither role owns anything.

-- Companies and their people --------------------------------------------------------------------

create table companies (
  company_id       text primary key check (company_id ~ '^co_[0-9a-hjkmnp-tv-z]{8}$'),
  name             text not null check (length(name) between 1 and 200),
  country          text not null check (country ~ '^[A-Z]{2}$'),
  retry_policy     text not null default 'fixable' check (retry_policy in ('none', 'fixable', 'all')),
  -- Empty: any origin may be a success or failure address.
  allowed_origins  text[] not null default '{}',
  created_at       timestamptz not null
);

create table accounts (
  company_id     text not null references companies,
  account_id     text not null,
  email          text not null check (length(email) between 3 and 254),
  password_hash  text not null,
  roles          text[] not null check (cardinality(roles) > 0 and roles <@ array['owner', 'admin', 'developer', 'support', 'viewer']),
  created_at     timestamptz not null,
  disabled_at    timestamptz,
  primary key (company_id, account_id)
);

-- The directory that tells which company an e-mail address belongs to, before there is a tenant.
-- The address is in lower case.
create table logins (
  email       text primary key,
  company_id  text not null,
  account_id  text not null,
  foreign key (company_id, account_id) references accounts
);
create index logins_account on logins (company_id, account_id);

-- One row a login. A token is good while its session is neither ended nor past its time.
create table sessions (
  company_id  text not null,
  session_id  text not null,
  account_id  text not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  ended_at    timestamptz,
  primary key (company_id, session_id),
  foreign key (company_id, account_id) references accounts
);
create index sessions_account on sessions (company_id, account_id);

-- A key is derived from its id under the master key and never stored; the row says whether it is good.
create table api_keys (
  company_id  text not null references companies,
  key_id      text not null check (key_id ~ '^[0-9a-hjkmnp-tv-z]{16}$'),
  mode        text not null check (mode in ('test', 'live')),
  created_at  timestamptz not null,
  revoked_at  timestamptz,
  primary key (company_id, key_id)
);

-- Payments --------------------------------------------------------------------------------------

create table payments (
  company_id            text not null references companies,
  payment_id            text not null,
  code                  text not null,
  customer_order_id     text not null check (length(customer_order_id) between 1 and 128),
  state                 text not null check (state in ('open', 'processing', 'paid', 'failed', 'expired', 'cancelled')),
  mode                  text not null check (mode in ('test', 'live')),
  amount_minor          bigint not null check (amount_minor between 1 and 9007199254740991),
  currency              text not null check (currency ~ '^[A-Z]{3}$'),
  refunded_minor        bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  email                 text not null,
  first_name            text,
  last_name             text,
  phone                 text,
  phone_e164            text,
  country               text not null check (country ~ '^[A-Z]{2}$'),
  success_url           text not null check (length(success_url) <= 2048),
  failure_url           text not null check (length(failure_url) <= 2048),
  description           text,
  locale                text,
  metadata              jsonb not null default '{}',
  -- What the merchant asked for, kept apart from expires_at: a repeated request is compared with it.
  requested_expires_at  timestamptz,
  expires_at            timestamptz not null,
  created_by            text not null,
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  version               integer not null default 1,
  primary key (company_id, payment_id),
  unique (company_id, code)
);

-- One order has at most one link that is live or paid.
create unique index payments_one_live_per_order on payments (company_id, customer_order_id)
  where state in ('open', 'processing', 'paid');

create table attempts (
  company_id           text not null,
  attempt_id           text not null,
  payment_id           text not null,
  state                text not null check (state in
                         ('created', 'requires_action', 'processing', 'unknown', 'succeeded', 'declined', 'cancelled')),
  processor            text not null,
  amount_minor         bigint not null check (amount_minor > 0),
  currency             text not null check (currency ~ '^[A-Z]{3}$'),
  card_brand           text,
  card_last4           text check (card_last4 ~ '^[0-9]{4}$'),
  processor_reference  text,
  action_url           text,
  decline_code         text,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  primary key (company_id, attempt_id),
  foreign key (company_id, payment_id) references payments
);
create index attempts_payment on attempts (company_id, payment_id, attempt_id);

-- A link has at most one attempt that is live or has taken the money.
create unique index attempts_one_live_per_payment on attempts (company_id, payment_id)
  where state in ('created', 'requires_action', 'processing', 'unknown', 'succeeded');

-- Events: append-only ---------------------------------------------------------------------------

create table events (
  company_id  text not null references companies,
  event_id    text not null,
  type        text not null,
  -- A public event is one that the merchant is told of; the others are the audit trail alone.
  is_public   boolean not null,
  payment_id  text,
  attempt_id  text,
  actor       text not null,
  data        jsonb not null,
  at          timestamptz not null,
  primary key (company_id, event_id)
);
create index events_payment on events (company_id, payment_id, event_id);

-- The sandbox processor's own books ---------------------------------------------------------------

create table sandbox_charges (
  company_id       text not null references companies,
  -- The attempt's id: one key, one charge, however often it is asked for.
  idempotency_key  text not null,
  reference        text not null,
  state            text not null check (state in ('challenge', 'pending', 'succeeded', 'declined', 'void')),
  after_challenge  text check (after_challenge in ('succeeded', 'declined')),
  decline_code     text,
  amount_minor     bigint not null,
  currency         text not null,
  return_url       text,
  merchant_name    text,
  locale           text,
  settles_at       timestamptz,
  created_at       timestamptz not null,
  primary key (company_id, idempotency_key),
  unique (company_id, reference)
);

-- Tables that belong to no company ----------------------------------------------------------------

-- Generic cell rate algorithm: the moment at which the bucket is full again. Losing it in a crash
-- costs nothing, so it is not logged.
create unlogged table rate_limits (
  bucket   text primary key,
  full_at  timestamptz not null
);

-- Wrong passwords by account and client; digests, so that the table tells nothing by itself.
create table login_failures (
  account_digest  text not null,
  client_digest   text not null,
  failed_at       timestamptz not null
);
create index login_failures_pair on login_failures (account_digest, client_digest, failed_at);
create index login_failures_age on login_failures (failed_at);

-- The tenant wall ---------------------------------------------------------------------------------

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['companies', 'accounts', 'logins', 'sessions', 'api_keys', 'payments',
                                      'attempts', 'events', 'sandbox_charges']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to paylink_tenant using (company_id = current_company()) '
                   'with check (company_id = current_company())', tenant_table);
  end loop;
end
$$;

grant select, insert, update on companies, accounts, sessions, api_keys, payments, attempts, sandbox_charges to paylink_tenant;
grant select, insert, update, delete on logins to paylink_tenant;
grant select, insert on events to paylink_tenant;

-- Before there is a tenant: find the company of a login, and nothing else.
create policy directory on logins for select to paylink_system using (true);
grant select on logins to paylink_system;
grant select, insert, update, delete on rate_limits, login_failures to paylink_system;
