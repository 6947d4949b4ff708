// The API forms of statements, bookings and refunds by bank transfer.

import { toMajorNumber } from '../base/money.ts';
import type { BankRefund } from '../processors/bank-transfer/refund-store.ts';
import type { Transfer } from '../processors/bank-transfer/transfer-store.ts';
import type { LineResponse, StatementResponse } from './schema.ts';
import type { BankLine, BankStatement, LineStatus } from './store.ts';

export function presentStatement(
  statement: BankStatement,
  counts: ReadonlyMap<LineStatus, number>,
): StatementResponse {
  const of = (state: LineStatus) => counts.get(state) ?? 0;
  return {
    statementId: statement.statementId,
    id: statement.statementId,
    mode: statement.mode,
    kind: statement.kind,
    version: statement.version,
    messageId: statement.messageId,
    bytes: statement.byteCount,
    lines: statement.lineCount,
    duplicates: statement.duplicateCount,
    statusAssumed: statement.assumedCount,
    matching: of('new'),
    matched: of('matched'),
    waiting: of('review'),
    ignored: of('ignored'),
    resolved: of('resolved'),
    createdAt: statement.createdAt.toISOString(),
    createdBy: statement.createdBy,
  };
}

function presentSuggestion({ reference, linkCode, customerOrderId, customerName }: Transfer) {
  return { reference, paymentLinkCode: linkCode, PaymentLinkCode: linkCode, customerOrderId, customerName };
}

export function presentLine(line: BankLine, suggestion: Transfer | undefined): LineResponse {
  return {
    lineId: line.lineId,
    id: line.lineId,
    statementId: line.statementId,
    position: line.position,
    direction: line.direction,
    isReturn: line.isReturn,
    amount: line.amountText,
    currency: line.currency,
    accountIban: line.accountIban,
    bookedOn: line.bookedOn,
    counterpartyName: line.counterpartyName,
    counterpartyIban: line.counterpartyIban,
    remittance: line.remittance,
    bankReference: line.bankReference,
    endToEndId: line.endToEndId,
    references: [...line.foundReferences],
    returnReason: line.returnReason,
    status: line.state,
    reason: line.reason,
    attemptId: line.attemptId,
    refundId: line.refundId,
    matchedBy: line.matchedBy,
    resolvedBy: line.resolvedBy,
    note: line.note,
    suggestion: suggestion ? presentSuggestion(suggestion) : null,
  };
}

export function presentBankRefund(refund: BankRefund) {
  return {
    refundId: refund.refundId,
    paymentLinkCode: refund.linkCode,
    PaymentLinkCode: refund.linkCode,
    customerOrderId: refund.customerOrderId,
    status: refund.state,
    amount: toMajorNumber(refund.amountMinor, refund.currency),
    currency: refund.currency,
    name: refund.toName,
    iban: refund.toIban,
    reference: refund.reference,
    endedBy: refund.endedBy,
    note: refund.note,
    createdAt: refund.createdAt.toISOString(),
    endedAt: refund.endedAt?.toISOString() ?? null,
  };
}
