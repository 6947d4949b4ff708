// The SQL of statements and their bookings. Only line-states.ts writes the state of a booking.

import type { TenantTx } from '../db/database.ts';
import { first, insertOf, omit, type RowOf, statement, t, type ValueOf } from '../db/statements.ts';
import type { Mode } from '../processors/processor.ts';
import { statementKind } from './statement.ts';

export const BankStatement = {
  statementId: t.text,
  mode: t.mode,
  kind: statementKind,
  version: t.text,
  messageId: t.text,
  byteCount: t.int8,
  lineCount: t.int4,
  /** Bookings that another statement contained before. */
  duplicateCount: t.int4,
  /** Bookings whose file has no status. */
  assumedCount: t.int4,
  createdBy: t.text,
  createdAt: t.timestamptz,
};
export type BankStatement = RowOf<typeof BankStatement>;

const newStatement = insertOf({ ...BankStatement, sha256: t.bytea });
const insertStatementSql = statement(BankStatement)`
  insert into bank_statements (company_id, ${newStatement.names}) values ($1, ${newStatement.values})
  on conflict (company_id, mode, sha256) do nothing
  returning ${BankStatement}`;

/** Inserts a statement; null if the same file was imported before. */
export async function insertStatement(
  tx: TenantTx,
  statement: BankStatement & { sha256: Buffer },
): Promise<BankStatement | null> {
  return first(await tx.query(insertStatementSql, [tx.companyId, ...newStatement.parameters(statement)]));
}

const lockImportsSql = statement({ isLocked: t.bool })`
  select pg_try_advisory_xact_lock(hashtextextended('bank_statements ' || $1, 0)) as "isLocked"`;

/** False if another import is under way: two with the same bookings in another order would block each other. */
export async function lockImports(tx: TenantTx): Promise<boolean> {
  const [row] = await tx.query(lockImportsSql, [tx.companyId]);
  return row?.isLocked === true;
}

const findStatementOfFileSql = statement(BankStatement)`
  select ${BankStatement} from bank_statements where company_id = $1 and mode = $2 and sha256 = $3`;

export async function findStatementOfFile(
  tx: TenantTx,
  mode: Mode,
  sha256: Buffer,
): Promise<BankStatement | null> {
  return first(await tx.query(findStatementOfFileSql, [tx.companyId, mode, sha256]));
}

const findStatementSql = statement(BankStatement)`
  select ${BankStatement} from bank_statements where company_id = $1 and mode = $2 and statement_id = $3`;

export async function findStatement(
  tx: TenantTx,
  mode: Mode,
  statementId: string,
): Promise<BankStatement | null> {
  return first(await tx.query(findStatementSql, [tx.companyId, mode, statementId]));
}

const listStatementsSql = statement(BankStatement)`
  select ${BankStatement} from bank_statements
  where company_id = $1 and mode = $2 and ($3::text is null or statement_id < $3)
  order by statement_id desc limit $4`;

/** Newest first, after `before`. */
export async function listStatements(
  tx: TenantTx,
  page: { mode: Mode; before: string | null; limit: number },
): Promise<BankStatement[]> {
  return await tx.query(listStatementsSql, [tx.companyId, page.mode, page.before, page.limit]);
}

export const lineStatus = t.oneOf('new', 'matched', 'review', 'ignored', 'resolved');
export type LineStatus = ValueOf<typeof lineStatus>;

const countLinesSql = statement({ statementId: t.text, state: lineStatus, count: t.int8 })`
  select statement_id as "statementId", state, count(*) as count from bank_lines
  where company_id = $1 and statement_id = any($2) group by statement_id, state`;

export async function countLines(
  tx: TenantTx,
  statementIds: readonly string[],
): Promise<{ statementId: string; state: LineStatus; count: number }[]> {
  return await tx.query(countLinesSql, [tx.companyId, statementIds]);
}

/** Why a booking waits for a person, or is ignored. docs/bank-transfer.md describes each. */
export const lineReason = t.oneOf(
  'not_booked',
  'other_currency',
  'no_money',
  'other_account',
  'outgoing',
  'no_reference',
  'unknown_reference',
  'several_references',
  'batch_unclear',
  'maybe_duplicate',
  'returned',
  'refund_returned',
  'refund_amount_differs',
  'refund_not_waiting',
  'surplus_again',
  'too_large',
);
export type LineReason = ValueOf<typeof lineReason>;

