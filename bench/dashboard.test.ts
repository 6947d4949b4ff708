// Plants what makes figures of the dashboard invalid into a simulated page; the bench must then fail with a
// sentence: a screen that never appears, rows of another search, no rows, and a page with errors.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { PlainFault } from '../scripts/toolchain.mjs';
import { openBrowser } from '../test/harness/browser.ts';
import { timeFirstScreen, timeKeys } from './dashboard.ts';

type Part = {
  /** After this many milliseconds the first screen is complete; without it, never. */
  screenMs?: number;
  /** How long each search takes to respond. */
  answerMs?: number;
  /** The rows drawn for a response; by default those of the response. */
  drawn?: readonly string[];
  /** The service's response to each search. */
  answered?: readonly string[];
  complaint?: string;
};

let part: Part = {};
let browser: Browser;
let server: Server;
let visit: { baseUrl: string; cookie: string; limitMs: number };

const scriptText = () => `
  const { screenMs, drawn, complaint } = ${JSON.stringify(part)};
  if (complaint) console.error(complaint);
  const make = (name, known = {}, children = []) => {
    const element = Object.assign(document.createElement(name), known);
    element.append(...children);
    return element;
  };
  const app = document.querySelector('#app');
  const isList = location.pathname.endsWith('/payments');
  const screen = () => app.replaceChildren(make('h1'), make('dl', { className: 'sums' }));
  if (!isList && screenMs !== undefined) setTimeout(screen, screenMs);
  const body = make('tbody');
  const list = make('div', { className: 'payment-rows', ariaBusy: 'false' }, [make('table', {}, [body])]);
  const row = (code) => make('tr', {}, [make('a', { className: 'row-link', href: '/dashboard/payments/' + code })]);
  const draw = (codes) => body.replaceChildren(...codes.map(row));
  const search = async ({ target }) => {
    list.ariaBusy = 'true';
    const { data } = await (await fetch('/v1/payments?text=' + target.value)).json();
    draw(drawn ?? data.map(({ PaymentLinkCode }) => PaymentLinkCode));
    list.ariaBusy = 'false';
  };
  draw(['first']);
  if (isList) app.replaceChildren(make('input', { id: 'payment-search', oninput: search }), list);`;

const page =
  '<!doctype html><link rel="icon" href="data:,"><div id="app"><p class="loading"></p></div><script src="/play.js"></script>';

before(async () => {
  server = createServer((request, response) => {
    const isScript = request.url === '/play.js';
    if (request.url?.startsWith('/v1/')) {
      const data = (part.answered ?? ['one', 'two']).map((PaymentLinkCode) => ({ PaymentLinkCode }));
      setTimeout(() => response.end(JSON.stringify({ data })), part.answerMs ?? 0);
      return;
    }
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? scriptText() : page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  visit = { baseUrl: `http://127.0.0.1:${port}`, cookie: 'session=stand-in', limitMs: 30_000 };
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** Whether an error is this sentence for the user of the bench. */
const isSentence = (wanted: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PlainFault, String(error));
  assert.match(error.message, wanted);
  return true;
};

/** A short limit: the awaited event never happens. */
const soon = () => ({ ...visit, limitMs: 3_000 });

test('the time of the first screen ends when it is complete, and its script is measured', async () => {
  part = { screenMs: 700 };
  const { ms, scriptBytes } = await timeFirstScreen(browser, visit);
  assert.ok(ms >= 700, `${ms} ms`);
  assert.equal(scriptBytes, Buffer.byteLength(scriptText()));
});

test('the time of each key press ends when its result is drawn', async () => {
  part = { answerMs: 300 };
  const took = await timeKeys(browser, visit);
  assert.deepEqual(Object.keys(took), ['a', 'an', 'ann', 'anna', 'anna1', 'anna12']);
  for (const [text, ms] of Object.entries(took)) assert.ok(ms >= 300, `${text}: ${ms} ms`);
});

test('a missing first screen fails the run', async () => {
  part = {};
  await assert.rejects(timeFirstScreen(browser, soon()), isSentence(/^the first screen was not there after/));
});

test('rows of another search, or an empty search, fail the run', async () => {
  part = { drawn: ['two', 'one'] };
  await assert.rejects(timeKeys(browser, soon()), isSentence(/^the rows of “a” are not those/));
  part = { answered: [] };
  await assert.rejects(timeKeys(browser, soon()), isSentence(/^the rows of “a” were not there after/));
});

test('a page error fails the run', async () => {
  part = { screenMs: 0, complaint: 'refused' };
  await assert.rejects(timeFirstScreen(browser, visit), isSentence(/not well: console: refused$/));
  part = { complaint: 'refused' };
  await assert.rejects(timeKeys(browser, visit), isSentence(/not well: console: refused$/));
});
