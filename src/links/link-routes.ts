// The routes of one payment link: read it, and cancel it.

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
import { createBatchedReader, paymentReader } from './read-by-code.ts';

export type LinkRouteDeps = Pick<PayDeps, 'db' | 'clock' | 'baseUrl'> & {
  verifyCredentials: VerifyCredentials;
};

const common = { security, tags: ['payments'], params: LinkCodeParams };

/** Registers the routes that read a payment and cancel it. */
export function registerLinkRoutes(app: HttpServer, deps: LinkRouteDeps): void {
  const credentials = requireCredentials(deps.verifyCredentials);
  const { baseUrl } = deps;
  const readPayment = createBatchedReader(deps, paymentReader);

  app.get(
    '/v1/payments/:code',
    {
      onRequest: [credentials, checkRight('payments:read')],
      schema: {
        ...common,
        operationId: 'getPayment',
        summary: 'Look at a payment',
        description:
          'Answers the payment as it stands now. A code of another company answers like an unknown one.',
        response: { 200: PaymentResponse, ...problemResponses(['roleNotAllowed', 'paymentNotFound']) },
      },
    },
    async (request) => {
      const payment = await readPayment(paymentScopeOf(principalOf(request), request.params.code));
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
          'Its link takes no card any more, and its order id is free. A payment that is cancelled already answers the same.',
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
