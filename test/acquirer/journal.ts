// The acquirer's durable memory: one JSON line for each thing that happened to money, on disk before
// anybody is answered. Lines are only ever appended; a start replays them.

import { openLines, readLines } from '../processors/kit/journal.ts';

export type ChargeState = 'charged' | 'declined' | 'pending' | 'void';

/** A charge as it stands; each line of its key replaces the one before. */
export type ChargeLine = {
  type: 'charge';
  key: string;
  state: ChargeState;
  reference: string;
  amountMinor: number;
  currency: string;
  /** What the request said that it is for, whatever its key: the link. */
  about: string;
  code?: string;
  /** When a pending charge becomes a charged one. */
  dueAtMs?: number;
};
export type RefundLine = {
  type: 'refund';
  key: string;
  chargeKey: string;
  state: 'refunded' | 'refused';
  reference: string;
  amountMinor: number;
  currency: string;
};
export type JournalLine = ChargeLine | RefundLine;

/** All lines of a journal file. */
export function readJournal(file: string): JournalLine[] {
  return readLines<JournalLine>(file);
}

/** The charges of a journal as they stand, by key. */
export function chargesOf(lines: readonly JournalLine[]): Map<string, ChargeLine> {
  return new Map(lines.flatMap((line) => (line.type === 'charge' ? [[line.key, line] as const] : [])));
}

/** The refunds of a journal, by key. */
export function refundsOf(lines: readonly JournalLine[]): Map<string, RefundLine> {
  return new Map(lines.flatMap((line) => (line.type === 'refund' ? [[line.key, line] as const] : [])));
}

/** The keys of refunds that failed after their money had gone. */
export function reversedIn(lines: readonly JournalLine[]): Set<string> {
  const standing = refundsOf(lines);
  const keys = lines.flatMap((line) =>
    line.type === 'refund' && line.state === 'refunded' ? [line.key] : [],
  );
  return new Set(keys.filter((key) => standing.get(key)?.state === 'refused'));
}

export type Journal = {
  charges: Map<string, ChargeLine>;
  refunds: Map<string, RefundLine>;
  append(line: JournalLine): void;
  close(): void;
};

/** Opens a journal for its one writer. `append` returns when the line is on disk. */
export function openJournal(file: string): Journal {
  const journal = openLines<JournalLine>(file);
  const charges = chargesOf(journal.lines);
  const refunds = refundsOf(journal.lines);
  return {
    charges,
    refunds,
    append: (line) => {
      journal.append(line);
      if (line.type === 'charge') charges.set(line.key, line);
      else refunds.set(line.key, line);
    },
    close: journal.close,
  };
}
