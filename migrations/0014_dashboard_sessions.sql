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

-- Forgotten passwords -------------------------------------------------------------------------------------

create table password_resets (
  company_id    text not null,
  reset_id      text not null,
  account_id    text not null,
  -- SHA-256 of the token. The token is derived from the id under the master key when the mail is written.
  token_digest  bytea not null check (length(token_digest) = 32),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  -- When it was used, or a newer one or another new password took its place.
  ended_at      timestamptz,
  primary key (company_id, reset_id),
  unique (company_id, token_digest),
  foreign key (company_id, account_id) references accounts
);
create index password_resets_account on password_resets (company_id, account_id) where ended_at is null;

alter table password_resets enable row level security;
alter table password_resets force row level security;
create policy tenant on password_resets to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update on password_resets to paylink_tenant;

-- The mail with the link. It goes to the account that asked, whatever mail the company wants.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('link', 'reminder', 'receipt', 'refund', 'surplus', 'notice', 'endpoint', 'password'));
alter table mails drop constraint mails_about_check;
alter table mails add constraint mails_about_check
  check ((kind in ('endpoint', 'password')) = (payment_id is null));

create function queue_password_mails() returns trigger
  language plpgsql as $$
begin
  insert into mails (company_id, mail_id, event_id, kind, recipient, due_at, created_at)
    select new.company_id, replace(new.event_id, 'evt_', 'mail_') || '_password', new.event_id, 'password',
           a.email, new.at, new.at
    from accounts a
    where a.company_id = new.company_id and a.account_id = new.data ->> 'accountId' and a.disabled_at is null;
  return null;
end
$$;
create trigger events_queue_password_mails after insert on events for each row
  when (new.type = 'password.reset_asked')
  execute function queue_password_mails();

-- Second factors ------------------------------------------------------------------------------------------

-- The secret that an account shares with an authenticator app.
create table totp_secrets (
  company_id    text not null,
  account_id    text not null,
  sealed        bytea not null,
  created_at    timestamptz not null,
  -- When a code of it came back. Until then it asks nobody for anything.
  confirmed_at  timestamptz,
  -- The latest step of time whose code was used: no code is good twice.
  last_step     bigint not null default 0,
  primary key (company_id, account_id),
  foreign key (company_id, account_id) references accounts
);

create table recovery_codes (
  company_id   text not null,
  account_id   text not null,
  -- SHA-256 of account and code, which has 80 random bits.
  code_digest  bytea not null check (length(code_digest) = 32),
  created_at   timestamptz not null,
  used_at      timestamptz,
  primary key (company_id, account_id, code_digest),
  foreign key (company_id, account_id) references accounts
);

alter table totp_secrets enable row level security;
alter table totp_secrets force row level security;
create policy tenant on totp_secrets to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update, delete on totp_secrets to paylink_tenant;

alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
create policy tenant on recovery_codes to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update, delete on recovery_codes to paylink_tenant;

-- A key pair of which a device of the account has the private half (WebAuthn).
create table passkeys (
  company_id     text not null,
  passkey_id     text not null,
  account_id     text not null,
  name           text not null check (length(name) between 1 and 100),
  -- As the device names it.
  credential_id  text not null check (length(credential_id) <= 1400),
  public_key     bytea not null,
  -- How often it was used, as the device counts; many do not, and stay at 0.
  counter        bigint not null,
  transports     text[] not null,
  created_at     timestamptz not null,
  last_used_at   timestamptz,
  primary key (company_id, passkey_id),
  unique (company_id, credential_id),
  foreign key (company_id, account_id) references accounts
);
create index passkeys_account on passkeys (company_id, account_id, passkey_id);

alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy tenant on passkeys to paylink_tenant
  using (company_id = current_company()) with check (company_id = current_company());
grant select, insert, update, delete on passkeys to paylink_tenant;

-- What a device is to sign, once. A row of no company: who signs in is known only by the answer.
create table passkey_challenges (
  challenge   text primary key check (length(challenge) between 20 and 100),
  -- The account that adds a passkey; null for signing in.
  account_id  text,
  expires_at  timestamptz not null
);
create index passkey_challenges_age on passkey_challenges (expires_at);
grant select, insert, delete on passkey_challenges to paylink_system;
