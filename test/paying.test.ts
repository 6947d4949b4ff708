// Paying a link without a browser, on both databases: test cards, 3-D Secure, double submits, and the signed result.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createLink } from './harness/client.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { fillCard, formsOf, payWith, press, visit } from './harness/visitor.ts';

const success = '4242 4242 4242 4242';
const wrongCode = '4000000000000127';
const expired = '4000000000000069';
const challengeGood = '4000002760003184';
const challengeBad = '4000008400001629';

for (const engine of engines) {
  describe(`paying on the ${engine} database`, () => {
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine);
    });
    after(async () => await paylink.stop());

    const rowsOf = async (code: string) =>
      await paylink.app.deps.db.asOwner.query<{ state: string; attempt: string | null }>(
        `select p.state, a.state as attempt from payments p left join attempts a using (company_id, payment_id)
         where p.code = $1 order by a.attempt_id`,
        [code],
      );
    const eventsOf = async (code: string) =>
      (
        await paylink.app.deps.db.asOwner.query<{ type: string }>(
          `select e.type from events e join payments p using (company_id, payment_id) where p.code = $1 order by e.event_id`,
          [code],
        )
      ).map(({ type }) => type);
    const verify = async (url: string, status: string) => {
      const query = new URL(url).searchParams;
      const keys = createRemoteJWKSet(new URL(`${paylink.baseUrl}/.well-known/jwks.json`));
      const { payload } = await jwtVerify(query.get('paymentResult') ?? '', keys, {
        issuer: paylink.baseUrl,
        audience: paylink.merchant.companyId,
        subject: query.get('PaymentLinkCode') ?? '',
      });
      const { customerOrderId, amount, currency } = payload;
      assert.deepEqual(
        { amount, currency, status: payload.status },
        { amount: 19.99, currency: 'EUR', status },
      );
      assert.equal(query.get('customerOrderId'), customerOrderId);
      assert.equal(query.get('status'), status);
      assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 900);
    };

    test('4242… leads to success_url with its own query and a valid signed result', async () => {
      const { link, code } = await createLink(paylink);
      const end = await payWith(link, { number: success });
      assert.match(end.url, /^https:\/\/shop\.example\/thanks\?cart=7&PaymentLinkCode=[^#]+#top$/);
      await verify(end.url, 'paid');
      assert.deepEqual(await rowsOf(code), [{ state: 'paid', attempt: 'succeeded' }]);
      assert.deepEqual((await eventsOf(code)).sort(), [
        'attempt.succeeded',
        'payment.created',
        'payment.paid',
        'payment.processing',
      ]);
    });

    for (const [address, end] of [
      ['https://shop.example/größe?a=ü', 'https://shop.example/gr%C3%B6%C3%9Fe?a=%C3%BC&PaymentLinkCode='],
      [
        'https://shop.example/日本\u200b',
        'https://shop.example/%E6%97%A5%E6%9C%AC%E2%80%8B?PaymentLinkCode=',
      ],
      ['https://日本.example/a', 'https://xn--wgv71a.example/a?PaymentLinkCode='],
      ['https://shop.example', 'https://shop.example/?PaymentLinkCode='],
    ] as const)
      test(`the success URL ${address} is reached in the form that a browser sends`, async () => {
        const { link } = await createLink(paylink, { success_url: address });
        const page = await visit(link);
        assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /[^\x20-\x7e]/);
        assert.ok((await payWith(link, { number: success })).url.startsWith(end));
      });

    test('another card is offered during a challenge only if another attempt is left', async () => {
      const { link } = await createLink(paylink);
      await payWith(link, { number: challengeGood });
      assert.match((await visit(link)).text, /\/abandon"/);
      const last = await createLink(paylink);
      for (const _try of [1, 2]) await payWith(last.link, { number: '4000000000000127' });
      await payWith(last.link, { number: challengeGood });
      const page = await visit(last.link);
      assert.match(page.text, /\/sandbox\/3ds\//);
      assert.doesNotMatch(page.text, /\/abandon"/);
    });

    for (const number of ['4000000000000002', '4000000000009995']) {
      test(`${number} is a hard decline and leads to failure_url`, async () => {
        const { link, code } = await createLink(paylink);
        const end = await payWith(link, { number });
        assert.match(end.url, /^https:\/\/shop\.example\/sorry\?PaymentLinkCode=/);
        await verify(end.url, 'failed');
        assert.deepEqual(await rowsOf(code), [{ state: 'failed', attempt: 'declined' }]);
      });
    }

    for (const number of ['4000000000000127', '4000000000000069', '4000000000000119']) {
      test(`${number} shows a message on the page, and another card then pays`, async () => {
        const { link, code } = await createLink(paylink);
        const again = await payWith(link, { number });
        assert.equal(again.status, 200);
        assert.match(again.text, /role="alert"/);
        assert.ok(formsOf(again).length > 0);
        assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
        assert.deepEqual(
          (await rowsOf(code)).map(({ attempt }) => attempt),
          ['declined', 'succeeded'],
        );
      });
    }

    test('the third fixable decline fails the payment', async () => {
      const { link, code } = await createLink(paylink);
      for (const _try of [1, 2])
        assert.equal((await payWith(link, { number: '4000000000000127' })).status, 200);
      const end = await payWith(link, { number: '4000000000000127' });
      assert.match(end.url, /shop\.example\/sorry/);
      assert.equal((await rowsOf(code)).length, 3);
    });

    test('approved 3-D Secure pays; the other card is declined after the approval', async () => {
      const good = await createLink(paylink);
      const challenge = await payWith(good.link, { number: challengeGood });
      assert.match(challenge.url, /\/sandbox\/3ds\//);
      assert.equal((await rowsOf(good.code))[0]?.attempt, 'requires_action');
      const paid = await press(challenge, { form: 0, extra: { decision: 'approve' } });
      assert.match(paid.url, /shop\.example\/thanks/);
      await verify(paid.url, 'paid');
      const bad = await createLink(paylink);
      const declined = await press(await payWith(bad.link, { number: challengeBad }), {
        form: 0,
        extra: { decision: 'approve' },
      });
      assert.match(declined.url, /shop\.example\/sorry/);
      await verify(declined.url, 'failed');
    });

    test('after declined 3-D Secure the link can still be paid', async () => {
      const { link } = await createLink(paylink);
      const back = await press(await payWith(link, { number: challengeGood }), {
        form: 0,
        extra: { decision: 'decline' },
      });
      assert.equal(back.url, link);
      assert.match(back.text, /role="alert"/);
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
    });

    test('a customer who leaves 3-D Secure can resume it or use another card', async () => {
      const { link, code } = await createLink(paylink);
      const challenge = await payWith(link, { number: challengeGood });
      const page = await visit(`${link}/return`);
      assert.equal(page.url, link);
      assert.ok(page.text.includes(new URL(challenge.url).pathname), 'the page leads on to the bank');
      const form = await press(page, { form: 0 });
      assert.ok(fillCard(form, { number: success }), 'the card form is back');
      assert.deepEqual(
        (await rowsOf(code)).map(({ attempt }) => attempt),
        ['cancelled'],
      );
      // The bank's page, still open, can no longer pay.
      await press(challenge, { form: 0, extra: { decision: 'approve' } });
      assert.deepEqual(await rowsOf(code), [{ state: 'open', attempt: 'cancelled' }]);
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
    });

    test('two concurrent POSTs of the pay form capture once', async () => {
      const { link, code } = await createLink(paylink);
      const { action, body } = fillCard(await visit(link), { number: success });
      const ends = await Promise.all([1, 2].map(async () => await visit(action, { method: 'POST', body })));
      assert.ok(ends.some(({ url }) => url.startsWith('https://shop.example/thanks')));
      assert.deepEqual(await rowsOf(code), [{ state: 'paid', attempt: 'succeeded' }]);
      const charges = await paylink.app.deps.db.asOwner.query(
        `select c.state from sandbox_charges c join attempts a on a.attempt_id = c.idempotency_key
         join payments p using (payment_id) where p.code = $1 and c.state = 'succeeded'`,
        [code],
      );
      assert.equal(charges.length, 1);
    });

    test('paying again after Back leads to success_url and charges nothing', async () => {
      const { link, code } = await createLink(paylink);
      const { action, body } = fillCard(await visit(link), { number: success });
      await visit(action, { method: 'POST', body });
      assert.match((await visit(action, { method: 'POST', body })).url, /shop\.example\/thanks/);
      assert.equal((await rowsOf(code)).length, 1);
    });

    test('a form that a browser posts again after declines calls no processor, and shows the last reason', async () => {
      const { link, code } = await createLink(paylink);
      const first = fillCard(await visit(link), { number: wrongCode });
      const declined = await visit(first.action, { method: 'POST', body: first.body });
      const reloaded = await visit(first.action, { method: 'POST', body: first.body });
      const second = fillCard(declined, { number: expired });
      await visit(second.action, { method: 'POST', body: second.body });
      for (const { action, body } of [first, second]) {
        const page = await visit(action, { method: 'POST', body });
        assert.match(page.text, /role="alert"[\s\S]*Your card has expired/);
      }
      assert.match(reloaded.text, /security code is incorrect/);
      assert.equal((await rowsOf(code)).length, 2);
      const again = fillCard(await visit(link), { number: success });
      assert.match(
        (await visit(again.action, { method: 'POST', body: again.body })).url,
        /shop\.example\/thanks/,
      );
    });

    test('after a decline the name and the expiry date stay, but no number, code or number in another field', async () => {
      const { link } = await createLink(paylink);
      const page = await payWith(link, { number: wrongCode, name: 'Grace Hopper', expiry: '11/33' });
      assert.match(page.text, /id="cc_name"[^>]* value="Grace Hopper"/);
      assert.match(page.text, /id="cc_exp"[^>]* value="11\/33"/);
      assert.doesNotMatch(page.text, /id="cc_(number|csc)"[^>]* value=/);
      const typo = fillCard(page, { number: '4242', name: wrongCode, expiry: wrongCode });
      const refused = await visit(typo.action, { method: 'POST', body: typo.body });
      assert.ok(!refused.text.includes(`value="${wrongCode}"`));
    });

    test('a paid link shows that it is paid and links back', async () => {
      const { link } = await createLink(paylink);
      await payWith(link, { number: success });
      const page = await visit(link);
      assert.equal(page.status, 200);
      assert.equal(formsOf(page).length, 0);
      assert.match(page.text, /href="https:\/\/shop\.example\/thanks\?cart=7&amp;PaymentLinkCode=/);
    });

    test('“Cancel and return” goes to failure_url and cancels nothing', async () => {
      const { link, code } = await createLink(paylink);
      const page = await visit(link);
      const at = formsOf(page).findIndex((form) => form.action.endsWith('/leave'));
      const end = await press(page, { form: at });
      assert.match(end.url, /shop\.example\/sorry/);
      await verify(end.url, 'open');
      assert.deepEqual(await rowsOf(code), [{ state: 'open', attempt: null }]);
    });

    test('a real card is refused with a reason and stored in no table', async () => {
      const { link, code } = await createLink(paylink);
      const { action, body } = fillCard(await visit(link), { number: '5555555555554444' });
      const page = await visit(action, { method: 'POST', body });
      assert.equal(page.status, 422);
      assert.match(page.text, /aria-invalid="true"/);
      assert.doesNotMatch(page.text, /5555/);
      assert.deepEqual(await rowsOf(code), [{ state: 'open', attempt: null }]);
    });

    test('each invalid field shows its error; the name is kept, card number and security code are not', async () => {
      const { link } = await createLink(paylink);
      const { action, body } = fillCard(await visit(link), {
        number: '4242424242424241',
        expiry: '13/30',
        csc: '1',
        name: '<b>Eve</b>',
      });
      const page = await visit(action, { method: 'POST', body });
      assert.equal(page.status, 422);
      assert.equal(page.text.match(/aria-invalid="true"/g)?.length, 3);
      assert.match(page.text, /value="&lt;b&gt;Eve&lt;\/b&gt;"/);
      assert.doesNotMatch(page.text, /4242424242424241/);
    });

    test('a form without our token, or from another site, pays nothing', async () => {
      const { link, code } = await createLink(paylink);
      const { action, body } = fillCard(await visit(link), { number: success });
      const crossSite = await visit(action, {
        method: 'POST',
        body,
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      assert.equal(crossSite.status, 403);
      body.set('form_token', 'forged');
      assert.equal((await visit(action, { method: 'POST', body })).status, 403);
      assert.deepEqual(await rowsOf(code), [{ state: 'open', attempt: null }]);
    });

    test('an unknown code and one of another company both give 404', async () => {
      const { code } = await createLink(paylink);
      const wrong = await visit(
        `${paylink.baseUrl}/pay/${code.slice(0, -1)}${code.endsWith('a') ? 'b' : 'a'}`,
      );
      const other = await paylink.createMerchant();
      const foreign = await visit(`${paylink.baseUrl}/pay/${other.companyId.slice(3)}${code.slice(8)}`);
      const noCode = await visit(`${paylink.baseUrl}/pay/nonsense`);
      for (const page of [wrong, foreign, noCode]) assert.equal(page.status, 404);
      assert.equal(wrong.text, foreign.text);
      assert.equal(wrong.text, noCode.text);
    });

    test('the page has strict headers, and is German if requested', async () => {
      const { link } = await createLink(paylink, { locale: 'de' });
      const page = await visit(link);
      const policy = page.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.ok(policy.endsWith(`form-action 'self' https://shop.example ${paylink.baseUrl}`), policy);
      assert.equal(page.headers.get('cache-control'), 'no-store');
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(page.headers.get('x-frame-options'), 'DENY');
      assert.equal(page.headers.get('content-language'), 'de');
      assert.match(page.text, /19,99\s€ bezahlen/u);
      const { link: plain } = await createLink(paylink);
      const german = await visit(plain, { headers: { 'accept-language': 'fr;q=0.5, de-CH;q=0.9' } });
      assert.equal(german.headers.get('content-language'), 'de');
      assert.match((await visit(plain)).text, /Pay €19\.99/);
    });

    test('the bank’s page shows the amount in the customer’s language', async () => {
      const number = '4000 0027 6000 3184';
      const { link } = await createLink(paylink, { locale: 'de-AT' });
      assert.match((await payWith(link, { number })).text, /<strong>19,99\s€<\/strong>/u);
      const { link: english } = await createLink(paylink);
      assert.match((await payWith(english, { number })).text, /<strong>€19\.99<\/strong>/);
    });
  });
}
