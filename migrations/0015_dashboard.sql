-- What a dashboard asks for: the movements of money of one mode in the order of time, and the open links that end
-- next. What is forgotten of people who were signed in, and the mails that tell of changes to how they sign in.

-- The mode of an entry ------------------------------------------------------------------------------------

-- That of its payment, which never changes. Without it each entry that is added up would cost a look at its payment.
alter table ledger_entries add column mode text check (mode in ('test', 'live'));

-- What was posted before: the wall binds the connecting role, too, so from inside each company, which may not change
-- an entry but for this once.
grant update (mode) on ledger_entries to paylink_tenant;
do $$
declare
  company text;
  every_company text[];
begin
  set local role paylink_system;
  select array_agg(company_id) into every_company from companies;
  set local role paylink_tenant;
  foreach company in array coalesce(every_company, '{}') loop
    perform set_config('paylink.company_id', company, true);
    update ledger_entries e set mode = p.mode
      from payments p
      where e.company_id = company and p.company_id = company and p.payment_id = e.payment_id;
  end loop;
  perform set_config('paylink.company_id', '', true);
  reset role;
end
$$;
revoke update (mode) on ledger_entries from paylink_tenant;
alter table ledger_entries alter column mode set not null;

-- Open links by their end -----------------------------------------------------------------------------------

-- In the place of payments_to_remind, which loses a link once it was reminded of. Those to remind of are still one
-- range of it, and those that were are the other; making a payment costs what it did.
drop index payments_to_remind;
create index payments_ending on payments (company_id, (reminded_at is null), expires_at) where state = 'open';

-- What is forgotten ---------------------------------------------------------------------------------------

-- The nightly job removes what is a month old, of all companies at once, and sees of it its age alone. A browser's
-- session lives 12 hours at most, a link to a new password less than that.
create index browser_sessions_age on browser_sessions (seen_at);
create policy outlived_select on browser_sessions for select to paylink_system
  using (seen_at < clock_timestamp() - interval '30 days');
create policy outlived_delete on browser_sessions for delete to paylink_system
  using (seen_at < clock_timestamp() - interval '30 days');
grant select (seen_at), delete on browser_sessions to paylink_system;

create index password_resets_age on password_resets (created_at);
create policy outlived_select on password_resets for select to paylink_system
  using (created_at < clock_timestamp() - interval '30 days');
create policy outlived_delete on password_resets for delete to paylink_system
  using (created_at < clock_timestamp() - interval '30 days');
grant select (created_at), delete on password_resets to paylink_system;

-- Word of changes to an account -----------------------------------------------------------------------------

-- To the account itself, whatever mail the company wants: it may not have been its owner.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('link', 'reminder', 'receipt', 'refund', 'surplus', 'notice', 'endpoint', 'password', 'account'));
alter table mails drop constraint mails_about_check;
alter table mails add constraint mails_about_check
  check ((kind in ('endpoint', 'password', 'account')) = (payment_id is null));

create function queue_account_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, replace(new.event_id, 'evt_', 'mail_') || '_account', new.event_id, 'account',
           a.email, new.at, new.at
    from accounts a
    where a.company_id = new.company_id and a.account_id = new.data ->> 'accountId' and a.disabled_at is null;
  return null;
end
$$;
create trigger events_queue_account_mails after insert on events for each row
  when (new.type in ('password.changed', 'password.reset', 'second_factor.added', 'second_factor.removed',
                     'recovery_codes.made'))
  execute function queue_account_mails();
