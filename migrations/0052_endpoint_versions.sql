-- The version of the API in which an endpoint receives its messages. docs/decisions/0048-api-versions.md. Not in the transaction
-- that builds the indexes of refunds: a writer may hold both tables.

-- Null: the newest version.
-- compatible: a new column that may be null, which the version before neither reads nor writes.
alter table webhook_endpoints add column api_version text check (api_version ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$');
