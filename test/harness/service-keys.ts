// Service keys of tests, and calls with them.

import { type Answer, type Credentials, call, type Json, logIn, readAnswer } from './client.ts';
import type { manualClock } from './manual-clock.ts';
import type { Merchant, Paylink } from './paylink.ts';

type At = { baseUrl: string };

export const withServiceKey = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** A new service key, with all rights on payments unless `wanted` names others. */
export async function createServiceKey(
  paylink: At,
  credentials: Credentials,
  wanted: Json = {},
): Promise<Json & { key: string; keyId: string }> {
  const body = { scopes: ['payments'], ...wanted };
  const answer = await call(paylink, credentials, ['POST', '/v1/service-keys'], body);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return { ...answer.body, key: String(answer.body.key), keyId: String(answer.body.keyId) };
}

/** A call with a service key, and with further headers. */
export async function callWithKey(
  paylink: At,
  key: string,
  [method, path]: readonly [method: string, path: string],
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return await readAnswer(
    await fetch(paylink.baseUrl + path, {
      method,
      headers: { ...withServiceKey(key), ...type, ...headers },
      ...sent,
    }),
  );
}

export const serviceKeysPath = '/v1/service-keys';

export type Owner = Credentials & { merchant: Merchant };

/** Calls of a test file about service keys, with the service that the file has started. */
export function serviceKeyCalls(paylinkOf: () => Paylink, clock: ReturnType<typeof manualClock>) {
  return {
    newOwner: async (): Promise<Owner> => {
      const merchant = await paylinkOf().createMerchant();
      return { ...(await logIn(paylinkOf(), merchant)), merchant };
    },
    // The clock does not move by itself, and keys of the same time have no order.
    create: async (owner: Credentials, wanted: Json = {}) => {
      clock.advanceMs(1);
      return await createServiceKey(paylinkOf(), owner, wanted);
    },
    look: async (key: string, headers: Record<string, string> = {}) =>
      await callWithKey(paylinkOf(), key, ['GET', '/v1/payments'], { headers }),
    list: async (owner: Credentials) =>
      (await call(paylinkOf(), owner, ['GET', serviceKeysPath])).body.data as Json[],
    roll: async (owner: Credentials, keyId: unknown, body: Json = {}) => {
      clock.advanceMs(1);
      return await call(paylinkOf(), owner, ['POST', `${serviceKeysPath}/${keyId}/roll`], body);
    },
    revoke: async (owner: Credentials, keyId: unknown) =>
      await call(paylinkOf(), owner, ['DELETE', `${serviceKeysPath}/${keyId}`]),
  };
}

export const codeOf = ({ status, body }: Answer) => [status, body.code];
export const faultsOf = ({ body }: Answer) => (body.errors as Json[]).map(({ field, code }) => [field, code]);
export const secretOf = (key: string) => key.slice(-64);
