// Tables from the path of an element in a camt file to the field that it fills, for all supported versions. Elements
// that are in no table are skipped. Must not decide what a booking means.

import {
  type Leaf,
  type Money,
  readAccount,
  readCount,
  readDay,
  readDirection,
  readIsReversal,
  readMoment,
  readMoney,
  readOtherAccount,
  readReferenceText,
  readStatus,
  readText,
} from './camt-values.ts';
import { StatementError, type StatementLine } from './statement.ts';

type Party = { name?: string; ultimateName?: string; iban?: string };

export type HeaderDraft = { messageId?: string; createdAt?: string };

export type AccountDraft = { statementId?: string; iban?: string; currency?: string };

type BankCode = { domain?: string; family?: string; subFamily?: string; own?: string };

/** The fields of an entry itself. */
export type EntryDraft = {
  entryReference?: string;
  amount?: Money;
  direction?: StatementLine['direction'];
  isReversal?: boolean;
  status?: StatementLine['status'];
  bookedOn?: string;
  valueOn?: string;
  bankReference?: string;
  bankCode: BankCode;
  additionalInfo?: string;
  /** How many transactions the entry declares, for each of its NtryDtls. */
  counts: number[];
};

/** The fields of one transaction of an entry. */
export type TransactionDraft = {
  /** Since version 04. */
  amount?: Money;
  /** In all versions. The booked amount is in the currency of the account. */
  detailedAmount?: Money;
  direction?: StatementLine['direction'];
  bankReference?: string;
  endToEndId?: string;
  transactionId?: string;
  debtor: Party;
  creditor: Party;
  references: string[];
  remittance: string[];
  bankCode: BankCode;
  returnReason?: string;
  additionalInfo?: string;
};

/** Writes the value of a leaf into a draft. Returns the memory that it takes, in characters. */
export type FieldWriter<Draft> = (draft: Draft, leaf: Leaf) => number;
export type Parts<Draft> = ReadonlyMap<string, FieldWriter<Draft>>;

/** The cost of a value beside its characters, so that a million empty values have a cost, too. */
const valueOverhead = 32;

function sizeOf(value: unknown): number {
  return valueOverhead + (typeof value === 'string' ? value.length : 0);
}

/** Fills a field that the standard has once. An empty text counts as missing. */
function once<Draft, Key extends keyof Draft>(
  key: Key,
  read: (leaf: Leaf) => NonNullable<Draft[Key]> | null,
): FieldWriter<Draft> {
  return (draft, leaf) => {
    const value = read(leaf);
    if (value === null) return 0;
    if (draft[key] !== undefined)
      throw new StatementError(
        'unexpected_part',
        `${leaf.name} stands twice where the standard has it once. The bank has to mend the file: nothing of it was taken.`,
        leaf.line,
      );
    draft[key] = value;
    return sizeOf(value);
  };
}

/** Appends to a list. */
function each<Draft, Value>(
  listOf: (draft: Draft) => Value[],
  read: (leaf: Leaf) => Value | null,
): FieldWriter<Draft> {
  return (draft, leaf) => {
    const value = read(leaf);
    if (value === null) return 0;
    listOf(draft).push(value);
    return sizeOf(value);
  };
}

/** Fills a part of a draft. */
function within<Draft, Inner>(innerOf: (draft: Draft) => Inner, put: FieldWriter<Inner>): FieldWriter<Draft> {
  return (draft, leaf) => put(innerOf(draft), leaf);
}

export const headerParts: Parts<HeaderDraft> = new Map([
  ['MsgId', once<HeaderDraft, 'messageId'>('messageId', readText)],
  ['CreDtTm', once<HeaderDraft, 'createdAt'>('createdAt', readMoment)],
]);

export const accountParts: Parts<AccountDraft> = new Map([
  ['Id', once<AccountDraft, 'statementId'>('statementId', readText)],
  ['Acct/Id/IBAN', once<AccountDraft, 'iban'>('iban', readAccount)],
  ['Acct/Id/Othr/Id', once<AccountDraft, 'iban'>('iban', readOtherAccount)],
  ['Acct/Ccy', once<AccountDraft, 'currency'>('currency', readText)],
]);

function bankCodeParts<Draft extends { bankCode: BankCode }>(): [string, FieldWriter<Draft>][] {
  const part = (key: keyof BankCode): FieldWriter<Draft> =>
    within((draft: Draft) => draft.bankCode, once<BankCode, typeof key>(key, readText));
  return [
    ['BkTxCd/Domn/Cd', part('domain')],
    ['BkTxCd/Domn/Fmly/Cd', part('family')],
    ['BkTxCd/Domn/Fmly/SubFmlyCd', part('subFamily')],
    ['BkTxCd/Prtry/Cd', part('own')],
  ];
}

