// The acquirer's durable memory: one JSON line for each thing that happened to money, on disk before
// anybody is answered. Lines are only ever appended; a start replays them.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

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
export type Line = ChargeLine | RefundLine;

/** All lines of a journal file; a last line that a crash cut short was never answered and is left out. */
export function readJournal(file: string): Line[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The charges of a journal as they stand, by key. */
export function chargesOf(lines: readonly Line[]): Map<string, ChargeLine> {
  return new Map(lines.flatMap((line) => (line.type === 'charge' ? [[line.key, line] as const] : [])));
}

/** The refunds of a journal, by key. */
export function refundsOf(lines: readonly Line[]): Map<string, RefundLine> {
  return new Map(lines.flatMap((line) => (line.type === 'refund' ? [[line.key, line] as const] : [])));
}

export type Journal = {
  charges: Map<string, ChargeLine>;
  refunds: Map<string, RefundLine>;
  append(line: Line): void;
  close(): void;
};

/** Opens a journal for its one writer. `append` returns when the line is on disk. */
export function openJournal(file: string): Journal {
  const lines = readJournal(file);
  const charges = chargesOf(lines);
  const refunds = refundsOf(lines);
  const handle = openSync(file, 'a', 0o600);
  return {
    charges,
    refunds,
    append: (line) => {
      writeSync(handle, `${JSON.stringify(line)}\n`);
      fsyncSync(handle);
      if (line.type === 'charge') charges.set(line.key, line);
      else refunds.set(line.key, line);
    },
    close: () => closeSync(handle),
  };
}
