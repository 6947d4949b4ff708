-- How customers recognise and reach a company: contact, legal pages, what a card statement shows, and a logo as a file.
-- The small logo of `companies.logo` stays. docs/decisions/0043-logos.md.
-- compatible: new columns that may be null and a new table, which the version before neither reads nor writes.

alter table companies
  add column support_email text check (length(support_email) between 3 and 254),
  add column support_phone text check (length(support_phone) between 3 and 32),
  add column website text check (length(website) <= 2048 and website ~* '^https?://'),
  -- At most five lines.
  add column postal_address text check (length(postal_address) between 1 and 300 and postal_address !~ '(\n[^\n]*){5}'),
  add column vat_id text check (length(vat_id) between 4 and 32),
  add column imprint_url text check (length(imprint_url) <= 2048 and imprint_url ~* '^https?://'),
  add column terms_url text check (length(terms_url) <= 2048 and terms_url ~* '^https?://'),
  add column privacy_url text check (length(privacy_url) <= 2048 and privacy_url ~* '^https?://'),
  add column statement_descriptor text
    check (statement_descriptor ~ '^[A-Za-z0-9 .*-]{5,22}$' and statement_descriptor ~ '[A-Za-z]'),
  -- The names under which the files of company_logos are served. In the company's row, so that a page reads no other one.
  add column logo_file text check (logo_file ~ '^[0-9a-f]{16}\.(png|svg)$'),
  add column dark_logo_file text check (dark_logo_file ~ '^[0-9a-f]{16}\.(png|svg)$');

-- A table of its own: a trigger that takes a company as a row would load the files with it.
create table company_logos (
  company_id   text not null references companies (company_id),
  -- Which pages show it: light ones, and dark ones unless there is a dark variant.
  variant      text not null check (variant in ('light', 'dark')),
  content_type text not null check (content_type in ('image/png', 'image/svg+xml')),
  content      bytea not null check (length(content) between 1 and 100000),
  file_name    text not null generated always as (
    left(encode(sha256(content), 'hex'), 16) || case content_type when 'image/png' then '.png' else '.svg' end) stored,
  primary key (company_id, variant)
);
alter table company_logos enable row level security;
alter table company_logos force row level security;
create policy tenant on company_logos to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update, delete on company_logos to paylink_tenant;
