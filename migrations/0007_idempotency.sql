-- What each Idempotency-Key stands for: which request came with it, what the first answer was, and the seed
-- from which every run of that request makes the same ids.

create table idempotency_keys (
  company_id    text not null,
  -- A key is its account's own: nobody is answered what another account was told.
  account_id    text not null,
  key           text not null check (length(key) between 1 and 255),
  fingerprint   bytea not null check (length(fingerprint) = 32),
  state         text not null default 'running' check (state in ('running', 'done')),
  seed          bytea not null check (length(seed) = 32),
  -- The moment of the first run by the service's clock; new ids are made of it.
  subject_at    timestamptz not null,
  -- While it lasts, a run is under way; when it is over without an answer, the run has crashed. Database's clock.
  leased_until  timestamptz not null,
  status        integer check (status between 200 and 599),
  -- Headers and body, sealed: they hold personal data, and of new API keys the key itself.
  answer        bytea,
  created_at    timestamptz not null default clock_timestamp(),
  primary key (company_id, account_id, key),
  foreign key (company_id, account_id) references accounts,
  check ((state = 'done') = (status is not null and answer is not null))
);
create index idempotency_keys_age on idempotency_keys (created_at);

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy tenant on idempotency_keys to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update, delete on idempotency_keys to paylink_tenant;

-- The nightly job removes what is two days old, over the wall, and sees of it its age alone.
create policy outlived_select on idempotency_keys for select to paylink_system
  using (created_at < clock_timestamp() - interval '48 hours');
create policy outlived_delete on idempotency_keys for delete to paylink_system
  using (created_at < clock_timestamp() - interval '48 hours');
grant select (created_at), delete on idempotency_keys to paylink_system;
