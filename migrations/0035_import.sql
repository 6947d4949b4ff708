-- What the export, import and removal of one company need. docs/decisions/0039-moving-one-company.md.

-- Triggers write nothing while a company is imported: the file has the emails, deliveries and targets that they once wrote.
-- The import sets `paylink.is_import` in its transaction.

-- compatible: no version before sets the setting, and without it the trigger does what it did.
create or replace trigger events_enqueue_webhooks after insert on events
  referencing new table as added for each statement
  when (current_setting('paylink.is_import', true) is distinct from 'on')
  execute function enqueue_webhooks();
-- compatible: no version before sets the setting, and without it the trigger does what it did.
create or replace trigger events_queue_mails after insert on events for each row
  when (new.type in ('payment.paid', 'refund.succeeded', 'payment.link_sent', 'payment.reminded')
        and current_setting('paylink.is_import', true) is distinct from 'on')
  execute function queue_mails();
-- compatible: no version before sets the setting, and without it the trigger does what it did.
create or replace trigger events_queue_endpoint_mails after insert on events for each row
  when (new.type = 'webhook_endpoint.disabled' and current_setting('paylink.is_import', true) is distinct from 'on')
  execute function queue_endpoint_mails();
-- compatible: no version before sets the setting, and without it the trigger does what it did.
create or replace trigger events_queue_password_mails after insert on events for each row
  when (new.type = 'password.reset_asked' and current_setting('paylink.is_import', true) is distinct from 'on')
  execute function queue_password_mails();
-- compatible: no version before sets the setting, and without it the trigger does what it did.
create or replace trigger events_queue_account_mails after insert on events for each row
  when (new.type in ('password.changed', 'password.reset', 'second_factor.added', 'second_factor.removed',
                     'recovery_codes.made')
        and current_setting('paylink.is_import', true) is distinct from 'on')
  execute function queue_account_mails();
-- compatible: no version before sets the setting, and without it the trigger does what it did.
create or replace trigger events_queue_invitation_mails after insert on events for each row
  when (new.type = 'member.invited' and current_setting('paylink.is_import', true) is distinct from 'on')
  execute function queue_invitation_mails();
-- compatible: no version before sets the setting, and without it the trigger does what it did.
create or replace trigger refunds_set_target before insert on refunds for each row
  when (current_setting('paylink.is_import', true) is distinct from 'on')
  execute function set_refund_target();

-- For the foreign keys of a removed payment or refund, each of which would read all emails or bank lines of the company.
create index mails_of_payment on mails (company_id, payment_id) where payment_id is not null;
create index mails_of_refund on mails (company_id, refund_id) where refund_id is not null;
create index bank_lines_of_refund on bank_lines (company_id, refund_id) where refund_id is not null;
