// The routes of service keys. Only the responses that create a key contain the key itself; for 48 hours the same
// Idempotency-Key returns them again, encrypted in between.

import type { FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import { deriveApiKeyId } from '../base/ids.ts';
import { accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveBytes, requestSeedOf } from '../http/idempotency.ts';
import { responses } from '../http/openapi.ts';
import { PageQuery, paginate, parsePage } from '../http/page-query.ts';
import { hasRight, requireRight } from '../http/roles.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import {
  changeServiceKey,
  createServiceKey,
  type IssuedServiceKey,
  revokeServiceKey,
  rollServiceKey,
  type ServiceKeyDeps,
} from './change-service-keys.ts';
import {
  NewServiceKeyResponse,
  ServiceKeyChange,
  ServiceKeyList,
  ServiceKeyParams,
  ServiceKeyRequest,
  ServiceKeyResponse,
  ServiceKeyRoll,
} from './schema.ts';
import { expandScopes, requireGrantable, type ScopeName, scopeNames } from './scopes.ts';
import { findServiceKey, listServiceKeys, type ServiceKey } from './store.ts';

export type ServiceKeyRouteDeps = ServiceKeyDeps & { verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('keys');
const path = '/v1/service-keys';

function statusOf({ revokedAt, expiresAt, replacedBy }: ServiceKey, now: Date) {
  if (revokedAt) return 'revoked' as const;
  if (expiresAt && expiresAt <= now) return 'expired' as const;
  return replacedBy === null ? ('active' as const) : ('expiring' as const);
}

function presentServiceKey(key: ServiceKey, now: Date) {
  const { keyId, name, mode, scopes, allowedAddresses, createdBy, replacedBy } = key;
  return {
    ...{ keyId, name, mode, status: statusOf(key, now), scopes, allowedAddresses },
    createdAt: key.createdAt.toISOString(),
    createdBy,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    replacedByKeyId: replacedBy,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}

const presentIssued = ({ row, key }: IssuedServiceKey, now: Date) => ({
  ...presentServiceKey(row, now),
  key,
});

/** The seed of a new key, and its ID: the same for each repetition with the same Idempotency-Key. */
function seedAndIdOf(request: FastifyRequest, { clock }: ServiceKeyRouteDeps) {
  const seed = requestSeedOf(request, clock);
  const { companyId } = accountPrincipalOf(request);
  return { seed, keyId: deriveApiKeyId(companyId, deriveBytes(seed, 'service-key')) };
}

/** Before the Idempotency-Key is looked up, so that no stored response outlives the role. */
async function checkGrant(request: FastifyRequest): Promise<void> {
  const caller = accountPrincipalOf(request);
  const { mode = caller.mode, scopes } = (request.body ?? {}) as { mode?: unknown; scopes?: unknown };
  const named = Array.isArray(scopes) ? scopes : [];
  const known = named.filter((name): name is ScopeName => (scopeNames as readonly unknown[]).includes(name));
  requireGrantable(caller, { mode: mode === 'live' ? 'live' : 'test', scopes: expandScopes(known) });
}

async function readKeyOf(request: FastifyRequest, { db }: ServiceKeyDeps): Promise<ServiceKey | null> {
  const { keyId } = request.params as { keyId: string };
  const { companyId } = accountPrincipalOf(request);
  return await db.inCompany(companyId, async (tx) => await findServiceKey(tx, keyId));
}

/** The same for the key of the path: its secret and its addresses are only for who could create it. */
function checkGrantOfKey(deps: ServiceKeyDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    const key = await readKeyOf(request, deps);
    if (key) requireGrantable(accountPrincipalOf(request), key);
  };
}

function checkLiveRightOfKey(deps: ServiceKeyDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    const key = await readKeyOf(request, deps);
    if (key?.mode === 'live') requireRight(accountPrincipalOf(request), 'keys:live');
  };
}

export function registerServiceKeyRoutes(app: HttpServer, deps: ServiceKeyRouteDeps): void {
  registerReads(app, deps);
  registerIssues(app, deps);
  registerChanges(app, deps);
}

