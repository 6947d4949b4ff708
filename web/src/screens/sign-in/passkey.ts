// Passkeys, by what browsers bring themselves: WebAuthn level 3, in JSON. Browsers make passkeys for host names only, so
// on an address of numbers there are none.

import { type Answer, call, type Input } from '../../api/call.ts';

/** The person turned the device down, or it has no passkey of this service. */
export class PasskeyRefused extends Error {}

/** Whether this browser can use passkeys at this address. */
export function hasPasskeys(): boolean {
  const isName = !/^(\d+\.){3}\d+$|^\[/.test(location.hostname);
  return (
    isName &&
    isSecureContext &&
    'PublicKeyCredential' in window &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential
  );
}

type SignInBody = Input<'signInWithPasskey'>['body'];

/** Signs in with a passkey of this device. @throws {PasskeyRefused} when none was used. */
export async function signInByPasskey(): Promise<Answer<'signInWithPasskey'>> {
  const { options } = await call('beginPasskeySignIn', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch((cause: unknown) => {
    throw new PasskeyRefused('the device used no passkey', { cause });
  });
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefused('there is no passkey');
  return await call('signInWithPasskey', {
    body: { response: credential.toJSON() } as unknown as SignInBody,
  });
}
