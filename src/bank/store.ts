// All SQL of statements, and most SQL of their bookings: one exported function per statement. Only line-states.ts
// writes the state of a booking.

import type { TenantTx } from '../db/database.ts';
import type { Mode } from '../processors/processor.ts';
import type { StatementKind } from './statement.ts';

export type BankStatement = {
  statementId: string;
  mode: Mode;
  kind: StatementKind;
  version: string;
  messageId: string;
  byteCount: number;
  lineCount: number;
  /** Bookings that another statement contained before. */
  duplicateCount: number;
  /** Bookings whose file has no status. */
  assumedCount: number;
  createdBy: string;
  createdAt: Date;
};

const statementColumns = `statement_id as "statementId", mode, kind, version, message_id as "messageId",
  byte_count as "byteCount", line_count as "lineCount", duplicate_count as "duplicateCount",
  assumed_count as "assumedCount",
  created_by as "createdBy", created_at as "createdAt"`;

/** Inserts a statement; null if the same file was imported before. */
export async function insertStatement(
  tx: TenantTx,
  statement: BankStatement & { sha256: Buffer },
): Promise<BankStatement | null> {
  const [inserted] = await tx.query<BankStatement>(
    `insert into bank_statements (company_id, statement_id, mode, sha256, kind, version, message_id, byte_count,
                                  line_count, duplicate_count, assumed_count, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (company_id, mode, sha256) do nothing
     returning ${statementColumns}`,
    [
      tx.companyId,
      statement.statementId,
      statement.mode,
      statement.sha256,
      statement.kind,
      statement.version,
      statement.messageId,
      statement.byteCount,
      statement.lineCount,
      statement.duplicateCount,
      statement.assumedCount,
      statement.createdBy,
      statement.createdAt,
    ],
  );
  return inserted ?? null;
}

/**
 * Allows one import of a company at a time: two with the same bookings in another order would block each other. False
 * if another is under way.
 */
