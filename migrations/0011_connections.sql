-- Connections: a company's accounts with processors, in test and in live mode, with their credentials sealed;
-- which of them an attempt was made with; and what their webhooks came to.

create table connections (
  company_id     text not null references companies,
  connection_id  text not null check (connection_id ~ '^con_[0-9a-hjkmnp-tv-z]{24}$'),
  processor      text not null check (length(processor) between 1 and 40),
  mode           text not null check (mode in ('test', 'live')),
  -- For the merchant's own people.
  name           text not null check (length(name) between 1 and 100),
  -- Whose account it is, by the processor's word.
  holder         text not null default '' check (length(holder) <= 200),
  -- What names that account for ever, by the processor's word: its payments are in the books of that one alone.
  account        text not null default '' check (length(account) <= 200),
  -- In which currencies it is offered, and where it stands among those that are.
  currencies     text[] not null check (cardinality(currencies) between 1 and 20),
  position       integer not null check (position between 0 and 1000),
  is_enabled     boolean not null default true,
  -- Sealed under the key of this id; gone when the connection is deleted.
  sealed         bytea,
  key_id         text,
  created_by     text not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  -- A deleted connection stays for the attempts that were made with it.
  deleted_at     timestamptz,
  -- The circuit: failures in a row, and until when it is not offered while another is.
  failures       integer not null default 0 check (failures >= 0),
  open_until     timestamptz,
  primary key (company_id, connection_id),
  check ((sealed is null) = (key_id is null)),
  check (deleted_at is null or not is_enabled)
);
create index connections_order on connections (company_id, mode, position, connection_id) where deleted_at is null;

-- Webhooks of processors that have been dealt with: a second time they are no news.
create table processor_notices (
  company_id     text not null,
  connection_id  text not null,
  notice_id      text not null check (length(notice_id) between 1 and 300),
  received_at    timestamptz not null,
  primary key (company_id, connection_id, notice_id),
  foreign key (company_id, connection_id) references connections
);
create index processor_notices_age on processor_notices (received_at);

-- How many webhooks came to what, for each connection.
create table processor_notice_counts (
  company_id     text not null,
  connection_id  text not null,
  verdict        text not null check (verdict in ('accepted', 'irrelevant', 'replayed', 'mismatched', 'forged')),
  count          bigint not null check (count > 0),
  last_at        timestamptz not null,
  primary key (company_id, connection_id, verdict),
  foreign key (company_id, connection_id) references connections
);

alter table attempts
  -- Null: the processor that is built in.
  add column connection_id text,
  -- The language that the customer was spoken to in, and until when they may act.
  add column locale text,
  add column expires_at timestamptz,
  add foreign key (company_id, connection_id) references connections;

alter table connections enable row level security;
alter table connections force row level security;
alter table processor_notices enable row level security;
alter table processor_notices force row level security;
alter table processor_notice_counts enable row level security;
alter table processor_notice_counts force row level security;
create policy tenant on connections for all to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
create policy tenant on processor_notices for all to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
create policy tenant on processor_notice_counts for all to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on connections to paylink_tenant;
grant select, insert on processor_notices to paylink_tenant;
grant select, insert, update on processor_notice_counts to paylink_tenant;

-- What is old is removed for all companies at once.
create policy outlived_select on processor_notices for select to paylink_system
  using (received_at < clock_timestamp() - interval '60 days');
create policy outlived_delete on processor_notices for delete to paylink_system
  using (received_at < clock_timestamp() - interval '60 days');
grant delete on processor_notices to paylink_system;
grant select (received_at) on processor_notices to paylink_system;
