-- Clients that have logged in to an account: addresses and API keys, as digests. They are not delayed by the failures of
-- others. A row of no company: it is asked for before anybody knows whose address it is.
create table known_clients (
  account_digest  text not null,
  client_digest   text not null,
  -- The last login, to the day.
  seen_at         timestamptz not null,
  primary key (account_digest, client_digest)
);
create index known_clients_age on known_clients (seen_at);
grant select, insert, update, delete on known_clients to paylink_system;
