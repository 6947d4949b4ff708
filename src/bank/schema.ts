// The shapes of statements, their bookings and the refunds that are sent by hand, declared once: validation,
// types, filtering of the response and OpenAPI use them.

import { type Static, Type } from 'typebox';
import { listSchema, pageParameters, querySchema } from '../http/page-query.ts';
import { moment, oneOf } from '../http/schema-parts.ts';
import type { LineReason } from './store.ts';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const lineStates = ['new', 'matched', 'review', 'ignored', 'resolved'] as const;

/** Every reason with its meaning. docs/bank-transfer.md says what to do about each. */
export const lineReasons: Readonly<Record<LineReason, string>> = {
  not_booked: 'announced, and not booked yet',
  other_currency: 'not in euros',
  no_money: 'an amount of nothing',
  other_account: 'on another account than the customer was given',
  outgoing: 'money that you sent, and no refund of Paylink',
  no_reference: 'no reference of ours',
  unknown_reference: 'a reference, but none of ours',
  several_references: 'more than one of our references',
  batch_unclear: 'a batch whose parts do not add up to it',
  maybe_duplicate: 'perhaps a booking that was counted before',
  returned: 'money of a customer that was taken back',
  refund_returned: 'a refund that came back',
  refund_amount_differs: 'a refund was sent with another amount',
  refund_not_waiting: 'a refund that had been sent, or given up',
  surplus_again: 'more than was owed, once more: the first surplus has gone back',
  too_large: 'more than a bank transfer can carry',
};

const statementFields = {
  id: Type.String({ description: 'Identification of the statement' }),
  mode: oneOf(['test', 'live'], 'That of the API key it was imported with'),
  kind: oneOf(
    ['camt.052', 'camt.053', 'camt.054'],
    'The message of ISO 20022. Nothing of a camt.052 counts as booked, so it settles no payment',
  ),
  version: Type.String({ description: 'Its version' }),
  messageId: Type.String({ description: 'The bank’s own name of it' }),
  bytes: count('The size of the file'),
  lines: count('How many lines it has'),
  duplicates: count('Of these: bookings that another statement had told of'),
  statusAssumed: count(
    'Lines without a status (Sts): booked in a camt.053, and in a camt.054 where they have a day of booking',
  ),
  matching: count('Of the others: those that are still to be matched'),
  matched: count('Those that were matched with a transfer or a refund'),
  waiting: count('Those that wait for a person'),
  ignored: count('Those that concern no payment'),
  resolved: count('Those that a person has dealt with'),
  createdAt: moment('When it was imported'),
  createdBy: Type.String({ description: 'Who imported it' }),
};
const exampleStatement = {
  id: 'bst_01m7wf3wswavyweszg1v4e9mnn',
  mode: 'live',
  kind: 'camt.053',
  version: '001.08',
  messageId: '2026112000000001',
  bytes: 48213,
  lines: 61,
  duplicates: 0,
  statusAssumed: 0,
  matching: 0,
  matched: 12,
  waiting: 1,
  ignored: 48,
  resolved: 0,
  createdAt: '2026-11-21T06:00:12.345Z',
  createdBy: 'account:acc_01m7wf3wswavyweszg1v4e9mnn',
};

export const StatementResponse = Type.Object(statementFields, {
  title: 'BankStatement',
  examples: [exampleStatement],
});
export type StatementResponse = Static<typeof StatementResponse>;
export const ImportResponse = Type.Object(
  {
    ...statementFields,
    isNew: Type.Boolean({ description: 'False when the same file was imported before: nothing was done' }),
  },
  { title: 'BankStatementImport', examples: [{ ...exampleStatement, isNew: true }] },
);
export const StatementList = listSchema(StatementResponse, {
  description: 'Statements, the newest first',
  examples: [{ data: [exampleStatement], nextCursor: null }],
});
export const StatementParams = Type.Object({
  statementId: Type.String({
    description: 'Identification of the statement',
    examples: [exampleStatement.id],
  }),
});

const Suggestion = Type.Union(
  [
    Type.Object(
      {
        reference: Type.String({ description: 'To match the line with' }),
        PaymentLinkCode: Type.String(),
        customerOrderId: Type.String(),
        customerName: Type.String(),
      },
      { title: 'BankLineSuggestion' },
    ),
    Type.Null(),
  ],
  {
    description:
      'The one open transfer of this amount whose customer has such a name; for a person to confirm',
  },
);

