// The API shapes of cases.

import { Type } from 'typebox';
import { listSchema } from '../http/page-query.ts';
import { exampleCode, formerName, moment, textOrNull } from '../http/schema-parts.ts';

const paymentLinkCode = Type.String({ description: 'Code of the payment' });
const createdAt = moment('When the attempt or refund began');

export const CaseList = listSchema(
  Type.Object(
    {
      paymentLinkCode,
      PaymentLinkCode: formerName(paymentLinkCode, 'paymentLinkCode'),
      attemptId: Type.String({ description: 'ID of the attempt' }),
      refundId: textOrNull('ID of the refund; null if the case is about the attempt'),
      status: Type.String({
        enum: [
          ...['created', 'requires_action', 'processing', 'unknown', 'failed'],
          ...['succeeded', 'declined', 'cancelled'],
        ],
        description:
          'failed: the processor refused to refund an overpayment; succeeded, declined, cancelled: money that cannot be accounted for',
      }),
      processor: Type.String(),
      processorReference: textOrNull('The processor’s reference, if any'),
      amount: Type.Number({ description: 'Amount in major units' }),
      currency: Type.String({ description: 'ISO 4217 code' }),
      failureCode: textOrNull('Why the processor refused the refund'),
      createdAt,
      CreatedOn: formerName(createdAt, 'createdAt'),
      escalatedAt: Type.String({ description: 'When the case was opened; RFC 3339, UTC' }),
    },
    { title: 'Case' },
  ),
  {
    description: 'Cases that a person must resolve, oldest first',
    examples: [
      {
        data: [
          {
            paymentLinkCode: exampleCode,
            PaymentLinkCode: exampleCode,
            attemptId: 'att_01m7wf3wswavyweszg1v4e9mnn',
            refundId: null,
            status: 'unknown',
            processor: 'sandbox',
            processorReference: 'sbx_4y1m8c0d',
            amount: 19.99,
            currency: 'EUR',
            failureCode: null,
            createdAt: '2026-11-20T12:55:31.002Z',
            CreatedOn: '2026-11-20T12:55:31.002Z',
            escalatedAt: '2026-11-23T12:56:02.540Z',
          },
        ],
        nextCursor: null,
      },
    ],
  },
);

export const CaseClosing = Type.Object(
  {
    processorReference: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The processorReference of the case',
    }),
    note: Type.Optional(
      Type.String({ maxLength: 500, description: 'How you settled it, for your own records' }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ processorReference: 'ch_4y1m8c0d', note: 'Refunded in the dashboard of the processor' }],
  },
);

export const ClosedCaseResponse = Type.Object(
  {
    paymentLinkCode,
    PaymentLinkCode: formerName(paymentLinkCode, 'paymentLinkCode'),
    processorReference: Type.String({ description: 'The processor’s ID of the charge or refund' }),
    note: textOrNull('For your own records'),
    closedBy: Type.String({ description: 'Who closed it: account:acc_…' }),
    closedAt: Type.String({ description: 'When it was closed; RFC 3339, UTC' }),
  },
  {
    title: 'ClosedCase',
    description: 'The case, which the list no longer has',
    examples: [
      {
        paymentLinkCode: exampleCode,
        PaymentLinkCode: exampleCode,
        processorReference: 'ch_4y1m8c0d',
        note: 'Refunded in the dashboard of the processor',
        closedBy: 'account:acc_01m7wf3wswavyweszg1v4e9mnn',
        closedAt: '2026-11-24T08:01:13.000Z',
      },
    ],
  },
);
