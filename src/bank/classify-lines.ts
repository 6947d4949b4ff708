// Classifies a booking by its own content: whether it may concern Paylink, and what identifies it. Pure.

import { createHash } from 'node:crypto';
import { findReferences } from '../base/creditor-reference.ts';
import { isCurrency } from '../base/money.ts';
import type { StatementLine } from './statement.ts';
import type { LineReason, NewLine } from './store.ts';

/** Maximum length of a stored text. What follows is mostly a bank's own advertisement. */
const maxTextLength = 1000;
const maxReferences = 20;
/** Maximum length that is searched for references. The standard's longest remittances are far below. */
const maxSearchedLength = 32 * 1024;

const clip = (text: string | null) => (text === null ? null : text.slice(0, maxTextLength).toWellFormed());

function referencesOf(line: StatementLine): string[] {
  const texts = [line.structuredReference, line.endToEndId, line.remittance, line.additionalInfo];
  const found = texts.flatMap((text) => (text ? findReferences(text.slice(0, maxSearchedLength)) : []));
  return [...new Set(found)].slice(0, maxReferences);
}

/** Whether a booking takes back an earlier movement: by the bank's flag, or by the reason that it names. */
const isReturn = (line: StatementLine) => line.isReversal || line.returnReason !== null;

type UnmatchedState = { state: 'ignored' | 'review'; reason: LineReason };
const ignored = (reason: LineReason): UnmatchedState => ({ state: 'ignored', reason });
const needsReview = (reason: LineReason): UnmatchedState => ({ state: 'review', reason });

/** The state of a booking without a reference of Paylink. `accounts` are those that customers pay to. */
export function classifyUnmatched(
  line: { direction: 'credit' | 'debit'; isReturn: boolean; accountIban: string | null },
  accounts: ReadonlySet<string>,
  reason: 'no_reference' | 'unknown_reference' | 'batch_unclear',
): UnmatchedState {
  if (line.accountIban === null || !accounts.has(line.accountIban)) return ignored('other_account');
  // A return concerns a payment, even if the bank does not say which.
  if (line.isReturn) return needsReview('returned');
  return line.direction === 'debit' ? ignored('outgoing') : needsReview(reason);
}

function classify(
  line: StatementLine,
  references: readonly string[],
  accounts: ReadonlySet<string>,
): Pick<NewLine, 'state' | 'reason'> {
  if (line.status !== 'booked') return ignored('not_booked');
  if (line.amountMinor === 0) return ignored('no_money');
  if (line.amountMinor === null || line.currency !== 'EUR') return ignored('other_currency');
  if (references.length > 0) return { state: 'new', reason: null };
  return classifyUnmatched(
    { ...line, isReturn: isReturn(line) },
    accounts,
    line.isBatchUnclear ? 'batch_unclear' : 'no_reference',
  );
}

/** `10.50` as `10.5`, `10.00` as `10`. A loop, because a regular expression takes quadratic time. */
function withoutEndingZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** The same text for one amount, whether a bank writes it as `10`, `10.0` or `10.00`. */
function plainAmount({ amountMinor, amountText }: StatementLine): number | string {
  return amountMinor ?? withoutEndingZeros(amountText);
}

/**
 * The text that identifies a booking. The bank's reference is enough together with amount and account. Without
 * such a reference, the other fields are needed. Excludes texts that a statement and a notification of the same
 * booking write differently.
 */
function identityOf(line: StatementLine, references: readonly string[]): string {
  const own = line.bankReference ?? [
    line.bookedOn,
    line.transactionId,
    line.endToEndId,
    line.counterparty.iban,
  ];
  const { accountIban, direction, status, currency } = line;
  return JSON.stringify([
    accountIban,
    direction,
    isReturn(line),
    status,
    plainAmount(line),
    currency,
    own,
    references,
  ]);
}

/** Equal bookings of one file are different bookings. A second file with both gives the same fingerprints. */
export function createFingerprints(): (line: StatementLine, references: readonly string[]) => string {
  const seen = new Map<string, number>();
  return (line, references) => {
    // Short, because a large file has a million bookings. The hash only separates bookings within one file.
    const hash = createHash('sha256').update(identityOf(line, references)).digest();
    const identity = hash.toString('base64url', 0, 16);
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    return createHash('sha256').update(`${identity} ${count}`).digest('hex');
  };
}

export function createLineClassifier(accounts: ReadonlySet<string>) {
  const fingerprintOf = createFingerprints();
  return (line: StatementLine, lineId: string): NewLine => {
    const references = referencesOf(line);
    const amountMinor = isCurrency(line.currency) ? line.amountMinor : null;
    return {
      lineId,
      position: line.position,
      fingerprint: fingerprintOf(line, references),
      direction: line.direction,
      isReturn: isReturn(line),
      isBatchUnclear: line.isBatchUnclear,
      isBooked: line.status === 'booked',
      amountMinor,
      amountText: line.amountText,
      currency: line.currency,
      accountIban: line.accountIban,
      bookedOn: line.bookedOn,
      bankReference: clip(line.bankReference),
      endToEndId: clip(line.endToEndId),
      foundReferences: references,
      remittance: clip(line.remittance) ?? '',
      counterpartyName: clip(line.counterparty.ultimateName ?? line.counterparty.name),
      counterpartyIban: clip(line.counterparty.iban),
      returnReason: clip(line.returnReason),
      ...classify(line, references, accounts),
    };
  };
}
