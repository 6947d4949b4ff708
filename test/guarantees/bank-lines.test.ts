// What a line of a statement means: it is credited, or a refund counts as sent, only if nothing else is possible.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LineDecision } from '../../src/bank/decide-line.ts';
import type { BankLine } from '../../src/bank/store.ts';
import type { BankRefund } from '../../src/processors/bank-transfer/refund-store.ts';
import type { Transfer } from '../../src/processors/bank-transfer/transfer-store.ts';
import { guarantee } from './plant.ts';

type Module = typeof import('../../src/bank/decide-line.ts');
const file = 'src/bank/decide-line.ts';

const [own, other] = ['DE02120300000000202051', 'DE75512108001245126199'];
const maxMinor = 99_999_999_999;
const amounts = fc.constantFrom(null, -1, 0, 1, 700, 701, 1999, maxMinor - 500, maxMinor - 499, maxMinor);

const lines = fc.record({
  direction: fc.constantFrom('credit', 'debit'),
  isReturn: fc.oneof(fc.constant(false), fc.boolean()),
  isBatchUnclear: fc.oneof(fc.constant(false), fc.boolean()),
  accountIban: fc.constantFrom(own, own, other, null),
  amountMinor: amounts,
}) as fc.Arbitrary<BankLine>;
const transfers = fc.array(
  fc.record({
    attemptId: fc.constantFrom('att_1', 'att_2'),
    iban: fc.constantFrom(own, own, other),
    receivedMinor: fc.constantFrom(0, 500),
  }),
  { maxLength: 2 },
) as fc.Arbitrary<Transfer[]>;
const refunds = fc.array(
  fc.record({
    ...{ refundId: fc.constant('ref_1'), attemptId: fc.constant('att_1'), amountMinor: fc.constant(700) },
    state: fc.constantFrom('waiting', 'waiting', 'sent', 'failed'),
    lineId: fc.constantFrom(null, 'bln_1'),
  }),
  { maxLength: 2 },
) as fc.Arbitrary<BankRefund[]>;
const accounts = fc.constantFrom(new Set([own]), new Set<string>());

/** Why a line needs a review or is ignored; null if it moves money. */
function reasonOf(
  line: BankLine,
  of: { transfers: Transfer[]; refunds: BankRefund[]; accounts: Set<string> },
) {
  const [transfer] = of.transfers;
  const [refund] = of.refunds;
  const { direction, isReturn, amountMinor, accountIban } = line;
  const isBack = direction === 'debit' || isReturn;
  const ofRefund = () => {
    if (direction === 'credit' || isReturn) return 'refund_returned';
    if (amountMinor !== refund?.amountMinor) return 'refund_amount_differs';
    const isExpected = refund.state === 'waiting' || (refund.state === 'sent' && refund.lineId === null);
    return isExpected ? null : 'refund_not_waiting';
  };
  if (!transfer && !refund) {
    if (accountIban === null || !of.accounts.has(accountIban)) return 'other_account';
    if (isReturn) return 'returned';
    if (direction === 'debit') return 'outgoing';
    return line.isBatchUnclear ? 'batch_unclear' : 'unknown_reference';
  }
  if (line.isBatchUnclear) return 'batch_unclear';
  if (of.refunds.length === 1 && direction === 'debit') return ofRefund();
  if (of.transfers.length + of.refunds.length > 1) return 'several_references';
  if (refund) return ofRefund();
  if (isBack) return 'returned';
  if (accountIban !== transfer?.iban) return 'other_account';
  const canCount =
    amountMinor !== null && amountMinor > 0 && amountMinor <= maxMinor - transfer.receivedMinor;
  return canCount ? null : 'too_large';
}

function check(decision: LineDecision, line: BankLine, known: Parameters<typeof reasonOf>[1]): void {
  const reason = reasonOf(line, known);
  if (decision.kind !== 'put') {
    assert.equal(reason, null);
    assert.equal(decision.kind, line.direction === 'credit' ? 'credit' : 'refund_sent');
    return;
  }
  assert.equal(decision.reason, reason);
  const isOurs = known.transfers.length + known.refunds.length > 0;
  const isIgnored = !isOurs && (reason === 'other_account' || reason === 'outgoing');
  assert.equal(decision.state, isIgnored ? 'ignored' : 'review');
}

