// The API shapes of refunds.

import { type Static, Type } from 'typebox';
import { listSchema } from '../http/page-query.ts';
import { exampleCode, formerName, moment, textOrNull } from '../http/schema-parts.ts';
import { refundStatuses } from './states.ts';

export const RefundRequest = Type.Object(
  {
    amount: Type.Optional(
      Type.Number({
        description: 'Amount to refund in major units. Default: the remaining amount',
        examples: [5],
      }),
    ),
    expectedRemaining: Type.Optional(
      Type.Number({
        description:
          'The remaining amount that you expect, in major units. If it differs, the response is 412',
        examples: [19.99],
      }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'For your own records' })),
  },
  {
    additionalProperties: false,
    examples: [{ amount: 5, expectedRemaining: 19.99, reason: 'arrived broken' }],
  },
);

const createdAt = moment('When it was created');

export const refundFields = {
  refundId: Type.String({ description: 'ID of the refund' }),
  paymentLinkCode: Type.String({ description: 'Code of the payment' }),
  amount: Type.Number({ description: 'Amount in major units' }),
  currency: Type.String({ description: 'ISO 4217 code' }),
  status: Type.String({ enum: [...refundStatuses] }),
  kind: Type.String({ enum: ['merchant', 'surplus'], description: 'surplus: refund of an overpayment' }),
  reason: textOrNull('For your own records'),
  failureCode: textOrNull('Why the processor refused it'),
  createdAt,
  CreatedOn: formerName(createdAt, 'createdAt'),
};
export const refundExample = {
  refundId: 'ref_01m7wf3wswavyweszg1v4e9mnn',
  paymentLinkCode: exampleCode,
  amount: 5,
  currency: 'EUR',
  status: 'succeeded',
  kind: 'merchant',
  reason: 'arrived broken',
  failureCode: null,
  createdAt: '2026-11-21T09:12:44.108Z',
  CreatedOn: '2026-11-21T09:12:44.108Z',
};

export const RefundResponse = Type.Object(refundFields, {
  title: 'Refund',
  description: 'The refund, which may still be in progress',
  examples: [refundExample],
});
export type RefundResponse = Static<typeof RefundResponse>;

export const RefundList = listSchema(RefundResponse, {
  description: 'The refunds of the payment',
  examples: [{ data: [refundExample], nextCursor: null }],
});
