// Decides whether the three credentials of a call hold: each by itself (401, naming the header), all
// of one company (403), and still good by the database.

import type { Clock } from '../base/clock.ts';
import { errors, type FieldFault } from '../base/errors.ts';
import { isCompanyId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database } from '../db/database.ts';
import { type Credentials, challenge, type Principal } from '../http/authentication.ts';
import { readApiKey } from './api-keys.ts';
import { type KeyState, readCredentialState } from './session-store.ts';
import { readToken } from './tokens.ts';

export type CredentialDeps = { db: Database; clock: Clock; keyring: Keyring; baseUrl: string };

function invalidKey(detail: string, code = 'invalid') {
  return errors.invalidApiKey({
    detail: `${detail} Log in again at POST /v1/auth/login and send the key of its X-API-KEY header.`,
    headers: challenge(),
    errors: [{ field: 'X-API-KEY', code, detail }],
  });
}

function refuseKey(state: KeyState): void {
  if (state === 'expired') throw invalidKey('This key was rolled and has ended.', 'expired');
  if (state === 'revoked') throw invalidKey('This key has been revoked.', 'revoked');
  if (state === 'unknown') throw invalidKey('This key is not known here.');
}

function refuseMismatch(companies: { token: string; apiKey: string; header: string }): void {
  const faults: FieldFault[] = [];
  if (companies.apiKey !== companies.token)
    faults.push({
      field: 'X-API-KEY',
      code: 'other_company',
      detail: 'This key is not of the company of the token.',
    });
  if (companies.header !== companies.token)
    faults.push({
      field: 'X-COMPANY-ID',
      code: 'other_company',
      detail: 'This is not the company of the token.',
    });
  if (faults.length > 0) throw errors.credentialsMismatch({ errors: faults });
}

/** The principal of a call. Throws 401 or 403 as docs/api.md lists them. */
export async function verifyCredentials(deps: CredentialDeps, credentials: Credentials): Promise<Principal> {
  const now = deps.clock.now();
  const token = await readToken(deps, credentials.token, now);
  const key = readApiKey(deps.keyring, credentials.apiKey);
  if (!key) throw invalidKey('This is not one of our keys.');
  if (!isCompanyId(credentials.companyId))
    throw errors.invalidCompanyId({
      headers: challenge(),
      errors: [{ field: 'X-COMPANY-ID', code: 'invalid', detail: 'This is not a company identifier.' }],
    });
  refuseMismatch({ token: token.companyId, apiKey: key.companyId, header: credentials.companyId });
  const state = await deps.db.inTenant(
    token.companyId,
    async (tx) => await readCredentialState(tx, { ...token, keyId: key.keyId, now }),
  );
  if (!state.roles)
    throw errors.invalidToken({
      detail: 'The session of this token has ended. Log in again at POST /v1/auth/login.',
      headers: challenge('invalid_token'),
      errors: [{ field: 'Authorization', code: 'ended', detail: 'The session of this token has ended.' }],
    });
  refuseKey(state.keyState);
  if (!state.keyMode) throw new Error('a key that is good has no mode');
  return { ...token, roles: state.roles, keyId: key.keyId, mode: state.keyMode };
}
