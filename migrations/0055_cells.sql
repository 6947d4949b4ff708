-- Cells: several databases, each with companies of its own (docs/cells.md). A database without cells has these tables
-- empty, and pays nothing for them.

-- The directory, in one database of an installation -----------------------------------------------

-- compatible: new tables, which the release before does not know.
-- The cells of the installation. New companies are placed by weight; 0: none.
create table cells (
  name         text primary key check (name ~ '^[a-z][a-z0-9-]{0,30}$'),
  database_id  uuid not null unique,
  weight       integer not null default 100 check (weight between 0 and 10000),
  added_at     timestamptz not null default statement_timestamp()
);

-- Which cell a company is in. Only a hint: the cell itself knows whether the company is at home in it. The column is not
-- named company_id, because these rows belong to the installation: no export and no move takes them along.
create table company_cells (
  company  text primary key,
  cell     text not null references cells
);
create index company_cells_cell on company_cells (cell);

-- Whose email address it is, in lower case. An address is claimed before the account is written in its cell. A claim that
-- is older than a request lasts, and has no login in its cell, was left by a crash.
create table directory_logins (
  email       text primary key,
  company     text not null,
  account_id  text not null,
  claimed_at  timestamptz not null default statement_timestamp()
);
create index directory_logins_account on directory_logins (company, account_id);

grant select on cells to paylink_system;
grant select, insert, update, delete on company_cells, directory_logins to paylink_system;

-- A cell -------------------------------------------------------------------------------------------

-- What this database is; empty if it is no cell.
create table this_cell (
  is_only_row      boolean primary key default true check (is_only_row),
  name             text not null,
  database_id      uuid not null,
  installation_id  uuid not null
);

-- The companies of this cell. `home`: it works here. `arriving`: its rows are being copied here. `gone`: it works in
-- another cell, and its rows here are to be removed. No row: it was never here.
create table company_homes (
  company     text primary key,
  status      text not null check (status in ('home', 'arriving', 'gone')),
  -- Where it comes from, or went.
  other_cell  text check ((other_cell is null) = (status = 'home')),
  changed_at  timestamptz not null default statement_timestamp()
);

grant select on this_cell to paylink_system, paylink_tenant;
grant select, insert, update on company_homes to paylink_system;

-- The lock of a company: shared by its transactions, exclusive for the last step of a move.
create function company_lock(company text) returns bigint
  language sql immutable parallel safe
  return hashtextextended('company ' || company, 0);

/*
 * Begins a transaction of a company in a process that knows of cells. The lock is held until the transaction ends, so a
 * move waits for it, and a transaction that comes while a move holds the lock is refused at once.
 *
 * Raises PL001 if the company is in another cell, with its status here and that cell as detail, and PL002 while it is
 * being moved. In the name of a company that was never here, a transaction sees and writes nothing. Returns the empty text.
 */
create function enter_company(entered text) returns text
  language plpgsql security definer set search_path = pg_catalog, public
as $$
declare
  home company_homes;
begin
  if not pg_try_advisory_xact_lock_shared(company_lock(entered)) then
    raise exception 'the company is being moved to another cell' using errcode = 'PL002';
  end if;
  -- After the lock: a switch that was under way has committed or not.
  select * into home from company_homes where company = entered;
  if home.status <> 'home' then
    raise exception 'the company is not at home in this cell'
      using errcode = 'PL001', detail = home.status || ' ' || home.other_cell;
  end if;
  perform set_config('paylink.entered', case when home.status is null then 'nobody' else entered end, true);
  return '';
end
$$;
revoke execute on function enter_company(text) from public;
grant execute on function enter_company(text) to paylink_tenant;

-- Refuses a transaction of a company that did not enter it: of a process that knows of no cells. The code tells the process
-- that the database cannot be used now, so it asks its callers to come back.
-- Stable: the planner would run an immutable one in advance.
create function refuse_entry() returns text
  language plpgsql stable parallel safe
as $$
begin
  raise exception 'this database is a cell of a larger installation: set DATABASE_URLS instead of DATABASE_URL'
    using errcode = 'cannot_connect_now';
end
$$;
revoke execute on function refuse_entry() from public;
grant execute on function refuse_entry() to paylink_tenant, paylink_system;

/*
 * Makes this database refuse what does not respect cells; the owner runs it in each cell, after migrations. Work that looks
 * at all companies sees only those that are at home.
 */
create function protect_cell() returns void
  language plpgsql set search_path = pg_catalog, public
as $$
declare
  unprotected name;
begin
  if not exists (select from this_cell) then return; end if;
  if position('paylink.entered' in pg_get_functiondef('current_company()'::regprocedure)) = 0 then
    create or replace function public.current_company() returns text
      language sql stable parallel safe
      return case
        when coalesce(current_setting('paylink.company_id', true), '') = '' then null
        when current_setting('paylink.entered', true) = current_setting('paylink.company_id', true)
          then current_setting('paylink.company_id', true)
        when current_setting('paylink.entered', true) = 'nobody' then null
        else public.refuse_entry() end;
  end if;
  for unprotected in
    select distinct p.tablename from pg_policies p
      join pg_attribute a on a.attrelid = format('%I.%I', p.schemaname, p.tablename)::regclass
        and a.attname = 'company_id' and not a.attisdropped
    where p.schemaname = 'public' and 'paylink_system' = any(p.roles)
      and not exists (
        select from pg_policies own
        where own.schemaname = 'public' and own.tablename = p.tablename and own.policyname = 'at_home')
  loop
    -- The list of companies that are elsewhere is short, and read once in each statement.
    execute format(
      'create policy at_home on %I as restrictive to paylink_system
         using (company_id not in (select company from company_homes where status <> ''home''))', unprotected);
  end loop;
end
$$;
revoke execute on function protect_cell() from public;

-- A move publishes the rows of one company, by its ID, so each change must name the ID. The key of this table is the
-- address alone.
create unique index logins_of_company on logins (company_id, email);
alter table logins replica identity using index logins_of_company;

-- In a cell, the log of calls is written in the name of the company, so that it follows a company that moves.
grant insert on api_requests to paylink_tenant;
