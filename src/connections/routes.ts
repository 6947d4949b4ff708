// Routes of processors and connections. Must not: put a secret into a response.

import { Type } from 'typebox';
import { deriveConnectionId } from '../base/ids.ts';
import type { TenantScope } from '../db/database.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveBytes, requestSeedOf } from '../http/idempotency.ts';
import { responses } from '../http/openapi.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import {
  type ConnectionDeps,
  changeConnection,
  checkConnection,
  createConnection,
  removeConnection,
  reorderConnections,
  requireConnection,
} from './change-connection.ts';
import { presentConnection } from './present-connection.ts';
import {
  ConnectionChange,
  ConnectionList,
  ConnectionOrder,
  ConnectionRequest,
  ConnectionResponse,
  exampleConnectionId,
  ProcessorList,
} from './schema.ts';
import { listConnections, listProcessorWebhookCounts, type StoredConnection } from './store.ts';

export type ConnectionRouteDeps = ConnectionDeps & { verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('processors');
const path = '/v1/processor-connections';
const Params = Type.Object({
  connectionId: Type.String({
    description: 'ID of the connection',
    examples: [exampleConnectionId],
  }),
});

export function registerConnectionRoutes(app: HttpServer, deps: ConnectionRouteDeps): void {
  registerReads(app, deps);
  registerChanges(app, deps);
  registerActions(app, deps);
}

async function present(deps: ConnectionRouteDeps, scope: TenantScope, all: readonly StoredConnection[]) {
  const counts = await deps.db.inTenant(scope, async (tx) => await listProcessorWebhookCounts(tx));
  return all.map((stored) => presentConnection(deps, stored, counts));
}

async function presentOne(deps: ConnectionRouteDeps, stored: StoredConnection) {
  const [shown] = await present(deps, stored, [stored]);
  if (!shown) throw new Error('the connection was not presented');
  return shown;
}

function registerReads(app: HttpServer, deps: ConnectionRouteDeps): void {
  app.get(
    '/v1/processors',
    secured(deps, 'processors:read', {
      operationId: 'listProcessors',
      summary: 'List processors',
      response: responses(ProcessorList),
    }),
    async () => ({
      data: deps.processors.kinds.map(({ name, title, takes, modes, currencies, fields }) => ({
        processor: name,
        title,
        takes,
        modes: [...modes],
        currencies: [...currencies],
        fields: [...fields],
      })),
      nextCursor: null,
    }),
  );

  app.get(
    path,
    secured(deps, 'processors:read', {
      operationId: 'listProcessorConnections',
      summary: 'List connections',
      response: responses(ConnectionList),
    }),
    async (request) => {
      const { companyId, mode } = principalOf(request);
      const all = await deps.db.inTenant({ companyId, mode }, async (tx) => await listConnections(tx, mode));
      return { data: await present(deps, { companyId, mode }, all), nextCursor: null };
    },
  );

  app.get(
    `${path}/:connectionId`,
    secured(deps, 'processors:read', {
      operationId: 'getProcessorConnection',
      summary: 'Retrieve a connection',
      params: Params,
      response: responses(ConnectionResponse),
    }),
    async (request) => {
      const caller = principalOf(request);
      const { connectionId } = request.params;
      const stored = await deps.db.inTenant(caller, (tx) => requireConnection(tx, caller, connectionId));
      return await presentOne(deps, stored);
    },
  );
}

function registerChanges(app: HttpServer, deps: ConnectionRouteDeps): void {
  app.post(
    path,
    secured(deps, 'processors:manage', {
      operationId: 'createProcessorConnection',
      summary: 'Create a connection',
      description:
        'Connects the company with a processor, in the mode of your API key. Paylink checks the credentials with the processor before it stores anything.',
      body: ConnectionRequest,
      response: responses(ConnectionResponse, [
        'liveNotPossible',
        'tooManyConnections',
        'processorUnreachable',
      ]),
    }),
    async (request) => {
      const caller = principalOf(request);
      const bytes = deriveBytes(requestSeedOf(request, deps.clock), 'connection');
      const connectionId = deriveConnectionId(caller.companyId, bytes);
      return await presentOne(deps, await createConnection(deps, caller, { ...request.body, connectionId }));
    },
  );

  app.patch(
    `${path}/:connectionId`,
    secured(deps, 'processors:manage', {
      operationId: 'updateProcessorConnection',
      summary: 'Update a connection',
      description:
        'Omitted credentials stay unchanged; an empty one is removed. Paylink checks all credentials with the processor before it stores any.',
      params: Params,
      body: ConnectionChange,
      response: responses(ConnectionResponse, ['connectionChanged', 'processorUnreachable']),
    }),
    async (request) => {
      const wanted = { ...request.params, change: request.body };
      return await presentOne(deps, await changeConnection(deps, principalOf(request), wanted));
    },
  );

  app.delete(
    `${path}/:connectionId`,
    secured(deps, 'processors:manage', {
      operationId: 'deleteProcessorConnection',
      summary: 'Delete a connection and its credentials',
      description: 'Payments made through a deleted connection can no longer be refunded through the API.',
      params: Params,
      response: responses(ConnectionResponse, ['connectionInUse']),
    }),
    async (request) => {
      const stored = await removeConnection(deps, principalOf(request), request.params.connectionId);
      return { ...(await presentOne(deps, stored)), enabled: false };
    },
  );
}

function registerActions(app: HttpServer, deps: ConnectionRouteDeps): void {
  app.post(
    `${path}/:connectionId/check`,
    secured(deps, 'processors:manage', {
      operationId: 'checkProcessorConnection',
      summary: 'Check the credentials of a connection',
      params: Params,
      response: responses(ConnectionResponse, ['processorUnreachable']),
    }),
    async (request) =>
      await presentOne(deps, await checkConnection(deps, principalOf(request), request.params.connectionId)),
  );

  app.put(
    '/v1/processor-connection-order',
    secured(deps, 'processors:manage', {
      operationId: 'orderProcessorConnections',
      summary: 'Set the order of connections',
      body: ConnectionOrder,
      response: responses(ConnectionList),
    }),
    async (request) => {
      const caller = principalOf(request);
      const ordered = await reorderConnections(deps, caller, request.body.connectionIds);
      return { data: await present(deps, caller, ordered), nextCursor: null };
    },
  );
}
