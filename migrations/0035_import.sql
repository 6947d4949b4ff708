-- Triggers write nothing while a company is imported: the file has the emails, deliveries and targets that they once wrote.
-- The import sets `paylink.is_import` in its transaction. docs/decisions/0039-moving-one-company.md.

create function is_import() returns boolean
  language sql stable parallel safe
  return current_setting('paylink.is_import', true) is not distinct from 'on';

-- compatible: no version before sets the setting, and without it every trigger does what it did.
create or replace trigger events_enqueue_webhooks after insert on events
  referencing new table as added for each statement
  when (not is_import())
  execute function enqueue_webhooks();
-- compatible: as above.
create or replace trigger events_queue_mails after insert on events for each row
  when (new.type in ('payment.paid', 'refund.succeeded', 'payment.link_sent', 'payment.reminded') and not is_import())
  execute function queue_mails();
-- compatible: as above.
create or replace trigger events_queue_endpoint_mails after insert on events for each row
  when (new.type = 'webhook_endpoint.disabled' and not is_import())
  execute function queue_endpoint_mails();
-- compatible: as above.
create or replace trigger events_queue_password_mails after insert on events for each row
  when (new.type = 'password.reset_asked' and not is_import())
  execute function queue_password_mails();
-- compatible: as above.
create or replace trigger events_queue_account_mails after insert on events for each row
  when (new.type in ('password.changed', 'password.reset', 'second_factor.added', 'second_factor.removed',
                     'recovery_codes.made') and not is_import())
  execute function queue_account_mails();
-- compatible: as above.
create or replace trigger events_queue_invitation_mails after insert on events for each row
  when (new.type = 'member.invited' and not is_import())
  execute function queue_invitation_mails();
-- compatible: as above.
create or replace trigger refunds_set_target before insert on refunds for each row
  when (not is_import())
  execute function set_refund_target();
