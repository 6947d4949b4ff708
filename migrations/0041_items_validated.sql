-- Checks the items of all payments that 0037_items.sql did not check. In a transaction of its own, because it reads all
-- payments: its lock lets others read and write them.
alter table payments validate constraint payments_items_total;
