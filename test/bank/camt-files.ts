// camt files for the tests of the reader.

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

/** An entry with default elements, each of which can be replaced or removed. */
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

/** An entry with these transactions. */
export function batch(amount: string, transactions: readonly string[]): string {
  const details = transactions.map((transaction) => `<TxDtls>${transaction}</TxDtls>`).join('');
  return entry({ Amt: `<Amt Ccy="EUR">${amount}</Amt>`, more: `<NtryDtls>${details}</NtryDtls>` });
}

/** A camt.053.001.08 with one statement of these entries. */
export function camt053(entries: string): string {
  return document(`<BkToCstmrStmt>${header}<Stmt>${account}${entries}</Stmt></BkToCstmrStmt>`);
}

/** A Document with this content and namespace. */
export function document(inside: string, uri = namespace): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${uri}">${inside}</Document>\n`;
}

/** A file in chunks of these lengths, and one chunk for the rest. */
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

/** All parts that a file gives, and the error of the reader, or null. */
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

/** Reads a valid file. */
export async function readValid(file: string | Uint8Array, lengths: readonly number[] = []) {
  const read = await readAll(file, { lengths });
  assert.equal(read.fault, null, read.fault?.message);
  return read;
}

/** Reads a file that must be refused with this code and a complete sentence. */
export async function expectRefusal(
  file: string | Uint8Array,
  code: StatementErrorCode,
  limits: Partial<StatementLimits> = {},
): Promise<StatementError> {
  const { fault } = await readAll(file, { limits });
  assert.ok(fault, `the file was read instead of refused as ${code}`);
  assert.equal(fault.code, code, fault.message);
  assert.match(fault.detail, /^[A-Z"].*\.$/s);
  return fault;
}
