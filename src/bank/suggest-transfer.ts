// Suggests a transfer for a booking without a reference: the one open transfer with exactly this amount left whose
// customer has a name like the sender's. It is a suggestion for a person. Must not be applied automatically.

import { distance } from 'fastest-levenshtein';
import type { TenantTx } from '../db/database.ts';
import { listOpenByAmount, type Transfer } from '../processors/bank-transfer/transfer-store.ts';
import type { Mode } from '../processors/processor.ts';
import type { BankLine } from './store.ts';

/** The normalised words of a name: `Müller, Jörg` and `JOERG MUELLER` give the same words. */
function wordsOf(name: string): string[] {
  const plain = name
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}

const isLike = (a: string, b: string) => a === b || (Math.min(a.length, b.length) > 3 && distance(a, b) <= 1);

/** Each word of the shorter name is in the other, with at most one letter different. */
export function areNamesAlike(a: string, b: string): boolean {
  const [few, many] = [wordsOf(a), wordsOf(b)].sort((one, other) => one.length - other.length);
  if (!few || !many || few.length === 0) return false;
  // A single word, such as a first name, is not enough if the other name has more.
  if (few.length === 1 && many.length > 1) return false;
  return few.every((word) => many.some((other) => isLike(word, other)));
}

function canBeSuggestedFor(line: BankLine): boolean {
  const { state, direction, isReturn, isCredited, currency, amountMinor, counterpartyName } = line;
  const isCredit = state === 'review' && direction === 'credit' && !isReturn && !isCredited;
  return isCredit && currency === 'EUR' && amountMinor !== null && counterpartyName !== null;
}

function pick(line: BankLine, open: readonly Transfer[]): Transfer | null {
  const like = open.filter(
    ({ dueMinor, receivedMinor, iban, customerName }) =>
      dueMinor - receivedMinor === line.amountMinor &&
      iban === line.accountIban &&
      areNamesAlike(customerName, line.counterpartyName ?? ''),
  );
  return like.length === 1 ? (like[0] ?? null) : null;
}

/** The suggested transfers by the booking's ID, in one query. */
export async function suggestTransfers(
  tx: TenantTx,
  mode: Mode,
  lines: readonly BankLine[],
): Promise<ReadonlyMap<string, Transfer>> {
  const wanted = lines.filter(canBeSuggestedFor);
  const amounts = [...new Set(wanted.flatMap(({ amountMinor }) => amountMinor ?? []))];
  const open = amounts.length === 0 ? [] : await listOpenByAmount(tx, mode, amounts);
  return new Map(
    wanted.flatMap((line): [string, Transfer][] => {
      const transfer = pick(line, open);
      return transfer ? [[line.lineId, transfer]] : [];
    }),
  );
}
