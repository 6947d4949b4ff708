// The API shapes of statements, their bookings and the refunds that are sent by hand.

import { type Static, Type } from 'typebox';
import { listSchema, pageParameters, querySchema } from '../http/page-query.ts';
import { formerName, moment, momentOrNull, oneOf, textOrNull } from '../http/schema-parts.ts';
import type { LineReason } from './store.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const lineStates = ['new', 'matched', 'review', 'ignored', 'resolved'] as const;

/** Every reason with its meaning. docs/bank-transfer.md says what to do about each. */
export const lineReasons: Readonly<Record<LineReason, string>> = {
  not_booked: 'announced but not booked yet',
  other_currency: 'not in euros',
  no_money: 'the amount is zero',
  other_account: 'on an account that the customer was not asked to pay to',
  outgoing: 'an outgoing payment that is not a refund of Paylink',
  no_reference: 'no Paylink reference',
  unknown_reference: 'an unknown reference',
  several_references: 'more than one Paylink reference',
  batch_unclear: 'the transactions of a batch do not add up',
  maybe_duplicate: 'possibly a duplicate of a line that was matched before',
  returned: 'a customer’s transfer was returned',
  refund_returned: 'a refund was returned',
  refund_amount_differs: 'a refund was sent with a different amount',
  refund_not_waiting: 'the refund was already sent or cancelled',
  surplus_again: 'a second overpayment; the first one was refunded',
  too_large: 'more than the maximum of a bank transfer',
};

const statementId = Type.String({ description: 'Identification of the statement' });
const statementFields = {
  statementId,
  id: formerName(statementId, 'statementId'),
  mode: oneOf(['test', 'live'], 'Mode of the API key that imported it'),
  kind: oneOf(
    ['camt.052', 'camt.053', 'camt.054'],
    'ISO 20022 message type. Lines of a camt.052 never count as booked, so they settle no payment',
  ),
  version: Type.String({ description: 'Version of the message type' }),
  messageId: Type.String({ description: 'Message ID assigned by the bank' }),
  bytes: count('Size of the file in bytes'),
  lines: count('Number of lines'),
  duplicates: count('Lines that an earlier statement already contained'),
  statusAssumed: count(
    'Lines without a status (Sts). They count as booked in a camt.053, and in a camt.054 if they have a booking date',
  ),
  matching: count('Lines that are not matched yet'),
  matched: count('Lines matched with a transfer or a refund'),
  waiting: count('Lines that need a review'),
  ignored: count('Lines that concern no payment'),
  resolved: count('Lines resolved by a person'),
  createdAt: moment('When it was imported'),
  createdBy: Type.String({ description: 'Actor that imported it' }),
};
const exampleStatement = {
  statementId: 'bst_01m7wf3wswavyweszg1v4e9mnn',
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
    isNew: Type.Boolean({ description: 'False if the same file was imported before and nothing changed' }),
  },
  { title: 'BankStatementImport', examples: [{ ...exampleStatement, isNew: true }] },
);
export const StatementList = listSchema(StatementResponse, {
  description: 'Statements, newest first',
  examples: [{ data: [exampleStatement], nextCursor: null }],
});
export const StatementParams = Type.Object({
  statementId: Type.String({
    description: 'Identification of the statement',
    examples: [exampleStatement.statementId],
  }),
});

const paymentLinkCode = Type.String({ description: 'Code of the payment' });
const Suggestion = Type.Union(
  [
    Type.Object(
      {
        reference: Type.String({ description: 'Reference to match the line with' }),
        paymentLinkCode,
        PaymentLinkCode: formerName(paymentLinkCode, 'paymentLinkCode'),
        customerOrderId: Type.String(),
        customerName: Type.String(),
      },
      { title: 'BankLineSuggestion' },
    ),
    Type.Null(),
  ],
  {
    description:
      'The only open transfer with this amount and a similar customer name. Confirm it by matching the line',
  },
);

