// The API keys of a company: list, create, roll, revoke. The key itself is in the answers that make one,
// and nowhere else but in the login.

import { Type } from 'typebox';
import type { Keyring } from '../base/keyring.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import { problemResponses } from '../http/openapi.ts';
import { PageQuery, presentPage, readPage } from '../http/page-query.ts';
import type { HttpServer } from '../http/server.ts';
import { deriveApiKey } from './api-keys.ts';
import { createApiKey, type KeyDeps } from './create-api-key.ts';
import { type ApiKey, listApiKeys } from './key-store.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { checkRight } from './roles.ts';
import { rollApiKey } from './roll-api-key.ts';
import { KeyList, KeyRequest, KeyResponse, NewKeyResponse, RollRequest } from './schema.ts';

export type KeyRouteDeps = KeyDeps & { keyring: Keyring; verifyCredentials: VerifyCredentials };

const common = { security: [{ bearer: [], apiKey: [], companyId: [] }], tags: ['keys'] };
const Params = Type.Object({ keyId: Type.String({ description: 'Identification of the key' }) });

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

/** Registers the routes of keys. */
export function registerKeyRoutes(app: HttpServer, deps: KeyRouteDeps): void {
  const credentials = requireCredentials(deps.verifyCredentials);
  const presentNew = (key: ApiKey) => ({
    ...presentKey(key, key.createdAt),
    key: deriveApiKey(deps.keyring, key.mode, key.keyId),
  });

  app.get(
    '/v1/api-keys',
    {
      onRequest: [credentials, checkRight('keys:read')],
      schema: {
        ...common,
        operationId: 'listApiKeys',
        summary: 'The API keys, good and gone',
        querystring: PageQuery,
        response: { 200: KeyList, ...problemResponses([401, 403, 422]) },
      },
    },
    async (request) => {
      const { cursor, limit } = readPage(request.query);
      const { companyId } = principalOf(request);
      const keys = await deps.db.inTenant(companyId, async (tx) => await listApiKeys(tx, cursor, limit + 1));
      const now = deps.clock.now();
      const present = (key: ApiKey) => presentKey(key, now);
      return presentPage(keys, { limit, cursorOf: (key) => key.keyId, present });
    },
  );

  app.post(
    '/v1/api-keys',
    {
      onRequest: [credentials, checkRight('keys:manage')],
      schema: {
        ...common,
        operationId: 'createApiKey',
        summary: 'Create an API key',
        body: KeyRequest,
        response: { 200: NewKeyResponse, ...problemResponses([400, 401, 403, 413, 415, 422]) },
      },
    },
    async (request) => presentNew(await createApiKey(deps, principalOf(request), request.body)),
  );

  registerKeyChanges(app, deps, presentNew);
}

function registerKeyChanges(
  app: HttpServer,
  deps: KeyRouteDeps,
  presentNew: (key: ApiKey) => ReturnType<typeof presentKey> & { key: string },
): void {
  const onRequest = [requireCredentials(deps.verifyCredentials), checkRight('keys:manage')];

  app.post(
    '/v1/api-keys/:keyId/roll',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'rollApiKey',
        summary: 'Put a new key in the place of one, which stays good for an overlap',
        params: Params,
        body: RollRequest,
        response: { 200: NewKeyResponse, ...problemResponses([400, 401, 403, 404, 409, 413, 415, 422]) },
      },
    },
    async (request) =>
      presentNew(await rollApiKey(deps, principalOf(request), { ...request.params, ...request.body })),
  );

  app.delete(
    '/v1/api-keys/:keyId',
    {
      onRequest,
      schema: {
        ...common,
        operationId: 'revokeApiKey',
        summary: 'Revoke a key at once',
        params: Params,
        response: { 200: KeyResponse, ...problemResponses([401, 403, 404, 409]) },
      },
    },
    async (request) => {
      const key = await revokeApiKey(deps, principalOf(request), request.params.keyId);
      return presentKey(key, deps.clock.now());
    },
  );
}
