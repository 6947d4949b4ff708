// Files for the tests of reading statements: made from a few words, cut into chunks, and read to their end.

import assert from 'node:assert/strict';
import { readStatement } from '../../src/bank/read-camt.ts';
import {
  StatementError,
  type StatementErrorCode,
  type StatementLimits,
  type StatementLine,
  type StatementPart,
  statementLimits,
} from '../../src/bank/statement.ts';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

export const header = '<GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-03-31T18:00:00Z</CreDtTm></GrpHdr>';
export const account = '<Id>S-1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>';

/** An entry, each element of which can be another or none. */
export function entry(
  own: Partial<Record<'Amt' | 'CdtDbtInd' | 'Sts' | 'more' | 'dates', string>> = {},
): string {
  const parts = {
    Amt: '<Amt Ccy="EUR">10.00</Amt>',
    CdtDbtInd: '<CdtDbtInd>CRDT</CdtDbtInd>',
    Sts: '<Sts><Cd>BOOK</Cd></Sts>',
    dates: '<BookgDt><Dt>2026-03-31</Dt></BookgDt>',
    more: '',
    ...own,
  };
  return `<Ntry>${parts.Amt}${parts.CdtDbtInd}${parts.Sts}${parts.dates}${parts.more}</Ntry>`;
}

/** An entry of several transactions, by what each of them says. */
export function batch(amount: string, transactions: readonly string[]): string {
  const details = transactions.map((transaction) => `<TxDtls>${transaction}</TxDtls>`).join('');
  return entry({ Amt: `<Amt Ccy="EUR">${amount}</Amt>`, more: `<NtryDtls>${details}</NtryDtls>` });
}

/** A whole camt.053.001.08 with these entries in its one statement. */
export function camt053(entries: string): string {
  return document(`<BkToCstmrStmt>${header}<Stmt>${account}${entries}</Stmt></BkToCstmrStmt>`);
}

/** A document with this inside, of this namespace. */
export function document(inside: string, uri = namespace): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${uri}">${inside}</Document>\n`;
}

/** A file in chunks: one, or one for each of these lengths and one for what is left. */
export async function* chunksOf(
  file: string | Uint8Array,
  lengths: readonly number[] = [],
): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  let at = 0;
  for (const length of lengths) {
    yield bytes.subarray(at, at + length);
    at += length;
  }
  yield bytes.subarray(at);
}

/** All parts that a file gives out, and the fault that its reading ends in, or null. */
export async function readAll(
  file: string | Uint8Array,
  { lengths = [], limits = {} }: { lengths?: readonly number[]; limits?: Partial<StatementLimits> } = {},
): Promise<{ parts: StatementPart[]; lines: StatementLine[]; fault: StatementError | null }> {
  const parts: StatementPart[] = [];
  let fault: StatementError | null = null;
  try {
    for await (const part of readStatement(chunksOf(file, lengths), { ...statementLimits, ...limits }))
      parts.push(part);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    fault = error;
  }
  return { parts, lines: parts.filter((part) => part.part === 'line'), fault };
}

/** Reads a file that has to be whole. */
export async function readGood(file: string | Uint8Array, lengths: readonly number[] = []) {
  const read = await readAll(file, { lengths });
  assert.equal(read.fault, null, read.fault?.message);
  return read;
}

/** Reads a file that has to be refused with this code, in a sentence that a person can act on. */
export async function expectFault(
  file: string | Uint8Array,
  code: StatementErrorCode,
  limits: Partial<StatementLimits> = {},
): Promise<StatementError> {
  const { fault } = await readAll(file, { limits });
  assert.ok(fault, `the file was read, and should be refused as ${code}`);
  assert.equal(fault.code, code, fault.message);
  assert.match(fault.detail, /^[A-Z"].*\.$/s);
  return fault;
}
