// Passkeys, by what browsers bring themselves: WebAuthn level 3, in JSON. Browsers make passkeys for host names only, so
// on an address of numbers there are none.

import { ApiProblem, call, type Input, type OperationResponse } from '../../api/call.ts';

/** Why a device gave no passkey: its person turned it down, the service does not know it, or there is one already. */
export type PasskeyRefusal = 'turned_down' | 'unknown' | 'there_already';

export class PasskeyRefused extends Error {
  readonly why: PasskeyRefusal;

  constructor(why: PasskeyRefusal, cause?: unknown) {
    super(why, { cause });
    this.why = why;
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
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefused('turned_down');
  return credential.toJSON();
}

/** Signs in with a passkey of this device. @throws {PasskeyRefused} when none was used, or it is not known. */
export async function signInByPasskey(): Promise<OperationResponse<'signInWithPasskey'>> {
  const { options } = await call('beginPasskeySignIn', {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = await navigator.credentials.get({ publicKey }).catch((cause: unknown) => {
    throw new PasskeyRefused('turned_down', cause);
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

/** Has this device make a passkey. @throws {PasskeyRefused} when it made none. */
export async function makePasskey(
  options: OperationResponse<'beginPasskey'>['options'],
): Promise<Input<'addPasskey'>['body']['response']> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const credential = await navigator.credentials.create({ publicKey }).catch((cause: unknown) => {
    // So browsers say that the device has one of those that the service has named.
    const isThere = cause instanceof DOMException && cause.name === 'InvalidStateError';
    throw new PasskeyRefused(isThere ? 'there_already' : 'turned_down', cause);
  });
  return jsonOf(credential) as Input<'addPasskey'>['body']['response'];
}
