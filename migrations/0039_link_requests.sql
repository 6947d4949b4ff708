-- A customer whose link has expired or failed asks the merchant for a new one, at most once an hour for each link.
-- docs/decisions/0044-requests-for-a-new-link.md.

-- When the last request was reported to the merchant. One statement compares and sets it, so that of many concurrent requests
-- one writes the event.
-- compatible: a new column that may be null, which the version before neither reads nor writes.
alter table payments add column link_requested_at timestamptz;

-- compatible: the kinds of the version before remain allowed; no "on conflict" names this check.
alter table mails drop constraint mails_kind_check;
-- compatible: it allows one kind more than the check before.
alter table mails add constraint mails_kind_check
  check (kind in ('link', 'reminder', 'receipt', 'refund', 'surplus', 'notice', 'endpoint', 'password', 'account',
                  'invitation', 'link_request'));

-- The email to the merchant. A company without notices gets none; the event is written in any case.
create function queue_link_request_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mode, mail_id, event_id, kind, payment_id, recipient, due_at, created_at)
    select new.company_id, new.mode, replace(new.event_id, 'evt_', 'mail_') || '_link_request', new.event_id,
           'link_request', new.payment_id, company_mailbox(c), new.at, new.at
    from companies c
    where c.company_id = new.company_id and c.sends_notices and company_mailbox(c) is not null;
  return null;
end
$$;
-- compatible: the version before writes no event of this type.
create trigger events_queue_link_request_mails after insert on events for each row
  when (new.type = 'payment.link_requested' and current_setting('paylink.is_import', true) is distinct from 'on')
  execute function queue_link_request_mails();
