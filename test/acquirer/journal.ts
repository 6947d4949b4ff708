// The acquirer's durable journal: one JSON line for each change of money, on disk before the response. A start replays it.

import { openLines, readLines } from '../processors/kit/journal.ts';

export type ChargeState = 'charged' | 'declined' | 'pending' | 'void';

/** A charge; each line replaces the previous one of its key. */
export type ChargeLine = {
  type: 'charge';
  key: string;
  state: ChargeState;
  reference: string;
  amountMinor: number;
  currency: string;
  /** The link that the request names. */
  about: string;
  code?: string;
  /** When a pending charge is charged. */
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

/** The current charges of a journal, by key. */
export function chargesOf(lines: readonly JournalLine[]): Map<string, ChargeLine> {
  return new Map(lines.flatMap((line) => (line.type === 'charge' ? [[line.key, line] as const] : [])));
}

/** The current refunds of a journal, by key. */
export function refundsOf(lines: readonly JournalLine[]): Map<string, RefundLine> {
  return new Map(lines.flatMap((line) => (line.type === 'refund' ? [[line.key, line] as const] : [])));
}

/** The keys of refunds that failed after they had succeeded. */
export function reversedIn(lines: readonly JournalLine[]): Set<string> {
  const current = refundsOf(lines);
  const keys = lines.flatMap((line) =>
    line.type === 'refund' && line.state === 'refunded' ? [line.key] : [],
  );
  return new Set(keys.filter((key) => current.get(key)?.state === 'refused'));
}

export type Journal = {
  charges: Map<string, ChargeLine>;
  refunds: Map<string, RefundLine>;
  append(line: JournalLine): void;
  close(): void;
};

/** Opens a journal for its only writer. `append` returns when the line is on disk. */
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
