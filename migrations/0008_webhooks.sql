-- Webhooks: where companies want to be told, what is to be told to each, and every try of it. And the moment
-- in which a customer first opened a link, of which they are told, too.

-- When a customer first opened the page of the link; written once.
alter table payments add column opened_at timestamptz;

create table webhook_endpoints (
  company_id         text not null references companies,
  endpoint_id        text not null check (endpoint_id ~ '^whe_'),
  -- Test and live are two worlds: an endpoint hears of the payments of its own mode.
  mode               text not null check (mode in ('test', 'live')),
  url                text not null check (length(url) between 1 and 2048),
  -- Types of events, or '*' for all.
  events             text[] not null check (cardinality(events) between 1 and 64),
  description        text check (length(description) <= 500),
  is_enabled         boolean not null default true,
  -- Why it is off: its company switched it off, it answered 410, or it failed for days.
  off_reason         text check (off_reason in ('switched_off', 'gone', 'failing')),
  -- The first failure that no success has followed.
  failing_since      timestamptz,
  -- Sealed. The id says which roll of the secret made it, so that a roll which is run again finds it.
  secret             bytea not null,
  secret_id          text not null,
  previous_secret    bytea,
  -- Until then messages are signed with the secret before, too.
  previous_until     timestamptz,
  created_by         text not null,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  -- A deleted endpoint stays for what was delivered to it; its secrets do not.
  deleted_at         timestamptz,
  primary key (company_id, endpoint_id),
  check (is_enabled = (off_reason is null)),
  check (deleted_at is null or not is_enabled),
  check ((previous_secret is null) = (previous_until is null))
);

create table webhook_deliveries (
  company_id    text not null,
  delivery_id   text not null check (delivery_id ~ '^whd_'),
  endpoint_id   text not null,
  event_id      text not null,
  event_at      timestamptz not null,
  state         text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  -- How far down the schedule of tries it is; sending again begins anew.
  step          integer not null default 0,
  tries         integer not null default 0,
  due_at        timestamptz not null,
  -- While it lasts, a process is sending it; by the database's clock. The token fences off who had it before.
  leased_until  timestamptz,
  lease_token   bigint not null default 0,
  ended_at      timestamptz,
  created_at    timestamptz not null default clock_timestamp(),
  primary key (company_id, delivery_id),
  unique (company_id, event_id, endpoint_id),
  foreign key (company_id, endpoint_id) references webhook_endpoints,
  foreign key (company_id, event_id) references events,
  check ((state = 'pending') = (ended_at is null))
);
-- What waits, endpoint by endpoint in the order in which it is due: claims walk it, and so does the look for
-- endpoints that something waits for.
create index webhook_deliveries_waiting on webhook_deliveries (company_id, endpoint_id, due_at, delivery_id)
  where state = 'pending';
create index webhook_deliveries_endpoint on webhook_deliveries (company_id, endpoint_id, delivery_id);
create index webhook_deliveries_age on webhook_deliveries (created_at);

create table webhook_tries (
  company_id    text not null,
  delivery_id   text not null,
  try_id        text not null check (try_id ~ '^wht_'),
  at            timestamptz not null,
  duration_ms   integer not null check (duration_ms >= 0),
  -- An answer, or the word for why there was none.
  status        integer,
  answer        text,
  fault         text,
  primary key (company_id, delivery_id, try_id),
  foreign key (company_id, delivery_id) references webhook_deliveries on delete cascade,
  check ((status is null) = (fault is not null) and (status is null) = (answer is null))
);

-- The outbox -----------------------------------------------------------------------------------------

-- No public event can be written without its deliveries, whoever writes it: they are rows of its own
-- transaction. An endpoint that is off gets them, too, and is sent them once it is on again.
create function enqueue_webhooks() returns trigger
  language plpgsql as $$
begin
  insert into webhook_deliveries (company_id, delivery_id, endpoint_id, event_id, event_at, due_at)
    select e.company_id,
           -- As other ids: the time and the count of the event, then what makes it one endpoint's.
           'whd_' || substr(e.event_id, 5, 14)
             || left(encode(sha256(convert_to(e.event_id || w.endpoint_id, 'UTF8')), 'hex'), 12),
           w.endpoint_id, e.event_id, e.at, e.at
    from added e
    join webhook_endpoints w on w.company_id = e.company_id and w.deleted_at is null
    where e.is_public and (w.events @> array['*'] or w.events @> array[e.type])
      and w.mode = coalesce(
        (select p.mode from payments p where p.company_id = e.company_id and p.payment_id = e.payment_id),
        e.data ->> 'mode');
  return null;
end
$$;
create trigger events_enqueue_webhooks after insert on events
  referencing new table as added for each statement execute function enqueue_webhooks();

-- The tenant wall ------------------------------------------------------------------------------------

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['webhook_endpoints', 'webhook_deliveries', 'webhook_tries']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to paylink_tenant using (company_id = current_company()) '
                   'with check (company_id = current_company())', tenant_table);
  end loop;
end
$$;
grant select, insert, update on webhook_endpoints, webhook_deliveries to paylink_tenant;
grant select, insert on webhook_tries to paylink_tenant;

-- Over the wall the system sees which endpoints something waits for, and nothing else of it.
create policy waiting on webhook_deliveries for select to paylink_system using (state = 'pending');
create policy switched_on on webhook_endpoints for select to paylink_system using (is_enabled);
grant select (company_id, endpoint_id, state, due_at, leased_until, created_at) on webhook_deliveries to paylink_system;
grant select (company_id, endpoint_id, is_enabled, failing_since) on webhook_endpoints to paylink_system;

-- The nightly job removes deliveries of 30 days and more, over the wall, and their tries with them.
create policy outlived_select on webhook_deliveries for select to paylink_system
  using (created_at < clock_timestamp() - interval '30 days');
create policy outlived_delete on webhook_deliveries for delete to paylink_system
  using (created_at < clock_timestamp() - interval '30 days');
grant delete on webhook_deliveries to paylink_system;
