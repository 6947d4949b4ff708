// Decides whether a service key is valid for a call, from what the database says about it, and records its use.

import { LRUCache } from 'lru-cache';
import { type Clock, testTimeOf } from '../base/clock.ts';
import { errors } from '../base/errors.ts';
import { runWithBudget } from '../base/time-budget.ts';
import type { Database } from '../db/database.ts';
import {
  challenge,
  type ServiceKeyCredentials,
  type ServiceKeyPrincipal,
  type Verified,
} from '../http/authentication.ts';
import { isAllowedAddress } from './allowed-addresses.ts';
import { hasDigest, type ParsedServiceKey, parseServiceKey } from './service-keys.ts';
import { type ServiceKeyState, updateLastUsed } from './store.ts';

function invalidServiceKey(detail: string, code = 'invalid') {
  return errors.invalidServiceKey({
    detail: `${detail} Create another one in the dashboard or with POST /v1/service-keys.`,
    headers: challenge('invalid_token'),
    errors: [{ field: 'Authorization', code, detail }],
  });
}

/** Throws `invalid_service_key` for a text that cannot be a service key. */
export function readServiceKey(key: string): ParsedServiceKey {
  const parsed = parseServiceKey(key);
  if (!parsed) throw invalidServiceKey('This is not a complete service key.');
  return parsed;
}

/**
 * Throws `invalid_service_key` unless the key is the one that was issued (`state`: what the database has under its ID) and
 * is still valid, and `address_not_allowed` if it must not be used from the client's address.
 */
export function checkServiceKey(
  { serviceKey, ip }: ServiceKeyCredentials,
  { companyId, mode }: ParsedServiceKey,
  state: ServiceKeyState | undefined,
  now: Date,
): Verified<ServiceKeyPrincipal> {
  const isGenuine = hasDigest(serviceKey, state?.secretDigest);
  if (!isGenuine || state?.mode !== mode) throw invalidServiceKey('This service key is unknown.');
  if (state.revokedAt !== null) throw invalidServiceKey('This service key has been revoked.', 'revoked');
  if (state.expiresAt !== null && state.expiresAt <= now) {
    const reason = state.replacedBy === null ? 'has expired' : 'was rolled and has expired';
    throw invalidServiceKey(`This service key ${reason}.`, 'expired');
  }
  if (!isAllowedAddress(state.allowedAddresses, ip)) throw errors.addressNotAllowed();
  const { keyId, firstKeyId, scopes, offsetMs } = state;
  const testTime = testTimeOf({ companyId, mode }, offsetMs);
  return { companyId, mode, serviceKeyId: keyId, firstKeyId, scopes, testTime };
}

/** A use within this time of the last record is not written. */
const lastUsedIntervalMs = 60_000;
/** Bounds the memory: the keys used in the last minute. */
const rememberedKeys = 10_000;

type UseDeps = { db: Database; clock: Clock; log: { warn(fields: { err: unknown }, message: string): void } };

/** Returns a function that records the use of a key, at most once a minute. The call does not wait for it. */
export function createUseRecorder({ db, clock, log }: UseDeps) {
  const recorded = new LRUCache<string, Date>({ max: rememberedKeys });
  return (companyId: string, { keyId, lastUsedAt }: ServiceKeyState): void => {
    const at = clock.now();
    const before = new Date(at.getTime() - lastUsedIntervalMs);
    const latest = recorded.get(keyId) ?? lastUsedAt;
    if (latest !== null && latest > before) return;
    recorded.set(keyId, at);
    const write = async () =>
      await db.inCompany(companyId, async (tx) => await updateLastUsed(tx, { keyId, at, before }));
    // Not on the budget of the call, which may end first.
    runWithBudget(null, write).catch((err: unknown) =>
      log.warn({ err }, 'the use of a service key could not be recorded'),
    );
  };
}
