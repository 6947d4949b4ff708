// The one call that sends a mail: the link of a payment, to its customer.

import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import { idFor } from '../http/idempotency.ts';
import { problemResponses } from '../http/openapi.ts';
import { enforceLimit } from '../http/rate-limit.ts';
import type { HttpServer } from '../http/server.ts';
import { actorOf, checkRight } from '../merchants/roles.ts';
import { requireOwn } from '../payments/own-code.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { PaymentResponse } from '../payments/schema.ts';
import { sendLink } from '../payments/send-link.ts';

export type MailRouteDeps = {
  db: Database;
  clock: Clock;
  baseUrl: string;
  verifyCredentials: VerifyCredentials;
};

/** Nobody's letter box is filled by us, and no server is given a reason to call us a nuisance. */
const perPayment = { name: 'send', quota: 3, windowSeconds: 3600 };
const perCompany = { name: 'send_company', quota: 60, windowSeconds: 60 };

/** Registers the route that sends a link. */
export function registerMailRoutes(app: HttpServer, deps: MailRouteDeps): void {
  app.post(
    '/v1/payments/:code/send',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('payments:update')],
      config: { companyLimit: perCompany },
      schema: {
        operationId: 'sendPaymentLink',
        tags: ['payments'],
        summary: 'Send the link of an open payment to its customer by mail',
        description:
          'Writes to the e-mail address of the payment and to no other, at most 3 times an hour. Answers when the mail is written down; it leaves within seconds.',
        security: [{ bearer: [], apiKey: [], companyId: [] }],
        params: Type.Object({
          code: Type.String({
            description: 'The PaymentLinkCode of the payment',
            examples: ['3f7k2m9qVb8Xn4Tq1LwZ6yRc0HdPs5'],
          }),
        }),
        response: {
          200: PaymentResponse,
          ...problemResponses(['roleNotAllowed', 'notFound', 'paymentInProgress', 'paymentEnded']),
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { companyId } = principal;
      const { code } = request.params;
      requireOwn(companyId, code);
      await enforceLimit(deps.db, { limit: perPayment, who: code, reply });
      const eventId = idFor(request, 'evt', deps.clock);
      const payment = await sendLink(deps, { companyId, code, actor: actorOf(principal), eventId });
      return presentPayment(payment, { baseUrl: deps.baseUrl, message: 'The link is on its way by mail.' });
    },
  );
}
