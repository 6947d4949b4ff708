-- Service keys: credentials of programs, which stand alone. docs/decisions/0047-service-keys.md.
create table service_keys (
  company_id         text not null references companies,
  key_id             text not null check (key_id ~ '^[0-9a-hjkmnp-tv-z]{16}$'),
  mode               text not null check (mode in ('test', 'live')),
  name               text not null check (length(name) between 1 and 100),
  -- SHA-256 of the whole key. The key itself is shown once and stored nowhere.
  secret_digest      bytea not null check (length(secret_digest) = 32),
  -- Names of rights. The list is that of src/http/roles.ts: no key may decide who may act and where money goes.
  scopes             text[] not null constraint service_keys_scopes check (cardinality(scopes) > 0 and scopes <@ array[
                       'payments:create', 'payments:read', 'payments:update', 'payments:cancel', 'payments:refund',
                       'events:read', 'balances:read', 'bank:read', 'exports:read', 'webhooks:read', 'webhooks:manage',
                       'processors:read', 'company:read', 'audit:read', 'requests:read']),
  -- Addresses and ranges from which the key may be used; none: from anywhere.
  allowed_addresses  text[] not null default '{}' check (cardinality(allowed_addresses) <= 32),
  -- The key with which the chain of rolls began: requests that are repeated after a roll are recognised by it.
  first_key_id       text not null,
  created_at         timestamptz not null,
  -- The ID of an account.
  created_by         text not null,
  -- The end of its chosen lifetime or of the overlap of a roll, whichever is earlier.
  expires_at         timestamptz,
  -- The key that a roll created in its place.
  replaced_by        text,
  revoked_at         timestamptz,
  -- To the minute: it is not written at every call.
  last_used_at       timestamptz,
  primary key (company_id, key_id),
  constraint service_keys_replaced_expires check (replaced_by is null or expires_at is not null)
);

alter table service_keys enable row level security;
alter table service_keys force row level security;
create policy tenant on service_keys to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on service_keys to paylink_tenant;

-- The owner of an Idempotency-Key is an account or a service key, so its column no longer references accounts.
-- compatible: the version before writes IDs of accounts only, and no statement depends on the reference.
alter table idempotency_keys drop constraint idempotency_keys_company_id_account_id_fkey;
