// The route that lists cases.

import { toMajorNumberOfAnyCurrency } from '../base/money.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, security } from '../http/openapi.ts';
import { checkRight } from '../http/roles.ts';
import { type EscalatedCase, listCases } from './case-store.ts';
import { CaseList } from './schema.ts';

export type CaseRouteDeps = { db: Database; verifyCredentials: VerifyCredentials };

function presentCase(entry: EscalatedCase) {
  return {
    PaymentLinkCode: entry.code,
    attemptId: entry.attemptId,
    refundId: entry.refundId,
    status: entry.state,
    processor: entry.processor,
    processorReference: entry.processorReference,
    amount: toMajorNumberOfAnyCurrency(entry.amountMinor, entry.currency),
    currency: entry.currency,
    failureCode: entry.failureCode,
    CreatedOn: entry.createdAt.toISOString(),
    escalatedAt: entry.escalatedAt.toISOString(),
  };
}

export function registerCaseRoute(app: HttpServer, deps: CaseRouteDeps): void {
  app.get(
    '/v1/cases',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('payments:read')],
      schema: {
        security,
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
}
