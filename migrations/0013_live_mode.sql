-- Live mode: which of a company's keys a login returns where it is not told. A key of that mode, which does not
-- end by itself, is always kept.

alter table companies add column login_mode text not null default 'test' check (login_mode in ('test', 'live'));
