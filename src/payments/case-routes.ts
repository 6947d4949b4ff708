// The routes of cases.

import type { Clock } from '../base/clock.ts';
import { toMajorNumberOfAnyCurrency } from '../base/money.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import { CaseClosing, CaseList, ClosedCaseResponse } from './case-schema.ts';
import { type EscalatedCase, listCases } from './case-store.ts';
import { closeCase } from './close-case.ts';

export type CaseRouteDeps = { db: Database; clock: Clock; verifyCredentials: VerifyCredentials };

function presentCase(entry: EscalatedCase) {
  const createdAt = entry.createdAt.toISOString();
  return {
    paymentLinkCode: entry.code,
    PaymentLinkCode: entry.code,
    attemptId: entry.attemptId,
    refundId: entry.refundId,
    status: entry.state,
    processor: entry.processor,
    processorReference: entry.processorReference,
    amount: toMajorNumberOfAnyCurrency(entry.amountMinor, entry.currency),
    currency: entry.currency,
    failureCode: entry.failureCode,
    createdAt,
    CreatedOn: createdAt,
    escalatedAt: entry.escalatedAt.toISOString(),
  };
}

export function registerCaseRoutes(app: HttpServer, deps: CaseRouteDeps): void {
  const credentials = requireCredentials(deps.verifyCredentials);
  app.get(
    '/v1/cases',
    {
      onRequest: [credentials, checkRight('payments:read')],
      schema: {
        security: securityFor('payments:read'),
        tags: ['payments'],
        operationId: 'listCases',
        summary: 'List the cases that a person must resolve',
        description:
          'Returns at most 1,000 cases in one page, oldest first. A case leaves the list when it is resolved.',
        response: { 200: CaseList, ...problemResponses(['roleNotAllowed']) },
      },
    },
    async (request) => {
      const cases = await deps.db.inTenant(principalOf(request), listCases);
      return { data: cases.map(presentCase), nextCursor: null };
    },
  );

  app.post(
    '/v1/payments/:code/cases/close',
    {
      onRequest: [credentials, checkRight('payments:refund')],
      schema: {
        security: securityFor('payments:refund'),
        tags: ['payments'],
        params: LinkCodeParams,
        operationId: 'closeCase',
        summary: 'Close a case about money that Paylink cannot account for',
        description:
          'Close it after you have settled the money at the processor. Other cases end by themselves when the processor reports the outcome. Closing a closed case returns how it was closed first.',
        body: CaseClosing,
        response: {
          200: ClosedCaseResponse,
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'caseNotFound', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const own = paymentScopeOf(principalOf(request), request.params.code);
      const { processorReference, note = null } = request.body;
      const closed = await closeCase(deps, { ...own, processorReference, note });
      return {
        paymentLinkCode: own.code,
        PaymentLinkCode: own.code,
        processorReference: closed.processorReference,
        note: closed.closingNote,
        closedBy: closed.closedBy,
        closedAt: closed.closedAt.toISOString(),
      };
    },
  );
}
