// The preview in a frame in a real browser: coloured by its stylesheet, under a strict policy, without script, inert.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { html } from '../src/http/html.ts';
import { openBrowser, openWindow } from './harness/browser.ts';
import { call, type Json, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { makePng } from './harness/png.ts';

let browser: Browser;
let paylink: Paylink;
before(async () => {
  browser = await openBrowser();
  paylink = await startPaylink('server');
});
after(async () => {
  await browser.close();
  await paylink.stop();
});

const policy =
  "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self' data: blob:; form-action 'none'; base-uri 'none'";

/** Shows a preview as docs/api.md describes, in a page of the service's own origin. */
async function frame(look: Json) {
  const answer = await call(paylink, await logIn(paylink), ['POST', '/v1/company/preview'], look);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { page, troubles, leave } = await openWindow(browser, { origins: [paylink.baseUrl] });
  const host = html`<!doctype html><html lang="en"><title>Preview</title><link rel="icon" href="data:,">
<iframe title="Preview" sandbox="allow-same-origin" width="400" height="700" srcdoc="${String(answer.body.html)}"></iframe></html>`;
  await page.route(`${paylink.baseUrl}/settings`, async (route) => {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    await route.fulfill({ headers, body: host.html });
  });
  await page.goto(`${paylink.baseUrl}/settings`, { waitUntil: 'load' });
  return { page, troubles, leave };
}

const inFrame = (expression: string) =>
  `((doc) => ${expression})(document.querySelector('iframe').contentDocument)`;

test('the preview has the draft colour and logo, and violates no policy', async () => {
  const logo = makePng({ width: 300, height: 80 }).toString('base64');
  const { page, troubles, leave } = await frame({ color: '#0b6e4f', logo, name: '<b>Blumen</b> \u05d0' });
  const colour = await page.evaluate(
    inFrame("getComputedStyle(doc.getElementById('pay-button')).backgroundColor"),
  );
  assert.equal(colour, 'rgb(11, 110, 79)');
  assert.equal(await page.evaluate(inFrame("doc.querySelector('.logo img').naturalWidth")), 300);
  assert.match(String(await page.evaluate(inFrame('doc.body.innerText'))), /<b>Blumen<\/b>/);
  assert.deepEqual(troubles, []);
  await leave();
});

test('the preview does not react to clicks or keys', async () => {
  const { page, troubles, leave } = await frame({});
  const before = await page.evaluate(inFrame('doc.documentElement.outerHTML'));
  // Evaluated in the outer page: the policy of the frame refuses scripts of tools, too, and reports them.
  const [x = 0, y = 0] = await page.evaluate<number[]>(
    inFrame(`(() => {
      const button = doc.getElementById('pay-button');
      button.scrollIntoView({ block: 'center' });
      const outer = document.querySelector('iframe').getBoundingClientRect();
      const { x, y, width, height } = button.getBoundingClientRect();
      return [outer.x + x + width / 2, outer.y + y + height / 2];
    })()`),
  );
  await page.mouse.click(x, y);
  for (let press = 0; press < 4; press++) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(inFrame('doc.activeElement === doc.body')), true, 'nothing has the focus');
  assert.equal(await page.evaluate(inFrame('doc.documentElement.outerHTML')), before);
  assert.equal(await page.evaluate(inFrame('doc.URL')), 'about:srcdoc');
  assert.deepEqual(troubles, []);
  await leave();
});

for (const state of ['processing', 'paid', 'expired'])
  test(`the preview of a payment that is ${state} loads completely and does not reload`, async () => {
    const { page, troubles, leave } = await frame({ state, locale: 'de', color: '#aa1122' });
    const heading = await page.evaluate(inFrame("doc.querySelector('h1').getClientRects().length"));
    assert.equal(heading, 1);
    assert.equal(await page.evaluate(inFrame('doc.styleSheets.length')), 1);
    assert.equal(await page.evaluate(inFrame('doc.querySelectorAll("meta[http-equiv]").length')), 0);
    assert.deepEqual(troubles, []);
    await leave();
  });
