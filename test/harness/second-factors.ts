// An authenticator app, as far as the API sees one: it keeps the secret that it was shown, and makes codes of it. And
// the ways of a passkey, whose device is in passkey-device.ts.

import assert from 'node:assert/strict';
import { codeOfStep, stepOf } from '../../src/second-factors/totp.ts';
import { type Credentials, call, type Json } from './client.ts';
import { browse } from './dashboard.ts';
import { createDevice, type Device } from './passkey-device.ts';
import { type Paylink, password } from './paylink.ts';

export type Authenticator = {
  /** The code of now, or of so many steps of 30 s later, by the service's clock. */
  code(stepsLater?: number): string;
  recoveryCodes: string[];
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, as an app reads it. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function ask(paylink: Paylink, who: Credentials, path: string, body: Json): Promise<Json> {
  const answer = await call(paylink, who, ['POST', path], body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Begins with an app, which is not confirmed yet. */
export async function beginTotp(paylink: Paylink, who: Credentials): Promise<Authenticator> {
  const { secret } = await ask(paylink, who, '/v1/me/totp', { currentPassword: password });
  const bytes = fromBase32(String(secret));
  const code = (stepsLater = 0) => codeOfStep(bytes, stepOf(paylink.app.deps.clock.now()) + stepsLater);
  return { code, recoveryCodes: [] };
}

/** Adds an app, by its code of the step before, so that the one of now is good. */
export async function addTotp(paylink: Paylink, who: Credentials): Promise<Authenticator> {
  const app = await beginTotp(paylink, who);
  const { recoveryCodes } = await ask(paylink, who, '/v1/me/totp/confirm', { otp: app.code(-1) });
  return { ...app, recoveryCodes: (recoveryCodes ?? []) as string[] };
}

/** The options for a new passkey, confirmed with the password of all tests. */
export async function passkeyOptions(paylink: Paylink, who: Credentials): Promise<Json> {
  const { options } = await ask(paylink, who, '/v1/me/passkeys/options', { currentPassword: password });
  return options as Json;
}

/** Adds a passkey to an account. Gives its id, the device that has it, and the recovery codes. */
export async function addPasskey(
  paylink: Paylink,
  who: Credentials,
  name = 'Laptop',
): Promise<{ passkeyId: string; device: Device; recoveryCodes: string[] | null }> {
  const device = createDevice(paylink.baseUrl);
  const response = device.create(await passkeyOptions(paylink, who));
  const added = await ask(paylink, who, '/v1/me/passkeys', { name, response });
  return {
    passkeyId: String(added.passkeyId),
    device,
    recoveryCodes: added.recoveryCodes as string[] | null,
  };
}

/** What a browser needs to sign in with a passkey. */
export async function signInOptions({ baseUrl }: Pick<Paylink, 'baseUrl'>): Promise<Json> {
  const { body } = await browse({ baseUrl }, null, ['POST', '/v1/session/passkey-options']);
  return body.options as Json;
}
