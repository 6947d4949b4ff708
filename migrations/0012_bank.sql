-- Bank transfers: what customers were asked to send and what has come, what has to be sent back, and the
-- statements of banks that tell of both. The first two are the processor's own books.

create table bank_transfers (
  company_id         text not null references companies,
  -- One attempt asks for one transfer.
  attempt_id         text not null,
  connection_id      text not null,
  mode               text not null check (mode in ('test', 'live')),
  -- Open until all has come; void or closed when its time was over before, without or with a part of it.
  state              text not null check (state in ('open', 'complete', 'void', 'closed')),
  -- ISO 11649, without spaces.
  reference          text not null check (reference ~ '^RF[0-9]{2}[A-Z0-9]{1,21}$'),
  due_minor          bigint not null check (due_minor > 0),
  received_minor     bigint not null default 0 check (received_minor >= 0),
  -- Of what was received: what nobody owed, and which goes back; and what nobody owed after that, once more,
  -- which is left to a person.
  returned_minor     bigint not null default 0 check (returned_minor >= 0),
  left_minor         bigint not null default 0 check (left_minor >= 0),
  currency           text not null check (currency = 'EUR'),
  -- The account as it was when the customer was told of it.
  holder             text not null,
  iban               text not null check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  bic                text,
  -- For people, and to find whose money it may be that comes without a reference.
  link_code          text not null,
  customer_order_id  text not null,
  customer_name      text not null,
  -- Who sent the first money, and who the last but what was left to a person.
  payer_name         text,
  payer_iban         text,
  last_payer_name    text,
  last_payer_iban    text,
  -- Until when the customer is asked to pay, and until when the money is waited for.
  expires_at         timestamptz not null,
  closes_at          timestamptz not null check (closes_at >= expires_at),
  -- Money has come since payments were last told.
  is_unsettled       boolean not null default false,
  created_at         timestamptz not null,
  ended_at           timestamptz,
  returned_at        timestamptz,
  primary key (company_id, attempt_id),
  unique (company_id, reference),
  check ((state = 'open') = (ended_at is null)),
  check (returned_minor + left_minor <= received_minor),
  check ((state = 'complete') = (received_minor >= due_minor and state <> 'void' and state <> 'closed'))
);
create index bank_transfers_account on bank_transfers (company_id, mode, iban);
create index bank_transfers_open on bank_transfers (company_id, mode, (due_minor - received_minor)) where state = 'open';
create index bank_transfers_unsettled on bank_transfers (company_id) where is_unsettled;
create index bank_transfers_ended on bank_transfers (company_id, connection_id, ended_at) where ended_at is not null;

create table bank_refunds (
  company_id   text not null,
  refund_id    text not null,
  attempt_id   text not null,
  state        text not null check (state in ('waiting', 'sent', 'failed')),
  -- What the merchant writes on the transfer, so that the statement tells which refund it was.
  reference    text not null check (reference ~ '^RF[0-9]{2}[A-Z0-9]{1,21}$'),
  amount_minor bigint not null check (amount_minor > 0),
  currency     text not null check (currency = 'EUR'),
  -- Where the money came from; null where the bank did not tell.
  to_name      text,
  to_iban      text,
  -- The statement's line that shows it, or who said that it was sent or cannot be.
  line_id      text,
  ended_by     text,
  note         text check (length(note) <= 500),
  created_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (company_id, refund_id),
  unique (company_id, reference),
  foreign key (company_id, attempt_id) references bank_transfers,
  check ((state = 'waiting') = (ended_at is null)),
  check (state = 'waiting' or line_id is not null or ended_by is not null)
);
create index bank_refunds_state on bank_refunds (company_id, state, refund_id);
create index bank_refunds_attempt on bank_refunds (company_id, attempt_id);

-- Statements ------------------------------------------------------------------------------------------

create table bank_statements (
  company_id       text not null references companies,
  statement_id     text not null,
  mode             text not null check (mode in ('test', 'live')),
  -- Of the whole file: the same file is imported once.
  sha256           bytea not null check (length(sha256) = 32),
  kind             text not null check (kind in ('camt.053', 'camt.054')),
  version          text not null,
  message_id       text not null,
  byte_count       bigint not null check (byte_count > 0),
  line_count       integer not null check (line_count >= 0),
  -- Lines that another statement had told of before.
  duplicate_count  integer not null check (duplicate_count between 0 and line_count),
  created_by       text not null,
  created_at       timestamptz not null,
  primary key (company_id, statement_id),
  unique (company_id, mode, sha256)
);

create table bank_lines (
  company_id         text not null,
  line_id            text not null,
  statement_id       text not null,
  mode               text not null check (mode in ('test', 'live')),
  position           integer not null check (position > 0),
  -- What makes it this booking and no other, in whichever file it is told.
  fingerprint        bytea not null check (length(fingerprint) = 32),
  direction          text not null check (direction in ('credit', 'debit')),
  is_return          boolean not null,
  is_batch_unclear   boolean not null,
  is_booked          boolean not null,
  -- Null in a currency that Paylink does not know.
  amount_minor       bigint check (amount_minor >= 0),
  amount_text        text not null,
  currency           text not null,
  account_iban       text,
  booked_on          date,
  bank_reference     text,
  end_to_end_id      text,
  -- The creditor references that stand anywhere in it, without spaces.
  found_references   text[] not null,
  remittance         text not null,
  counterparty_name  text,
  counterparty_iban  text,
  return_reason      text,
  -- `new` is still to be matched; `review` waits for a person.
  state              text not null check (state in ('new', 'matched', 'review', 'ignored', 'resolved')),
  reason             text,
  attempt_id         text,
  refund_id          text,
  -- Whether its money was counted to its transfer: that happens once.
  is_credited        boolean not null default false,
  matched_by         text check (matched_by in ('reference', 'person')),
  resolved_by        text,
  resolved_at        timestamptz,
  note               text check (length(note) <= 500),
  primary key (company_id, line_id),
  unique (company_id, mode, fingerprint),
  -- Looked at when the import commits: the statement's row has the counts of its lines, and comes last.
  foreign key (company_id, statement_id) references bank_statements deferrable initially deferred,
  foreign key (company_id, attempt_id) references bank_transfers,
  foreign key (company_id, refund_id) references bank_refunds,
  check (state not in ('review', 'ignored') or reason is not null),
  check (state <> 'matched' or (matched_by is not null and (attempt_id is not null or refund_id is not null))),
  check (not is_credited or attempt_id is not null)
);
create index bank_lines_state on bank_lines (company_id, mode, state, line_id);
create index bank_lines_new on bank_lines (company_id, line_id) where state = 'new';
create index bank_lines_statement on bank_lines (company_id, statement_id, state);
create index bank_lines_attempt on bank_lines (company_id, attempt_id) where attempt_id is not null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['bank_transfers', 'bank_refunds', 'bank_statements', 'bank_lines']
  loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format('create policy tenant on %I to paylink_tenant using (company_id = current_company()) '
                   'with check (company_id = current_company())', tenant_table);
  end loop;
end
$$;

grant select, insert, update on bank_transfers, bank_refunds, bank_lines to paylink_tenant;
-- What was imported does not change.
grant select, insert on bank_statements to paylink_tenant;
