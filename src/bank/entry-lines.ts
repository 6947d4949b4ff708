// Turns an entry of a statement and its transactions into bookings. The amounts of a batch are used only if they add up
// to the booked amount. Must not emit bookings whose sum differs from the entry.

import type { EntryDraft, TransactionDraft } from './camt-fields.ts';
import type { Money } from './camt-values.ts';
import { refuseFile, type StatementKind, type StatementLine } from './statement.ts';

export type UnpositionedLine = Omit<StatementLine, 'position'>;

export type LineStatement = Pick<StatementLine, 'statementId' | 'accountIban'> & { kind: StatementKind };

type CheckedEntry = EntryDraft &
  Required<Pick<EntryDraft, 'amount' | 'direction' | 'status'>> & { isStatusAssumed: boolean };

const none: TransactionDraft = { references: [], remittance: [] };

/** Some banks omit the status. An entry of a report during the day never counts as booked. */
function statusOf(
  kind: StatementKind,
  { status, bookedOn }: EntryDraft,
): Pick<CheckedEntry, 'status' | 'isStatusAssumed'> {
  const isStatusAssumed = status === undefined;
  const isBooked =
    status === 'booked' || (isStatusAssumed && (kind === 'camt.053' || bookedOn !== undefined));
  if (isBooked) return { status: kind === 'camt.052' ? 'pending' : 'booked', isStatusAssumed };
  return { status: status ?? 'pending', isStatusAssumed };
}

function checkEntry(kind: StatementKind, draft: EntryDraft, fileLine: number): CheckedEntry {
  const { amount, direction } = draft;
  if (amount !== undefined && direction !== undefined)
    return { ...draft, amount, direction, ...statusOf(kind, draft) };
  const missing = amount === undefined ? 'Amt' : 'CdtDbtInd';
  return refuseFile('missing_part', `The entry that ends here has no ${missing}.`, fileLine);
}

const amountOf = (transaction: TransactionDraft) => transaction.amount ?? transaction.detailedAmount;

/** Whether all transactions have amounts, and the amounts add up to the booked amount. */
function addsUp(entry: CheckedEntry, transactions: readonly TransactionDraft[]): boolean {
  let sum = 0n;
  for (const transaction of transactions) {
    const amount = amountOf(transaction);
    if (amount?.currency !== entry.amount.currency) return false;
    sum += (transaction.direction ?? entry.direction) === entry.direction ? amount.fine : -amount.fine;
  }
  return sum === entry.amount.fine;
}

/** By its amount; without one in the currency of the booking, if no more transactions are declared. */
function isWholeEntry(entry: CheckedEntry, transaction: TransactionDraft): boolean {
  const countedTransactions = entry.counts.reduce((sum, count) => sum + count, 0);
  const isSameCurrency = amountOf(transaction)?.currency === entry.amount.currency;
  return isSameCurrency ? addsUp(entry, [transaction]) : countedTransactions <= 1;
}

/** A return names the parties of the earlier movement. The account's own number shows whether a bank swapped them. */
function counterpartyOf(
  line: Pick<StatementLine, 'direction' | 'isReversal' | 'accountIban'>,
  transaction: TransactionDraft,
): StatementLine['counterparty'] {
  const isReturn = line.isReversal || transaction.returnReason !== undefined;
  const isFromDebtor = (line.direction === 'credit') !== isReturn;
  const iban = isFromDebtor ? transaction.debtorIban : transaction.creditorIban;
  const isSwapped = iban !== undefined && iban === line.accountIban;
  const role = isFromDebtor === isSwapped ? 'creditor' : 'debtor';
  return {
    name: transaction[`${role}Name`] ?? null,
    ultimateName: transaction[`${role}UltimateName`] ?? null,
    iban: transaction[`${role}Iban`] ?? null,
  };
}

function bankTransactionCodeOf(draft: EntryDraft | TransactionDraft): string | null {
  const { domain, family, subFamily, ownCode = null } = draft;
  if (domain === undefined) return ownCode;
  return [domain, family, subFamily].filter((part) => part !== undefined).join('-');
}

/** Several structured references are ambiguous: they become text for the person who reads the remittance. */
function remittanceOf({ references, remittance }: TransactionDraft) {
  const [first, ...more] = references;
  if (more.length > 0)
    return { structuredReference: null, remittance: [...references, ...remittance].join('\n') };
  return { structuredReference: first ?? null, remittance: remittance.join('\n') };
}

/** Merges the texts of transactions that became one booking: a person has to see whose money it may contain. */
function mergeTransactions(transactions: readonly TransactionDraft[]): TransactionDraft {
  const references = transactions.flatMap((transaction) => transaction.references);
  return { ...none, references, remittance: transactions.flatMap(({ remittance }) => remittance) };
}

type TransactionShare = { amount: Money; number: number; count: number; isBatchUnclear: boolean };

/** The bank's information about a batch as a whole belongs to none of its transactions. */
const infoOf = (entry: CheckedEntry, { count }: TransactionShare) =>
  count === 1 ? [entry.additionalInfo] : [];

function lineOf(
  account: LineStatement,
  entry: CheckedEntry,
  transaction: TransactionDraft,
  share: TransactionShare,
): UnpositionedLine {
  const direction = transaction.direction ?? entry.direction;
  const isReversal = entry.isReversal ?? false;
  const { statementId, accountIban } = account;
  return {
    part: 'line',
    statementId,
    accountIban,
    direction,
    isReversal,
    status: entry.status,
    isStatusAssumed: entry.isStatusAssumed,
    amountMinor: share.amount.amountMinor,
    amountText: share.amount.amountText,
    currency: share.amount.currency,
    bookedOn: entry.bookedOn ?? null,
    valueOn: entry.valueOn ?? null,
    bankReference: transaction.bankReference ?? entry.bankReference ?? null,
    entryReference: entry.entryReference ?? null,
    transactionNumber: share.number,
    transactionCount: share.count,
    isBatchUnclear: share.isBatchUnclear,
    endToEndId: transaction.endToEndId ?? null,
    transactionId: transaction.transactionId ?? null,
    ...remittanceOf(transaction),
    counterparty: counterpartyOf({ direction, isReversal, accountIban }, transaction),
    bankTransactionCode: bankTransactionCodeOf(transaction) ?? bankTransactionCodeOf(entry),
    returnReason: transaction.returnReason ?? null,
    additionalInfo:
      [transaction.additionalInfo, ...infoOf(entry, share)].filter((text) => text !== undefined).join('\n') ||
      null,
  };
}

/** One booking for each transaction, or one for the entry if it has none or they do not add up. */
export function* entryLines(
  account: LineStatement,
  draft: EntryDraft,
  transactions: readonly TransactionDraft[],
  fileLine: number,
): Generator<UnpositionedLine> {
  const entry = checkEntry(account.kind, draft, fileLine);
  const { amount, direction } = entry;
  if (transactions.length > 1 && addsUp(entry, transactions)) {
    for (const [index, transaction] of transactions.entries())
      yield lineOf(account, entry, transaction, {
        amount: amountOf(transaction) ?? amount,
        number: index + 1,
        count: transactions.length,
        isBatchUnclear: false,
      });
    return;
  }
  const [first = none, second] = transactions;
  // A booking that is the whole entry has the direction of the entry, whatever its transactions say.
  const transaction = second ? mergeTransactions(transactions) : { ...first, direction };
  const isBatchUnclear = second !== undefined || !isWholeEntry(entry, first);
  yield lineOf(account, entry, transaction, { amount, number: 1, count: 1, isBatchUnclear });
}