function registerReads(app: HttpServer, deps: ServiceKeyRouteDeps): void {
  app.get(
    path,
    secured(deps, 'keys:read', {
      operationId: 'listServiceKeys',
      summary: 'List the service keys',
      description: 'Includes live keys only for roles with the right keys:live.',
      querystring: PageQuery,
      response: responses(ServiceKeyList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId, roles } = accountPrincipalOf(request);
      const page = parsePage(request.query, ['service-keys', companyId]);
      const [before = null] = page.place ?? [];
      const mode = hasRight(roles, 'keys:live') ? null : ('test' as const);
      const query = { before, limit: page.limit + 1, mode };
      const keys = await deps.db.inCompany(companyId, async (tx) => await listServiceKeys(tx, query));
      const now = deps.clock.now();
      const { shown, nextCursor } = paginate(keys, page, ({ keyId }) => [keyId]);
      return { data: shown.map((key) => presentServiceKey(key, now)), nextCursor };
    },
  );

  app.get(
    `${path}/:keyId`,
    {
      ...secured(deps, 'keys:read', {
        operationId: 'getServiceKey',
        summary: 'Retrieve a service key',
        params: ServiceKeyParams,
        response: responses(ServiceKeyResponse),
      }),
      preValidation: checkLiveRightOfKey(deps),
    },
    async (request) => {
      const key = await readKeyOf(request, deps);
      if (!key) throw errors.notFound();
      return presentServiceKey(key, deps.clock.now());
    },
  );
}

/** The routes whose responses contain a key. */
function registerIssues(app: HttpServer, deps: ServiceKeyRouteDeps): void {
  app.post(
    path,
    {
      ...secured(deps, 'keys:manage', {
        operationId: 'createServiceKey',
        summary: 'Create a service key',
        description:
          'The response is the only one with the key itself. Your role must have every right that you name as a scope.',
        body: ServiceKeyRequest,
        response: responses(NewServiceKeyResponse, ['liveNotPossible']),
      }),
      preValidation: checkGrant,
    },
    async (request) => {
      const wanted = { ...request.body, ...seedAndIdOf(request, deps) };
      const issued = await createServiceKey(deps, accountPrincipalOf(request), wanted);
      return presentIssued(issued, deps.clock.now());
    },
  );

  app.post(
    `${path}/:keyId/roll`,
    {
      ...secured(deps, 'keys:manage', {
        operationId: 'rollServiceKey',
        summary: 'Roll a service key. The old key stays valid for an overlap',
        params: ServiceKeyParams,
        body: ServiceKeyRoll,
        response: responses(NewServiceKeyResponse, ['keyNotActive']),
      }),
      config: { isBodyOptional: true },
      preValidation: checkGrantOfKey(deps),
    },
    async (request) => {
      const { seed, keyId: newKeyId } = seedAndIdOf(request, deps);
      const order = { ...request.params, ...request.body, newKeyId, seed };
      const issued = await rollServiceKey(deps, accountPrincipalOf(request), order);
      return presentIssued(issued, deps.clock.now());
    },
  );
}

function registerChanges(app: HttpServer, deps: ServiceKeyRouteDeps): void {
  app.patch(
    `${path}/:keyId`,
    {
      ...secured(deps, 'keys:manage', {
        operationId: 'changeServiceKey',
        summary: 'Change the name or the allowed addresses of a service key',
        params: ServiceKeyParams,
        body: ServiceKeyChange,
        response: responses(ServiceKeyResponse),
      }),
      preValidation: checkGrantOfKey(deps),
    },
    async (request) => {
      const change = { ...request.body, ...request.params };
      const key = await changeServiceKey(deps, accountPrincipalOf(request), change);
      return presentServiceKey(key, deps.clock.now());
    },
  );

  app.delete(
    `${path}/:keyId`,
    {
      ...secured(deps, 'keys:manage', {
        operationId: 'revokeServiceKey',
        summary: 'Revoke a service key at once',
        params: ServiceKeyParams,
        response: responses(ServiceKeyResponse),
      }),
      preValidation: checkLiveRightOfKey(deps),
    },
    async (request) => {
      const key = await revokeServiceKey(deps, accountPrincipalOf(request), request.params.keyId);
      return presentServiceKey(key, deps.clock.now());
    },
  );
}
