// The routes of API keys. Only logins and the responses that create a key contain the key itself.

import type { FastifyRequest } from 'fastify';
import { deriveApiKeyId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { accountPrincipalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveBytes, requestSeedOf } from '../http/idempotency.ts';
import { responses } from '../http/openapi.ts';
import { PageQuery, paginate, parsePage } from '../http/page-query.ts';
import { hasRight, requireRight } from '../http/roles.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { deriveApiKey } from './api-keys.ts';
import { createApiKey, type KeyDeps } from './create-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rollApiKey } from './roll-api-key.ts';
import { KeyList, KeyParams, KeyRequest, KeyResponse, NewKeyResponse, RollRequest } from './schema.ts';
import { type ApiKey, findApiKey, listApiKeys } from './store.ts';

export type KeyRouteDeps = KeyDeps & { keyring: Keyring; verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('keys');

function statusOf(key: ApiKey, now: Date): string {
  if (key.revokedAt) return 'revoked';
  if (!key.expiresAt) return 'active';
  return key.expiresAt <= now ? 'expired' : 'expiring';
}

function presentKey(key: ApiKey, now: Date) {
  return {
    keyId: key.keyId,
    name: key.name,
    mode: key.mode,
    status: statusOf(key, now),
    createdAt: key.createdAt.toISOString(),
    createdBy: key.createdBy,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  };
}

/** The ID of the key that a request creates: the same for each repetition with the same Idempotency-Key. */
function keyIdFor(request: FastifyRequest, { clock }: KeyRouteDeps): string {
  return deriveApiKeyId(
    accountPrincipalOf(request).companyId,
    deriveBytes(requestSeedOf(request, clock), 'api-key'),
  );
}

/** Before the Idempotency-Key is looked up, so that no stored response outlives the role. */
async function checkLiveModeRight(request: FastifyRequest): Promise<void> {
  const principal = accountPrincipalOf(request);
  const { mode = principal.mode } = (request.body ?? {}) as { mode?: unknown };
  if (mode === 'live') requireRight(principal, 'keys:live');
}

function checkRightOfKey({ db }: Pick<KeyRouteDeps, 'db'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const principal = accountPrincipalOf(request);
    const { keyId } = request.params as { keyId: string };
    const key = await db.inCompany(principal.companyId, async (tx) => await findApiKey(tx, keyId));
    if (key?.mode === 'live') requireRight(principal, 'keys:live');
  };
}

export function registerKeyRoutes(app: HttpServer, deps: KeyRouteDeps): void {
  const presentNew = (key: ApiKey) => ({
    ...presentKey(key, key.createdAt),
    key: deriveApiKey(deps.keyring, key.mode, key.keyId),
  });

  app.get(
    '/v1/api-keys',
    secured(deps, 'keys:read', {
      operationId: 'listApiKeys',
      summary: 'List the API keys',
      description: 'Includes live keys only for roles with the right keys:live.',
      querystring: PageQuery,
      response: responses(KeyList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId, roles } = accountPrincipalOf(request);
      const page = parsePage(request.query, ['api-keys', companyId]);
      const [before = null] = page.place ?? [];
      const query = {
        before,
        limit: page.limit + 1,
        mode: hasRight(roles, 'keys:live') ? null : ('test' as const),
      };
      const keys = await deps.db.inCompany(companyId, async (tx) => await listApiKeys(tx, query));
      const now = deps.clock.now();
      const { shown, nextCursor } = paginate(keys, page, ({ keyId }) => [keyId]);
      return { data: shown.map((key) => presentKey(key, now)), nextCursor };
    },
  );

  app.post(
    '/v1/api-keys',
    {
      ...secured(deps, 'keys:manage', {
        operationId: 'createApiKey',
        summary: 'Create an API key',
        body: KeyRequest,
        response: responses(NewKeyResponse, ['liveNotPossible']),
      }),
      preValidation: checkLiveModeRight,
    },
    async (request) => {
      const wanted = { ...request.body, keyId: keyIdFor(request, deps) };
      return presentNew(await createApiKey(deps, accountPrincipalOf(request), wanted));
    },
  );

  registerKeyChanges(app, deps, presentNew);
}

function registerKeyChanges(
  app: HttpServer,
  deps: KeyRouteDeps,
  presentNew: (key: ApiKey) => ReturnType<typeof presentKey> & { key: string },
): void {
  const preValidation = checkRightOfKey(deps);

  app.post(
    '/v1/api-keys/:keyId/roll',
    {
      ...secured(deps, 'keys:manage', {
        operationId: 'rollApiKey',
        summary: 'Roll an API key. The old key stays valid for an overlap',
        params: KeyParams,
        body: RollRequest,
        response: responses(NewKeyResponse, ['keyNotActive']),
      }),
      config: { isBodyOptional: true },
      preValidation,
    },
    async (request) => {
      const order = { ...request.params, ...request.body, newKeyId: keyIdFor(request, deps) };
      return presentNew(await rollApiKey(deps, accountPrincipalOf(request), order));
    },
  );

  app.delete(
    '/v1/api-keys/:keyId',
    {
      ...secured(deps, 'keys:manage', {
        operationId: 'revokeApiKey',
        summary: 'Revoke a key at once',
        params: KeyParams,
        response: responses(KeyResponse, ['lastKey']),
      }),
      preValidation,
    },
    async (request) => {
      const key = await revokeApiKey(deps, accountPrincipalOf(request), request.params.keyId);
      return presentKey(key, deps.clock.now());
    },
  );
}
