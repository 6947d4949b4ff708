// The routes that read and cancel a payment.

import { errors } from '../base/errors.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, security } from '../http/openapi.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import type { PayDeps } from '../payments/deps.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { PaymentResponse } from '../payments/schema.ts';
import { cancelPayment } from './cancel-payment.ts';
import { readByCode } from './read-by-code.ts';

export type LinkRouteDeps = Pick<PayDeps, 'db' | 'clock' | 'baseUrl'> & {
  verifyCredentials: VerifyCredentials;
};

const common = { security, tags: ['payments'], params: LinkCodeParams };

export function registerLinkRoutes(app: HttpServer, deps: LinkRouteDeps): void {
  const credentials = requireCredentials(deps.verifyCredentials);
  const { baseUrl } = deps;

  app.get(
    '/v1/payments/:code',
    {
      onRequest: [credentials, checkRight('payments:read')],
      schema: {
        ...common,
        operationId: 'getPayment',
        summary: 'Retrieve a payment',
        description:
          'Returns the current payment. A code of another company gives the same response as an unknown code.',
        response: { 200: PaymentResponse, ...problemResponses(['roleNotAllowed', 'paymentNotFound']) },
      },
    },
    async (request) => {
      const payment = await readByCode(deps, paymentScopeOf(principalOf(request), request.params.code));
      if (!payment) throw errors.paymentNotFound();
      return presentPayment(payment, { baseUrl, message: `The payment is ${payment.state}.` });
    },
  );

  app.post(
    '/v1/payments/:code/cancel',
    {
      onRequest: [credentials, checkRight('payments:cancel')],
      schema: {
        ...common,
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
