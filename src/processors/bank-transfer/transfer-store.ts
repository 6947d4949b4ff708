// What customers must send, and what arrived: all SQL of bank_transfers. A received amount only grows.

import type { TenantTx } from '../../db/database.ts';
import { first, insertOf, pick, type RowOf, statement, t } from '../../db/statements.ts';
import { type BalanceTransaction, type Mode, ownTransaction } from '../processor.ts';

/** `closed`: it expired with only a part received, which is refunded. */
const transferState = t.oneOf('open', 'complete', 'void', 'closed');

export const Transfer = {
  attemptId: t.text,
  connectionId: t.text,
  mode: t.mode,
  state: transferState,
  reference: t.text,
  dueMinor: t.int8,
  receivedMinor: t.int8,
  /** The part of the received amount that is refunded as an overpayment. */
  returnedMinor: t.int8,
  /** A further overpayment after that one: a person decides. */
  leftMinor: t.int8,
  currency: t.currency,
  holder: t.text,
  iban: t.text,
  bic: t.nullable(t.text),
  linkCode: t.text,
  customerOrderId: t.text,
  customerName: t.text,
  payerName: t.nullable(t.text),
  payerIban: t.nullable(t.text),
  lastPayerName: t.nullable(t.text),
  lastPayerIban: t.nullable(t.text),
  expiresAt: t.timestamptz,
  closesAt: t.timestamptz,
  isUnsettled: t.bool,
  createdAt: t.timestamptz,
};
export type Transfer = RowOf<typeof Transfer>;

export const NewTransfer = {
  ...pick(
    Transfer,
    'attemptId',
    'connectionId',
    'mode',
    'reference',
    'dueMinor',
    'currency',
    'holder',
    'iban',
    'bic',
  ),
  ...pick(Transfer, 'linkCode', 'customerOrderId', 'customerName', 'expiresAt', 'closesAt', 'createdAt'),
  state: t.oneOf('open', 'void'),
};
export type NewTransfer = RowOf<typeof NewTransfer>;

const newTransfer = insertOf(NewTransfer, 3);
const insertTransferSql = statement(Transfer)`
  insert into bank_transfers (company_id, ended_at, ${newTransfer.names}) values ($1, $2, ${newTransfer.values})
  on conflict do nothing
  returning ${Transfer}`;

/** Inserts a transfer. Null if the attempt already has one, or the reference exists. */
export async function insertTransfer(tx: TenantTx, transfer: NewTransfer): Promise<Transfer | null> {
  return first(
    await tx.query(insertTransferSql, [
      tx.companyId,
      transfer.state === 'open' ? null : transfer.createdAt,
      ...newTransfer.parameters(transfer),
    ]),
  );
}

const findTransferSql = statement(Transfer)`
  select ${Transfer} from bank_transfers where company_id = $1 and attempt_id = $2`;

export async function findTransfer(tx: TenantTx, attemptId: string): Promise<Transfer | null> {
  return first(await tx.query(findTransferSql, [tx.companyId, attemptId]));
}

const lockTransferSql = statement(Transfer)`
  select ${Transfer} from bank_transfers where company_id = $1 and attempt_id = $2 for update`;

/** The transfer, locked until the transaction ends. Callers that also lock its payment must do so afterwards. */
export async function lockTransfer(tx: TenantTx, attemptId: string): Promise<Transfer | null> {
  return first(await tx.query(lockTransferSql, [tx.companyId, attemptId]));
}

const listTransfersByReferenceSql = statement(Transfer)`
  select ${Transfer} from bank_transfers where company_id = $1 and mode = $2 and reference = any($3)
  order by attempt_id limit 10`;

/** The transfers with any of the references; a reference belongs to one transfer. */
export async function listTransfersByReference(
  tx: TenantTx,
  mode: Mode,
  references: readonly string[],
): Promise<Transfer[]> {
  return await tx.query(listTransfersByReferenceSql, [tx.companyId, mode, references]);
}

const listOpenByAmountSql = statement(Transfer)`
  select ${Transfer} from bank_transfers
  where company_id = $1 and mode = $2 and state = 'open' and due_minor - received_minor = any($3::bigint[])
  order by attempt_id desc limit 1000`;

/** Open transfers that one of the amounts would complete exactly, newest first. */
export async function listOpenByAmount(
  tx: TenantTx,
  mode: Mode,
  amountsMinor: readonly number[],
): Promise<Transfer[]> {
  return await tx.query(listOpenByAmountSql, [tx.companyId, mode, amountsMinor]);
}

const listTransferIbansSql = statement({ iban: t.text })`
  with recursive account as (
    select min(iban) as iban from bank_transfers where company_id = $1 and mode = $2
    union all
    select (select min(iban) from bank_transfers where company_id = $1 and mode = $2 and iban > account.iban)
    from account where iban is not null
  ) select iban from account where iban is not null`;

/** Steps along the index from one to the next: each booking needs it, and `distinct` would read all transfers. */
export async function listTransferIbans(tx: TenantTx, mode: Mode): Promise<string[]> {
  const rows = await tx.query(listTransferIbansSql, [tx.companyId, mode]);
  return rows.map(({ iban }) => iban);
}

/** The overpayment of `transfer`, whatever was done about it. */
export function excessOf({ state, dueMinor, receivedMinor }: Transfer): number {
  const owedMinor = state === 'open' || state === 'complete' ? dueMinor : 0;
  return Math.max(receivedMinor - owedMinor, 0);
}

