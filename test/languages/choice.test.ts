// The customer's language: how a page gets it, what stores it, and where it is used then.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { locales } from '../../src/base/locale.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from '../harness/client.ts';
import { engines, type Paylink, startPaylink } from '../harness/paylink.ts';
import { fillCard, formsOf, languageFormOf, type Page, payWith, press, visit } from '../harness/visitor.ts';

const good = { number: '4242424242424242' };
const english = { headers: { 'accept-language': 'en' } };
const german = { headers: { 'accept-language': 'de' } };

const languageOf = (page: Page) => /<html lang="([^"]+)"/.exec(page.text)?.[1];

/** Picks a language as a browser without script would. `change` alters what is sent. */
async function pick(page: Page, locale: string, change: Record<string, string> = {}): Promise<Page> {
  const form = languageFormOf(page);
  const sent = new URLSearchParams(form.inputs.map(({ name, value }): [string, string] => [name, value]));
  for (const [name, value] of Object.entries({ locale, ...change })) sent.set(name, value);
  return await visit(form.action, { method: 'POST', body: sent });
}

test('docs/api.md lists every language', () => {
  const docs = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const listed = /\n\n(Arabic \(`ar`\)[^.]+)\./.exec(docs)?.[1] ?? '';
  const tags = [...listed.matchAll(/\(`([\w-]+)`\)/g)].map(([, tag]) => tag);
  assert.deepEqual(tags.toSorted(), [...locales].toSorted());
});

for (const engine of engines)
  describe(`the customer's language on the ${engine} database`, () => {
    let paylink: Paylink;
    let owner: Credentials;
    before(async () => {
      paylink = await startPaylink(engine);
      owner = await logIn(paylink);
    });
    after(async () => await paylink.stop());

    const order = async (body: Json = {}) => await createLinkAs(paylink, owner, body);
    const stored = async (code: string) => {
      const [row] = await paylink.app.deps.db.asOwner.query<{
        customer: string | null;
        requested: string | null;
        attempts: (string | null)[];
        version: number;
      }>(
        `select customer_locale as customer, locale as requested, version,
                array(select a.locale from attempts a where a.payment_id = p.payment_id order by attempt_id) as attempts
         from payments p where code = $1`,
        [code],
      );
      assert.ok(row);
      return row;
    };

    test('the payment’s locale comes before Accept-Language, and that before the company’s country', async () => {
      const requested = await order({ locale: 'de-AT' });
      assert.equal(languageOf(await visit(requested.link, english)), 'de');
      const any = await order();
      assert.equal(languageOf(await visit(any.link, german)), 'de');
      assert.equal(languageOf(await visit(any.link, english)), 'en');
      const company = await call(paylink, owner, ['GET', '/v1/company']);
      assert.equal(company.body.country, 'DE');
      assert.equal(languageOf(await visit(any.link, { headers: { 'accept-language': 'xx' } })), 'de');
    });

    test('a picked language is kept for the pages, and changes neither the payment’s locale nor its version', async () => {
      const { link, code } = await order({ locale: 'de' });
      const page = await pick(await visit(link), 'en');
      assert.equal(page.url, link, 'back to the page');
      assert.equal(languageOf(page), 'en');
      assert.equal(languageOf(await visit(link, german)), 'en', 'for every browser');
      assert.deepEqual(await stored(code), {
        ...{ customer: 'en', requested: 'de', attempts: [], version: 1 },
      });
      const read = await call(paylink, owner, ['GET', `/v1/payments/${code}`]);
      assert.equal(read.body.locale, 'de');
      await payWith(link, good);
      const receipt = await visit(`${link}/receipt`);
      assert.equal(languageOf(receipt), 'en');
      assert.equal(languageOf(await pick(receipt, 'de')), 'de', 'also after it was paid');
      assert.match((await pick(receipt, 'en')).url, /\/receipt$/, 'back to the receipt');
    });

    test('a language that is picked after the request for a new link keeps its page', async () => {
      const { link, code } = await order({ locale: 'en' });
      await paylink.app.deps.db.asOwner.query(
        `update payments set expires_at = now() - interval '1 minute' where code = $1`,
        [code],
      );
      const expired = await visit(link);
      const ask = formsOf(expired).findIndex(({ action }) => action.endsWith('/request-link'));
      const page = await pick(await press(expired, { form: ask }), 'de');
      assert.equal(page.url, `${link}/requested`);
      assert.equal(languageOf(page), 'de');
    });

    test('opening a page stores nothing; paying stores the language of the page', async () => {
      const { link, code } = await order();
      await visit(link, german);
      assert.equal((await stored(code)).customer, null);
      const { action, body } = fillCard(await visit(link, german), { number: '4000000000000002' });
      await visit(action, { method: 'POST', body, ...german });
      assert.deepEqual(await stored(code), {
        ...{ customer: 'de', requested: null, attempts: ['de'], version: 3 },
      });
      assert.equal(languageOf(await visit(link, english)), 'de');
    });

    test('the processor gets the merchant’s locale with its region, unless the customer picked another language', async () => {
      const region = await order({ locale: 'de-CH' });
      await payWith(region.link, { number: '4000000000000119' });
      await payWith(region.link, good);
      assert.deepEqual((await stored(region.code)).attempts, ['de-CH', 'de-CH']);
      const rare = await order({ locale: 'th' });
      await payWith(rare.link, { number: '4000000000000119' });
      await payWith(rare.link, good);
      const { attempts, customer } = await stored(rare.code);
      assert.deepEqual([attempts, customer], [['th', 'th'], null], 'a language that our pages lack');
      const script = await order({ locale: 'zh-TW' });
      await pick(await visit(script.link), 'zh-Hans');
      await payWith(script.link, good);
      assert.deepEqual((await stored(script.code)).attempts, ['zh-Hans']);
      const picked = await order({ locale: 'de-CH' });
      await pick(await visit(picked.link), 'en');
      await payWith(picked.link, good);
      assert.deepEqual((await stored(picked.code)).attempts, ['en']);
    });

    test('a forged form and an unknown language change nothing, and return to the page', async () => {
      const { link, code } = await order();
      const page = await visit(link);
      for (const [locale, change] of [
        ['de', { form_token: 'forged' }],
        ['xx', {}],
        ['de-AT', {}],
        ['toString', {}],
        ['', {}],
      ] as const) {
        const after = await pick(page, locale, change);
        assert.equal(after.url, link);
        assert.equal(after.status, 200);
      }
      assert.equal((await stored(code)).customer, null);
    });

    test('the language of one link can be changed 20 times a minute', async () => {
      const { link, code } = await order();
      const page = await visit(link);
      const pickedAt = performance.now();
      let shown = 'en';
      let changes = 0;
      for (; changes < 60; changes++) {
        const wanted = shown === 'en' ? 'de' : 'en';
        if (languageOf(await pick(page, wanted)) !== wanted) break;
        shown = wanted;
      }
      // One more is allowed after each three seconds.
      const regained = Math.ceil((performance.now() - pickedAt) / 3_000);
      assert.ok(changes >= 20 && changes <= 20 + regained, `${changes} changes`);
      assert.equal((await stored(code)).customer, shown);
    });
  });
