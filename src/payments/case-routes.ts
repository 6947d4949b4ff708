// The route that lists cases: attempts and refunds that wait for a person.

import { toMajorNumberOfAnyCurrency } from '../base/money.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, security } from '../http/openapi.ts';
import { checkRight } from '../http/roles.ts';
import { type EscalatedCase, listCases } from './case-store.ts';
import { CaseList } from './schema.ts';

export type CaseRouteDeps = { db: Database; verifyCredentials: VerifyCredentials };

function presentCase(waiting: EscalatedCase) {
  return {
    PaymentLinkCode: waiting.code,
    attemptId: waiting.attemptId,
    refundId: waiting.refundId,
    status: waiting.state,
    processor: waiting.processor,
    processorReference: waiting.processorReference,
    amount: toMajorNumberOfAnyCurrency(waiting.amountMinor, waiting.currency),
    currency: waiting.currency,
    failureCode: waiting.failureCode,
    CreatedOn: waiting.createdAt.toISOString(),
    escalatedAt: waiting.escalatedAt.toISOString(),
  };
}

/** Registers the route that lists cases. */
export function registerCaseRoute(app: HttpServer, deps: CaseRouteDeps): void {
  app.get(
    '/v1/cases',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('payments:read')],
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
