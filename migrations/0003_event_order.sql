-- The order of events that a reader can follow, and the chain of seals that proves it unchanged.

-- The feed's order --------------------------------------------------------------------------------

-- The transaction that wrote the event. What lies below the oldest transaction still under way can't
-- grow any more, so a reader who stays below it, in this order, never skips what commits late. Events
-- of before this migration get its own transaction and keep the order of their ids.
alter table events add column xact xid8 not null default pg_current_xact_id();
create index events_order on events (company_id, xact, event_id);

-- Nobody chooses his place in the order: a company writes every column but this one.
revoke insert on events from paylink_tenant;
grant insert (company_id, event_id, type, is_public, payment_id, attempt_id, actor, data, at)
  on events to paylink_tenant;

-- The chain of seals --------------------------------------------------------------------------------

-- A seal holds the hash of the seal before it and of its event. No foreign key to events: that an event
-- is gone is what the chain has to tell, even to who switched the keys off.
create table event_seals (
  company_id  text not null references companies,
  position    bigint not null check (position > 0),
  event_id    text not null,
  xact        xid8 not null,
  hash        bytea not null check (length(hash) = 32),
  sealed_at   timestamptz not null,
  primary key (company_id, position),
  unique (company_id, event_id)
);

alter table event_seals enable row level security;
alter table event_seals force row level security;
create policy tenant on event_seals to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
-- Seals are never changed.
grant select, insert on event_seals to paylink_tenant;

-- What the system may see for it ----------------------------------------------------------------------

-- All events of earlier transactions are sealed. It bounds what the job looks at and what it may see;
-- were it lost, the job would look at every company once and seal nothing twice.
create table seal_progress (
  is_only_row   boolean primary key default true check (is_only_row),
  sealed_below  xid8 not null default '0'
);
insert into seal_progress default values;
grant select, update on seal_progress to paylink_system;

create index events_unsealed on events (xact, company_id);

-- The job looks over the wall only for which companies have events that are not sealed yet.
create policy unsealed on events for select to paylink_system
  using (xact >= (select sealed_below from seal_progress));
grant select (company_id, xact) on events to paylink_system;

-- To go round all companies, each from inside its own wall: their ids, and nothing else of them.
create policy roll_call on companies for select to paylink_system using (true);
grant select (company_id) on companies to paylink_system;
