// The API shapes of refunds that stand alone, and of their list.

import { type Static, Type } from 'typebox';
import { expandParameter } from '../http/expand.ts';
import { listSchema, pageParameters, querySchema } from '../http/page-query.ts';
import { exampleCode, oneOf } from '../http/schema-parts.ts';
import { refundExample, refundFields } from '../payments/refund-schema.ts';
import { PaymentResponse } from '../payments/schema.ts';
import { refundStatuses } from '../payments/states.ts';

export const refundExpansions = ['payment'] as const;
const expand = expandParameter(refundExpansions);

export const RefundParams = Type.Object({
  refundId: Type.String({ description: 'ID of the refund', examples: [refundExample.refundId] }),
});
export const RefundQuery = querySchema({ expand });

const bound = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, description, examples: [example] }));

export const RefundListQuery = querySchema({
  paymentLinkCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Only refunds of this payment',
      examples: [exampleCode],
    }),
  ),
  status: Type.Optional(oneOf(refundStatuses, 'Status of the refund')),
  createdFrom: bound('Created at this time or later; RFC 3339', '2026-01-01T00:00:00Z'),
  createdTo: bound('Created before this time; RFC 3339', '2026-02-01T00:00:00Z'),
  expand,
  ...pageParameters,
});
export type RefundListQuery = Static<typeof RefundListQuery>;

/** A refund that may include its payment. */
export const ExpandableRefund = Type.Object(
  {
    ...refundFields,
    payment: Type.Optional({ ...PaymentResponse, description: 'Only with expand=payment: its payment' }),
  },
  {
    title: 'ExpandableRefund',
    description: 'The refund, which may still be in progress',
    examples: [refundExample],
  },
);
export const ExpandableRefundList = listSchema(ExpandableRefund, {
  description: 'The refunds, newest first',
  examples: [{ data: [refundExample], nextCursor: null }],
});
