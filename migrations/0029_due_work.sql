-- Due work is stored in the row that it concerns: an attempt or a refund without an outcome, a new booking, a transfer
-- whose payment does not know of the money yet. `due_at` is when it is looked at next, `leased_until` how long a process
-- works on it by the database's clock, `lease_token` counts the claims and fences off earlier holders. The times of
-- recurring jobs are in a table of their own. docs/decisions/0031-due-work.md.
-- compatible: new columns with defaults and new indexes, which the version before neither reads nor writes. The rows
-- that it inserts get a due time, too, and its queue in the schema pgboss is left alone.

-- What waits in the queue of the version before is due at once. A constant default costs no update of existing rows.
alter table attempts
  add column due_at       timestamptz not null default '-infinity',
  add column leased_until timestamptz,
  add column lease_token  bigint not null default 0,
  add column last_error   text check (length(last_error) <= 500);
alter table attempts alter column due_at set default statement_timestamp() + interval '15 seconds';

alter table refunds
  add column due_at       timestamptz not null default '-infinity',
  add column leased_until timestamptz,
  add column lease_token  bigint not null default 0,
  add column last_error   text check (length(last_error) <= 500),
  -- The connection or processor of its attempt, which a trigger sets.
  add column target       text not null default 'unknown';
alter table refunds alter column due_at set default statement_timestamp() + interval '15 seconds';

alter table bank_lines
  add column due_at       timestamptz not null default '-infinity',
  add column leased_until timestamptz,
  add column lease_token  bigint not null default 0,
  add column last_error   text check (length(last_error) <= 500);

alter table bank_transfers
  add column due_at       timestamptz not null default '-infinity',
  add column leased_until timestamptz,
  add column lease_token  bigint not null default 0,
  add column last_error   text check (length(last_error) <= 500);

create function set_refund_target() returns trigger
  language plpgsql as $$
begin
  new.target := coalesce((
    select coalesce(a.connection_id, a.processor) from attempts a
    where a.company_id = new.company_id and a.attempt_id = new.attempt_id), 'unknown');
  return new;
end
$$;
-- compatible: it sets only the new column, of the refunds that the version before inserts, too.
create trigger refunds_set_target before insert on refunds for each row execute function set_refund_target();

create index attempts_due on attempts
  (company_id, (mode || ' ' || coalesce(connection_id, processor)), due_at, attempt_id)
  where state in ('created', 'requires_action', 'processing', 'unknown');
create index refunds_due on refunds (company_id, (mode || ' ' || target), due_at, refund_id)
  where state in ('created', 'processing', 'unknown');
create index bank_lines_due on bank_lines (company_id, mode, due_at, line_id) where state = 'new';
create index bank_transfers_due on bank_transfers (company_id, mode, due_at, attempt_id) where is_unsettled;
-- Emails are claimed company by company, like everything else.
create index mails_waiting on mails (company_id, coalesce(mode, 'none'), due_at, mail_id) where state = 'queued';
-- compatible: the query of the version before reads the index above, which also has waiting emails only.
drop index mails_due;

-- Every process may see which rows wait, of whatever company, and nothing else of them.
create policy waiting on attempts for select to paylink_system
  using (state in ('created', 'requires_action', 'processing', 'unknown'));
grant select (company_id, mode, attempt_id, connection_id, processor, state, due_at, leased_until, lease_token, last_error)
  on attempts to paylink_system;
create policy waiting on refunds for select to paylink_system using (state in ('created', 'processing', 'unknown'));
grant select (company_id, mode, refund_id, target, state, due_at, leased_until, lease_token, last_error)
  on refunds to paylink_system;
create policy waiting on bank_lines for select to paylink_system using (state = 'new');
grant select (company_id, mode, line_id, state, due_at, leased_until, lease_token, last_error)
  on bank_lines to paylink_system;
create policy waiting on bank_transfers for select to paylink_system using (is_unsettled);
grant select (company_id, mode, attempt_id, is_unsettled, due_at, leased_until, lease_token, last_error)
  on bank_transfers to paylink_system;

grant select (mode, delivery_id) on webhook_deliveries to paylink_system;

create table scheduled_jobs (
  name          text not null primary key,
  due_at        timestamptz not null,
  leased_until  timestamptz,
  lease_token   bigint not null default 0,
  -- Failed runs since the last one that succeeded.
  failures      integer not null default 0,
  last_error    text check (length(last_error) <= 500),
  failed_at     timestamptz
);
grant select, insert, update on scheduled_jobs to paylink_system;

-- A new delivery or email is due at once by the database's clock, also if the clock of the process that wrote its event
-- is ahead.
-- compatible: the functions insert the same rows; the due time differs only if it would be in the future.
do $$
declare
  changed integer := 0;
  trigger_function record;
begin
  for trigger_function in
    select pg_get_functiondef(oid) as text from pg_proc
    where pronamespace = current_schema()::regnamespace
      and proname in ('enqueue_webhooks', 'queue_mails', 'queue_endpoint_mails', 'queue_account_mails',
                      'queue_password_mails', 'queue_invitation_mails')
  loop
    execute replace(replace(trigger_function.text,
      'e.at, e.at', 'e.at, least(e.at, statement_timestamp())'),
      'new.at, new.at', 'least(new.at, statement_timestamp()), new.at');
    changed := changed + 1;
  end loop;
  if changed <> 6 then raise exception 'a trigger function of deliveries or emails is missing'; end if;
end
$$;