/** A booking from a file. `state` and `reason` are what its own content shows. */
export const NewLine = {
  lineId: t.text,
  position: t.int4,
  /** In hex, because a JSON array of bookings can't carry bytes. */
  fingerprint: t.text,
  direction: t.oneOf('credit', 'debit'),
  isReturn: t.bool,
  isBatchUnclear: t.bool,
  isBooked: t.bool,
  amountMinor: t.nullable(t.int8),
  amountText: t.text,
  currency: t.text,
  accountIban: t.nullable(t.text),
  bookedOn: t.computed('booked_on::text', t.nullable(t.text)),
  bankReference: t.nullable(t.text),
  endToEndId: t.nullable(t.text),
  foundReferences: t.array(t.text),
  remittance: t.text,
  counterpartyName: t.nullable(t.text),
  counterpartyIban: t.nullable(t.text),
  returnReason: t.nullable(t.text),
  state: t.oneOf('new', 'review', 'ignored'),
  reason: t.nullable(lineReason),
};
export type NewLine = RowOf<typeof NewLine>;

/** Inserts bookings, due at once, except those that a statement contained before. Returns how many are new. */
export async function insertLines(
  tx: TenantTx,
  statement: { statementId: string; mode: Mode; at: Date },
  lines: readonly NewLine[],
): Promise<number> {
  const rows = await tx.query(
    `insert into bank_lines (company_id, line_id, statement_id, mode, position, fingerprint, direction, is_return,
                             is_batch_unclear, is_booked, amount_minor, amount_text, currency, account_iban, booked_on,
                             bank_reference, end_to_end_id, found_references, remittance, counterparty_name,
                             counterparty_iban, return_reason, state, reason, due_at)
     select $1, "lineId", $2, $3, position, decode(fingerprint, 'hex'), direction, "isReturn", "isBatchUnclear",
            "isBooked", "amountMinor", "amountText", currency, "accountIban", "bookedOn", "bankReference", "endToEndId",
            "foundReferences", remittance, "counterpartyName", "counterpartyIban", "returnReason", state, reason,
            least($5, statement_timestamp())
     from jsonb_to_recordset($4::jsonb) as line
       ("lineId" text, position integer, fingerprint text, direction text, "isReturn" boolean,
        "isBatchUnclear" boolean, "isBooked" boolean, "amountMinor" bigint, "amountText" text, currency text,
        "accountIban" text, "bookedOn" date, "bankReference" text, "endToEndId" text, "foundReferences" text[],
        remittance text, "counterpartyName" text, "counterpartyIban" text, "returnReason" text, state text,
        reason text)
     on conflict (company_id, mode, fingerprint) do nothing
     returning line_id`,
    [tx.companyId, statement.statementId, statement.mode, JSON.stringify(lines), statement.at],
  );
  return rows.length;
}

export const BankLine = {
  ...omit(NewLine, 'fingerprint', 'state'),
  statementId: t.text,
  mode: t.mode,
  state: lineStatus,
  attemptId: t.nullable(t.text),
  refundId: t.nullable(t.text),
  isCredited: t.bool,
  matchedBy: t.nullable(t.oneOf('reference', 'person')),
  resolvedBy: t.nullable(t.text),
  resolvedAt: t.nullable(t.timestamptz),
  note: t.nullable(t.text),
};
export type BankLine = RowOf<typeof BankLine>;

const listNewLinesSql = statement({ lineId: t.text })`
  select line_id as "lineId" from bank_lines
  where company_id = $1 and state = 'new' order by line_id limit $2`;

/** In the order of their files. */
export async function listNewLines(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.query(listNewLinesSql, [tx.companyId, limit]);
  return rows.map(({ lineId }) => lineId);
}

const lockLineSql = statement(BankLine)`
  select ${BankLine} from bank_lines where company_id = $1 and line_id = $2 for update`;

/** The booking, locked until the transaction ends. Lock it before any transfer or payment. */
export async function lockLine(tx: TenantTx, lineId: string): Promise<BankLine | null> {
  return first(await tx.query(lockLineSql, [tx.companyId, lineId]));
}

const findLineSql = statement(BankLine)`
  select ${BankLine} from bank_lines where company_id = $1 and line_id = $2`;

export async function findLine(tx: TenantTx, lineId: string): Promise<BankLine | null> {
  return first(await tx.query(findLineSql, [tx.companyId, lineId]));
}

const listLinesSql = statement(BankLine)`
  select ${BankLine} from bank_lines
  where company_id = $1 and mode = $2 and ($3::text is null or state = $3)
    and ($4::text is null or statement_id = $4) and ($5::text is null or line_id < $5)
  order by line_id desc limit $6`;

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
  const { mode, state, statementId, before, limit } = page;
  return await tx.query(listLinesSql, [tx.companyId, mode, state, statementId, before, limit]);
}

const listCreditedLinesSql = statement(BankLine)`
  select ${BankLine} from bank_lines
  where company_id = $1 and attempt_id = $2 and is_credited
  order by resolved_at desc, line_id desc limit 100`;

/** Newest first. */
export async function listCreditedLines(tx: TenantTx, attemptId: string): Promise<BankLine[]> {
  return await tx.query(listCreditedLinesSql, [tx.companyId, attemptId]);
}
