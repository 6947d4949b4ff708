-- The two roles that the application works under, and the company of a transaction.
--
-- paylink_tenant sees the rows of one company, paylink_system the tables that belong to none. Neither
-- can log in or owns anything: the connecting user takes them with `set local role`, in every
-- transaction, because row-level security does not bind a superuser or, unless forced, an owner.

do $$
declare
  -- From PostgreSQL 16 on, being a member of a role no longer includes the right to take it.
  grants_set  constant boolean := current_setting('server_version_num')::int >= 160000;
  membership  constant text := case when grants_set then 'SET' else 'MEMBER' end;
  role_name   text;
  advice      text[] := '{}';
begin
  foreach role_name in array array['paylink_tenant', 'paylink_system'] loop
    -- Roles belong to all databases of a server: another one may make them at this very moment.
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        advice := advice || format('create role %I nologin role %I;', role_name, current_user);
        continue;
    end;
    begin
      if not pg_has_role(current_user, role_name, membership) then
        execute format('grant %I to %I', role_name, current_user)
                || case when grants_set then ' with inherit false, set true' else '' end;
      end if;
    exception
      when unique_violation then null;
      when insufficient_privilege or invalid_grant_operation then
        advice := advice || format('grant %I to %I;', role_name, current_user);
    end;
  end loop;
  if cardinality(advice) > 0 then
    raise exception 'the database user % may not create roles; an administrator has to run once: %',
      quote_ident(current_user), array_to_string(advice, ' ')
      using errcode = 'insufficient_privilege';
  end if;
end
$$;

grant usage on schema public to paylink_tenant, paylink_system;

-- The company that the transaction has set; null when it has set none. What is unset reads as the empty
-- text once a transaction before has set it on the same connection.
create function current_company() returns text
  language sql stable parallel safe
  return nullif(current_setting('paylink.company_id', true), '');

grant execute on function current_company() to paylink_tenant, paylink_system;
