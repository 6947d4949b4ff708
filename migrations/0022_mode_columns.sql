-- The mode becomes part of tenant isolation, in three steps: this file adds what is missing (expand), 0023 fills it in
-- (backfill), and 0024 makes the database enforce it (contract).

-- The modes that the transaction has set: '{test}', '{live}', '{test,live}' for work that spans both by name, '{none}' for
-- work on the company itself, which sees no row that has a mode; and null when it has set nothing, as the version before.
create function current_modes() returns text[]
  language sql stable parallel safe
  return string_to_array(nullif(current_setting('paylink.mode', true), ''), ',');

-- The one mode of the transaction; null when it has none or spans both, so that a row is refused (not null) rather
-- than written into the wrong mode.
create function current_mode() returns text
  language sql stable parallel safe
  return case when current_setting('paylink.mode', true) in ('test', 'live') then current_setting('paylink.mode', true) end;

grant execute on function current_modes(), current_mode() to paylink_tenant, paylink_system;

do $$
declare
  mode_table text;
begin
  foreach mode_table in array array[
    'attempts', 'refunds', 'events', 'mails', 'ledger_totals', 'idempotency_keys', 'webhook_deliveries', 'webhook_tries',
    'bank_refunds', 'processor_notices', 'processor_notice_counts', 'sandbox_charges', 'sandbox_refunds']
  loop
    execute format('alter table %I add column mode text check (mode in (''test'', ''live''))', mode_table);
  end loop;
end
$$;
