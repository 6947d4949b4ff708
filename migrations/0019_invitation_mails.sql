-- A mail to whoever is invited into a company, with the link to accept.

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('link', 'reminder', 'receipt', 'refund', 'surplus', 'notice', 'endpoint', 'password', 'account',
                  'invitation'));
alter table mails drop constraint mails_about_check;
alter table mails add constraint mails_about_check
  check ((kind in ('endpoint', 'password', 'account', 'invitation')) = (payment_id is null));

-- The event names the invitation and not the address: events are kept for ever.
create function queue_invitation_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, replace(new.event_id, 'evt_', 'mail_') || '_invitation', new.event_id, 'invitation',
           i.email, new.at, new.at
    from invitations i
    where i.company_id = new.company_id and i.invitation_id = new.data ->> 'invitationId'
      and i.accepted_at is null and i.revoked_at is null;
  return null;
end
$$;
create trigger events_queue_invitation_mails after insert on events for each row
  when (new.type = 'member.invited')
  execute function queue_invitation_mails();