const lineFields = {
  id: Type.String({ description: 'Identification of the line' }),
  statementId: Type.String({ description: 'The statement that told of it first' }),
  position: Type.Integer({ description: 'Which line of that file, from 1' }),
  direction: oneOf(['credit', 'debit'], 'credit: money that came'),
  isReturn: Type.Boolean({ description: 'Whether it takes back an earlier movement' }),
  amount: Type.String({ description: 'In major units, as the bank wrote it' }),
  currency: Type.String({ description: 'ISO 4217 code' }),
  accountIban: nullable('The account that it is about'),
  bookedOn: nullable('The day that it was booked on'),
  counterpartyName: nullable('Who sent or got the money'),
  counterpartyIban: nullable('Their account'),
  remittance: Type.String({ description: 'What was written on the transfer' }),
  bankReference: nullable('The bank’s reference'),
  endToEndId: nullable('The sender’s reference'),
  references: Type.Array(Type.String(), {
    description: 'The creditor references (ISO 11649) that stand in it',
  }),
  returnReason: nullable('Why it came back, in the bank’s words'),
  status: oneOf(lineStates, 'new: still to be matched; review: waits for a person'),
  reason: Type.Union(
    [{ ...oneOf(Object.keys(lineReasons) as LineReason[]), title: 'BankLineReason' }, Type.Null()],
    {
      description: 'Why it waits or is left alone',
    },
  ),
  attemptId: nullable('The attempt whose transfer it concerns'),
  refundId: nullable('The refund that it concerns'),
  matchedBy: Type.Union([oneOf(['reference', 'person']), Type.Null()], {
    description: 'What it was matched by',
  }),
  resolvedBy: nullable('Who dealt with it'),
  note: nullable('What they said'),
  suggestion: Suggestion,
};
const exampleLine = {
  id: 'bln_01m7wf3wswavyweszg1v4e9mnn',
  statementId: exampleStatement.id,
  position: 7,
  direction: 'credit',
  isReturn: false,
  amount: '19.99',
  currency: 'EUR',
  accountIban: 'DE02120300000000202051',
  bookedOn: '2026-11-20',
  counterpartyName: 'Ada Lovelace',
  counterpartyIban: 'DE02500105170137075030',
  remittance: 'your order of monday',
  bankReference: '2026112012345678',
  endToEndId: null,
  references: [],
  returnReason: null,
  status: 'review',
  reason: 'no_reference',
  attemptId: null,
  refundId: null,
  matchedBy: null,
  resolvedBy: null,
  note: null,
  suggestion: {
    reference: 'RF032348231402348231',
    PaymentLinkCode: 'yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE',
    customerOrderId: '1001',
    customerName: 'Ada Lovelace',
  },
};

export const LineResponse = Type.Object(lineFields, { title: 'BankLine', examples: [exampleLine] });
export type LineResponse = Static<typeof LineResponse>;
export const LineList = listSchema(LineResponse, {
  description: 'Lines of statements, the newest first',
  examples: [{ data: [exampleLine], nextCursor: null }],
});
export const LineQuery = querySchema({
  state: Type.Optional(oneOf(lineStates, 'Only lines of this state: review is the list for a person')),
  statementId: Type.Optional(Type.String({ maxLength: 64, description: 'Only lines of this statement' })),
  ...pageParameters,
});
export const LineParams = Type.Object({
  lineId: Type.String({ description: 'Identification of the line', examples: [exampleLine.id] }),
});

const note = Type.String({ minLength: 1, maxLength: 500, description: 'For your records: why' });
export const LineResolutionRequest = Type.Object(
  {
    action: oneOf(['match', 'dismiss'], 'match: it belongs to the reference; dismiss: nothing is to be done'),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'To match with: the reference of a transfer, or for a debit that of a refund',
      }),
    ),
    note: Type.Optional(note),
  },
  { additionalProperties: false, examples: [{ action: 'dismiss', note: 'rent of the office' }] },
);
export type LineResolutionRequest = Static<typeof LineResolutionRequest>;

const refundStates = ['waiting', 'sent', 'failed'] as const;
const refundFields = {
  refundId: Type.String({ description: 'Identification of the refund' }),
  PaymentLinkCode: Type.String({ description: 'The payment that it belongs to' }),
  customerOrderId: Type.String({ description: 'The order that it belongs to' }),
  status: oneOf(refundStates, 'waiting: it is yours to send'),
  amount: Type.Number({ description: 'What to send, in major units' }),
  currency: Type.String({ description: 'ISO 4217 code' }),
  name: nullable('To whom: who sent the money; null where the bank did not tell'),
  iban: nullable('Their account; null where the bank did not tell'),
  reference: Type.String({
    description: 'To write on the transfer, so that your statement tells which it was',
  }),
  endedBy: nullable('Who said what became of it'),
  note: nullable('What they said'),
  createdAt: moment('When it began to wait'),
  endedAt: Type.Union([Type.String(), Type.Null()], { description: 'When it ended; RFC 3339, UTC' }),
};
const exampleRefund = {
  refundId: 'ref_01m7wf3wswavyweszg1v4e9mnn',
  PaymentLinkCode: 'yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE',
  customerOrderId: '1001',
  status: 'waiting',
  amount: 5,
  currency: 'EUR',
  name: 'Ada Lovelace',
  iban: 'DE02500105170137075030',
  reference: 'RF732348231402348232',
  endedBy: null,
  note: null,
  createdAt: '2026-11-21T08:00:00.000Z',
  endedAt: null,
};

export const BankRefundResponse = Type.Object(refundFields, {
  title: 'BankRefund',
  examples: [exampleRefund],
});
export const BankRefundList = listSchema(BankRefundResponse, {
  description: 'Refunds by bank transfer, the newest first',
  examples: [{ data: [exampleRefund], nextCursor: null }],
});
export const BankRefundQuery = querySchema({
  state: Type.Optional(oneOf(refundStates, 'Only refunds of this state: waiting is what to send')),
  ...pageParameters,
});
export const BankRefundParams = Type.Object({
  refundId: Type.String({ description: 'Identification of the refund', examples: [exampleRefund.refundId] }),
});
export const RefundResolutionRequest = Type.Object(
  {
    outcome: oneOf(['sent', 'not_sent'], 'not_sent: it will not be; a refund of your own ends as failed'),
    note,
  },
  { additionalProperties: false, examples: [{ outcome: 'sent', note: 'sent from our other account' }] },
);
