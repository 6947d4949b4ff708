// Passkeys (WebAuthn level 2). Must not accept a challenge twice, or a response without user verification.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeBase64url } from '../base/base64url.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { insertChallenge, type Passkey, useChallenge } from './passkey-store.ts';

export type PasskeyDeps = { db: Database; clock: Clock; baseUrl: string };

const challengeTtlMs = 5 * 60 * 1000;

/** Loaded at first use: the library has some twenty dependencies. */
const webauthn = async () => await import('@simplewebauthn/server');

const relyingPartyOf = ({ baseUrl }: PasskeyDeps) => ({
  expectedOrigin: new URL(baseUrl).origin,
  expectedRPID: new URL(baseUrl).hostname,
});

/** The user handle that a device stores with a passkey, and sends at a sign-in: it names the tenant. */
const userHandleOf = (who: { companyId: string; accountId: string }) =>
  Uint8Array.from(Buffer.from(`${who.companyId}:${who.accountId}`));

/** The account in a user handle; null if it is malformed. */
export function accountOfUserHandle(
  handle: string | undefined,
): { companyId: string; accountId: string } | null {
  const text = decodeBase64url(handle ?? '')?.toString('utf8') ?? '';
  const [, companyId, accountId] = /^(co_[0-9a-hjkmnp-tv-z]{8}):(acc_[0-9a-z]{26})$/.exec(text) ?? [];
  return companyId && accountId ? { companyId, accountId } : null;
}

async function insertNewChallenge(
  deps: PasskeyDeps,
  challenge: string,
  accountId: string | null,
): Promise<void> {
  const expiresAt = new Date(deps.clock.now().getTime() + challengeTtlMs);
  await deps.db.inSystem(async (tx) => await insertChallenge(tx, { challenge, accountId, expiresAt }));
}

export async function registrationOptions(
  deps: PasskeyDeps,
  who: { companyId: string; accountId: string; email: string; existing: readonly Passkey[] },
) {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Paylink',
    rpID: relyingPartyOf(deps).expectedRPID,
    userName: who.email,
    userID: userHandleOf(who),
    attestationType: 'none',
    // Resident, so that the sign-in needs no address. With user verification, so that it is two factors at once.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: who.existing.map(({ credentialId }) => ({ id: credentialId })),
  });
  await insertNewChallenge(deps, options.challenge, who.accountId);
  return options;
}

export async function authenticationOptions(deps: PasskeyDeps) {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(deps).expectedRPID,
    userVerification: 'required',
  });
  await insertNewChallenge(deps, options.challenge, null);
  return options;
}

const challengeConsumer = (deps: PasskeyDeps, accountId: string | null) => async (challenge: string) =>
  await deps.db.inSystem(
    async (tx) => await useChallenge(tx, { challenge, accountId, now: deps.clock.now() }),
  );

/** The key pair that a device created; null for an invalid response, whatever the reason. */
export async function verifyRegistration(
  deps: PasskeyDeps,
  accountId: string,
  response: RegistrationResponseJSON,
) {
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      ...relyingPartyOf(deps),
      response,
      expectedChallenge: challengeConsumer(deps, accountId),
    });
    return registrationInfo?.userVerified ? registrationInfo.credential : null;
  } catch {
    // The library throws for invalid responses.
    return null;
  }
}

/** The counter of the passkey's device; null for an invalid response, whatever the reason. */
export async function verifyAuthentication(
  deps: PasskeyDeps,
  passkey: Passkey,
  response: AuthenticationResponseJSON,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...relyingPartyOf(deps),
      response,
      expectedChallenge: challengeConsumer(deps, null),
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: Number(passkey.counter),
      },
    });
    return verified && authenticationInfo.userVerified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