export type TransferCredit = {
  amountMinor: number;
  /** Whether it is a further overpayment after one that is refunded: a person decides. */
  isLeft: boolean;
  payerName: string | null;
  payerIban: string | null;
  at: Date;
};

const creditTransferSql = statement(Transfer)`
  update bank_transfers set received_minor = received_minor + $3, is_unsettled = true,
         due_at = statement_timestamp() + interval '5 seconds', leased_until = null,
         state = case when state = 'open' and received_minor + $3 >= due_minor then 'complete' else state end,
         ended_at = case when state = 'open' and received_minor + $3 < due_minor then null else coalesce(ended_at, $6) end,
         payer_name = case when received_minor = 0 then $4 else payer_name end,
         payer_iban = case when received_minor = 0 then $5 else payer_iban end,
         last_payer_name = case when $7 then last_payer_name else $4 end,
         last_payer_iban = case when $7 then last_payer_iban else $5 end,
         left_minor = left_minor + case when $7 then $3 else 0 end
  where company_id = $1 and attempt_id = $2
  returning ${Transfer}`;

/**
 * Credits money to a transfer. An open one with the full amount becomes complete. The caller updates the payment; if it
 * dies, the worker does so a few seconds later.
 */
export async function creditTransfer(
  tx: TenantTx,
  attemptId: string,
  credit: TransferCredit,
): Promise<Transfer> {
  const { amountMinor, isLeft, payerName, payerIban, at } = credit;
  const values = [tx.companyId, attemptId, amountMinor, payerName, payerIban, at, isLeft];
  const [transfer] = await tx.query(creditTransferSql, values);
  if (!transfer) throw new Error('money was to be counted to a transfer that is not there');
  return transfer;
}

const closeTransferSql = statement(Transfer)`
  update bank_transfers set state = case when received_minor = 0 then 'void' else 'closed' end,
         ended_at = $3, returned_minor = received_minor,
         returned_at = case when received_minor = 0 then null else $3::timestamptz end
  where company_id = $1 and attempt_id = $2 and state = 'open' and closes_at <= $3
  returning ${Transfer}`;

/** Ends an expired open transfer; null when it is not due or has ended. What arrived is refunded. */
export async function closeTransfer(tx: TenantTx, attemptId: string, now: Date): Promise<Transfer | null> {
  return first(await tx.query(closeTransferSql, [tx.companyId, attemptId, now]));
}

const voidTransferSql = statement(Transfer)`
  update bank_transfers set state = 'void', ended_at = $3
  where company_id = $1 and attempt_id = $2 and state = 'open' and received_minor = 0
  returning ${Transfer}`;

/** Voids an open transfer without any money; null when it has money or has ended. */
export async function voidTransfer(tx: TenantTx, attemptId: string, now: Date): Promise<Transfer | null> {
  return first(await tx.query(voidTransferSql, [tx.companyId, attemptId, now]));
}

/** Records that payments know about all received money, and how much more of it is refunded. */
export async function noteSettled(
  tx: TenantTx,
  settled: { attemptId: string; returnedMinor: number; at: Date },
): Promise<void> {
  await tx.query(
    `update bank_transfers set is_unsettled = false, returned_minor = returned_minor + $3,
            returned_at = case when $3 > 0 then $4 else returned_at end
     where company_id = $1 and attempt_id = $2`,
    [tx.companyId, settled.attemptId, settled.returnedMinor, settled.at],
  );
}

const listUnsettledSql = statement({ attemptId: t.text })`
  select attempt_id as "attemptId" from bank_transfers where company_id = $1 and is_unsettled
  order by attempt_id limit $2`;

/** Transfers with money that payments do not know about yet. */
export async function listUnsettled(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.query(listUnsettledSql, [tx.companyId, limit]);
  return rows.map(({ attemptId }) => attemptId);
}

const listTransferTransactionsSql = statement({ ...ownTransaction, place: t.text })`
  select place, kind, key, reference, "amountMinor", currency from (
    select attempt_id || ' paid' as place, 'charge' as kind, attempt_id as key, reference,
           due_minor as "amountMinor", currency, ended_at as at
    from bank_transfers where company_id = $1 and connection_id = $2 and state = 'complete'
    union all
    select attempt_id || ' returned', 'charge', attempt_id, reference, returned_minor, currency, returned_at
    from bank_transfers where company_id = $1 and connection_id = $2 and returned_minor > 0
    union all
    select r.refund_id, 'refund', r.refund_id, r.reference, r.amount_minor, r.currency, r.ended_at
    from bank_refunds r join bank_transfers t using (company_id, attempt_id)
    where r.company_id = $1 and t.connection_id = $2 and r.state = 'sent'
  ) moved where at >= $3 and at < $4 and place > $5 order by place limit $6`;

/** In the order of `place`, after `after`. An overpayment is a separate movement: it came at another time. */
export async function listTransferTransactions(
  tx: TenantTx,
  page: { connectionId: string; from: Date; until: Date; after: string; limit: number },
): Promise<(BalanceTransaction & { place: string })[]> {
  const { connectionId, from, until, after, limit } = page;
  return await tx.query(listTransferTransactionsSql, [tx.companyId, connectionId, from, until, after, limit]);
}
