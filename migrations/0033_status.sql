-- What the status of the service reads (src/status/): IDs, statuses and times of all companies, nothing about a person.
-- The tables in the order in which requests lock them.

create policy every_connection on connections for select to paylink_system using (deleted_at is null);
grant select (company_id, processor, mode, is_enabled, open_until, deleted_at) on connections to paylink_system;

grant select (escalated_at, updated_at) on attempts to paylink_system;

-- A refund of an overpayment is no case any more once a later one exists.
create policy cases on refunds for select to paylink_system using (escalated_at is not null or kind = 'surplus');
grant select (attempt_id, kind, escalated_at) on refunds to paylink_system;

create policy open_cases on processor_cases for select to paylink_system using (closed_at is null);
grant select (company_id, code, closed_at) on processor_cases to paylink_system;
create index processor_cases_open on processor_cases (company_id) where closed_at is null;

grant select (at) on events to paylink_system;

-- Null until the job has succeeded under this release.
alter table scheduled_jobs add column succeeded_at timestamptz;
