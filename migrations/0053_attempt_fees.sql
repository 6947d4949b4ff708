-- What the processor charges for a payment, in minor units of the payment's currency; null until its records say it.
-- compatible: the version before does not know the column.

alter table attempts add column fee_minor bigint;
