// A customer on a fake's page, over HTTP: opens it, presses a button, and follows redirects up to the merchant's
// address, which is not opened.

import assert from 'node:assert/strict';
import type { Button } from './hosted-page.ts';

/** Where the customer ended: a page of the processor, or (status 0, no text) the merchant's address. */
export type LandingPage = { url: string; status: number; text: string };

/** Each takes the address of the processor's page. */
export type Customer = {
  pay(url: string): Promise<LandingPage>;
  decline(url: string): Promise<LandingPage>;
  turnBack(url: string): Promise<LandingPage>;
  challenge(url: string, result: 'pass' | 'fail'): Promise<LandingPage>;
};

const maxHops = 10;
const guardMs = 60_000;

async function go(url: string, init: RequestInit = {}): Promise<LandingPage> {
  const { origin } = new URL(url);
  let next = { url, init };
  for (let hop = 0; hop < maxHops; hop++) {
    if (new URL(next.url).origin !== origin) return { url: next.url, status: 0, text: '' };
    const signal = AbortSignal.timeout(guardMs);
    const response = await fetch(next.url, { redirect: 'manual', signal, ...next.init });
    const text = await response.text();
    const location = response.headers.get('location');
    if (!location) return { url: next.url, status: response.status, text };
    next = { url: new URL(location, next.url).href, init: {} };
  }
  throw new Error('too many redirects');
}

async function press(place: LandingPage, button: Button): Promise<LandingPage> {
  assert.equal(place.status, 200, `the page at ${place.url} opens`);
  assert.ok(
    place.text.includes(`name="do" value="${button}"`),
    `there is no button ${button} at ${place.url}`,
  );
  return await go(place.url, { method: 'POST', body: new URLSearchParams({ do: button }) });
}

/** Opens a page and follows redirects. */
export const openPage = async (url: string): Promise<LandingPage> => await go(url);

/** A customer at a page of `renderHostedPage`. */
export const pageCustomer: Customer = {
  pay: async (url) => await press(await go(url), 'pay'),
  decline: async (url) => await press(await go(url), 'decline'),
  turnBack: async (url) => await press(await go(url), 'back'),
  challenge: async (url, result) => await press(await press(await go(url), '3ds'), result),
};
