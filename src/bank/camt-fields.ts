// Which element of a camt file fills which field, in all supported versions. Elements that are in no table are skipped.

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
import { refuseFile, type StatementLine } from './statement.ts';

export type HeaderDraft = { messageId?: string; createdAt?: string };

export type AccountDraft = { statementId?: string; iban?: string; currency?: string };

type BankCode = { domain?: string; family?: string; subFamily?: string; ownCode?: string };

export type EntryDraft = BankCode & {
  entryReference?: string;
  amount?: Money;
  direction?: StatementLine['direction'];
  isReversal?: boolean;
  status?: StatementLine['status'];
  bookedOn?: string;
  valueOn?: string;
  bankReference?: string;
  additionalInfo?: string;
  /** How many transactions the entry declares, for each of its NtryDtls. */
  counts: number[];
};

export type TransactionDraft = BankCode & {
  /** Since version 04. */
  amount?: Money;
  /** In all versions. The booked amount is in the currency of the account. */
  detailedAmount?: Money;
  direction?: StatementLine['direction'];
  bankReference?: string;
  endToEndId?: string;
  transactionId?: string;
  debtorName?: string;
  debtorUltimateName?: string;
  debtorIban?: string;
  creditorName?: string;
  creditorUltimateName?: string;
  creditorIban?: string;
  references: string[];
  remittance: string[];
  returnReason?: string;
  additionalInfo?: string;
};

type Value<Field> = Field extends readonly (infer Item)[] ? Item : NonNullable<Field>;

/** A field of a draft, and the function that reads its value; null stands for a missing value. */
type FieldReader<Draft> = {
  [Key in keyof Draft]-?: readonly [Key, (leaf: Leaf) => Value<Draft[Key]> | null];
}[keyof Draft];

/** By the path of an element, relative to the element that the draft is for. */
export type Fields<Draft> = Readonly<Record<string, FieldReader<Draft>>>;

/** The cost of a value beside its characters, so that a million empty values have a cost, too. */
const valueOverhead = 32;

/** Writes a leaf into its field. A list takes every value, another field one. Returns the memory used, in characters. */
export function fillField<Draft>([key, read]: FieldReader<Draft>, draft: Draft, leaf: Leaf): number {
  const value = read(leaf);
  if (value === null) return 0;
  const current = draft[key];
  if (Array.isArray(current)) current.push(value);
  else if (current === undefined) draft[key] = value as Draft[keyof Draft];
  else
    refuseFile(
      'unexpected_part',
      `${leaf.name} occurs more than once where the standard allows it once.`,
      leaf.line,
    );
  return valueOverhead + (typeof value === 'string' ? value.length : 0);
}

export const headerFields: Fields<HeaderDraft> = {
  MsgId: ['messageId', readText],
  CreDtTm: ['createdAt', readMoment],
};

export const accountFields: Fields<AccountDraft> = {
  Id: ['statementId', readText],
  'Acct/Id/IBAN': ['iban', readAccount],
  'Acct/Id/Othr/Id': ['iban', readOtherAccount],
  'Acct/Ccy': ['currency', readText],
};

const bankCodeFields = {
  'BkTxCd/Domn/Cd': ['domain', readText],
  'BkTxCd/Domn/Fmly/Cd': ['family', readText],
  'BkTxCd/Domn/Fmly/SubFmlyCd': ['subFamily', readText],
  'BkTxCd/Prtry/Cd': ['ownCode', readText],
} satisfies Fields<BankCode>;

export const entryFields: Fields<EntryDraft> = {
  NtryRef: ['entryReference', readReferenceText],
  Amt: ['amount', readMoney],
  CdtDbtInd: ['direction', readDirection],
  RvslInd: ['isReversal', readIsReversal],
  // A code until version 06, an element that contains a code since 07.
  Sts: ['status', readStatus],
  'Sts/Cd': ['status', readStatus],
  // A status outside the standard's codes moved no money that Paylink could know of.
  'Sts/Prtry': ['status', () => 'info' as const],
  'BookgDt/Dt': ['bookedOn', readDay],
  'BookgDt/DtTm': ['bookedOn', readDay],
  'ValDt/Dt': ['valueOn', readDay],
  'ValDt/DtTm': ['valueOn', readDay],
  AcctSvcrRef: ['bankReference', readReferenceText],
  ...bankCodeFields,
  'NtryDtls/Btch/NbOfTxs': ['counts', readCount],
  AddtlNtryInf: ['additionalInfo', readText],
};

/** A party is a direct element until version 06, and nested in another element since 07. */
export const transactionFields: Fields<TransactionDraft> = {
  Amt: ['amount', readMoney],
  'AmtDtls/TxAmt/Amt': ['detailedAmount', readMoney],
  CdtDbtInd: ['direction', readDirection],
  'Refs/AcctSvcrRef': ['bankReference', readReferenceText],
  'Refs/EndToEndId': ['endToEndId', readReferenceText],
  'Refs/TxId': ['transactionId', readReferenceText],
  'RltdPties/Dbtr/Nm': ['debtorName', readText],
  'RltdPties/Dbtr/Pty/Nm': ['debtorName', readText],
  'RltdPties/UltmtDbtr/Nm': ['debtorUltimateName', readText],
  'RltdPties/UltmtDbtr/Pty/Nm': ['debtorUltimateName', readText],
  'RltdPties/DbtrAcct/Id/IBAN': ['debtorIban', readAccount],
  'RltdPties/DbtrAcct/Id/Othr/Id': ['debtorIban', readOtherAccount],
  'RltdPties/Cdtr/Nm': ['creditorName', readText],
  'RltdPties/Cdtr/Pty/Nm': ['creditorName', readText],
  'RltdPties/UltmtCdtr/Nm': ['creditorUltimateName', readText],
  'RltdPties/UltmtCdtr/Pty/Nm': ['creditorUltimateName', readText],
  'RltdPties/CdtrAcct/Id/IBAN': ['creditorIban', readAccount],
  'RltdPties/CdtrAcct/Id/Othr/Id': ['creditorIban', readOtherAccount],
  'RmtInf/Ustrd': ['remittance', readText],
  'RmtInf/Strd/CdtrRefInf/Ref': ['references', readText],
  'RmtInf/Strd/AddtlRmtInf': ['remittance', readText],
  ...bankCodeFields,
  'RtrInf/Rsn/Cd': ['returnReason', readText],
  'RtrInf/Rsn/Prtry': ['returnReason', readText],
  AddtlTxInf: ['additionalInfo', readText],
};
