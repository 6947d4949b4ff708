-- A refund may wait for a person as an attempt may, and money that nobody owed may be sent back again when
-- the processor has refused to.

alter table refunds add column escalated_at timestamptz;
create index refunds_escalated on refunds (company_id, escalated_at)
  where escalated_at is not null and state <> 'succeeded';

-- One at a time is on its way or has arrived; one that was refused makes room for another.
drop index refunds_one_surplus_per_attempt;
create unique index refunds_one_surplus_per_attempt on refunds (company_id, attempt_id)
  where kind = 'surplus' and state <> 'failed';
create index refunds_attempt on refunds (company_id, attempt_id);
