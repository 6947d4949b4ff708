// The routes of refunds.

import { errors } from '../base/errors.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveRequestId } from '../http/idempotency.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import { presentRefund } from '../payments/present-refund.ts';
import { RefundList, RefundRequest, RefundResponse } from '../payments/refund-schema.ts';
import { listRefunds } from '../payments/refund-store.ts';
import { findPaymentByCode } from '../payments/store.ts';
import { type RefundDeps, refundPayment } from './refund-payment.ts';

export type RefundRouteDeps = RefundDeps & { verifyCredentials: VerifyCredentials };

const common = { tags: ['payments'], params: LinkCodeParams };

export function registerRefundRoutes(app: HttpServer, deps: RefundRouteDeps): void {
  const credentials = requireCredentials(deps.verifyCredentials);
  app.post(
    '/v1/payments/:code/refunds',
    {
      onRequest: [credentials, checkRight('payments:refund')],
      schema: {
        ...common,
        security: securityFor('payments:refund'),
        operationId: 'refundPayment',
        summary: 'Refund a payment, partially or in full',
        description:
          'Returns the refund as soon as it is stored. Check its status. Send an Idempotency-Key, so that you can safely repeat the request if its response is lost.',
        body: RefundRequest,
        response: {
          200: RefundResponse,
          ...problemResponses([
            'roleNotAllowed',
            'paymentNotFound',
            'notRefundable',
            'refundTooLarge',
            'staleRemaining',
            'invalidFields',
          ]),
        },
      },
    },
    async (request) => {
      const { actor, ...own } = paymentScopeOf(principalOf(request), request.params.code);
      const refundId = deriveRequestId(request, 'ref', deps.clock);
      const order = { ...request.body, ...own, refundId, createdBy: actor };
      return presentRefund(await refundPayment(deps, order), own.code);
    },
  );

  app.get(
    '/v1/payments/:code/refunds',
    {
      onRequest: [credentials, checkRight('payments:read')],
      schema: {
        ...common,
        security: securityFor('payments:read'),
        operationId: 'listRefunds',
        summary: 'List the refunds of a payment, oldest first',
        description: 'Returns at most 1,000 refunds in one page, including refunds of overpayments.',
        response: { 200: RefundList, ...problemResponses(['roleNotAllowed', 'paymentNotFound']) },
      },
    },
    async (request) => {
      const { code, ...scope } = paymentScopeOf(principalOf(request), request.params.code);
      const refunds = await deps.db.inTenant(scope, async (tx) => {
        const payment = await findPaymentByCode(tx, code);
        if (!payment) throw errors.paymentNotFound();
        return await listRefunds(tx, payment.paymentId);
      });
      return { data: refunds.map((refund) => presentRefund(refund, code)), nextCursor: null };
    },
  );
}
