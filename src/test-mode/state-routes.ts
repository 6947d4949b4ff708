// The routes that bring a payment into a state, and that cause an event.

import type { FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { errors } from '../base/errors.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveRequestId } from '../http/idempotency.ts';
import { responses } from '../http/openapi.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { LinkCodeParams, moment, oneOf } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { presentRefund } from '../payments/present-refund.ts';
import { listPaymentsByCode } from '../payments/presented-store.ts';
import { RefundResponse } from '../payments/refund-schema.ts';
import { listRefunds } from '../payments/refund-store.ts';
import { PaymentRequest, PaymentResponse } from '../payments/schema.ts';
import { exampleOf, knownTypes } from '../webhooks/event-types.ts';
import { type CauseDeps, type ChosenFields, causeEvent, type EventType } from './cause-event.ts';
import { type ActionOrder, type PaymentAction, paymentActions } from './payment-actions.ts';
import { requireTestMode } from './require-test-mode.ts';

export type StateRouteDeps = CauseDeps & { verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('test-mode');

const orNull = <T extends TObject>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const ActionResponse = Type.Object(
  {
    payment: PaymentResponse,
    refund: orNull(RefundResponse, 'The latest refund of the payment; null without one'),
  },
  { title: 'TestedPayment', examples: [{ payment: exampleOf(PaymentResponse), refund: null }] },
);

const { customerOrderId, email, amount, currency, success_url, failure_url, metadata } =
  PaymentRequest.properties;
const EventRequest = Type.Object(
  {
    customerOrderId: Type.Optional(customerOrderId),
    email: Type.Optional(email),
    amount: Type.Optional(amount),
    currency: Type.Optional(currency),
    success_url: Type.Optional(success_url),
    failure_url: Type.Optional(failure_url),
    metadata,
  },
  { title: 'TestEventRequest', additionalProperties: false, examples: [{ amount: 19.99, currency: 'EUR' }] },
);

const EventParams = Type.Object({
  type: Type.Unsafe<EventType>({
    ...oneOf(knownTypes as readonly EventType[], 'Type of the event'),
    examples: ['refund.succeeded'],
  }),
});

const EventResponse = Type.Object(
  {
    type: Type.String({ description: 'Type of the event' }),
    eventId: Type.String({ description: 'Identification of the event' }),
    createdAt: moment('When it happened, in the time of the company'),
    payment: orNull(
      PaymentResponse,
      'The payment that was created for it; null for an event about an endpoint',
    ),
    refund: orNull(RefundResponse, 'The latest refund of the payment; null without one'),
  },
  {
    title: 'CausedEvent',
    examples: [
      {
        ...{ type: 'refund.succeeded', eventId: 'evt_01m7wf3wswavyweszg1v4e9mnn' },
        createdAt: '2026-11-20T12:54:58.330Z',
        payment: exampleOf(PaymentResponse),
        refund: exampleOf(RefundResponse),
      },
    ],
  },
);

/** A payment as it is now, with its latest refund. */
async function presentTested(
  { db, baseUrl }: StateRouteDeps,
  order: Pick<ActionOrder, 'companyId' | 'mode' | 'code'>,
): Promise<Static<typeof ActionResponse>> {
  return await db.inTenant(order, async (tx) => {
    const payment = (await listPaymentsByCode(tx, [order.code])).get(order.code);
    if (!payment) throw errors.paymentNotFound();
    const refund = (await listRefunds(tx, payment.paymentId)).at(-1);
    return {
      payment: presentPayment(payment, { baseUrl, message: `The payment is ${payment.state}.` }),
      refund: refund ? presentRefund(refund, order.code) : null,
    };
  });
}

const idsOf = (request: FastifyRequest, deps: StateRouteDeps) => (prefix: 'ref' | 'bst' | 'evt' | 'whe') =>
  deriveRequestId(request, prefix, deps.clock);

function registerAction(app: HttpServer, deps: StateRouteDeps, name: string, action: PaymentAction): void {
  const { operationId, summary, description, body, run } = action;
  const options = secured(deps, 'payments:create', {
    ...{ operationId, summary, description, params: LinkCodeParams, body },
    response: responses(ActionResponse, [
      'testModeOnly',
      ...(['paymentNotFound', 'paymentInProgress', 'paymentEnded', 'stateNotReachable'] as const),
      ...(['notRefundable', 'refundTooLarge', 'tooManyAttempts', 'invalidFields'] as const),
    ]),
  });
  app.post(
    `/v1/test/payments/:code/${name}`,
    {
      ...options,
      config: { isBodyOptional: true },
      onRequest: [...options.onRequest, requireTestMode],
    },
    async (request) => {
      const { code } = request.params as Static<typeof LinkCodeParams>;
      const order = { ...paymentScopeOf(principalOf(request), code), newId: idsOf(request, deps) };
      await run(deps, order, request.body as Static<TObject>);
      return await presentTested(deps, order);
    },
  );
}

/** Without the fields that are null: they count as missing. */
const chosen = (body: Static<typeof EventRequest>): ChosenFields =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

export function registerStateRoutes(app: HttpServer, deps: StateRouteDeps): void {
  for (const [name, action] of Object.entries(paymentActions)) registerAction(app, deps, name, action);

  const options = secured(deps, 'payments:create', {
    operationId: 'causeTestEvent',
    summary: 'Cause an event',
    description:
      'Creates a payment, or a webhook endpoint, and does with it what causes the event. The event is in the feed and goes to your endpoints.',
    params: EventParams,
    body: EventRequest,
    response: responses(EventResponse, [
      'testModeOnly',
      ...(['stateNotReachable', 'orderConflict', 'tooManyEndpoints', 'invalidFields'] as const),
    ]),
  });
  app.post(
    '/v1/test/events/:type',
    {
      ...options,
      config: { isBodyOptional: true },
      onRequest: [...options.onRequest, requireTestMode],
    },
    async (request) => {
      const { type } = request.params;
      const caller = principalOf(request);
      const cause = { caller, type, fields: chosen(request.body), newId: idsOf(request, deps) };
      const { eventId, at, payment } = await causeEvent(deps, cause);
      const about = payment ? await presentTested(deps, payment) : { payment: null, refund: null };
      return { type, eventId, createdAt: at.toISOString(), ...about };
    },
  );
}
