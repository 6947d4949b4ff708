// The parts of a bank statement, and why a file is refused. Must not know of payments, or of XML.

/**
 * The supported camt messages: 053 is the statement of a day or longer, 054 contains single bookings. 052 is a report
 * during the day: its content may still change, so nothing in it counts as booked.
 */
import { t, type ValueOf } from '../db/statements.ts';
export const statementKind = t.oneOf('camt.052', 'camt.053', 'camt.054');
export type StatementKind = ValueOf<typeof statementKind>;

export type StatementHeader = {
  part: 'header';
  kind: StatementKind;
  /** As in the file's namespace: `001.08`. */
  version: string;
  messageId: string;
  /** As the bank wrote it: ISO 8601, often without a zone. */
  createdAt: string;
};

/** Starts the bookings of one account. A file may have several. */
export type StatementAccount = {
  part: 'statement';
  statementId: string;
  /** Without spaces, not validated; null for an account with another kind of identifier. */
  accountIban: string | null;
  /** The account's currency; null if only the bookings have one. */
  currency: string | null;
};

export type StatementLine = {
  part: 'line';
  /** The position in the file, from 1. The same file gives the same positions. */
  position: number;
  statementId: string;
  accountIban: string | null;
  direction: 'credit' | 'debit';
  /** Whether it takes back an earlier movement, such as a returned transfer. */
  isReversal: boolean;
  /** Money has moved only if it is `booked`. A status that the bank invented is `info`. */
  status: 'booked' | 'pending' | 'info';
  /** Whether the file has no status, and `status` is the default for its kind of message. */
  isStatusAssumed: boolean;
  /** In minor units, 0 or more; null for a currency that Paylink does not know. */
  amountMinor: number | null;
  /** The same amount as decimal text of major units, without sign. */
  amountText: string;
  currency: string;
  /** Calendar days of the bank, `2026-03-31`; null if it names none. */
  bookedOn: string | null;
  valueOn: string | null;
  /** The bank's reference (AcctSvcrRef): of the transaction, or of its entry if the transaction has none. */
  bankReference: string | null;
  /** The bank's reference of the entry (NtryRef), the same for all bookings of a batch. */
  entryReference: string | null;
  /** An entry with several transactions gives a booking for each: the number of this one, from 1, and the total. */
  transactionNumber: number;
  transactionCount: number;
  /** Amounts of transactions are missing or do not add up: one booking of the whole, for a person to resolve. */
  isBatchUnclear: boolean;
  endToEndId: string | null;
  transactionId: string | null;
  /** The creditor reference of a structured remittance, as written; null if there are several: see `remittance`. */
  structuredReference: string | null;
  /** All texts of the customer, in the order of the file, one per line; `''` for none. */
  remittance: string;
  /** Who sent or got the money. `ultimateName` is the party on whose behalf, if the bank reports it. */
  counterparty: { name: string | null; ultimateName: string | null; iban: string | null };
  /** `PMNT-RCDT-ESCT`, or a code of the bank. */
  bankTransactionCode: string | null;
  /** Why a transfer was returned: `AC04`, or the bank's own text. */
  returnReason: string | null;
  additionalInfo: string | null;
};

export type StatementPart = StatementHeader | StatementAccount | StatementLine;

export type StatementErrorCode =
  | 'not_xml'
  | 'doctype'
  | 'encoding'
  | 'wrong_message'
  | 'unsupported_version'
  | 'truncated'
  | 'too_deep'
  | 'text_too_long'
  | 'entry_too_large'
  | 'too_many_lines'
  | 'bad_amount'
  | 'negative_amount'
  | 'missing_currency'
  | 'bad_date'
  | 'bad_value'
  | 'missing_part'
  | 'unexpected_part';

/** `detail` is for the person who sent the file, and says what to do. `line` counts from 1, if one can be named. */
export class StatementError extends Error {
  override name = 'StatementError';
  readonly code: StatementErrorCode;
  readonly detail: string;
  readonly line: number | null;

  constructor(code: StatementErrorCode, detail: string, line: number | null) {
    super(line === null ? detail : `Line ${line}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.line = line;
  }
}

export function refuseFile(code: StatementErrorCode, detail: string, line: number): never {
  throw new StatementError(code, `${detail} Ask the bank for a corrected file. Nothing was imported.`, line);
}

/** The limits of a file. Each bounds what a hostile file can cost. */
export type StatementLimits = {
  maxLines: number;
  maxDepth: number;
  /** Maximum of characters between two tags and inside one: text, comments, attributes. */
  maxTextLength: number;
  /** Maximum size of an entry in memory, all transactions of a batch together: characters, and a little per value. */
  maxEntryLength: number;
};

/** The limits of an import. The largest files of banks are well inside. */
export const statementLimits: Readonly<StatementLimits> = {
  maxLines: 1_000_000,
  maxDepth: 32,
  maxTextLength: 64 * 1024,
  maxEntryLength: 32 * 1024 * 1024,
};
