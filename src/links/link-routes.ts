// The routes that read and cancel a payment.

import { Type } from 'typebox';
import { errors } from '../base/errors.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import { expandParameter, readExpand } from '../http/expand.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import type { PayDeps } from '../payments/deps.ts';
import { paymentExpansions, presentExpanded } from '../payments/expand-payments.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { PaymentResponse } from '../payments/schema.ts';
import { cancelPayment } from './cancel-payment.ts';
import { readByCode } from './read-by-code.ts';

export type LinkRouteDeps = Pick<PayDeps, 'db' | 'clock' | 'baseUrl'> & {
  verifyCredentials: VerifyCredentials;
};

// Other parameters are ignored, as before there was this one.
const PaymentQuery = Type.Object({ expand: expandParameter(paymentExpansions) });

const common = { tags: ['payments'], params: LinkCodeParams };

export function registerLinkRoutes(app: HttpServer, deps: LinkRouteDeps): void {
  const credentials = requireCredentials(deps.verifyCredentials);
  const { baseUrl } = deps;

  app.get(
    '/v1/payments/:code',
    {
      onRequest: [credentials, checkRight('payments:read')],
      schema: {
        ...common,
        security: securityFor('payments:read'),
        operationId: 'getPayment',
        summary: 'Retrieve a payment',
        description:
          'Returns the current payment. A code of another company gives the same response as an unknown code.',
        querystring: PaymentQuery,
        response: {
          200: PaymentResponse,
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const payment = await readByCode(deps, paymentScopeOf(principalOf(request), request.params.code));
      if (!payment) throw errors.paymentNotFound();
      const expand = readExpand(request.query.expand, paymentExpansions);
      const [shown] = await presentExpanded(deps, principalOf(request), { payments: [payment], expand });
      return shown as PaymentResponse;
    },
  );

  app.post(
    '/v1/payments/:code/cancel',
    {
      onRequest: [credentials, checkRight('payments:cancel')],
      schema: {
        ...common,
        security: securityFor('payments:cancel'),
        operationId: 'cancelPayment',
        summary: 'Cancel an open payment',
        description:
          'Its link no longer accepts payments, and its order ID can be used again. Cancelling a cancelled payment gives the same response.',
        response: {
          200: PaymentResponse,
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'paymentInProgress', 'paymentEnded']),
        },
      },
    },
    async (request) => {
      const order = paymentScopeOf(principalOf(request), request.params.code);
      return presentPayment(await cancelPayment(deps, order), {
        baseUrl,
        message: 'The payment is cancelled.',
      });
    },
  );
}
