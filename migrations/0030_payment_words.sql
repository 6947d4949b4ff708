-- Search leaves the insert of payments: a worker fills a table of words from the events, and the search reads that table.
-- docs/decisions/0032-words-of-payments.md.

-- The words of each payment, folded. No foreign key: it would cost a lookup for each word, and payments are not deleted.
create table payment_words (
  company_id  text not null,
  mode        text not null default current_mode() check (mode in ('test', 'live')),
  payment_id  text not null,
  word        text collate "C" not null check (length(word) between 1 and 254),
  primary key (company_id, payment_id, word, mode)
);
-- The order of a search: the words with a common prefix, and for each word the newest payment first. The mode is first, so
-- that no statement about one payment uses this index, whatever the planner believes about the size of the table.
create index payment_words_by_word on payment_words ((mode = 'live'), company_id, word, payment_id desc);

alter table payment_words enable row level security;
alter table payment_words force row level security;
create policy tenant on payment_words to paylink_tenant
  using (company_id = current_company() and mode = any(current_modes()))
  with check (company_id = current_company() and mode = any(current_modes()));
grant select, insert, delete on payment_words to paylink_tenant;

-- Up to where in a company's events, of both modes, the words are filled. `is_filled`: it has reached their end once.
create table payment_word_positions (
  company_id  text not null primary key references companies,
  xact        xid8 not null default '0',
  event_id    text not null default '',
  is_filled   boolean not null default false
);
create index payment_word_positions_unfilled on payment_word_positions (company_id) where not is_filled;

-- Every company so far starts at its first event. A company that is created meanwhile gets its row with its first event.
do $$
declare
  company_ids text[];
begin
  set local role paylink_system;
  select coalesce(array_agg(company_id), '{}') into company_ids from companies;
  reset role;
  insert into payment_word_positions (company_id) select unnest(company_ids);
end
$$;

alter table payment_word_positions enable row level security;
alter table payment_word_positions force row level security;
create policy tenant on payment_word_positions to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on payment_word_positions to paylink_tenant;
create policy every_position on payment_word_positions for select to paylink_system using (true);
grant select (company_id, xact, is_filled) on payment_word_positions to paylink_system;

-- Which process fills words now, and below which transaction every filled company has its words.
create table payment_word_progress (
  is_only_row   boolean primary key default true check (is_only_row),
  filled_below  xid8 not null,
  leased_until  timestamptz,
  lease_token   bigint not null default 0
);
insert into payment_word_progress (filled_below) values (pg_snapshot_xmin(pg_current_snapshot()));
grant select, update on payment_word_progress to paylink_system;
