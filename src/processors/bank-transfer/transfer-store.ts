// The processor's own records: what each customer must send for an attempt, and what arrived. All SQL of
// bank_transfers is here. A received amount only grows.

import type { Currency } from '../../base/money.ts';
import type { TenantTx } from '../../db/database.ts';
import type { BalanceTransaction, Mode } from '../processor.ts';

/** `closed`: it expired with only a part received, which is refunded. */
export type TransferState = 'open' | 'complete' | 'void' | 'closed';

export type Transfer = {
  attemptId: string;
  connectionId: string;
  mode: Mode;
  state: TransferState;
  reference: string;
  dueMinor: number;
  receivedMinor: number;
  /** The part of the received amount that is refunded as an overpayment. */
  returnedMinor: number;
  /** A further overpayment after that one: a person decides. */
  leftMinor: number;
  currency: Currency;
  holder: string;
  iban: string;
  bic: string | null;
  linkCode: string;
  customerOrderId: string;
  customerName: string;
  payerName: string | null;
  payerIban: string | null;
  lastPayerName: string | null;
  lastPayerIban: string | null;
  expiresAt: Date;
  closesAt: Date;
  isUnsettled: boolean;
  createdAt: Date;
};

const columns = `attempt_id as "attemptId", connection_id as "connectionId", mode, state, reference,
  due_minor as "dueMinor", received_minor as "receivedMinor", returned_minor as "returnedMinor",
  left_minor as "leftMinor", currency, holder, iban, bic, link_code as "linkCode", customer_order_id as "customerOrderId", customer_name as "customerName",
  payer_name as "payerName", payer_iban as "payerIban", last_payer_name as "lastPayerName",
  last_payer_iban as "lastPayerIban", expires_at as "expiresAt", closes_at as "closesAt",
  is_unsettled as "isUnsettled", created_at as "createdAt"`;

export type NewTransfer = Pick<
  Transfer,
  | 'attemptId'
  | 'connectionId'
  | 'mode'
  | 'reference'
  | 'dueMinor'
  | 'currency'
  | 'holder'
  | 'iban'
  | 'bic'
  | 'linkCode'
  | 'customerOrderId'
  | 'customerName'
  | 'expiresAt'
  | 'closesAt'
  | 'createdAt'
> & { state: 'open' | 'void' };

/** Inserts a transfer. Null if the attempt already has one, or the reference exists. */
export async function insertTransfer(tx: TenantTx, transfer: NewTransfer): Promise<Transfer | null> {
  const [inserted] = await tx.query<Transfer>(
    `insert into bank_transfers (company_id, attempt_id, connection_id, mode, state, reference, due_minor, currency,
                                 holder, iban, bic, link_code, customer_order_id, customer_name, expires_at, closes_at,
                                 created_at, ended_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
             case when $5 = 'open' then null else $17::timestamptz end)
     on conflict do nothing
     returning ${columns}`,
    [
      tx.companyId,
      transfer.attemptId,
      transfer.connectionId,
      transfer.mode,
      transfer.state,
      transfer.reference,
      transfer.dueMinor,
      transfer.currency,
      transfer.holder,
      transfer.iban,
      transfer.bic,
      transfer.linkCode,
      transfer.customerOrderId,
      transfer.customerName,
      transfer.expiresAt,
      transfer.closesAt,
      transfer.createdAt,
    ],
  );
  return inserted ?? null;
}

export async function findTransfer(tx: TenantTx, attemptId: string): Promise<Transfer | null> {
  const [transfer] = await tx.query<Transfer>(
    `select ${columns} from bank_transfers where company_id = $1 and attempt_id = $2`,
    [tx.companyId, attemptId],
  );
  return transfer ?? null;
}

/** The transfer, locked until the transaction ends. Callers that also lock its payment must do so afterwards. */
export async function lockTransfer(tx: TenantTx, attemptId: string): Promise<Transfer | null> {
  const [transfer] = await tx.query<Transfer>(
    `select ${columns} from bank_transfers where company_id = $1 and attempt_id = $2 for update`,
    [tx.companyId, attemptId],
  );
  return transfer ?? null;
}

/** The transfers with any of the references; a reference belongs to one transfer. */
export async function listTransfersByReference(
  tx: TenantTx,
  mode: Mode,
  references: readonly string[],
): Promise<Transfer[]> {
  return await tx.query<Transfer>(
    `select ${columns} from bank_transfers where company_id = $1 and mode = $2 and reference = any($3)
     order by attempt_id limit 10`,
    [tx.companyId, mode, references],
  );
}

export async function listTransfersById(tx: TenantTx, attemptIds: readonly string[]): Promise<Transfer[]> {
  return await tx.query<Transfer>(
    `select ${columns} from bank_transfers where company_id = $1 and attempt_id = any($2)`,
    [tx.companyId, attemptIds],
  );
}

