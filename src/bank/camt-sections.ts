// The sections of a camt file. Must not know of XML beyond the paths of elements.

import {
  type AccountDraft,
  accountFields,
  type EntryDraft,
  entryFields,
  type Fields,
  fillField,
  type HeaderDraft,
  headerFields,
  type TransactionDraft,
  transactionFields,
} from './camt-fields.ts';
import type { Leaf } from './camt-values.ts';
import { entryLines, type LineStatement, type UnpositionedLine } from './entry-lines.ts';
import type { MessageName } from './message-name.ts';
import {
  refuseFile,
  type StatementAccount,
  StatementError,
  type StatementHeader,
  type StatementKind,
  type StatementLimits,
} from './statement.ts';

/** Paths are relative to the section's own element, such as `Acct/Id/IBAN`. `line` is the line of the file. */
export type Section = {
  /** The section that an element opens; null if the element belongs to this section. */
  enter?(path: string, line: number): Section | null;
  /** Whether the text of an element is needed. */
  takes?(path: string): boolean;
  take?(path: string, leaf: Leaf): void;
  end?(line: number): void;
};

export type StatementRecord = StatementHeader | StatementAccount | UnpositionedLine;

export type RecordSink = { limits: StatementLimits; emit(records: Iterable<StatementRecord>): void };

/** The part of a section that fills a draft. `use` is called with the memory that each value takes, in characters. */
function filling<Draft>(fields: Fields<Draft>, draft: Draft, use?: (length: number, line: number) => void) {
  return {
    takes: (path: string) => Object.hasOwn(fields, path),
    take: (path: string, leaf: Leaf) => {
      const length = fillField(fields[path]!, draft, leaf);
      use?.(length, leaf.line);
    },
  };
}

function headerSection({ kind, version }: MessageName, sink: RecordSink): Section {
  const draft: HeaderDraft = {};
  const end = (line: number) => {
    const { messageId, createdAt } = draft;
    if (messageId === undefined) return refuseFile('missing_part', 'The group header has no MsgId.', line);
    if (createdAt === undefined) return refuseFile('missing_part', 'The group header has no CreDtTm.', line);
    sink.emit([{ part: 'header', kind, version, messageId, createdAt }]);
  };
  return { ...filling(headerFields, draft), end };
}

/** The cost of an empty transaction, in characters. */
const transactionOverhead = 256;

function entrySection(account: LineStatement, { limits, emit }: RecordSink): Section {
  const entry: EntryDraft = { counts: [] };
  const transactions: TransactionDraft[] = [];
  let usedLength = 0;
  const use = (length: number, line: number) => {
    usedLength += length;
    if (usedLength > limits.maxEntryLength)
      throw new StatementError(
        'entry_too_large',
        'One entry books more transactions than fit into memory. Ask the bank for smaller batches.',
        line,
      );
  };
  const enter = (path: string, line: number) => {
    if (path !== 'NtryDtls/TxDtls') return null;
    const draft: TransactionDraft = { references: [], remittance: [] };
    transactions.push(draft);
    use(transactionOverhead, line);
    return filling(transactionFields, draft, use);
  };
  const end = (line: number) => emit(entryLines(account, entry, transactions, line));
  return { ...filling(entryFields, entry, use), enter, end };
}

function statementSection(kind: StatementKind, sink: RecordSink): Section {
  const draft: AccountDraft = {};
  let account: LineStatement | null = null;
  let hasAccount = false;
  /** The standard puts the account before its first entry, so the account is known here. */
  const announce = (line: number): LineStatement => {
    if (account) return account;
    const { statementId, iban: accountIban = null, currency = null } = draft;
    if (statementId === undefined) return refuseFile('missing_part', 'A statement has no Id.', line);
    if (!hasAccount) return refuseFile('missing_part', 'A statement has no account (Acct).', line);
    sink.emit([{ part: 'statement', statementId, accountIban, currency }]);
    account = { kind, statementId, accountIban };
    return account;
  };
  const enter = (path: string, line: number) => {
    if (path === 'Acct') hasAccount = true;
    if (account && (path === 'Acct' || path === 'Id'))
      refuseFile('unexpected_part', `${path} follows the first entry of a statement.`, line);
    return path === 'Ntry' ? entrySection(announce(line), sink) : null;
  };
  return { ...filling(accountFields, draft), enter, end: announce };
}

/** The whole message: a group header, then a statement for each account. */
function messageSection(name: MessageName, sink: RecordSink): Section {
  let hasHeader = false;
  let hasStatement = false;
  const enter = (path: string, line: number): Section | null => {
    // Deeper elements belong to a skipped element.
    if (path === 'SplmtryData' || path.includes('/')) return null;
    if (path === 'GrpHdr') {
      if (hasHeader) refuseFile('unexpected_part', 'There are two group headers (GrpHdr).', line);
      hasHeader = true;
      return headerSection(name, sink);
    }
    if (path !== name.statement)
      return refuseFile('unexpected_part', `${path} is not allowed in a ${name.kind}.`, line);
    if (!hasHeader) return refuseFile('missing_part', 'There is no group header (GrpHdr).', line);
    hasStatement = true;
    return statementSection(name.kind, sink);
  };
  const end = (line: number) => {
    if (!hasStatement) refuseFile('missing_part', `There is no statement (${name.statement}).`, line);
  };
  return { enter, end };
}

/** The content of the root element Document: one message. */
export function documentSection(name: MessageName, sink: RecordSink): Section {
  let hasMessage = false;
  const enter = (path: string, line: number) => {
    if (hasMessage || path !== name.message)
      throw new StatementError(
        'wrong_message',
        `The Document of a ${name.kind} must contain one ${name.message} and nothing else. Ask the bank for the file again.`,
        line,
      );
    hasMessage = true;
    return messageSection(name, sink);
  };
  const end = (line: number) => {
    if (!hasMessage) throw new StatementError('missing_part', 'The Document is empty.', line);
  };
  return { enter, end };
}
