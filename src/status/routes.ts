// The route of the operator's page. Must not: answer an account that OPERATOR_EMAILS does not name, whatever its roles, or
// be cached.

import type { FastifyRequest } from 'fastify';
import { type Clock, movedTimeOf } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { findAccount } from '../companies/account-store.ts';
import type { Database } from '../db/database.ts';
import { accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { presentStatus } from './present-status.ts';
import { OperatorStatus } from './schema.ts';
import { readStatus } from './sum-statuses.ts';

export type OperatorRouteDeps = {
  db: Database;
  clock: Clock;
  verifyCredentials: VerifyCredentials;
  /** Whether the account with this email address is an operator. */
  isOperator(email: string): boolean;
};

const secured = describeSecuredRoutes('operations');

async function requireOperator({ db, isOperator }: OperatorRouteDeps, request: FastifyRequest) {
  const { companyId, accountId } = accountPrincipalOf(request);
  const account = await db.inCompany(companyId, async (tx) => await findAccount(tx, accountId));
  if (!account || !isOperator(account.email)) throw errors.operatorOnly();
}

export function registerOperatorRoutes(app: HttpServer, deps: OperatorRouteDeps): void {
  app.get(
    '/v1/operator/status',
    secured(deps, null, {
      operationId: 'getOperatorStatus',
      summary: 'Retrieve the status of the service, as an operator',
      description:
        'For the accounts that the setting OPERATOR_EMAILS names, whatever their roles. The figures are those of all companies in both modes, and name none of them.',
      response: responses(OperatorStatus, ['operatorOnly']),
    }),
    async (request) => {
      await requireOperator(deps, request);
      return presentStatus(await readStatus(deps.db, movedTimeOf(deps.clock)));
    },
  );
}
