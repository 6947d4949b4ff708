// Passkeys with the browser's own API: WebAuthn level 3, in JSON. Browsers create passkeys for host names only, so
// there are none on an IP address.

import { ApiProblem, call, type Input, type OperationResponse } from '../../api/call.ts';

/** Why a device returned no passkey: the person cancelled, the service does not know it, or one already exists. */
type RefusalReason = 'cancelled' | 'unknown' | 'exists';

export class PasskeyRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

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

function jsonOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefused('cancelled');
  return credential.toJSON();
}

/**
 * Signs in with a passkey of this device.
 * @throws {PasskeyRefused} if none was used, or it is unknown.
 */
export async function signInByPasskey(): Promise<OperationResponse<'signInWithPasskey'>> {
  const { options } = await call('beginPasskeySignIn', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch((cause: unknown) => {
    throw new PasskeyRefused('cancelled', cause);
  });
  const body = { response: jsonOf(credential) } as SignInBody;
  try {
    return await call('signInWithPasskey', { body });
  } catch (fault) {
    if (fault instanceof ApiProblem && fault.problem.code === 'wrong_second_factor')
      throw new PasskeyRefused('unknown', fault);
    throw fault;
  }
}

/**
 * Has this device create a passkey.
 * @throws {PasskeyRefused} if it created none.
 */
export async function makePasskey(
  options: OperationResponse<'beginPasskey'>['options'],
): Promise<Input<'addPasskey'>['body']['response']> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey }).catch((cause: unknown) => {
    // Browsers report in this way that the device already has one of the named passkeys.
    const exists = cause instanceof DOMException && cause.name === 'InvalidStateError';
    throw new PasskeyRefused(exists ? 'exists' : 'cancelled', cause);
  });
  return jsonOf(credential) as Input<'addPasskey'>['body']['response'];
}
