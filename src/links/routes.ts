// POST /v1/payment/process: the documented call that creates a payment link.

import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { addToLog } from '../http/log-requests.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { checkRight } from '../http/roles.ts';
import { bodyErrorsOf } from '../http/validation.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { PaymentRequest, PaymentResponse } from '../payments/schema.ts';
import { createPayment, refusePayment } from './create-payment.ts';

export type PaymentRouteDeps = {
  db: Database;
  clock: Clock;
  baseUrl: string;
  verifyCredentials: VerifyCredentials;
  processPerSecond: number;
};

const optionalFields = Object.keys(PaymentRequest.properties).filter(
  (name) => !(PaymentRequest.required as readonly string[]).includes(name),
);

/** Treats null and empty texts of optional fields as fields that were not sent. */
function dropEmptyFields(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const fields = body as Record<string, unknown>;
  // Not deleted, which would slow down every later access to the object.
  for (const name of optionalFields)
    if (fields[name] === null || fields[name] === '') fields[name] = undefined;
}

export function registerPaymentRoutes(app: HttpServer, deps: PaymentRouteDeps): void {
  const { baseUrl } = deps;
  app.post(
    '/v1/payment/process',
    {
      // Before the body is read, so that a refused request costs no more than this.
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('payments:create')],
      config: {
        companyLimit: { name: 'process', quota: deps.processPerSecond, windowSeconds: 1 },
        reportsAllErrors: true,
      },
      attachValidation: true,
      preValidation: (request, _reply, done) => {
        dropEmptyFields(request.body);
        done();
      },
      schema: {
        operationId: 'processPayment',
        tags: ['payments'],
        summary: 'Process a payment transaction and obtain a payment link',
        description:
          'Creates a payment and returns its link. An order has at most one link that is open, processing or paid. Repeating the same request returns that link. A different request for the order is refused.',
        security: securityFor('payments:create'),
        body: PaymentRequest,
        response: {
          200: PaymentResponse,
          ...problemResponses(['roleNotAllowed', 'orderConflict', 'invalidFields']),
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const found = bodyErrorsOf(request);
      if (found.length > 0) await refusePayment(deps, principal, { body: request.body, found });
      const { payment, isReplay } = await createPayment(deps, principal, request.body);
      if (isReplay) void reply.header('idempotent-replayed', 'true');
      addToLog(request, { paymentId: payment.paymentId, isReplay });
      const message = isReplay
        ? 'This order already has this payment link. Nothing was created.'
        : 'The payment link was created.';
      return presentPayment(payment, { baseUrl, message });
    },
  );
}
