-- The calls of each company, kept for 7 days, for the person who looks for one of them. docs/decisions/0049-request-log.md.
-- compatible: a new table, which the version before neither reads nor writes. It has no foreign key: a company that is
-- removed has at most 7 days of rows, and a lost company must not lose the batch that others are in.
create table api_requests (
  company_id     text not null,
  mode           text not null default current_mode() check (mode in ('test', 'live')),
  -- In the order of time. A request ID may come from a proxy, so it need not be unique.
  log_id         text not null check (log_id ~ '^rql_'),
  request_id     text not null,
  -- When the call began.
  at             timestamptz not null,
  method         text not null,
  path           text not null,
  query          text,
  status         integer not null,
  duration_ms    integer not null,
  actor          text not null,
  key_id         text,
  client         text not null,
  error_code     text,
  is_replay      boolean not null,
  request_body   text check (length(request_body) <= 4096),
  response_body  text check (length(response_body) <= 4096),
  primary key (company_id, mode, log_id)
);
create index api_requests_by_request on api_requests (company_id, mode, request_id);
create index api_requests_age on api_requests (at);

alter table api_requests enable row level security;
alter table api_requests force row level security;
create policy tenant on api_requests to paylink_tenant
  using (company_id = current_company() and mode = any(current_modes()))
  with check (company_id = current_company() and mode = any(current_modes()));
-- A company reads its rows, and changes none.
grant select on api_requests to paylink_tenant;

-- One statement writes the calls of all companies, and another deletes old ones. The system reads nothing but their age.
create policy written on api_requests for insert to paylink_system with check (true);
create policy outlived_select on api_requests for select to paylink_system
  using (at < clock_timestamp() - interval '1 day');
create policy outlived_delete on api_requests for delete to paylink_system
  using (at < clock_timestamp() - interval '1 day');
grant insert, delete, select (at) on api_requests to paylink_system;
