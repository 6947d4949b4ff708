-- What proves that a master key is the one that this database was written with. One row; two while the master key is
-- being changed. No secret: a message authentication code of a fixed text.

create table master_key_checks (
  key_id   text primary key check (key_id ~ '^[0-9a-f]{16}$'),
  mac      bytea not null check (octet_length(mac) = 32),
  made_at  timestamptz not null default now()
);

grant select, insert, delete on master_key_checks to paylink_system;
