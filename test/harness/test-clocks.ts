// Test clocks over the API.

import assert from 'node:assert/strict';
import {
  type Answer,
  type At,
  type Credentials,
  call,
  credentialHeaders,
  type Json,
  post,
} from './client.ts';

const path = '/v1/test/clock';

export async function readTestClock(at: Pick<At, 'baseUrl'>, who: Credentials): Promise<Json> {
  return (await call(at, who, ['GET', path])).body;
}

export async function postAdvance(
  { baseUrl }: Pick<At, 'baseUrl'>,
  who: Credentials,
  by: unknown,
  key?: string,
): Promise<Answer> {
  const headers = { ...credentialHeaders(who), ...(key === undefined ? {} : { 'idempotency-key': key }) };
  return await post(`${baseUrl}${path}/advance`, { by }, headers);
}

/** Advances the clock, and returns what that did. */
export async function advance(at: Pick<At, 'baseUrl'>, who: Credentials, by: string): Promise<Json> {
  const { status, body } = await postAdvance(at, who, by);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.isComplete, true);
  return body.done as Json;
}
