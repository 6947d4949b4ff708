-- Lists of all refunds of a company, newest first, and of those with one status.

-- The mode as an expression, which lists alone ask for: see 0024_mode_isolation.sql.
create index refunds_by_time on refunds (company_id, (mode = 'live'), refund_id);
create index refunds_by_state on refunds (company_id, (mode = 'live'), state, refund_id);
