// What a bank tells of an account, in our words: the parts that a statement is read into, and why a file
// is refused. Types and their faults only. Nothing here may know of payments, or of XML.

/**
 * The camt messages that are read: 053 is the statement of a day or a longer time, 054 single bookings. 052 is a report
 * during the day: what is in it may still change, so nothing of it counts as booked.
 */
export type StatementKind = 'camt.052' | 'camt.053' | 'camt.054';

/** The first part of every file. */
export type StatementHeader = {
  part: 'header';
  kind: StatementKind;
  /** As in the file's namespace: `001.08`. */
  version: string;
  /** The bank's own name of the message. */
  messageId: string;
  /** As the bank wrote it: ISO 8601, often without a zone. */
  createdAt: string;
};

/** Opens the lines of one account; a file may have several. */
export type StatementAccount = {
  part: 'statement';
  statementId: string;
  /** Without spaces, not checked; null for an account that is named in another way. */
  accountIban: string | null;
  /** The account's currency; null where the bank leaves it to the single lines. */
  currency: string | null;
};

/** One movement on an account. */
export type StatementLine = {
  part: 'line';
  /** Counts the lines of the file, from 1. The same file gives the same positions. */
  position: number;
  statementId: string;
  accountIban: string | null;
  direction: 'credit' | 'debit';
  /** Whether it takes back an earlier movement, as a returned transfer does. */
  isReversal: boolean;
  /** Money has moved only for what is booked. A status that the bank made up itself is `info`. */
  status: 'booked' | 'pending' | 'info';
  /** Whether the file says no status, and `status` is what its kind of message means. */
  isStatusAssumed: boolean;
  /** In minor units, 0 or more; null for a currency that Paylink doesn't know. */
  amountMinor: number | null;
  /** The same amount as decimal text of major units, without sign. */
  amountText: string;
  currency: string;
  /** Calendar days of the bank, `2026-03-31`; null where it names none. */
  bookedOn: string | null;
  valueOn: string | null;
  /** The bank's reference (AcctSvcrRef): of the transaction, or of its entry where the transaction has none. */
  bankReference: string | null;
  /** The bank's reference of the entry (NtryRef), the same for all lines of a batch. */
  entryReference: string | null;
  /** An entry that books several transactions gives a line for each: which one this is, from 1, and of how many. */
  transactionNumber: number;
  transactionCount: number;
  /**
   * Whether the amounts of an entry's transactions are missing or don't add up to what was booked. Such an
   * entry is one line of the amount booked, for a person to look at.
   */
  isBatchUnclear: boolean;
  endToEndId: string | null;
  transactionId: string | null;
  /** The creditor reference of a structured remittance, as written; null when there are several: see `remittance`. */
  structuredReference: string | null;
  /** All that the customer wrote, in the order of the file, a line each; `''` for nothing. */
  remittance: string;
  /** Who sent or got the money. `ultimateName` is whom they did it for, where the bank tells. */
  counterparty: { name: string | null; ultimateName: string | null; iban: string | null };
  /** `PMNT-RCDT-ESCT`, or a code of the bank's own. */
  bankTransactionCode: string | null;
  /** Why a transfer came back: `AC04`, or the bank's own words. */
  returnReason: string | null;
  additionalInfo: string | null;
};

/** What a file is read into: a header, then for each account its statement and its lines. */
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

/**
 * Why a file is refused. `detail` is a sentence or two for the person who sent it, and says what to do;
 * `line` is the line of the file, from 1, where there is one to name.
 */
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

/** How much of a file is taken. Each bounds what a hostile file can cost. */
export type StatementLimits = {
  /** Lines that are given out. */
  maxLines: number;
  /** Elements inside each other. */
  maxDepth: number;
  /** Characters between two tags, and inside of one: text, comments, attributes. */
  maxTextLength: number;
  /**
   * What of one entry is kept until its end, all transactions of a batch together: characters, and a little
   * for each value.
   */
  maxEntryLength: number;
};

/** The limits of an import: banks' largest files are well inside. */
export const statementLimits: Readonly<StatementLimits> = {
  maxLines: 1_000_000,
  maxDepth: 32,
  maxTextLength: 64 * 1024,
  maxEntryLength: 32 * 1024 * 1024,
};
