// What a merchant does with a payment after it was made: look at it, cancel it, give money back, and see
// which attempts wait for a person.

import type { onRequestHookHandler } from 'fastify';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { toMajorOfAny } from '../base/money.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import { idFor } from '../http/idempotency.ts';
import { problemResponses, security } from '../http/openapi.ts';
import type { HttpServer } from '../http/server.ts';
import { checkRight, type Right } from '../merchants/roles.ts';
import { cancelPayment } from './cancel-payment.ts';
import { type Case, listCases } from './case-store.ts';
import { ownPayment } from './own-payment.ts';
import type { PayDeps } from './pay.ts';
import { presentPayment } from './present-payment.ts';
import { presentRefund } from './present-refund.ts';
import { bare, gatherReads } from './read-by-code.ts';
import { refundPayment } from './refund-payment.ts';
import { listRefunds } from './refund-store.ts';
import {
  CaseList,
  LinkCodeParams,
  PaymentResponse,
  RefundList,
  RefundRequest,
  RefundResponse,
} from './schema.ts';
import { findPaymentByCode } from './store.ts';

export type CorrectionRouteDeps = PayDeps & { keyring: Keyring; verifyCredentials: VerifyCredentials };

const common = { security, tags: ['payments'], params: LinkCodeParams };

function presentCase(waiting: Case) {
  return {
    PaymentLinkCode: waiting.code,
    attemptId: waiting.attemptId,
    refundId: waiting.refundId,
    status: waiting.state,
    processor: waiting.processor,
    processorReference: waiting.processorReference,
    amount: toMajorOfAny(waiting.amountMinor, waiting.currency),
    currency: waiting.currency,
    failureCode: waiting.failureCode,
    CreatedOn: waiting.createdAt.toISOString(),
    escalatedAt: waiting.escalatedAt.toISOString(),
  };
}

/** Registers the routes that look at and correct payments. */
export function registerCorrectionRoutes(app: HttpServer, deps: CorrectionRouteDeps): void {
  const authenticate = requireCredentials(deps.verifyCredentials);
  const behind: Behind = (right) => [authenticate, checkRight(right)];
  const { baseUrl } = deps;
  const readPayment = gatherReads(deps, bare);

  app.get(
    '/v1/payments/:code',
    {
      onRequest: behind('payments:read'),
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
      const payment = await readPayment(ownPayment(principalOf(request), request.params.code));
      if (!payment) throw errors.paymentNotFound();
      return presentPayment(payment, { baseUrl, message: `The payment is ${payment.state}.` });
    },
  );

  app.post(
    '/v1/payments/:code/cancel',
    {
      onRequest: behind('payments:cancel'),
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
      const order = ownPayment(principalOf(request), request.params.code);
      return presentPayment(await cancelPayment(deps, order), {
        baseUrl,
        message: 'The payment is cancelled.',
      });
    },
  );

  registerRefundRoutes(app, deps, behind);
  registerCaseRoute(app, deps, behind);
}

/** What stands before a route: the credentials, and a right. */
type Behind = (right: Right) => onRequestHookHandler[];

function registerRefundRoutes(app: HttpServer, deps: CorrectionRouteDeps, behind: Behind): void {
  app.post(
    '/v1/payments/:code/refunds',
    {
      onRequest: behind('payments:refund'),
      schema: {
        ...common,
        operationId: 'refundPayment',
        summary: 'Give a payment back, in part or in full',
        description:
          'Answers the refund once it is written down; read its status. Send an Idempotency-Key, so that a request whose answer was lost can be sent again.',
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
      const { actor, ...own } = ownPayment(principalOf(request), request.params.code);
      const refundId = idFor(request, 'ref', deps.clock);
      const order = { ...request.body, ...own, refundId, createdBy: actor };
      return presentRefund(await refundPayment(deps, order));
    },
  );

  app.get(
    '/v1/payments/:code/refunds',
    {
      onRequest: behind('payments:read'),
      schema: {
        ...common,
        operationId: 'listRefunds',
        summary: 'The refunds of a payment, oldest first',
        description: 'At most 1,000, in one page. Refunds of money that nobody owed are among them.',
        response: { 200: RefundList, ...problemResponses(['roleNotAllowed', 'paymentNotFound']) },
      },
    },
    async (request) => {
      const { code, ...scope } = ownPayment(principalOf(request), request.params.code);
      const refunds = await deps.db.inTenant(scope, async (tx) => {
        const payment = await findPaymentByCode(tx, code);
        if (!payment) throw errors.paymentNotFound();
        return await listRefunds(tx, payment.paymentId);
      });
      return { data: refunds.map(presentRefund), nextCursor: null };
    },
  );
}

function registerCaseRoute(app: HttpServer, deps: CorrectionRouteDeps, behind: Behind): void {
  app.get(
    '/v1/cases',
    {
      onRequest: behind('payments:read'),
      schema: {
        security,
        tags: ['payments'],
        operationId: 'listCases',
        summary: 'What could not be settled for days, or was refused, and waits for a person',
        description: 'At most 1,000, in one page, longest first. An entry leaves the list when it has ended.',
        response: { 200: CaseList, ...problemResponses(['roleNotAllowed']) },
      },
    },
    async (request) => {
      const cases = await deps.db.inTenant(principalOf(request), listCases);
      return { data: cases.map(presentCase), nextCursor: null };
    },
  );
}
