// The operations on bank statements as methods: one line each, typed from openapi.json, without logic.

import type { Answer, CallOptions, Input, Request } from './call.ts';
import { type List, listPages } from './pages.ts';

export type BankStatement = Answer<'getBankStatement'>;
export type ImportedStatement = Answer<'importBankStatement'>;
export type BankLine = Answer<'resolveBankLine'>;
export type BankRefund = Answer<'resolveBankRefund'>;
export type StatementQuery = NonNullable<Input<'listBankStatements'>['query']>;
export type LineQuery = NonNullable<Input<'listBankLines'>['query']>;
export type BankRefundQuery = NonNullable<Input<'listBankRefunds'>['query']>;

export type Bank = {
  /**
   * Imports a camt.053 or camt.054 file; the same file again changes nothing. A large one needs a longer
   * `timeoutMs`.
   */
  importStatement(
    file: Input<'importBankStatement'>['body'],
    options?: CallOptions,
  ): Promise<ImportedStatement>;
  /** The imported statements, newest first. */
  listStatements(query?: StatementQuery, options?: CallOptions): List<BankStatement>;
  getStatement(statementId: string, options?: CallOptions): Promise<BankStatement>;
  /** Bookings of statements; with `state: 'review'` those that a person must resolve. */
  listLines(query?: LineQuery, options?: CallOptions): List<BankLine>;
  /** Resolves a booking: what it is about, or that nothing is to be done. */
  resolveLine(
    lineId: string,
    word: Input<'resolveBankLine'>['body'],
    options?: CallOptions,
  ): Promise<BankLine>;
  /** Refunds by bank transfer; with `state: 'waiting'` those that you must send. */
  listRefunds(query?: BankRefundQuery, options?: CallOptions): List<BankRefund>;
  /** Reports that a refund was sent, or will not be. */
  resolveRefund(
    refundId: string,
    word: Input<'resolveBankRefund'>['body'],
    options?: CallOptions,
  ): Promise<BankRefund>;
};

export function bankOf(request: Request): Bank {
  return {
    importStatement: (body, options) => request('importBankStatement', { body }, options),
    listStatements: (query, options) =>
      listPages((place) => request('listBankStatements', { query: { ...query, ...place } }, options)),
    getStatement: (statementId, options) => request('getBankStatement', { path: { statementId } }, options),
    listLines: (query, options) =>
      listPages((place) => request('listBankLines', { query: { ...query, ...place } }, options)),
    resolveLine: (lineId, body, options) => request('resolveBankLine', { path: { lineId }, body }, options),
    listRefunds: (query, options) =>
      listPages((place) => request('listBankRefunds', { query: { ...query, ...place } }, options)),
    resolveRefund: (refundId, body, options) =>
      request('resolveBankRefund', { path: { refundId }, body }, options),
  };
}
