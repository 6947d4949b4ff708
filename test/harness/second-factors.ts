// An authenticator app and the calls for second factors. The passkey device is in passkey-device.ts.

import assert from 'node:assert/strict';
import { codeOfStep, stepOf } from '../../src/second-factors/totp.ts';
import { type Credentials, call, type Json } from './client.ts';
import { browse } from './dashboard.ts';
import { createDevice, type Device } from './passkey-device.ts';
import { type Paylink, password } from './paylink.ts';

export type Authenticator = {
  /** The current code, or one `steps` of 30 s later, by the service's clock. */
  code(stepsLater?: number): string;
  recoveryCodes: string[];
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function ask(paylink: Paylink, who: Credentials, path: string, body: Json): Promise<Json> {
  const answer = await call(paylink, who, ['POST', path], body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

export async function beginTotp(paylink: Paylink, who: Credentials): Promise<Authenticator> {
  const { secret } = await ask(paylink, who, '/v1/me/totp', { currentPassword: password });
  const bytes = fromBase32(String(secret));
  const code = (stepsLater = 0) => codeOfStep(bytes, stepOf(paylink.app.deps.clock.now()) + stepsLater);
  return { code, recoveryCodes: [] };
}

/** Adds an app with its previous code, so that the current one stays unused. */
export async function addTotp(paylink: Paylink, who: Credentials): Promise<Authenticator> {
  const app = await beginTotp(paylink, who);
  const confirm = async (otp: string) => await call(paylink, who, ['POST', '/v1/me/totp/confirm'], { otp });
  const previous = app.code(-1);
  let answer = await confirm(previous);
  // If the next step has begun meanwhile, the code was too old when the service checked it.
  if (answer.status === 422 && app.code(-1) !== previous) answer = await confirm(app.code(-1));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { ...app, recoveryCodes: (answer.body.recoveryCodes ?? []) as string[] };
}

/** A code that an app has neither now nor within minutes. `codeAt` returns its code so many steps from now. */
export function wrongCode(codeAt: (steps: number) => string): string {
  const near = [-2, -1, 0, 1, 2, 3, 4, 5].map(codeAt);
  const wrong = [...'0123456789'].map((digit) => digit.repeat(6)).find((code) => !near.includes(code));
  assert.ok(wrong);
  return wrong;
}

export async function passkeyOptions(paylink: Paylink, who: Credentials): Promise<Json> {
  const { options } = await ask(paylink, who, '/v1/me/passkeys/options', { currentPassword: password });
  return options as Json;
}

/** Returns the ID, the device and the recovery codes. */
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

export async function signInOptions({ baseUrl }: Pick<Paylink, 'baseUrl'>): Promise<Json> {
  const { body } = await browse({ baseUrl }, null, ['POST', '/v1/session/passkey-options']);
  return body.options as Json;
}
