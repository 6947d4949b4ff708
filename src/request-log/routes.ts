// The routes of the request log: list calls, read one with its bodies. They are not recorded themselves.

import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { listRequests, readRequest } from './list-requests.ts';
import { ApiRequestDetails, ApiRequestList, ApiRequestParams, ApiRequestQuery } from './schema.ts';

export type RequestLogRouteDeps = { db: Database; verifyCredentials: VerifyCredentials };

/** Registers the routes. */
export function registerRequestLogRoutes(app: HttpServer, deps: RequestLogRouteDeps): void {
  const { db } = deps;
  const secured = describeSecuredRoutes('developers');
  const config = { isRecorded: false };

  app.get(
    '/v1/requests',
    {
      config,
      ...secured(deps, 'requests:read', {
        operationId: 'listRequests',
        summary: 'List the calls of the company in this mode',
        description:
          'The calls of the last 7 days, newest first. A call appears within two seconds of its response. With filters a page may be short although more follow.',
        querystring: ApiRequestQuery,
        response: responses(ApiRequestList, ['invalidFields']),
      }),
    },
    async (request) => await listRequests(db, principalOf(request), request.query),
  );

  app.get(
    '/v1/requests/:requestId',
    {
      config,
      ...secured(deps, 'requests:read', {
        operationId: 'getRequest',
        summary: 'Retrieve a call with its bodies',
        description: 'The call with this request ID, with its bodies as far as the log shows them.',
        params: ApiRequestParams,
        response: responses(ApiRequestDetails, ['notFound', 'invalidFields']),
      }),
    },
    async (request) => {
      const found = await readRequest(db, principalOf(request), request.params.requestId);
      if (!found) throw errors.notFound();
      return found;
    },
  );
}
