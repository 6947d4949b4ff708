// The one route that sends an email: the link of a payment, to its customer.

import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveRequestId } from '../http/idempotency.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { enforceLimit } from '../http/rate-limit.ts';
import { checkRight } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import { sendLink } from '../links/send-link.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { PaymentResponse } from '../payments/schema.ts';

export type EmailRouteDeps = {
  db: Database;
  clock: Clock;
  baseUrl: string;
  verifyCredentials: VerifyCredentials;
};

/** Limits emails to one customer, so that no mail server treats us as a spammer. */
const perPayment = { name: 'send', quota: 3, windowSeconds: 3600 };
const perCompany = { name: 'send_company', quota: 60, windowSeconds: 60 };

/** Registers the route that sends a link. */
export function registerEmailRoutes(app: HttpServer, deps: EmailRouteDeps): void {
  app.post(
    '/v1/payments/:code/send',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('payments:update')],
      config: { companyLimit: perCompany },
      schema: {
        operationId: 'sendPaymentLink',
        tags: ['payments'],
        summary: 'Email the link of an open payment to its customer',
        description:
          'Sends to the email address of the payment only, at most 3 times an hour. The response confirms that the email is queued; it is sent within seconds.',
        security: securityFor('payments:update'),
        params: LinkCodeParams,
        response: {
          200: PaymentResponse,
          ...problemResponses([
            'roleNotAllowed',
            'paymentNotFound',
            'paymentInProgress',
            'paymentEnded',
            'emailNotDeliverable',
          ]),
        },
      },
    },
    async (request, reply) => {
      const own = paymentScopeOf(principalOf(request), request.params.code);
      await enforceLimit(deps.db, { limit: perPayment, who: own.code, reply });
      const payment = await sendLink(deps, { ...own, eventId: deriveRequestId(request, 'evt', deps.clock) });
      return presentPayment(payment, {
        baseUrl: deps.baseUrl,
        message: 'The link will be emailed within seconds.',
      });
    },
  );
}
