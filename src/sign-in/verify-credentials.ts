// Verifies three credentials: each by itself (401), of one company (403), and active in the database.

import { createApiKeyParser } from '../api-keys/api-keys.ts';
import { type Batcher, createBatcher, dedupe } from '../base/batcher.ts';
import type { Clock } from '../base/clock.ts';
import { errors, type FieldError } from '../base/errors.ts';
import { isCompanyId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { isRowError } from '../db/connection.ts';
import type { Database } from '../db/database.ts';
import { type ApiCredentials, challenge, type Principal } from '../http/authentication.ts';
import {
  type CredentialQuery,
  type CredentialState,
  type KeyState,
  readCredentialStates,
} from './session-store.ts';
import { createTokenReader } from './tokens.ts';

/** Bounds one statement. Further calls of one company wait for the next. */
const maxBatchSize = 1_000;

export type CredentialDeps = { db: Database; clock: Clock; keyring: Keyring; baseUrl: string };

function invalidKey(detail: string, code = 'invalid') {
  return errors.invalidApiKey({
    detail: `${detail} Log in again at POST /v1/auth/login and send the key of its X-API-KEY header.`,
    headers: challenge(),
    errors: [{ field: 'X-API-KEY', code, detail }],
  });
}

function refuseKey(state: KeyState): void {
  if (state === 'expired') throw invalidKey('This key was rolled and has expired.', 'expired');
  if (state === 'revoked') throw invalidKey('This key has been revoked.', 'revoked');
  if (state === 'unknown') throw invalidKey('This key is unknown.');
}

function endedSession() {
  return errors.invalidToken({
    detail: 'The session of this token has ended. Log in again at POST /v1/auth/login.',
    headers: challenge('invalid_token'),
    errors: [{ field: 'Authorization', code: 'ended', detail: 'The session of this token has ended.' }],
  });
}

function refuseMismatch(companies: { token: string; apiKey: string; header: string }): void {
  const faults: FieldError[] = [];
  if (companies.apiKey !== companies.token)
    faults.push({
      field: 'X-API-KEY',
      code: 'other_company',
      detail: 'This key belongs to another company than the token.',
    });
  if (companies.header !== companies.token)
    faults.push({
      field: 'X-COMPANY-ID',
      code: 'other_company',
      detail: 'This is not the company of the token.',
    });
  if (faults.length > 0) throw errors.credentialsMismatch({ errors: faults });
}

const idOf = ({ sessionId, accountId, keyId }: CredentialQuery) => `${sessionId} ${accountId} ${keyId}`;

/** Reads the status of credentials at every call, with the concurrent calls of a company in a batch. */
function createCredentialReader({
  db,
  clock,
}: CredentialDeps): Batcher<CredentialQuery, CredentialState | undefined> {
  const readBatch = async (companyId: string, queries: readonly CredentialQuery[]) => {
    const states = await db.inCompany(
      companyId,
      async (tx) => await readCredentialStates(tx, queries, clock.now()),
      { isBatch: true },
    );
    return new Map(queries.map((query, index) => [idOf(query), states[index]]));
  };
  return createBatcher({ runBatch: dedupe(idOf, readBatch), maxItems: maxBatchSize, mayBeOfOne: isRowError });
}

/** Signatures and MACs are verified once. Whether session, account and key are still valid is read at each call. */
export function createVerifier(deps: CredentialDeps): (credentials: ApiCredentials) => Promise<Principal> {
  const tokens = createTokenReader(deps);
  const readKey = createApiKeyParser(deps.keyring);
  const readCredential = createCredentialReader(deps);
  return async (credentials) => {
    const token = await tokens.read(credentials.token, deps.clock.now());
    const key = readKey(credentials.apiKey);
    if (!key) throw invalidKey('This is not a valid key.');
    if (!isCompanyId(credentials.companyId))
      throw errors.invalidCompanyId({
        headers: challenge(),
        errors: [{ field: 'X-COMPANY-ID', code: 'invalid', detail: 'This is not a company identifier.' }],
      });
    refuseMismatch({ token: token.companyId, apiKey: key.companyId, header: credentials.companyId });
    const { sessionId, accountId } = token;
    const state = await readCredential(token.companyId, { sessionId, accountId, keyId: key.keyId });
    if (!state?.roles) {
      tokens.evict(credentials.token);
      throw endedSession();
    }
    refuseKey(state.keyState);
    if (!state.keyMode) throw new Error('a valid key has no mode');
    return { ...token, roles: state.roles, keyId: key.keyId, mode: state.keyMode };
  };
}
