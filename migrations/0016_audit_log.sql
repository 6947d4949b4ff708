-- What happened to a company apart from its payments, in the order of time: so that a reader of the audit log finds
-- a key that was made among a million payments. Events of payments are not in it: they cost nothing more.

create index events_of_company on events (company_id, event_id) where payment_id is null;
