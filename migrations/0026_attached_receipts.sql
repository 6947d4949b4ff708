-- Whether emails about payments and refunds have the receipt attached. They have a link to it in any case.
-- compatible: a new column with a default, which the version before neither reads nor writes.
alter table companies add column attaches_receipts boolean not null default false;
