// A signed-in browser as the API sees it: it sends the cookie, the origin and the CSRF token.

import assert from 'node:assert/strict';
import { type Answer, type At, type Json, readAnswer } from './client.ts';
import { type Merchant, password } from './paylink.ts';

export type Browser = {
  cookie: string;
  csrfToken: string;
};

type Base = Pick<At, 'baseUrl'>;
type Sent = { body?: unknown; headers?: Record<string, string> };

/** A request of a page of the service; `headers` override the browser's. */
export async function browse(
  { baseUrl }: Base,
  browser: Browser | null,
  [method, path]: readonly [method: string, path: string],
  { body, headers = {} }: Sent = {},
): Promise<Answer> {
  const kept: Record<string, string> = browser
    ? { cookie: browser.cookie, 'x-paylink-csrf': browser.csrfToken }
    : {};
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const all = { 'sec-fetch-site': 'same-origin', ...type, ...kept, ...headers };
  const wanted = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return await readAnswer(await fetch(baseUrl + path, { method, headers: wanted, ...sent }));
}

export function browserOf({ status, headers, body }: Answer): Browser {
  assert.equal(status, 200, JSON.stringify(body));
  const [cookie = ''] = headers.getSetCookie().map((text) => text.split(';', 1)[0] ?? '');
  return { cookie, csrfToken: String((body.session as Json).csrfToken) };
}

export async function signIn(
  at: Base,
  { email }: Pick<Merchant, 'email'>,
  more: Json = {},
): Promise<Browser> {
  const body = { email, password, ...more };
  return browserOf(await browse(at, null, ['POST', '/v1/session'], { body }));
}
