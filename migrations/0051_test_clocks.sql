-- Test clocks: the time of a company's test mode runs ahead of the real time by an offset. docs/decisions/0051-test-clocks.md.

-- Only test mode has a clock, and a transaction in live mode does not see it.
create table test_clocks (
  company_id  text not null references companies,
  mode        text not null default current_mode() check (mode = 'test'),
  -- By how much it is ahead, and by how much it will be at the end of the advance under way: 730 days at most.
  offset_ms   bigint not null check (offset_ms >= 0),
  target_ms   bigint not null check (target_ms <= 63072000000),
  -- In real time.
  moved_at    timestamptz not null,
  primary key (company_id, mode),
  check (offset_ms <= target_ms)
);

create function refuse_clock_backwards() returns trigger
  language plpgsql as $$
begin
  if new.offset_ms < old.offset_ms or new.target_ms < old.target_ms then
    raise exception 'a test clock only moves forward' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger test_clocks_move_forward before update on test_clocks
  for each row execute function refuse_clock_backwards();

alter table test_clocks enable row level security;
alter table test_clocks force row level security;
create policy tenant on test_clocks to paylink_tenant
  using (company_id = current_company() and mode = any(current_modes()))
  with check (company_id = current_company() and mode = any(current_modes()));
grant select, insert, update on test_clocks to paylink_tenant;
-- The worker compares due times with the company's clock.
create policy every_clock on test_clocks for select to paylink_system using (true);
grant select (company_id, mode, offset_ms, target_ms, moved_at) on test_clocks to paylink_system;

-- How the sandbox fails refunds of a charge, by the ID of the refund: 'refuse' or 'no_answer'.
-- compatible: a new column with a default, which the version before neither reads nor writes.
alter table sandbox_charges add column refund_faults jsonb not null default '{}' check (jsonb_typeof(refund_faults) = 'object');

-- Whether the key ends two days later by the company's test clock, or by real time, as keys of requests that create
-- credentials do.
-- compatible: a new column with a default, which the version before neither reads nor writes: its keys end by real time.
alter table idempotency_keys add column follows_test_clock boolean not null default false;
