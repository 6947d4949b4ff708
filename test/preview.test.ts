// The preview of a company's branding: rendered by the code of the real pages, inert, for every status and language.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { defaultColor } from '../src/checkout/branding.ts';
import { previewStates } from '../src/checkout/preview.ts';
import { receiptTexts } from '../src/texts/texts.ts';
import {
  type Answer,
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  post,
} from './harness/client.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { makePng } from './harness/png.ts';
import { visit } from './harness/visitor.ts';

const path = '/v1/company/preview';
const logo = makePng({ width: 96, height: 32 }).toString('base64');
const faultOf = (answer: Answer) => (answer.body.errors as Json[])[0];

/** A page without its times, which differ between renderings. */
const withoutMoments = (html: string) => html.replaceAll(/<time [^>]*>[^<]*<\/time>/g, '<time>');

for (const engine of engines)
  describe(`the preview on the ${engine} database`, () => {
    let paylink: Paylink;
    let owner: Credentials;
    before(async () => {
      paylink = await startPaylink(engine);
      owner = await logIn(paylink);
    });
    after(async () => await paylink.stop());

    const ask = async (body: Json): Promise<Answer> => await call(paylink, owner, ['POST', path], body);
    const show = async (body: Json): Promise<Json & { html: string }> => {
      const answer = await ask(body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body as Json & { html: string };
    };

    test('the preview equals the real page except for what makes it inert', async () => {
      await call(paylink, owner, ['PATCH', '/v1/company'], { branding: { color: '#aa1122', logo } });
      const order = { customerOrderId: 'order-1042', amount: 49.9, currency: 'EUR' };
      const { link, code } = await createLinkAs(paylink, owner, {
        ...order,
        ...{ firstName: undefined, lastName: undefined, locale: 'en', description: undefined },
      });
      const real = (await visit(link)).text
        .replace(/<script [^>]*><\/script>\n/, '')
        .replace('<body>', '<body inert>')
        .replace(/\n<form class="language"[\s\S]*?<\/form>/, '')
        .replaceAll(/name="form_token" value="[^"]*"/g, 'name="form_token" value=""')
        .replaceAll(new RegExp(`action="/pay/${code}(/leave)?"`, 'g'), 'action="#"');
      const { html } = await show({ locale: 'en' });
      assert.equal(withoutMoments(html), withoutMoments(real));
      await call(paylink, owner, ['PATCH', '/v1/company'], { branding: { color: null, logo: null } });
    });

    for (const state of previewStates)
      for (const locale of ['en', 'de', 'ar'] as const)
        test(`the preview of a payment that is ${state} (${locale}) runs nothing, loads nothing and links nowhere`, async () => {
          const { html } = await show({ state, locale, name: 'Blumen Ärmel', color: '#0b6e4f', logo });
          assert.match(html, new RegExp(`<html lang="${locale}" `));
          assert.match(html, /Blumen Ärmel/);
          assert.match(html, /<body inert>/);
          const receipt = `<a class="button quiet" href="#">${receiptTexts(locale).download}</a>`;
          assert.equal(html.includes(receipt), state === 'paid');
          const canRequestLink = state === 'failed' || state === 'expired';
          assert.equal(
            /<form class="leave" method="post" action="#">/.test(html),
            canRequestLink || state === 'open',
          );
          assert.doesNotMatch(html, /<script|<meta http-equiv|data-refresh| on\w+="|javascript:/i);
          const addresses = [...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to);
          assert.ok(addresses.length > 2);
          for (const to of addresses)
            assert.match(to, /^(#|\/assets\/[^"]+|data:image\/png;base64,[^"]+|https:\/\/shop\.example\/)$/);
          const { status } = await visit(
            paylink.baseUrl + (/"(\/assets\/0b6e4f\/[^"]+)"/.exec(html)?.[1] ?? assert.fail('no stylesheet')),
          );
          assert.equal(status, 200, 'the stylesheet of the colour is there');
        });

    test('an unreadable colour is shown, with its contrast', async () => {
      const { html, contrast, isReadable } = await show({ color: '#ff9900' });
      assert.deepEqual([contrast, isReadable], [2.14, false]);
      assert.match(html, /\/assets\/ff9900\//);
      assert.deepEqual(
        { ...(await show({ color: '#777777' })), html: '' },
        { html: '', contrast: 4.47, isReadable: false },
      );
      assert.equal((await show({ color: '#767676' })).isReadable, true);
    });

    test('without a colour the default colour is shown', async () => {
      const { html, contrast, isReadable } = await show({ color: null });
      assert.match(html, /href="\/assets\/checkout\.[0-9a-f]{8}\.css"/);
      assert.deepEqual([contrast, isReadable], [8.18, true]);
    });

    test('values that could not be stored are refused with the field’s name', async () => {
      for (const [body, field, code] of [
        [{ color: 'red' }, 'color', 'wrong_format'],
        [{ color: '#FFFFFF' }, 'color', 'wrong_format'],
        [{ color: '#fff;}body{x' }, 'color', 'wrong_format'],
        [{ logo: '%%%' }, 'logo', 'wrong_format'],
        [{ logo: Buffer.from('<svg onload="x"/>').toString('base64') }, 'logo', 'wrong_format'],
        [{ logo: `${logo}" onerror="x` }, 'logo', 'wrong_format'],
        [{ name: ' ' }, 'name', 'not_printable'],
        [{ name: 'a\u202Eb' }, 'name', 'not_printable'],
        [{ name: 'a\u0000b' }, 'name', 'not_text'],
        [{ name: 'x'.repeat(201) }, 'name', 'too_long'],
        [{ locale: 'th' }, 'locale', 'not_allowed'],
        [{ state: 'unknown' }, 'state', 'not_allowed'],
        [{ success_url: 'https://x.example' }, 'success_url', 'unknown_field'],
      ] as [Json, string, string][]) {
        const answer = await ask(body);
        assert.equal(answer.status, 422, JSON.stringify(body));
        assert.deepEqual([faultOf(answer)?.field, faultOf(answer)?.code], [field, code]);
      }
    });

    test('a name is always shown as text', async () => {
      for (const state of previewStates) {
        const name = `"><script>alert(1)</script><img src=x onerror=alert(1)> =1+1 שלום 🎈 ${'x'.repeat(100)}`;
        const { html } = await show({ name, state });
        assert.doesNotMatch(html, /<script|<img src=x/);
        assert.match(html, /&lt;script&gt;/);
        assert.match(html, /<bdi>[^<]*שלום/);
      }
    });

    test('a preview changes nothing, writes no audit event and stores no response', async () => {
      const look = async () => (await call(paylink, owner, ['GET', '/v1/company'])).body;
      const counts = async () =>
        await paylink.app.deps.db.asOwner.query(
          `select (select count(*) from events)::int as events, (select count(*) from payments)::int as payments,
                  (select count(*) from idempotency_keys)::int as keys`,
        );
      const [before, rows] = [await look(), await counts()];
      const headers = { ...credentialHeaders(owner), 'idempotency-key': 'preview-one' };
      const first = await post(`${paylink.baseUrl}${path}`, { name: 'One', color: '#112233', logo }, headers);
      const second = await post(`${paylink.baseUrl}${path}`, { name: 'Two' }, headers);
      assert.deepEqual([first.status, second.status], [200, 200], 'the key says nothing here');
      assert.match(String(second.body.html), /Two/);
      assert.equal(second.headers.get('idempotent-replayed'), null);
      assert.deepEqual([await look(), await counts()], [before, rows]);
    });

    test('a stored logo has its URL, a draft logo is inlined, and null removes it', async () => {
      await call(paylink, owner, ['PATCH', '/v1/company'], { branding: { logo } });
      assert.match((await show({})).html, /<img src="\/assets\/logos\/co_/);
      assert.match(
        (await show({ logo })).html,
        new RegExp(`<img src="data:image/png;base64,${logo.slice(0, 20)}`),
      );
      assert.doesNotMatch((await show({ logo: null })).html, /<img/);
      await call(paylink, owner, ['PATCH', '/v1/company'], { branding: { logo: null } });
    });

    test('a draft of the identity is shown at the foot and on the page of a failed payment, and is not stored', async () => {
      const identity = {
        ...{ supportEmail: 'help@shop.example', supportPhone: '+49 30 901820' },
        ...{ website: 'https://shop.example/', imprintUrl: 'https://shop.example/imprint' },
      };
      const foot =
        '<ul class="contact" aria-label="Shop">' +
        '<li><a href="mailto:help@shop.example"><bdi dir="ltr">help@shop.example</bdi></a></li>' +
        '<li><a href="tel:+4930901820"><bdi dir="ltr">+49 30 901820</bdi></a></li>' +
        '<li><a href="https://shop.example/" target="_blank" rel="noopener"><bdi dir="ltr">shop.example</bdi></a></li>' +
        '<li><a href="https://shop.example/imprint" target="_blank" rel="noopener">Imprint</a></li></ul>';
      for (const state of ['open', 'failed'] as const) {
        const { html } = await show({ locale: 'en', name: 'Shop', state, identity });
        assert.ok(html.includes(foot), html);
        const help =
          /<p>Questions about this payment\? Contact <bdi>Shop<\/bdi>: <a [^>]*><bdi[^>]*>help@shop\.example<\/bdi><\/a> or <a [^>]*><bdi[^>]*>\+49 30 901820<\/bdi><\/a>\.<\/p>/;
        assert.equal(help.test(html), state === 'failed');
      }
      assert.doesNotMatch((await show({ locale: 'en' })).html, /class="contact"/);
      const wrong = await ask({ identity: { website: 'javascript:alert(1)' } });
      assert.deepEqual([wrong.status, faultOf(wrong)?.field], [422, 'identity.website']);
    });
  });

test('the default colour is the one of the stylesheet', () => {
  const css = readFileSync(new URL('../src/checkout/assets/checkout.css', import.meta.url), 'utf8');
  assert.equal(/--accent: (#[0-9a-f]{6});/.exec(css)?.[1], defaultColor);
});
