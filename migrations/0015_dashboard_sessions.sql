-- People who are signed in with a browser.

-- Sessions of browsers ------------------------------------------------------------------------------------

-- What a session has beside its row in sessions when a cookie opens it and not a token.
create table browser_sessions (
  company_id     text not null,
  session_id     text not null,
  -- SHA-256 of the cookie. The cookie itself is kept by the browser alone.
  cookie_digest  bytea not null check (length(cookie_digest) = 32),
  -- The last sign of life, to the minute: it is not written at every call.
  seen_at        timestamptz not null,
  primary key (company_id, session_id),
  unique (company_id, cookie_digest),
  foreign key (company_id, session_id) references sessions
);

alter table browser_sessions enable row level security;
alter table browser_sessions force row level security;
create policy tenant on browser_sessions to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on browser_sessions to paylink_tenant;
