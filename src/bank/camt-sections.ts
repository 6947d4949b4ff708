// The sections of a camt file, from the whole message down to one transaction. Each collects its content in a
// draft and emits the result when it ends. Must not know of XML beyond the paths of elements.

import {
  type AccountDraft,
  accountParts,
  type EntryDraft,
  entryParts,
  type HeaderDraft,
  headerParts,
  type Parts,
  type TransactionDraft,
  transactionParts,
} from './camt-parts.ts';
import type { Leaf } from './camt-values.ts';
import { entryLines, type LineStatement, type UnpositionedLine } from './entry-lines.ts';
import type { MessageName } from './message-name.ts';
import {
  type StatementAccount,
  StatementError,
  type StatementErrorCode,
  type StatementHeader,
  type StatementKind,
  type StatementLimits,
} from './statement.ts';

/** Paths are relative to the section's own element, such as `Acct/Id/IBAN`. `line` is the line of the file. */
export type Section = {
  /** The section that an element opens; null if the element belongs to this section. */
  enter(path: string, line: number): Section | null;
  /** Whether the text of an element is needed. */
  takes(path: string): boolean;
  take(path: string, leaf: Leaf): void;
  end(line: number): void;
};

export type StatementRecord = StatementHeader | StatementAccount | UnpositionedLine;

/** Receives the results of sections, in the order of the file. */
export type RecordSink = { limits: StatementLimits; give(parts: Iterable<StatementRecord>): void };

function refuse(code: StatementErrorCode, detail: string, line: number): never {
  throw new StatementError(code, `${detail} The bank has to mend the file: nothing of it was taken.`, line);
}

/** A section whose elements fill a draft. `kept` is called with the cost of each, in characters. */
function fillingSection<Draft>(
  parts: Parts<Draft>,
  draft: Draft,
  {
    enter = () => null,
    end,
    kept,
  }: Pick<Section, 'end'> & {
    enter?: Section['enter'];
    kept?: (length: number, line: number) => void;
  },
): Section {
  return {
    enter,
    end,
    takes: (path) => parts.has(path),
    take: (path, leaf) => {
      const length = parts.get(path)?.(draft, leaf) ?? 0;
      kept?.(length, leaf.line);
    },
  };
}

function headerSection({ kind, version }: MessageName, sink: RecordSink): Section {
  const draft: HeaderDraft = {};
  const end = (line: number) => {
    const { messageId, createdAt } = draft;
    if (messageId === undefined) return refuse('missing_part', 'The group header has no MsgId.', line);
    if (createdAt === undefined) return refuse('missing_part', 'The group header has no CreDtTm.', line);
    sink.give([{ part: 'header', kind, version, messageId, createdAt }]);
  };
  return fillingSection(headerParts, draft, { end });
}

/** The cost of an empty transaction, in characters. */
const transactionOverhead = 256;

function entrySection(account: LineStatement, sink: RecordSink): Section {
  const entry: EntryDraft = { bankCode: {}, counts: [] };
  const transactions: TransactionDraft[] = [];
  let keptLength = 0;
  const kept = (length: number, line: number) => {
    keptLength += length;
    if (keptLength > sink.limits.maxEntryLength)
      throw new StatementError(
        'entry_too_large',
        'One entry books more transactions than can be held at once. Ask the bank for smaller batches.',
        line,
      );
  };
  const enter = (path: string, line: number) => {
    if (path !== 'NtryDtls/TxDtls') return null;
    const draft: TransactionDraft = {
      debtor: {},
      creditor: {},
      references: [],
      remittance: [],
      bankCode: {},
    };
    transactions.push(draft);
    kept(transactionOverhead, line);
    return fillingSection(transactionParts, draft, { kept, end: () => {} });
  };
  const end = (line: number) => sink.give(entryLines(account, entry, transactions, line));
  return fillingSection(entryParts, entry, { enter, end, kept });
}

function statementSection(kind: StatementKind, sink: RecordSink): Section {
  const draft: AccountDraft = {};
  let account: LineStatement | null = null;
  let hasAccount = false;
  /** The standard puts the account before its first entry, so the account is known here. */
  const announce = (line: number): LineStatement => {
    if (account) return account;
    const { statementId, iban: accountIban = null, currency = null } = draft;
    if (statementId === undefined) return refuse('missing_part', 'A statement has no Id.', line);
    if (!hasAccount) return refuse('missing_part', 'A statement does not name its account (Acct).', line);
    sink.give([{ part: 'statement', statementId, accountIban, currency }]);
    account = { kind, statementId, accountIban };
    return account;
  };
  const enter = (path: string, line: number) => {
    if (path === 'Acct') hasAccount = true;
    if (account && (path === 'Acct' || path === 'Id'))
      refuse('unexpected_part', `${path} stands behind the first entry of a statement.`, line);
    return path === 'Ntry' ? entrySection(announce(line), sink) : null;
  };
  const end = (line: number) => void announce(line);
  return fillingSection(accountParts, draft, { enter, end });
}

/** The whole message: a group header, then a statement for each account. */
export function messageSection(name: MessageName, sink: RecordSink): Section {
  let hasHeader = false;
  let hasStatement = false;
  const enter = (path: string, line: number): Section | null => {
    if (path === 'SplmtryData') return null;
    if (path === 'GrpHdr') {
      if (hasHeader) refuse('unexpected_part', 'There are two group headers (GrpHdr).', line);
      hasHeader = true;
      return headerSection(name, sink);
    }
    // Deeper elements belong to a skipped element.
    if (path.includes('/')) return null;
    if (path !== name.statement)
      return refuse('unexpected_part', `${path} has no place in a ${name.kind}.`, line);
    if (!hasHeader) return refuse('missing_part', 'There is no group header (GrpHdr).', line);
    hasStatement = true;
    return statementSection(name.kind, sink);
  };
  const end = (line: number) => {
    if (!hasStatement) refuse('missing_part', `There is no statement (${name.statement}) in the file.`, line);
  };
  return fillingSection(new Map(), {}, { enter, end });
}
