-- Cells: several databases, each with companies of its own (docs/cells.md). A database without cells has these tables
-- empty, and pays nothing for them.

-- The directory, in one database of an installation -----------------------------------------------

-- compatible: new tables, which the release before does not know.
-- The cells of the installation. New companies are placed by weight; 0: none.
create table cells (
  name         text primary key check (name ~ '^[a-z][a-z0-9-]{0,30}$'),
  database_id  uuid not null unique,
  weight       integer not null default 100 check (weight between 0 and 10000),
  added_at     timestamptz not null default statement_timestamp(),
  -- Whether all its companies and addresses are in the directory. Until then, the service does not start.
  is_listed    boolean not null default false
);

-- Which cell a company is in. Only a hint: the cell itself knows whether the company is at home in it. The column is not
-- named company_id, because these rows belong to the installation: no export and no move takes them along.
create table company_cells (
  company  text primary key,
  cell     text not null references cells
);
create index company_cells_cell on company_cells (cell);

-- Which account each email address belongs to, in lower case. An address is claimed before the account is written in its
-- cell. A claim that is older than any request takes, and has no login in its cell, was left by a crash.
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
  installation_id  uuid not null,
  -- Whether the directory is here. An installation has one.
  is_directory     boolean not null
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
-- Every statement about all companies reads those that are elsewhere.
create index company_homes_away on company_homes (company) where status <> 'home';

grant select on this_cell to paylink_system;
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
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  home public.company_homes;
begin
  if not pg_try_advisory_xact_lock_shared(public.company_lock(entered)) then
    raise exception 'the company is being moved to another cell' using errcode = 'PL002';
  end if;
  -- After the lock: a switch has committed, or will come after this transaction. (A snapshot that only reads may be older
  -- than both; then it shows the company as it was.)
  select * into home from public.company_homes where company = entered;
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

-- The same for a transaction of the system role that writes rows of several companies: returns those that are at home, and
-- that no move locks until the transaction ends.
create function enter_companies(wanted text[]) returns setof text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  entered text;
begin
  foreach entered in array wanted loop
    if pg_try_advisory_xact_lock_shared(public.company_lock(entered)) then
      -- A statement of its own, so that its snapshot is newer than the lock.
      if exists (select from public.company_homes where company = entered and status = 'home') then
        return next entered;
      end if;
    end if;
  end loop;
end
$$;
revoke execute on function enter_companies(text[]) from public;
grant execute on function enter_companies(text[]) to paylink_system;

-- Refuses a transaction of a company that did not enter it: of a process that knows of no cells. The code says that the
-- database cannot be used now, so the process asks its callers to come back. Stable: the planner would run an immutable
-- function in advance.
create function refuse_entry() returns text
  language plpgsql stable parallel safe
as $$
begin
  raise exception 'this database is a cell of an installation with several: set DATABASE_URLS instead of DATABASE_URL'
    using errcode = 'cannot_connect_now';
end
$$;
revoke execute on function refuse_entry() from public;
grant execute on function refuse_entry() to paylink_tenant, paylink_system;

-- From now on, a transaction of a company must enter it.
create function require_entry() returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if position('paylink.entered' in pg_get_functiondef('public.current_company()'::regprocedure)) > 0 then return; end if;
  create or replace function public.current_company() returns text
    language sql stable parallel safe
    return case
      when coalesce(current_setting('paylink.company_id', true), '') = '' then null
      when current_setting('paylink.entered', true) = current_setting('paylink.company_id', true)
        then current_setting('paylink.company_id', true)
      when current_setting('paylink.entered', true) = 'nobody' then null
      else public.refuse_entry() end;
end
$$;
revoke execute on function require_entry() from public;

-- The tables that the system role sees, and that do not hide from it the companies that are not at home. A later migration
-- may add one.
create function tables_without_at_home() returns setof name
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select distinct p.tablename from pg_policies p
    join pg_attribute a on a.attrelid = format('%I.%I', p.schemaname, p.tablename)::regclass
      and a.attname = 'company_id' and not a.attisdropped
  where p.schemaname = 'public' and 'paylink_system' = any(p.roles)
    and not exists (
      select from pg_policies own
      where own.schemaname = 'public' and own.tablename = p.tablename and own.policyname = 'at_home')
  order by 1
$$;
revoke execute on function tables_without_at_home() from public;

-- Hides them in one of these tables. Without effect while all companies are at home.
create function hide_companies_elsewhere(hiding name) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    'create policy at_home on public.%I as restrictive to paylink_system
       using (company_id not in (select company from public.company_homes where status <> ''home''))', hiding);
end
$$;
revoke execute on function hide_companies_elsewhere(name) from public;

-- A move publishes the rows of one company, by its ID, so each change must name the ID. The key of this table is the
-- address alone.
-- compatible: an address is unique alone already, so the index rejects nothing more.
create unique index logins_of_company on logins (company_id, email);
alter table logins replica identity using index logins_of_company;
