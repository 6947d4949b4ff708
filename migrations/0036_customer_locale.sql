-- The language that a customer picked on the page of a link, or in which they paid. The pages, emails, receipt and processor
-- use it before the payment's `locale`, which stays as the merchant requested it. docs/decisions/0041-languages.md.
-- compatible: a new column that may be null, which the version before neither reads nor writes.
alter table payments add column customer_locale text;
