-- Up to when a connection's records are compared with its processor's list. After a long stop, the next comparison
-- begins there.
-- compatible: a new column with a default, which the version before neither reads nor writes.
alter table connections add column compared_until timestamptz not null default now();
