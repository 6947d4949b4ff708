-- Gives every row its mode: that of its payment, endpoint or connection, which never changes.

-- Forced row-level security also binds the owner of the tables, who runs this file. It is forced again below.
do $$
declare
  mode_table text;
begin
  foreach mode_table in array array[
    'payments', 'connections', 'webhook_endpoints', 'bank_transfers', 'ledger_entries', 'attempts', 'refunds', 'events',
    'mails', 'ledger_totals', 'idempotency_keys', 'webhook_deliveries', 'webhook_tries', 'bank_refunds',
    'processor_notices', 'processor_notice_counts', 'sandbox_charges', 'sandbox_refunds']
  loop
    execute format('alter table %I no force row level security', mode_table);
  end loop;
end
$$;

update attempts a set mode = p.mode
  from payments p where p.company_id = a.company_id and p.payment_id = a.payment_id;
update refunds r set mode = p.mode
  from payments p where p.company_id = r.company_id and p.payment_id = r.payment_id;
update bank_refunds r set mode = t.mode
  from bank_transfers t where t.company_id = r.company_id and t.attempt_id = r.attempt_id;
update processor_notices n set mode = c.mode
  from connections c where c.company_id = n.company_id and c.connection_id = n.connection_id;
update processor_notice_counts n set mode = c.mode
  from connections c where c.company_id = n.company_id and c.connection_id = n.connection_id;

-- Events about a payment.
update events e set mode = p.mode
  from payments p where p.company_id = e.company_id and p.payment_id = e.payment_id;
-- Events about an endpoint, a delivery or a connection.
update events e set mode = w.mode
  from webhook_endpoints w
  where e.payment_id is null and w.company_id = e.company_id
    and w.endpoint_id = coalesce(e.data ->> 'endpointId', e.data #>> '{endpoint,id}');
update events e set mode = w.mode
  from webhook_deliveries d join webhook_endpoints w on w.company_id = d.company_id and w.endpoint_id = d.endpoint_id
  where e.payment_id is null and e.mode is null and d.company_id = e.company_id
    and d.delivery_id = e.data ->> 'deliveryId';
update events e set mode = c.mode
  from connections c
  where e.payment_id is null and e.mode is null and c.company_id = e.company_id
    and c.connection_id = coalesce(e.data ->> 'connectionId', e.data #>> '{connectionIds,0}');
-- Events about statements of a bank name their mode. Events about API keys name one, too, but keys belong to the
-- company in both modes, as members and sessions do: those events stay without one.
update events set mode = data ->> 'mode'
  where payment_id is null and mode is null and type !~ '^key\.' and data ->> 'mode' in ('test', 'live');
update events e set mode = r.mode
  from bank_refunds r
  where e.payment_id is null and e.mode is null and e.type like 'bank.%' and r.company_id = e.company_id
    and r.refund_id = e.data ->> 'refundId';

update mails m set mode = e.mode
  from events e where e.company_id = m.company_id and e.event_id = m.event_id;
update webhook_deliveries d set mode = w.mode
  from webhook_endpoints w where w.company_id = d.company_id and w.endpoint_id = d.endpoint_id;
update webhook_tries t set mode = d.mode
  from webhook_deliveries d where d.company_id = t.company_id and d.delivery_id = t.delivery_id;

-- The sandbox names a charge by its attempt and a refund by ours. One that belongs to no payment is a test.
update sandbox_charges s set mode = coalesce((
  select a.mode from attempts a where a.company_id = s.company_id and a.attempt_id = s.idempotency_key), 'test');
update sandbox_refunds s set mode = coalesce(
  (select r.mode from refunds r where r.company_id = s.company_id and r.refund_id = s.idempotency_key),
  (select c.mode from sandbox_charges c where c.company_id = s.company_id and c.reference = s.charge_reference),
  'test');

-- Totals counted both modes together: they are summed again from the entries.
alter table ledger_totals drop constraint ledger_totals_pkey;
delete from ledger_totals;
insert into ledger_totals (company_id, mode, debit_account, credit_account, currency, shard, amount_minor)
  select company_id, mode, debit_account, credit_account, currency, 0, sum(amount_minor)
  from ledger_entries group by company_id, mode, debit_account, credit_account, currency;

-- The mode that an Idempotency-Key was used in is part of its fingerprint, from which it can't be read. To drop the keys
-- could run a refund twice. So each of them stands in both modes until it is two days old: in its own mode it replays,
-- in the other one it is refused as reused, which is what it was before.
alter table idempotency_keys drop constraint idempotency_keys_pkey;
update idempotency_keys set mode = 'test';
insert into idempotency_keys (company_id, mode, account_id, key, fingerprint, state, seed, subject_at, leased_until,
                              status, answer, created_at)
  select company_id, 'live', account_id, key, fingerprint, state, seed, subject_at, leased_until, status, answer, created_at
  from idempotency_keys;

do $$
declare
  mode_table text;
begin
  foreach mode_table in array array[
    'payments', 'connections', 'webhook_endpoints', 'bank_transfers', 'ledger_entries', 'attempts', 'refunds', 'events',
    'mails', 'ledger_totals', 'idempotency_keys', 'webhook_deliveries', 'webhook_tries', 'bank_refunds',
    'processor_notices', 'processor_notice_counts', 'sandbox_charges', 'sandbox_refunds']
  loop
    execute format('alter table %I force row level security', mode_table);
  end loop;
end
$$;
