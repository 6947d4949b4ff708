-- Mail that people expect: one row for each mail, written in the transaction of the event that it tells of.

-- What a company wants ----------------------------------------------------------------------------------

alter table companies
  add column sends_receipts  boolean not null default true,
  add column sends_notices   boolean not null default true,
  -- Null: the owner who has been there longest.
  add column notice_address  text check (length(notice_address) between 3 and 254),
  add column reply_to        text check (length(reply_to) between 3 and 254),
  -- How long before its end an unpaid link is brought to mind; null: never.
  add column reminder_hours  integer check (reminder_hours between 1 and 168);

-- Reminders ---------------------------------------------------------------------------------------------

alter table payments add column reminded_at timestamptz;
create index payments_to_remind on payments (company_id, expires_at) where state = 'open' and reminded_at is null;

-- The job goes round the companies that want reminders, and looks at payments from inside each.
create index companies_reminding on companies (company_id) where reminder_hours is not null;
grant select (reminder_hours) on companies to paylink_system;

-- The outbox --------------------------------------------------------------------------------------------

create table mails (
  company_id    text not null references companies,
  -- Made of the event and the kind, so that the Message-ID is the same however often it is sent.
  mail_id       text not null,
  event_id      text not null,
  kind          text not null check (kind in ('link', 'reminder', 'receipt', 'refund', 'surplus', 'notice')),
  payment_id    text not null,
  refund_id     text,
  recipient     text not null,
  state         text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'dropped')),
  -- Counts the claims, too: whoever holds an older number has lost the mail to another process.
  tries         integer not null default 0,
  due_at        timestamptz not null,
  leased_until  timestamptz,
  -- Why the last try failed, as the server said it; null after a success.
  last_error    text check (length(last_error) <= 500),
  created_at    timestamptz not null,
  ended_at      timestamptz,
  primary key (company_id, mail_id),
  unique (company_id, event_id, kind),
  foreign key (company_id, payment_id) references payments,
  foreign key (company_id, refund_id) references refunds,
  check ((state = 'queued') = (ended_at is null))
);
create index mails_due on mails (due_at) where state = 'queued';
create index mails_ended on mails (ended_at) where state <> 'queued';

alter table mails enable row level security;
alter table mails force row level security;
create policy tenant on mails to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on mails to paylink_tenant;

-- Over the wall every process sees which mails are due, and nothing of what they say or to whom.
create policy due on mails for select to paylink_system using (state = 'queued');
grant select (company_id, mail_id, state, due_at, leased_until, ended_at), delete on mails to paylink_system;
-- The nightly job removes what ended a month ago, and sees of it its age alone.
create policy outlived_select on mails for select to paylink_system
  using (ended_at < clock_timestamp() - interval '30 days');
create policy outlived_delete on mails for delete to paylink_system
  using (ended_at < clock_timestamp() - interval '30 days');

-- From event to mail ------------------------------------------------------------------------------------

-- Runs with the rights of whoever writes the event, so the wall holds here, too. The event is what is
-- true; what a company does not want, or an event of something that is gone, makes no row.
create function queue_mails() returns trigger
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
      select 'notice', null, coalesce(c.notice_address, (
          select a.email from accounts a
          where a.company_id = c.company_id and 'owner' = any(a.roles) and a.disabled_at is null
          order by a.created_at, a.account_id limit 1))
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

-- A row's trigger with a condition: an event that makes no mail costs one comparison.
create trigger events_queue_mails after insert on events for each row
  when (new.type in ('payment.paid', 'refund.succeeded', 'payment.link_sent', 'payment.reminded'))
  execute function queue_mails();