guarantee<Module>(
  'a line is credited, or matched with a refund, only if it can mean nothing else',
  file,
  async ({ decideLine }) => {
    const proof = fc.property(
      lines,
      transfers,
      refunds,
      accounts,
      (line, ofTransfers, ofRefunds, ofAccounts) => {
        const known = { transfers: ofTransfers, refunds: ofRefunds, accounts: ofAccounts };
        check(decideLine(line, known), line, known);
      },
    );
    fc.assert(proof, { numRuns: 6000 });
  },
  {
    [file]: {
      "if (line.direction === 'debit' || line.isReturn) return review('returned'": {
        'a returned transfer is credited': "if (line.direction === 'debit') return review('returned'",
        'an outgoing transfer is credited': "if (line.isReturn) return review('returned'",
      },
      "if (line.accountIban !== transfer.iban) return review('other_account', { attemptId });": {
        'money on another account is credited': '',
      },
      "if (!canCredit(transfer, line)) return review('too_large', { attemptId });": {
        'any amount can be credited': '',
      },
      'amountMinor !== null && amountMinor > 0 &&': {
        'an amount of 0 can be credited': 'amountMinor !== null &&',
      },
      'receivedMinor + amountMinor <= maxReceivedMinor': {
        'the maximum amount cannot be credited': 'receivedMinor + amountMinor < maxReceivedMinor',
        'the amount received before is not added': 'amountMinor <= maxReceivedMinor',
      },
      "if (line.direction === 'credit' || line.isReturn) return review('refund_returned', refund);": {
        'a returned refund counts as sent': '',
      },
      "if (line.amountMinor !== refund.amountMinor) return review('refund_amount_differs', refund);": {
        'a refund of another amount counts as sent': '',
      },
      "refund.state === 'sent' && refund.lineId === null": {
        'a refund is sent twice': "refund.state === 'sent'",
      },
      " || (refund.state === 'sent' && refund.lineId === null)": {
        'a refund that a person marked as sent gets no line': '',
      },
      "if (line.isBatchUnclear) return review('batch_unclear', { attemptId: transfer?.attemptId ?? null });":
        { 'an unclear batch is credited': '' },
      'if (transfers.length + refunds.length > 1)': {
        'the first of several references is credited': 'if (transfers.length + refunds.length > 9)',
      },
      'if (refund && refunds.length === 1 && line': {
        'the first of several refunds is matched': 'if (refund && line',
      },
      "refunds.length === 1 && line.direction === 'debit') return": {
        'incoming money counts as a refund': 'refunds.length === 1) return',
      },
    },
  },
);

const references = fc.constantFrom(null, 'BANK1', 'BANK2');
const credited = fc.record({
  statementId: fc.constantFrom('bst_1', 'bst_2'),
  amountMinor: fc.constantFrom(700, 700, 701),
  bankReference: references,
  matchedBy: fc.constantFrom('person', 'reference'),
  counterpartyIban: fc.constantFrom(null, own, other),
  bookedOn: fc.constantFrom(null, '2026-11-20', '2026-11-21'),
}) as fc.Arbitrary<BankLine>;

guarantee<Module>(
  'a line that may have been credited before needs a review, and lines that differ do not',
  file,
  async ({ mayBeDuplicate }) => {
    const differs = (one: string | null, two: string | null) => one !== null && two !== null && one !== two;
    const isDuplicate = (line: BankLine, before: BankLine) => {
      if (before.statementId === line.statementId || before.amountMinor !== line.amountMinor) return false;
      if (line.bankReference !== null && line.bankReference === before.bankReference) return true;
      if (differs(line.bankReference, before.bankReference) && before.matchedBy === 'reference') return false;
      return !(
        differs(line.counterpartyIban, before.counterpartyIban) || differs(line.bookedOn, before.bookedOn)
      );
    };
    const proof = fc.property(credited, fc.array(credited, { maxLength: 3 }), (line, before) =>
      assert.equal(
        mayBeDuplicate(line, before),
        before.some((one) => isDuplicate(line, one)),
      ),
    );
    fc.assert(proof, { numRuns: 4000 });
  },
  {
    [file]: {
      'if (counted.amountMinor !== line.amountMinor) return false;': {
        'different amounts are duplicates': '',
      },
      'if (line.bankReference !== null && line.bankReference === counted.bankReference) return true;': {
        'the same bank reference is no duplicate': '',
      },
      'if (line.bankReference !== null && line': { 'two missing bank references are duplicates': 'if (line' },
      "(!isWellKnown || counted.matchedBy === 'person') &&": {
        'a line that a person matched is no duplicate': '!isWellKnown &&',
        'different bank references are duplicates': '',
      },
      '    mayBeSame(line.counterpartyIban, counted.counterpartyIban) &&\n': {
        'the account is not compared': '',
      },
      ' &&\n    mayBeSame(line.bookedOn, counted.bookedOn)': { 'the day is not compared': '' },
      'one === null || other === null || one === other': { 'a missing value differs': 'one === other' },
      'other.statementId !== line.statementId && ': { 'two lines of one file are duplicates': '' },
    },
  },
);
