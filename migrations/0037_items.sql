-- What a payment is for, line by line. docs/decisions/0042-items.md.

-- The sum of quantity × unit amount, in minor units.
create function items_total(items jsonb) returns bigint
  language sql immutable parallel safe
  as $$
    select coalesce(sum((item->>'quantity')::bigint * (item->>'unitAmountMinor')::bigint), 0)::bigint
    from jsonb_array_elements(items) as item
  $$;

-- Items never add up to another amount than the payment's. The first condition keeps payments without items as fast as before.
-- compatible: the version before does not write the column, and its default passes the check.
-- Existing rows are checked by 0041_items_validated.sql: here the scan would keep everybody from the table.
alter table payments
  add column items jsonb not null default '[]',
  add constraint payments_items_total check (items = '[]' or items_total(items) = amount_minor) not valid;