export async function lockImports(tx: TenantTx): Promise<boolean> {
  const [row] = await tx.query<{ isLocked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('bank_statements ' || $1, 0)) as "isLocked"`,
    [tx.companyId],
  );
  return row?.isLocked === true;
}

export async function findStatementOfFile(
  tx: TenantTx,
  mode: Mode,
  sha256: Buffer,
): Promise<BankStatement | null> {
  const [statement] = await tx.query<BankStatement>(
    `select ${statementColumns} from bank_statements where company_id = $1 and mode = $2 and sha256 = $3`,
    [tx.companyId, mode, sha256],
  );
  return statement ?? null;
}

export async function findStatement(
  tx: TenantTx,
  mode: Mode,
  statementId: string,
): Promise<BankStatement | null> {
  const [statement] = await tx.query<BankStatement>(
    `select ${statementColumns} from bank_statements where company_id = $1 and mode = $2 and statement_id = $3`,
    [tx.companyId, mode, statementId],
  );
  return statement ?? null;
}

/** Statements of a mode, newest first, after `before`. */
export async function listStatements(
  tx: TenantTx,
  page: { mode: Mode; before: string | null; limit: number },
): Promise<BankStatement[]> {
  return await tx.query<BankStatement>(
    `select ${statementColumns} from bank_statements
     where company_id = $1 and mode = $2 and ($3::text is null or statement_id < $3)
     order by statement_id desc limit $4`,
    [tx.companyId, page.mode, page.before, page.limit],
  );
}

export type LineStatus = 'new' | 'matched' | 'review' | 'ignored' | 'resolved';

/** How many bookings of each state the statements have. */
export async function countLines(
  tx: TenantTx,
  statementIds: readonly string[],
): Promise<{ statementId: string; state: LineStatus; count: number }[]> {
  return await tx.query<{ statementId: string; state: LineStatus; count: number }>(
    `select statement_id as "statementId", state, count(*) as count from bank_lines
     where company_id = $1 and statement_id = any($2) group by statement_id, state`,
    [tx.companyId, statementIds],
  );
}

/** A booking from a file. `state` and `reason` are what its own content shows. */
export type NewLine = {
  lineId: string;
  position: number;
  /** In hex, because a JSON array of bookings can't carry bytes. */
  fingerprint: string;
  direction: 'credit' | 'debit';
  isReturn: boolean;
  isBatchUnclear: boolean;
  isBooked: boolean;
  amountMinor: number | null;
  amountText: string;
  currency: string;
  accountIban: string | null;
  bookedOn: string | null;
  bankReference: string | null;
  endToEndId: string | null;
  foundReferences: readonly string[];
  remittance: string;
  counterpartyName: string | null;
  counterpartyIban: string | null;
  returnReason: string | null;
  state: 'new' | 'review' | 'ignored';
  reason: LineReason | null;
};

/** Why a booking waits for a person, or is ignored. docs/bank-transfer.md describes each. */
export type LineReason =
  | 'not_booked'
  | 'other_currency'
  | 'no_money'
  | 'other_account'
  | 'outgoing'
  | 'no_reference'
  | 'unknown_reference'
  | 'several_references'
  | 'batch_unclear'
  | 'maybe_duplicate'
  | 'returned'
  | 'refund_returned'
  | 'refund_amount_differs'
  | 'refund_not_waiting'
  | 'surplus_again'
  | 'too_large';

/** Inserts bookings, except those that a statement contained before. Returns how many are new. */
export async function insertLines(
  tx: TenantTx,
  statement: { statementId: string; mode: Mode },
  lines: readonly NewLine[],
): Promise<number> {
  const rows = await tx.query(
    `insert into bank_lines (company_id, line_id, statement_id, mode, position, fingerprint, direction, is_return,
                             is_batch_unclear, is_booked, amount_minor, amount_text, currency, account_iban, booked_on,
                             bank_reference, end_to_end_id, found_references, remittance, counterparty_name,
                             counterparty_iban, return_reason, state, reason)
     select $1, "lineId", $2, $3, position, decode(fingerprint, 'hex'), direction, "isReturn", "isBatchUnclear",
            "isBooked", "amountMinor", "amountText", currency, "accountIban", "bookedOn", "bankReference", "endToEndId",
            "foundReferences", remittance, "counterpartyName", "counterpartyIban", "returnReason", state, reason
     from jsonb_to_recordset($4::jsonb) as line
       ("lineId" text, position integer, fingerprint text, direction text, "isReturn" boolean,
        "isBatchUnclear" boolean, "isBooked" boolean, "amountMinor" bigint, "amountText" text, currency text,
        "accountIban" text, "bookedOn" date, "bankReference" text, "endToEndId" text, "foundReferences" text[],
        remittance text, "counterpartyName" text, "counterpartyIban" text, "returnReason" text, state text,
        reason text)
     on conflict (company_id, mode, fingerprint) do nothing
     returning line_id`,
    [tx.companyId, statement.statementId, statement.mode, JSON.stringify(lines)],
  );
  return rows.length;
}

export type BankLine = Omit<NewLine, 'fingerprint' | 'state'> & {
  statementId: string;
  mode: Mode;
  state: LineStatus;
  attemptId: string | null;
  refundId: string | null;
  isCredited: boolean;
  matchedBy: 'reference' | 'person' | null;
  resolvedBy: string | null;
  resolvedAt: Date | null;
  note: string | null;
};

const lineColumns = `line_id as "lineId", statement_id as "statementId", mode, position, direction,
  is_return as "isReturn", is_batch_unclear as "isBatchUnclear", is_booked as "isBooked", amount_minor as "amountMinor",
  amount_text as "amountText", currency, account_iban as "accountIban", booked_on::text as "bookedOn",
  bank_reference as "bankReference", end_to_end_id as "endToEndId", found_references as "foundReferences", remittance,
  counterparty_name as "counterpartyName", counterparty_iban as "counterpartyIban", return_reason as "returnReason",
  state, reason, attempt_id as "attemptId", refund_id as "refundId", is_credited as "isCredited",
  matched_by as "matchedBy", resolved_by as "resolvedBy", resolved_at as "resolvedAt", note`;

/** The bookings that are still to be matched, in the order of their files. */
export async function listNewLines(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ lineId: string }>(
    `select line_id as "lineId" from bank_lines
     where company_id = $1 and state = 'new' order by line_id limit $2`,
    [tx.companyId, limit],
  );
  return rows.map(({ lineId }) => lineId);
}

/** The booking, locked until the transaction ends. Lock it before any transfer or payment. */
export async function lockLine(tx: TenantTx, lineId: string): Promise<BankLine | null> {
  const [line] = await tx.query<BankLine>(
    `select ${lineColumns} from bank_lines where company_id = $1 and line_id = $2 for update`,
    [tx.companyId, lineId],
  );
  return line ?? null;
}

export async function findLine(tx: TenantTx, lineId: string): Promise<BankLine | null> {
  const [line] = await tx.query<BankLine>(
    `select ${lineColumns} from bank_lines where company_id = $1 and line_id = $2`,
    [tx.companyId, lineId],
  );
  return line ?? null;
}

/** Bookings of a mode, newest first, after `before`; without a filter, of every state and statement. */
export async function listLines(
  tx: TenantTx,
  page: {
    mode: Mode;
    state: LineStatus | null;
    statementId: string | null;
    before: string | null;
    limit: number;
  },
): Promise<BankLine[]> {
  return await tx.query<BankLine>(
    `select ${lineColumns} from bank_lines
     where company_id = $1 and mode = $2 and ($3::text is null or state = $3)
       and ($4::text is null or statement_id = $4) and ($5::text is null or line_id < $5)
     order by line_id desc limit $6`,
    [tx.companyId, page.mode, page.state, page.statementId, page.before, page.limit],
  );
}

/** The bookings that were counted towards a transfer, newest first. */
export async function listCreditedLines(tx: TenantTx, attemptId: string): Promise<BankLine[]> {
  return await tx.query<BankLine>(
    `select ${lineColumns} from bank_lines
     where company_id = $1 and attempt_id = $2 and is_credited
     order by resolved_at desc, line_id desc limit 100`,
    [tx.companyId, attemptId],
  );
}
