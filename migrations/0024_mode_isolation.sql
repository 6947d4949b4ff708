-- Makes the database enforce the mode: a row has one, every unique key and foreign key carries it, and row-level
-- security binds each statement to the mode of its transaction.

do $$
declare
  -- Rows of these always belong to one mode.
  strict_tables constant regclass[] := array[
    'payments', 'attempts', 'refunds', 'ledger_entries', 'ledger_totals', 'idempotency_keys', 'connections',
    'processor_notices', 'processor_notice_counts', 'webhook_endpoints', 'webhook_deliveries', 'webhook_tries',
    'bank_statements', 'bank_lines', 'bank_transfers', 'bank_refunds', 'sandbox_charges', 'sandbox_refunds',
    'processor_cases'];
  -- These also have rows about the company itself, whose mode is null.
  mixed_tables constant regclass[] := array['events', 'mails'];
  mode_table regclass;
  found record;
  foreign_keys text[] := '{}';
  statement text;
begin
  foreach mode_table in array strict_tables || mixed_tables loop
    -- Forced row-level security would hide the rows from the check of a new foreign key, too.
    execute format('alter table %s no force row level security', mode_table);
    execute format('alter table %s alter column mode set default current_mode()', mode_table);
    execute format('drop policy tenant on %s', mode_table);
  end loop;
  foreach mode_table in array strict_tables loop
    execute format('alter table %s alter column mode set not null', mode_table);
    execute format('create policy tenant on %s to paylink_tenant '
                   'using (company_id = current_company() and mode = any(current_modes())) '
                   'with check (company_id = current_company() and mode = any(current_modes()))', mode_table);
  end loop;
  -- A process of the version before sets no modes. It must see no event at all: it would seal those without a mode and,
  -- with its place in the order, pass over all others for ever.
  foreach mode_table in array mixed_tables loop
    execute format('create policy tenant on %1$s to paylink_tenant using (%2$s) with check (%2$s)', mode_table,
                   'company_id = current_company() '
                   'and (mode = any(current_modes()) or (mode is null and current_modes() is not null))');
  end loop;

  -- Foreign keys first, because they hang on the keys that they point to.
  for found in
    select conrelid::regclass as owner, conname, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and conrelid = any(strict_tables || mixed_tables) and confrelid = any(strict_tables)
  loop
    execute format('alter table %s drop constraint %I', found.owner, found.conname);
    foreign_keys := foreign_keys || format('alter table %s add %s', found.owner,
      replace(found.definition, ')', ', mode)'));
  end loop;
  for found in
    select conrelid::regclass as owner, conname, contype, pg_get_constraintdef(c.oid) as definition from pg_constraint c
    where contype in ('p', 'u') and conrelid = any(strict_tables)
      and not exists (select from pg_attribute a
                      where a.attrelid = c.conrelid and a.attnum = any(c.conkey) and a.attname = 'mode')
    order by contype, 1, 2
  loop
    execute format('alter table %s drop constraint %I', found.owner, found.conname);
    -- The mode comes last: without statistics the planner takes a second column that is compared for equality for as
    -- good as a whole key, and would look for one payment by walking through all of a company.
    execute format('alter table %s add %s', found.owner, replace(found.definition, ')', ', mode)'));
  end loop;
  alter table ledger_totals add primary key (company_id, debit_account, credit_account, currency, shard, mode);
  alter table idempotency_keys add primary key (company_id, account_id, key, mode);
  -- Entries are listed and summed, and never looked for by their key.
  alter table ledger_entries drop constraint ledger_entries_pkey;
  alter table ledger_entries add primary key (company_id, mode, entry_id);
  foreach statement in array foreign_keys loop
    execute statement;
  end loop;

  -- What has conditions is an index and no constraint.
  for found in
    select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where (indisunique and indpred is not null and indrelid = any(strict_tables))
       or indexrelid = any(array['payments_ending', 'bank_refunds_state']::regclass[])
  loop
    execute format('drop index %s', found.name);
    execute replace(found.definition, '(company_id, ', '(company_id, mode, ');
  end loop;
  create index payments_by_time on payments (company_id, (mode = 'live'), payment_id);
  -- Lists of one mode walk one range of theirs. The mode is an expression, which lists alone ask for.
  for found in
    select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indexrelid = any(array['payments_by_email', 'payments_by_last_name', 'payments_by_name', 'payments_by_order',
            'payments_by_state']::regclass[])
  loop
    execute format('drop index %s', found.name);
    execute replace(found.definition, '(company_id, ', '(company_id, (mode = ''live''), ');
  end loop;
  foreach mode_table in array strict_tables || mixed_tables loop
    execute format('alter table %s force row level security', mode_table);
  end loop;
