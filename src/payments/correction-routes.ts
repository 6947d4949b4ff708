// What a merchant does with a payment after it was made: look at it, cancel it, give money back, and see
// which attempts wait for a person.

import { Type } from 'typebox';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import { toMajorNumber } from '../base/money.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import { problemResponses } from '../http/openapi.ts';
import type { HttpServer } from '../http/server.ts';
import { requireRight } from '../merchants/roles.ts';
import { cancelPayment } from './cancel-payment.ts';
import { type Case, listCases } from './case-store.ts';
import { requireOwn } from './own-code.ts';
import type { PayDeps } from './pay.ts';
import { presentPayment } from './present-payment.ts';
import { refundPayment } from './refund-payment.ts';
import { listRefunds, type Refund } from './refund-store.ts';
import { CaseList, PaymentResponse, RefundList, RefundRequest, RefundResponse } from './schema.ts';
import { findPaymentByCode } from './store.ts';
import { viewPayment } from './view-payment.ts';

export type CorrectionRouteDeps = PayDeps & { keyring: Keyring; verifyCredentials: VerifyCredentials };

const security = [{ bearer: [], apiKey: [], companyId: [] }];
const Params = Type.Object({ code: Type.String() });
const common = { security, tags: ['payments'], params: Params };

function presentRefund(refund: Refund) {
  return {
    refundId: refund.refundId,
    amount: toMajorNumber(refund.amountMinor, refund.currency),
    currency: refund.currency,
    status: refund.state,
    kind: refund.kind,
    reason: refund.reason,
    failureCode: refund.failureCode,
    CreatedOn: refund.createdAt.toISOString(),
  };
}

function presentCase(waiting: Case) {
  return {
    PaymentLinkCode: waiting.code,
    attemptId: waiting.attemptId,
    refundId: waiting.refundId,
    status: waiting.state,
    processor: waiting.processor,
    processorReference: waiting.processorReference,
    amount: toMajorNumber(waiting.amountMinor, waiting.currency),
    currency: waiting.currency,
    failureCode: waiting.failureCode,
    CreatedOn: waiting.createdAt.toISOString(),
    escalatedAt: waiting.escalatedAt.toISOString(),
  };
}

/** Registers the routes that look at and correct payments. */
export function registerCorrectionRoutes(app: HttpServer, deps: CorrectionRouteDeps): void {
  const onRequest = requireCredentials(deps.verifyCredentials);
  const { baseUrl } = deps;

  app.get(
    '/v1/payments/:code',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'getPayment',
        summary: 'Look at a payment',
        response: { 200: PaymentResponse, ...problemResponses([401, 403, 404]) },
      },
    },
    async (request) => {
      const { companyId } = principalOf(request);
      requireRight(principalOf(request), 'payments:read');
      requireOwn(companyId, request.params.code);
      const view = await viewPayment(deps, { companyId, code: request.params.code });
      if (!view) throw errors.notFound();
      return presentPayment(view.payment, { baseUrl, message: `The payment is ${view.payment.state}.` });
    },
  );

  app.post(
    '/v1/payments/:code/cancel',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'cancelPayment',
        summary: 'Cancel an open payment',
        response: { 200: PaymentResponse, ...problemResponses([401, 403, 404, 409]) },
      },
    },
    async (request) => {
      const { companyId, accountId } = principalOf(request);
      requireRight(principalOf(request), 'payments:cancel');
      requireOwn(companyId, request.params.code);
      const order = { companyId, code: request.params.code, actor: `account:${accountId}` };
      return presentPayment(await cancelPayment(deps, order), {
        baseUrl,
        message: 'The payment is cancelled.',
      });
    },
  );

  registerRefundRoutes(app, deps, onRequest);
  registerCaseRoute(app, deps, onRequest);
}

type OnRequest = ReturnType<typeof requireCredentials>;

function registerRefundRoutes(app: HttpServer, deps: CorrectionRouteDeps, onRequest: OnRequest): void {
  app.post(
    '/v1/payments/:code/refunds',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'refundPayment',
        summary: 'Give a payment back, in part or in full',
        body: RefundRequest,
        response: { 200: RefundResponse, ...problemResponses([400, 401, 403, 404, 409, 412, 413, 415, 422]) },
      },
    },
    async (request) => {
      const { companyId, accountId } = principalOf(request);
      requireRight(principalOf(request), 'payments:refund');
      const { code } = request.params;
      requireOwn(companyId, code);
      return presentRefund(
        await refundPayment(deps, { ...request.body, companyId, code, createdBy: `account:${accountId}` }),
      );
    },
  );

  app.get(
    '/v1/payments/:code/refunds',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'listRefunds',
        summary: 'The refunds of a payment, oldest first',
        response: { 200: RefundList, ...problemResponses([401, 403, 404]) },
      },
    },
    async (request) => {
      const { companyId } = principalOf(request);
      requireRight(principalOf(request), 'payments:read');
      const { code } = request.params;
      requireOwn(companyId, code);
      const refunds = await deps.db.inTenant(companyId, async (tx) => {
        const payment = await findPaymentByCode(tx, code);
        if (!payment) throw errors.notFound();
        return await listRefunds(tx, payment.paymentId);
      });
      return { data: refunds.map(presentRefund), nextCursor: null };
    },
  );
}

function registerCaseRoute(app: HttpServer, deps: CorrectionRouteDeps, onRequest: OnRequest): void {
  app.get(
    '/v1/cases',
    {
      onRequest,
      schema: {
        security,
        tags: ['payments'],
        operationId: 'listCases',
        summary: 'What could not be settled for days, or was refused, and waits for a person',
        response: { 200: CaseList, ...problemResponses([401, 403]) },
      },
    },
    async (request) => {
      const { companyId } = principalOf(request);
      requireRight(principalOf(request), 'payments:read');
      const cases = await deps.db.inTenant(companyId, listCases);
      return { data: cases.map(presentCase), nextCursor: null };
    },
  );
}
