-- What a company does for itself over the API: keys with a name and an end, people who are invited, and
-- how the hosted pages look.

-- Keys ----------------------------------------------------------------------------------------------

alter table api_keys add column name text not null default 'API key' check (length(name) between 1 and 100);
-- The account that made it, or system for the key of the first start.
alter table api_keys add column created_by text not null default 'system';
-- A key that was rolled is good until then; null: until it is revoked.
alter table api_keys add column expires_at timestamptz;

-- Invitations -----------------------------------------------------------------------------------------

create table invitations (
  company_id     text not null references companies,
  invitation_id  text not null,
  -- In lower case, as the directory of logins has it.
  email          text not null check (length(email) between 3 and 254),
  roles          text[] not null check (cardinality(roles) > 0 and roles <@ array['owner', 'admin', 'developer', 'support', 'viewer']),
  -- SHA-256 of the token. The token itself is shown once and kept nowhere.
  token_digest   bytea not null check (length(token_digest) = 32),
  invited_by     text not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  accepted_at    timestamptz,
  revoked_at     timestamptz,
  -- Whom it became.
  account_id     text,
  primary key (company_id, invitation_id),
  unique (company_id, token_digest),
  foreign key (company_id, invited_by) references accounts (company_id, account_id),
  foreign key (company_id, account_id) references accounts (company_id, account_id),
  check ((accepted_at is null) = (account_id is null))
);

alter table invitations enable row level security;
alter table invitations force row level security;
create policy tenant on invitations to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on invitations to paylink_tenant;

-- Looks -----------------------------------------------------------------------------------------------

alter table companies add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$');
-- A PNG. Its address carries the hash, so that browsers may keep it for good.
alter table companies add column logo bytea check (length(logo) <= 8000);
alter table companies add column logo_hash text generated always as (left(encode(sha256(logo), 'hex'), 16)) stored;
