-- The indexes of payments that only the search by beginnings and the job that expires links used. Every new payment paid for
-- them. docs/decisions/0032-words-of-payments.md.

-- compatible: the release before finds the same payments without it, by reading more rows.
drop index payments_by_name;
-- compatible: the release before finds the same payments without it, by reading more rows.
drop index payments_by_last_name;
-- compatible: the release before finds overdue links by payments_ending, which also has open links only.
drop index payments_open_until;
-- To step from company to company along payments_ending.
grant select (reminded_at) on payments to paylink_system;
