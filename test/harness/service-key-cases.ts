// The rows of the routes of service keys, for route-cases.ts.

import type { Role } from '../../src/http/authentication.ts';
import type { Credentials } from './client.ts';
import type { Paylink } from './paylink.ts';
import { createServiceKey } from './service-keys.ts';

const keyKeepers: readonly Role[] = ['owner', 'admin', 'developer'];

type Company = { paylink: Paylink; credentials: Credentials };

const spare = async ({ paylink, credentials }: Company): Promise<Record<string, string>> => {
  // A role that changes keys has every right of the key.
  const { keyId } = await createServiceKey(paylink, credentials, { scopes: ['payments:read'] });
  return { keyId };
};

export const serviceKeyCases = {
  'GET /v1/service-keys': { roles: keyKeepers },
  'POST /v1/service-keys': { roles: keyKeepers },
  'GET /v1/service-keys/{keyId}': { roles: keyKeepers, params: spare },
  'PATCH /v1/service-keys/{keyId}': { roles: keyKeepers, params: spare },
  'POST /v1/service-keys/{keyId}/roll': { roles: keyKeepers, params: spare },
  'DELETE /v1/service-keys/{keyId}': { roles: keyKeepers, params: spare },
} as const;
