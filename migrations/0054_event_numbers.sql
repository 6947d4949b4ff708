-- The number of an event is that of its transaction plus a base that the database stores. After a restore of a dump, an
-- import or a move, the transaction numbers of a server are below the stored events; raising the base lifts all later ones
-- at once. docs/decisions/0058-event-numbers.md.
--
-- Why no reader skips an event while the base is raised. A writer W takes the lock below in shared mode before it reads the
-- base, and holds it to its end; a raise R takes it in exclusive mode. A reader computes its horizon from one snapshot S, as
-- the oldest open transaction of S plus the base as S sees it. Take an event of a W that S does not see, so that the
-- transaction number of W is at or above the oldest open one of S. Let R be the last raise that S sees.
--   - If W had the lock before R: W ended before R had it, so S, which sees R, sees W as well. A contradiction.
--   - If W had the lock after R: W reads the base in a snapshot that it takes then, which sees R. A base never falls, so
--     the number of W is at or above the horizon.
-- A raise also counts from the oldest open transaction: one that began earlier and writes its first event afterwards gets
-- a number at or above the wanted one, too.
--
-- compatible: the release before uses the default of the column, and its horizon is the right one while the base is 0.
-- With a base above 0 it hides new events until it is upgraded, and loses none.

create table event_numbers (
  is_only_row  boolean primary key default true check (is_only_row),
  base         bigint not null default 0 check (base >= 0)
);
insert into event_numbers default values;
grant select on event_numbers to paylink_tenant, paylink_system;
grant update (base) on event_numbers to paylink_system;

-- The base for a writer whose snapshot may be older than a raise: the lock of the row fails then, as a conflict after which
-- the transaction runs again. With the rights of the owner, because a company may not change the row.
create function lock_event_numbers() returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (select base from public.event_numbers for share);
end
$$;

-- The number of the events of this transaction. Volatile, so that the statement after the lock has a snapshot of its own. The
-- table is named with its schema: a temporary one of the same name would otherwise choose the number. The lock's key is a fixed number that
-- nothing else uses.
create function event_number() returns xid8
  language plpgsql volatile as $$
declare
  current_base bigint;
begin
  if pg_advisory_xact_lock_shared(7310595316853) is null then
    return null;
  end if;
  if current_setting('transaction_isolation') = 'read committed' then
    select base into current_base from public.event_numbers;
  else
    current_base := public.lock_event_numbers();
  end if;
  if current_base = 0 then
    return pg_current_xact_id();
  end if;
  return (pg_current_xact_id()::text::bigint + current_base)::text::xid8;
end
$$;

-- Below it nothing can be added any more. Stable, because it must read the base and the open transactions in the snapshot in
-- which its statement reads the events.
create function event_horizon() returns xid8
  language plpgsql stable parallel safe as $$
begin
  return (select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + base)::text::xid8 from public.event_numbers);
end
$$;

-- The number of the next transaction: no event has it or a higher one.
create function next_event_number() returns xid8
  language plpgsql stable parallel safe as $$
begin
  return (select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + base)::text::xid8 from public.event_numbers);
end
$$;

-- Raises the base so that every event that is written later has the number `lowest` or a higher one. Returns by how much, or
-- null if a transaction that has written events did not end within a second. Not in a transaction that has written events.
create function raise_event_numbers(lowest xid8) returns bigint
  language plpgsql volatile set lock_timeout = '1s' as $$
declare
  earlier_base bigint;
  raised_base bigint;
begin
  begin
    perform pg_advisory_xact_lock(7310595316853);
  exception when lock_not_available then
    return null;
  end;
  select base into strict earlier_base from public.event_numbers;
  update public.event_numbers
  set base = lowest::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  where base < lowest::text::bigint - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
  returning base into raised_base;
  return coalesce(raised_base - earlier_base, 0);
end
$$;

alter table events alter column xact set default event_number();
