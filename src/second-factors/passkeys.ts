// What passkeys (WebAuthn level 2) are to this service: whose they are for, what a device is to sign, and what it
// answered. Must never: take a challenge twice, or an answer without the person's finger, face or code.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeBase64url } from '../base/base64url.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { insertChallenge, type Passkey, useChallenge } from './passkey-store.ts';

export type PasskeyDeps = { db: Database; clock: Clock; baseUrl: string };

const challengeTtlMs = 5 * 60 * 1000;

/** Twenty-odd packages of certificates, which few processes ever need: they are loaded when first used. */
const webauthn = async () => await import('@simplewebauthn/server');

/** Who browsers say that they asked for. */
const relyingPartyOf = ({ baseUrl }: PasskeyDeps) => ({
  expectedOrigin: new URL(baseUrl).origin,
  expectedRPID: new URL(baseUrl).hostname,
});

/** What a device keeps beside a passkey, and tells when it signs in: so a look-up knows its tenant. */
const userHandleOf = (who: { companyId: string; accountId: string }) =>
  Uint8Array.from(Buffer.from(`${who.companyId}:${who.accountId}`));

/** Whose passkey a device says that it is; null when it says nothing that could be. */
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

/** What a browser needs to make a passkey for an account. */
export async function registrationOptions(
  deps: PasskeyDeps,
  who: { companyId: string; accountId: string; email: string; standing: readonly Passkey[] },
) {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Paylink',
    rpID: relyingPartyOf(deps).expectedRPID,
    userName: who.email,
    userID: userHandleOf(who),
    attestationType: 'none',
    // Kept by the device, so that it signs in without an address; and with the person's finger, face or code, so that
    // it is two factors at once.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: who.standing.map(({ credentialId }) => ({ id: credentialId })),
  });
  await insertNewChallenge(deps, options.challenge, who.accountId);
  return options;
}

/** What a browser needs to sign in with a passkey, whosever it is. */
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

/** The key pair that a device made; null when its answer does not hold, whatever the reason. */
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
    // It throws a sentence for each way in which an answer can be wrong; a device of ours makes none of them.
    return null;
  }
}

/** The counter that a passkey's device tells; null when its answer does not hold, whatever the reason. */
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
