// Verifies three credentials, each by itself (401), of one company (403), and active in the database; or a service key.

import { createApiKeyParser } from '../api-keys/api-keys.ts';
import { type Batcher, createBatcher, dedupe } from '../base/batcher.ts';
import { type Clock, testTimeOf } from '../base/clock.ts';
import { errors, type FieldError } from '../base/errors.ts';
import { isCompanyId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import { isRowError } from '../db/connection.ts';
import type { Database, TenantTx } from '../db/database.ts';
import {
  type AccountPrincipal,
  type ApiCredentials,
  challenge,
  type HeaderCredentials,
  type ServiceKeyCredentials,
  type ServiceKeyPrincipal,
  type Verified,
} from '../http/authentication.ts';
import { readServiceKeyStates, type ServiceKeyState } from '../service-keys/store.ts';
import { checkServiceKey, createUseRecorder, readServiceKey } from '../service-keys/verify-service-key.ts';
import {
  type CredentialQuery,
  type CredentialState,
  type KeyState,
  readCredentialStates,
} from './session-store.ts';
import { createTokenReader } from './tokens.ts';

/** Bounds one statement. Further calls of one company wait for the next. */
const maxBatchSize = 1_000;

type UseRecorderDeps = Parameters<typeof createUseRecorder>[0];
export type CredentialDeps = UseRecorderDeps & {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  baseUrl: string;
};

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

/** A service key of the company, by its ID. */
type ServiceKeyQuery = { serviceKeyId: string };
type AnyQuery = CredentialQuery | ServiceKeyQuery;
/** One of them for a query that found something. */
type AnyState = { credential?: CredentialState | undefined; serviceKey?: ServiceKeyState | undefined };

const isOfServiceKey = (query: AnyQuery): query is ServiceKeyQuery => 'serviceKeyId' in query;
const isOfLogin = (query: AnyQuery): query is CredentialQuery => !isOfServiceKey(query);
const idOf = (query: AnyQuery) =>
  isOfServiceKey(query) ? query.serviceKeyId : `${query.sessionId} ${query.accountId} ${query.keyId}`;

async function readStates(
  tx: TenantTx,
  queries: readonly AnyQuery[],
  now: Date,
): Promise<Map<string, AnyState>> {
  const logins = queries.filter(isOfLogin);
  const keyIds = queries.filter(isOfServiceKey).map(({ serviceKeyId }) => serviceKeyId);
  const states = logins.length === 0 ? [] : await readCredentialStates(tx, logins, now);
  const keys = keyIds.length === 0 ? [] : await readServiceKeyStates(tx, keyIds);
  const known = new Map<string, AnyState>();
  for (const [index, query] of logins.entries()) known.set(idOf(query), { credential: states[index] });
  for (const serviceKey of keys) known.set(serviceKey.keyId, { serviceKey });
  return known;
}

type ReadState = Batcher<AnyQuery, AnyState | undefined>;

/** Reads the status of credentials at every call, with the concurrent calls of a company in a batch. */
function createCredentialReader({ db, clock }: CredentialDeps): ReadState {
  const readBatch = async (companyId: string, queries: readonly AnyQuery[]) =>
    await db.inBothModes(companyId, async (tx) => await readStates(tx, queries, clock.now()), {
      isBatch: true,
    });
  return createBatcher({ runBatch: dedupe(idOf, readBatch), maxItems: maxBatchSize, mayBeOfOne: isRowError });
}

/** Signatures and MACs are verified once. Whether session, account and key are still valid is read at each call. */
function createLoginVerifier(deps: CredentialDeps, readState: ReadState) {
  const tokens = createTokenReader(deps);
  const readKey = createApiKeyParser(deps.keyring);
  return async (credentials: ApiCredentials): Promise<Verified<AccountPrincipal>> => {
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
    const query = { sessionId, accountId, keyId: key.keyId };
    const state = (await readState(token.companyId, query))?.credential;
    if (!state?.roles) {
      tokens.evict(credentials.token);
      throw endedSession();
    }
    refuseKey(state.keyState);
    if (!state.keyMode) throw new Error('a valid key has no mode');
    const { companyId } = token;
    const mode = state.keyMode;
    return {
      ...token,
      roles: state.roles,
      keyId: key.keyId,
      mode,
      testTime: testTimeOf({ companyId, mode }, state.offsetMs),
    };
  };
}

function createServiceKeyVerifier(deps: CredentialDeps, readState: ReadState) {
  const recordUse = createUseRecorder(deps);
  return async (credentials: ServiceKeyCredentials): Promise<Verified<ServiceKeyPrincipal>> => {
    const key = readServiceKey(credentials.serviceKey);
    const state = (await readState(key.companyId, { serviceKeyId: key.keyId }))?.serviceKey;
    const principal = checkServiceKey(credentials, key, state, deps.clock.now());
    if (state) recordUse(key.companyId, state);
    return principal;
  };
}

/** Verifies the credentials of headers. Those of one company share the reads of the database, whatever their kind. */
export function createVerifier(deps: CredentialDeps): (credentials: HeaderCredentials) => Promise<Verified> {
  const readState = createCredentialReader(deps);
  const verifyLogin = createLoginVerifier(deps, readState);
  const verifyServiceKey = createServiceKeyVerifier(deps, readState);
  return async (credentials) =>
    'serviceKey' in credentials ? await verifyServiceKey(credentials) : await verifyLogin(credentials);
}