end
$$;

-- What concerns a payment, or is told to the merchant, has a mode.
alter table events
  add constraint events_of_payments_have_mode check (payment_id is null or mode is not null),
  add constraint events_public_have_mode check (not is_public or mode is not null);
alter table mails
  add constraint mails_of_payments_have_mode check (payment_id is null or mode is not null);

-- The feed of one mode, in its order.
create index events_public on events (company_id, mode, xact, event_id) where is_public;

-- A delivery has the mode of its event, which goes to the endpoints of that mode.
create or replace function enqueue_webhooks() returns trigger
  language plpgsql as $$
begin
  insert into webhook_deliveries (company_id, mode, delivery_id, endpoint_id, event_id, event_at, due_at)
    select e.company_id, e.mode,
           -- As other ids: the time and the count of the event, then what makes it one endpoint's.
           'whd_' || substr(e.event_id, 5, 14)
             || left(encode(sha256(convert_to(e.event_id || w.endpoint_id, 'UTF8')), 'hex'), 12),
           w.endpoint_id, e.event_id, e.at, e.at
    from added e
    join webhook_endpoints w on w.company_id = e.company_id and w.mode = e.mode and w.deleted_at is null
    where e.is_public and (w.events @> array['*'] or w.events @> array[e.type]);
  return null;
end
$$;

-- A mail has the mode of its event.
create or replace function queue_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, payment_id, refund_id, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_' || wanted.kind, new.event_id, wanted.kind,
           new.payment_id, wanted.refund_id, wanted.recipient, new.at, new.at
    from companies c
    join payments p on p.company_id = c.company_id and p.payment_id = new.payment_id
    cross join lateral (
      select 'link' as kind, null::text as refund_id, p.email as recipient
        where new.type = 'payment.link_sent'
      union all
      select 'reminder', null, p.email
        where new.type = 'payment.reminded'
      union all
      select 'receipt', null, p.email
        where new.type = 'payment.paid' and c.sends_receipts
      union all
      select 'notice', null, company_mailbox(c)
        where new.type = 'payment.paid' and c.sends_notices
      union all
      select case r.kind when 'surplus' then 'surplus' else 'refund' end, r.refund_id, p.email
        from refunds r
        where r.company_id = c.company_id and r.refund_id = new.data ->> 'refundId'
          and new.type = 'refund.succeeded' and c.sends_receipts
    ) as wanted
    where c.company_id = new.company_id and wanted.recipient is not null;
  return null;
end
$$;
create or replace function queue_endpoint_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_endpoint', new.event_id, 'endpoint',
           company_mailbox(c), new.at, new.at
    from companies c
    where c.company_id = new.company_id and company_mailbox(c) is not null;
  return null;
end
$$;
create or replace function queue_account_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_account', new.event_id, 'account',
           a.email, new.at, new.at
    from accounts a
    where a.company_id = new.company_id and a.account_id = new.data ->> 'accountId' and a.disabled_at is null;
  return null;
end
$$;
create or replace function queue_password_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_password', new.event_id, 'password',
           a.email, new.at, new.at
    from accounts a
    where a.company_id = new.company_id and a.account_id = new.data ->> 'accountId' and a.disabled_at is null;
  return null;
end
$$;

-- The jobs that go over all companies learn which mode to enter.
grant select (mode) on payments, mails, webhook_endpoints to paylink_system;