const lineId = Type.String({ description: 'Identification of the line' });
const lineFields = {
  lineId,
  id: formerName(lineId, 'lineId'),
  statementId: Type.String({ description: 'Statement that contained the line first' }),
  position: Type.Integer({ description: 'Position in that file, from 1' }),
  direction: oneOf(['credit', 'debit'], 'credit: incoming money'),
  isReturn: Type.Boolean({ description: 'Whether it returns an earlier movement' }),
  amount: Type.String({ description: 'In major units, as in the file' }),
  currency: Type.String({ description: 'ISO 4217 code' }),
  accountIban: textOrNull('IBAN of your account'),
  bookedOn: textOrNull('Booking date'),
  counterpartyName: textOrNull('Name of the sender or recipient'),
  counterpartyIban: textOrNull('IBAN of the sender or recipient'),
  remittance: Type.String({ description: 'Remittance information' }),
  bankReference: textOrNull('Reference of the bank'),
  endToEndId: textOrNull('Reference of the sender'),
  references: Type.Array(Type.String(), {
    description: 'Creditor references (ISO 11649) found in the line',
  }),
  returnReason: textOrNull('Return reason, as in the file'),
  status: oneOf(lineStates, 'new: not matched yet; review: needs a decision by a person'),
  reason: Type.Union(
    [{ ...oneOf(Object.keys(lineReasons) as LineReason[]), title: 'BankLineReason' }, Type.Null()],
    {
      description: 'Why it needs a review or is ignored',
    },
  ),
  attemptId: textOrNull('Attempt that it belongs to'),
  refundId: textOrNull('Refund that it belongs to'),
  matchedBy: Type.Union([oneOf(['reference', 'person']), Type.Null()], {
    description: 'How it was matched',
  }),
  resolvedBy: textOrNull('Actor that resolved it'),
  note: textOrNull('Note of the person'),
  suggestion: Suggestion,
};
const exampleLine = {
  lineId: 'bln_01m7wf3wswavyweszg1v4e9mnn',
  id: 'bln_01m7wf3wswavyweszg1v4e9mnn',
  statementId: exampleStatement.statementId,
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
    paymentLinkCode: 'yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE',
    PaymentLinkCode: 'yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE',
    customerOrderId: '1001',
    customerName: 'Ada Lovelace',
  },
};

export const LineResponse = Type.Object(lineFields, { title: 'BankLine', examples: [exampleLine] });
export type LineResponse = Static<typeof LineResponse>;
export const LineList = listSchema(LineResponse, {
  description: 'Lines of statements, newest first',
  examples: [{ data: [exampleLine], nextCursor: null }],
});
const lineStatus = oneOf(lineStates, 'Only lines with this status. review: lines that need a decision');
export const LineQuery = querySchema({
  status: Type.Optional(lineStatus),
  state: Type.Optional(formerName(lineStatus, 'status')),
  statementId: Type.Optional(Type.String({ maxLength: 64, description: 'Only lines of this statement' })),
  ...pageParameters,
});
export const LineParams = Type.Object({
  lineId: Type.String({ description: 'Identification of the line', examples: [exampleLine.lineId] }),
});

const note = Type.String({ minLength: 1, maxLength: 500, description: 'Reason, for your records' });
export const LineResolutionRequest = Type.Object(
  {
    action: oneOf(
      ['match', 'dismiss'],
      'match: assign the line to the reference; dismiss: the line needs no action',
    ),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Reference of a transfer, or of a refund for a debit',
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
  paymentLinkCode,
  PaymentLinkCode: formerName(paymentLinkCode, 'paymentLinkCode'),
  customerOrderId: Type.String({ description: 'Order of the payment' }),
  status: oneOf(refundStates, 'waiting: you have to send it'),
  amount: Type.Number({ description: 'Amount to send, in major units' }),
  currency: Type.String({ description: 'ISO 4217 code' }),
  name: textOrNull('Recipient: the sender of the money; null if the bank did not report it'),
  iban: textOrNull('IBAN of the recipient; null if the bank did not report it'),
  reference: Type.String({
    description: 'Reference to put on the transfer, so that your statement identifies it',
  }),
  endedBy: textOrNull('Actor that ended it'),
  note: textOrNull('Note of the person'),
  createdAt: moment('When it was created'),
  endedAt: momentOrNull('When it ended'),
};
const exampleRefund = {
  refundId: 'ref_01m7wf3wswavyweszg1v4e9mnn',
  paymentLinkCode: 'yt5wp0hyq0b7Jq5NnTKlLZ2uWvD3xE',
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
  description: 'Refunds by bank transfer, newest first',
  examples: [{ data: [exampleRefund], nextCursor: null }],
});
const refundStatus = oneOf(
  refundStates,
  'Only refunds with this status. waiting: refunds that you have to send',
);
export const BankRefundQuery = querySchema({
  status: Type.Optional(refundStatus),
  state: Type.Optional(formerName(refundStatus, 'status')),
  ...pageParameters,
});
export const BankRefundParams = Type.Object({
  refundId: Type.String({ description: 'Identification of the refund', examples: [exampleRefund.refundId] }),
});
export const RefundResolutionRequest = Type.Object(
  {
    outcome: oneOf(['sent', 'not_sent'], 'not_sent: it will not be sent; a refund that you requested fails'),
    note,
  },
  { additionalProperties: false, examples: [{ outcome: 'sent', note: 'sent from our other account' }] },
);