/** Open transfers that one of the amounts would complete exactly, newest first. */
export async function listOpenByAmount(
  tx: TenantTx,
  mode: Mode,
  amountsMinor: readonly number[],
): Promise<Transfer[]> {
  return await tx.query<Transfer>(
    `select ${columns} from bank_transfers
     where company_id = $1 and mode = $2 and state = 'open' and due_minor - received_minor = any($3::bigint[])
     order by attempt_id desc limit 1000`,
    [tx.companyId, mode, amountsMinor],
  );
}

/**
 * The accounts that customers were ever asked to pay to. Steps along the index from one to the next, because
 * each booking needs it and `distinct` would read all transfers.
 */
export async function listTransferIbans(tx: TenantTx, mode: Mode): Promise<string[]> {
  const rows = await tx.query<{ iban: string }>(
    `with recursive account as (
       select min(iban) as iban from bank_transfers where company_id = $1 and mode = $2
       union all
       select (select min(iban) from bank_transfers where company_id = $1 and mode = $2 and iban > account.iban)
       from account where iban is not null
     ) select iban from account where iban is not null`,
    [tx.companyId, mode],
  );
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

/** Credits money to a transfer. An open one with the full amount becomes complete. */
export async function creditTransfer(
  tx: TenantTx,
  attemptId: string,
  credit: TransferCredit,
): Promise<Transfer> {
  const { amountMinor, isLeft, payerName, payerIban, at } = credit;
  const [transfer] = await tx.query<Transfer>(
    `update bank_transfers set received_minor = received_minor + $3, is_unsettled = true,
            state = case when state = 'open' and received_minor + $3 >= due_minor then 'complete' else state end,
            ended_at = case when state = 'open' and received_minor + $3 < due_minor then null else coalesce(ended_at, $6) end,
            payer_name = case when received_minor = 0 then $4 else payer_name end,
            payer_iban = case when received_minor = 0 then $5 else payer_iban end,
            last_payer_name = case when $7 then last_payer_name else $4 end,
            last_payer_iban = case when $7 then last_payer_iban else $5 end,
            left_minor = left_minor + case when $7 then $3 else 0 end
     where company_id = $1 and attempt_id = $2
     returning ${columns}`,
    [tx.companyId, attemptId, amountMinor, payerName, payerIban, at, isLeft],
  );
  if (!transfer) throw new Error('money was to be counted to a transfer that is not there');
  return transfer;
}

/** Ends an expired open transfer; null when it is not due or has ended. What arrived is refunded. */
export async function closeTransfer(tx: TenantTx, attemptId: string, now: Date): Promise<Transfer | null> {
  const [transfer] = await tx.query<Transfer>(
    `update bank_transfers set state = case when received_minor = 0 then 'void' else 'closed' end,
            ended_at = $3, returned_minor = received_minor,
            returned_at = case when received_minor = 0 then null else $3::timestamptz end
     where company_id = $1 and attempt_id = $2 and state = 'open' and closes_at <= $3
     returning ${columns}`,
    [tx.companyId, attemptId, now],
  );
  return transfer ?? null;
}

/** Voids an open transfer without any money; null when it has money or has ended. */
export async function voidTransfer(tx: TenantTx, attemptId: string, now: Date): Promise<Transfer | null> {
  const [transfer] = await tx.query<Transfer>(
    `update bank_transfers set state = 'void', ended_at = $3
     where company_id = $1 and attempt_id = $2 and state = 'open' and received_minor = 0
     returning ${columns}`,
    [tx.companyId, attemptId, now],
  );
  return transfer ?? null;
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

/** Transfers with money that payments do not know about yet. */
export async function listUnsettled(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ attemptId: string }>(
    `select attempt_id as "attemptId" from bank_transfers where company_id = $1 and is_unsettled
     order by attempt_id limit $2`,
    [tx.companyId, limit],
  );
  return rows.map(({ attemptId }) => attemptId);
}

/**
 * The money that moved through a connection, in the order of `place`, after `after`. An overpayment is a
 * separate movement: it came at another time.
 */
export async function listTransferTransactions(
  tx: TenantTx,
  page: { connectionId: string; from: Date; until: Date; after: string; limit: number },
): Promise<(BalanceTransaction & { place: string })[]> {
  return await tx.query<BalanceTransaction & { place: string }>(
    `select place, kind, key, reference, "amountMinor", currency from (
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
     ) moved where at >= $3 and at < $4 and place > $5 order by place limit $6`,
    [tx.companyId, page.connectionId, page.from, page.until, page.after, page.limit],
  );
}
