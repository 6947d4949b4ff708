-- A mail to the company whose webhook endpoint was switched off because it answered 410 or failed for days. It is
-- about no payment, and does not ask whether the company wants notices: those are about payments.

alter table mails alter column payment_id drop not null;
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('link', 'reminder', 'receipt', 'refund', 'surplus', 'notice', 'endpoint'));
alter table mails add constraint mails_about_check check ((kind = 'endpoint') = (payment_id is null));

-- Where mail to a company goes: the address that it gave, else the owner who has been there longest. The wall
-- holds in it: it sees what its caller sees.
create function company_mailbox(company companies) returns text
  language sql stable as $$
  select coalesce(company.notice_address, (
    select a.email from accounts a
    where a.company_id = company.company_id and 'owner' = any(a.roles) and a.disabled_at is null
    order by a.created_at, a.account_id limit 1))
$$;

-- As before, but for where the notice goes.
create or replace function queue_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mail_id, event_id, kind, payment_id, refund_id, recipient, due_at, created_at)
    select new.company_id, replace(new.event_id, 'evt_', 'mail_') || '_' || wanted.kind, new.event_id, wanted.kind,
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

create function queue_endpoint_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, replace(new.event_id, 'evt_', 'mail_') || '_endpoint', new.event_id, 'endpoint',
           company_mailbox(c), new.at, new.at
    from companies c
    where c.company_id = new.company_id and company_mailbox(c) is not null;
  return null;
end
$$;
create trigger events_queue_endpoint_mails after insert on events for each row
  when (new.type = 'webhook_endpoint.disabled')
  execute function queue_endpoint_mails();
