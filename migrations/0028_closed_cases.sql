-- A person may close a case about money that Paylink can't account for.
-- compatible: nullable columns, which the version before neither reads nor writes; it goes on listing closed cases.
alter table processor_cases
  add column closed_at timestamptz,
  add column closed_by text,
  add column closing_note text check (length(closing_note) <= 500),
  add constraint processor_cases_closed_by_somebody check ((closed_at is null) = (closed_by is null));
grant update (closed_at, closed_by, closing_note) on processor_cases to paylink_tenant;
