-- What customers can use at the processor of a connection, by its brand, such as iDEAL: the pay page shows it. The processor
-- reports it when it checks the credentials.
-- compatible: a new column with a default, which the version before neither reads nor writes.
alter table connections add column offers text[] not null default '{}';
