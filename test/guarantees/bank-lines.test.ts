// What a line of a statement is taken for: money is counted, and a refund counts as sent, only where no other reading is
// possible. Over all the forms that a line and the books behind it can have.

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
const mostMinor = 99_999_999_999;
const amounts = fc.constantFrom(null, -1, 0, 1, 700, 701, 1999, mostMinor - 500, mostMinor - 499, mostMinor);

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

/** Why a line is for a person, or left alone; null where money moved by it. */
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
    amountMinor !== null && amountMinor > 0 && amountMinor <= mostMinor - transfer.receivedMinor;
  return canCount ? null : 'too_large';
}

function check(verdict: LineDecision, line: BankLine, known: Parameters<typeof reasonOf>[1]): void {
  const reason = reasonOf(line, known);
  if (verdict.kind !== 'put') {
    assert.equal(reason, null);
    assert.equal(verdict.kind, line.direction === 'credit' ? 'credit' : 'refund_sent');
    return;
  }
  assert.equal(verdict.reason, reason);
  const isOurs = known.transfers.length + known.refunds.length > 0;
  const isIgnored = !isOurs && (reason === 'other_account' || reason === 'outgoing');
  assert.equal(verdict.state, isIgnored ? 'ignored' : 'review');
}

guarantee<Module>(
  'a line is counted, or taken for a refund that was sent, only where it can mean nothing else',
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
  [
    [
      'money that is taken back counts as come',
      "if (line.direction === 'debit' || line.isReturn) return review('returned'",
      "if (line.direction === 'debit') return review('returned'",
    ],
    [
      'money that goes counts as come',
      "if (line.direction === 'debit' || line.isReturn) return review('returned'",
      "if (line.isReturn) return review('returned'",
    ],
    [
      'money on another account counts',
      "if (line.accountIban !== transfer.iban) return review('other_account', { attemptId });",
      '',
    ],
    [
      'any amount can be counted',
      "if (!canCredit(transfer, line)) return review('too_large', { attemptId });",
      '',
    ],
    ['no money can be counted', 'amountMinor !== null && amountMinor > 0 &&', 'amountMinor !== null &&'],
    [
      'the most is not enough',
      'receivedMinor + amountMinor <= maxReceivedMinor',
      'receivedMinor + amountMinor < mostReceivedMinor',
    ],
    [
      'what came before is not added',
      'receivedMinor + amountMinor <= maxReceivedMinor',
      'amountMinor <= maxReceivedMinor',
    ],
    [
      'a refund that came back counts as sent',
      "if (line.direction === 'credit' || line.isReturn) return review('refund_returned', refund);",
      '',
    ],
    [
      'a refund with a different amount counts as sent',
      "if (line.amountMinor !== refund.amountMinor) return review('refund_amount_differs', refund);",
      '',
    ],
    [
      'a refund is sent twice',
      "refund.state === 'sent' && refund.lineId === null",
      "refund.state === 'sent'",
    ],
    [
      'a refund that a person called sent has no line',
      " || (refund.state === 'sent' && refund.lineId === null)",
      '',
    ],
    [
      'an unclear batch is counted',
      "if (line.isBatchUnclear) return review('batch_unclear', { attemptId: transfer?.attemptId ?? null });",
      '',
    ],
    [
      'the first of several references counts',
      'if (transfers.length + refunds.length > 1)',
      'if (transfers.length + refunds.length > 9)',
    ],
    [
      'the first of several refunds counts',
      'if (refund && refunds.length === 1 && line',
      'if (refund && line',
    ],
    [
      'money that comes is taken for a refund',
      "refunds.length === 1 && line.direction === 'debit') return",
      'refunds.length === 1) return',
    ],
  ].map(([fault = '', from = '', to = '']) => ({ fault, file, from, to })),
);

const references = fc.constantFrom(null, 'BANK1', 'BANK2');
const counted = fc.record({
  statementId: fc.constantFrom('bst_1', 'bst_2'),
  amountMinor: fc.constantFrom(700, 700, 701),
  bankReference: references,
  matchedBy: fc.constantFrom('person', 'reference'),
  counterpartyIban: fc.constantFrom(null, own, other),
  bookedOn: fc.constantFrom(null, '2026-11-20', '2026-11-21'),
}) as fc.Arbitrary<BankLine>;

guarantee<Module>(
  'a booking that may have been counted before is never counted again, and two that differ are two',
  file,
  async ({ mayBeDuplicate }) => {
    const differs = (one: string | null, two: string | null) => one !== null && two !== null && one !== two;
    const isDouble = (line: BankLine, before: BankLine) => {
      if (before.statementId === line.statementId || before.amountMinor !== line.amountMinor) return false;
      if (line.bankReference !== null && line.bankReference === before.bankReference) return true;
      if (differs(line.bankReference, before.bankReference) && before.matchedBy === 'reference') return false;
      return !(
        differs(line.counterpartyIban, before.counterpartyIban) || differs(line.bookedOn, before.bookedOn)
      );
    };
    const proof = fc.property(counted, fc.array(counted, { maxLength: 3 }), (line, before) =>
      assert.equal(
        mayBeDuplicate(line, before),
        before.some((one) => isDouble(line, one)),
      ),
    );
    fc.assert(proof, { numRuns: 4000 });
  },
  [
    ['two amounts are one booking', 'if (counted.amountMinor !== line.amountMinor) return false;', ''],
    [
      'one bank reference is two bookings',
      'if (line.bankReference !== null && line.bankReference === counted.bankReference) return true;',
      '',
    ],
    ['no bank reference is one booking', 'if (line.bankReference !== null && line', 'if (line'],
    [
      'what a person matched is another booking',
      "(!isWellKnown || counted.matchedBy === 'person') &&",
      '!isWellKnown &&',
    ],
    ['two bank references are one booking', "(!isWellKnown || counted.matchedBy === 'person') &&", ''],
    [
      'the account does not matter',
      '    mayBeSame(line.counterpartyIban, counted.counterpartyIban) &&\n',
      '',
    ],
    ['the day does not matter', ' &&\n    mayBeSame(line.bookedOn, counted.bookedOn)', ''],
    ['what is silent differs', 'one === null || other === null || one === other', 'one === other'],
    ['two of one file are one booking', 'other.statementId !== line.statementId && ', ''],
  ].map(([fault = '', from = '', to = '']) => ({ fault, file, from, to })),
);