/** A status outside the standard's codes moved no money that Paylink could know of. */
const readOwnStatus = () => 'info' as const;

export const entryParts: Parts<EntryDraft> = new Map([
  ['NtryRef', once<EntryDraft, 'entryReference'>('entryReference', readReferenceText)],
  ['Amt', once<EntryDraft, 'amount'>('amount', readMoney)],
  ['CdtDbtInd', once<EntryDraft, 'direction'>('direction', readDirection)],
  ['RvslInd', once<EntryDraft, 'isReversal'>('isReversal', readIsReversal)],
  // A code until version 06, an element that contains a code since 07.
  ['Sts', once<EntryDraft, 'status'>('status', readStatus)],
  ['Sts/Cd', once<EntryDraft, 'status'>('status', readStatus)],
  ['Sts/Prtry', once<EntryDraft, 'status'>('status', readOwnStatus)],
  ['BookgDt/Dt', once<EntryDraft, 'bookedOn'>('bookedOn', readDay)],
  ['BookgDt/DtTm', once<EntryDraft, 'bookedOn'>('bookedOn', readDay)],
  ['ValDt/Dt', once<EntryDraft, 'valueOn'>('valueOn', readDay)],
  ['ValDt/DtTm', once<EntryDraft, 'valueOn'>('valueOn', readDay)],
  ['AcctSvcrRef', once<EntryDraft, 'bankReference'>('bankReference', readReferenceText)],
  ...bankCodeParts<EntryDraft>(),
  ['NtryDtls/Btch/NbOfTxs', each((draft: EntryDraft) => draft.counts, readCount)],
  ['AddtlNtryInf', once<EntryDraft, 'additionalInfo'>('additionalInfo', readText)],
]);

/** A party is a direct element until version 06, and nested in another element since 07. */
function partyParts(
  role: 'Dbtr' | 'Cdtr',
  partyOf: (draft: TransactionDraft) => Party,
): [string, FieldWriter<TransactionDraft>][] {
  const part = (key: keyof Party, read: (leaf: Leaf) => string | null) =>
    within(partyOf, once<Party, typeof key>(key, read));
  return [
    [`RltdPties/${role}/Nm`, part('name', readText)],
    [`RltdPties/${role}/Pty/Nm`, part('name', readText)],
    [`RltdPties/Ultmt${role}/Nm`, part('ultimateName', readText)],
    [`RltdPties/Ultmt${role}/Pty/Nm`, part('ultimateName', readText)],
    [`RltdPties/${role}Acct/Id/IBAN`, part('iban', readAccount)],
    [`RltdPties/${role}Acct/Id/Othr/Id`, part('iban', readOtherAccount)],
  ];
}

export const transactionParts: Parts<TransactionDraft> = new Map([
  ['Amt', once<TransactionDraft, 'amount'>('amount', readMoney)],
  ['AmtDtls/TxAmt/Amt', once<TransactionDraft, 'detailedAmount'>('detailedAmount', readMoney)],
  ['CdtDbtInd', once<TransactionDraft, 'direction'>('direction', readDirection)],
  ['Refs/AcctSvcrRef', once<TransactionDraft, 'bankReference'>('bankReference', readReferenceText)],
  ['Refs/EndToEndId', once<TransactionDraft, 'endToEndId'>('endToEndId', readReferenceText)],
  ['Refs/TxId', once<TransactionDraft, 'transactionId'>('transactionId', readReferenceText)],
  ...partyParts('Dbtr', (draft) => draft.debtor),
  ...partyParts('Cdtr', (draft) => draft.creditor),
  ['RmtInf/Ustrd', each((draft: TransactionDraft) => draft.remittance, readText)],
  ['RmtInf/Strd/CdtrRefInf/Ref', each((draft: TransactionDraft) => draft.references, readText)],
  ['RmtInf/Strd/AddtlRmtInf', each((draft: TransactionDraft) => draft.remittance, readText)],
  ...bankCodeParts<TransactionDraft>(),
  ['RtrInf/Rsn/Cd', once<TransactionDraft, 'returnReason'>('returnReason', readText)],
  ['RtrInf/Rsn/Prtry', once<TransactionDraft, 'returnReason'>('returnReason', readText)],
  ['AddtlTxInf', once<TransactionDraft, 'additionalInfo'>('additionalInfo', readText)],
]);
