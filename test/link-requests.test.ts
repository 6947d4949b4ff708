// "Ask for a new link" on the page of a link that has expired or failed: what the merchant gets, how often, and that the
// customer learns nothing from the response.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sealEvents } from '../src/events/seal-events.ts';
import { verifyChain } from '../src/events/verify-chain.ts';
import { cancelPayment } from '../src/links/cancel-payment.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { startSecondProcess } from './harness/concurrency.ts';
import { untilInFeed } from './harness/database-fixture.ts';
import { manualClock } from './harness/manual-clock.ts';
import { moveToLive } from './harness/modes.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { createProcessGroup, until } from './harness/process.ts';
import { headerOf, openSmtpServer, type TestSmtpServer } from './harness/smtp-server.ts';
import { formsOf, languageFormOf, type Page, payWith, visit } from './harness/visitor.ts';

const cards = { success: '4242424242424242', declined: '4000000000000002', challenged: '4000002760003184' };
const minuteMs = 60_000;
const plain = (text: string | undefined) => (text ?? '').replace(/\s+/gu, ' ');

type Link = { link: string; code: string };
type Shop = { merchant: Merchant; owner: Credentials };

async function openShopOf(paylink: Paylink, company: Json = {}): Promise<Shop> {
  const merchant = await paylink.createMerchant();
  const owner = await logIn(paylink, merchant);
  const { status, body } = await call(paylink, owner, ['PATCH', '/v1/company'], company);
  assert.equal(status, 200, JSON.stringify(body));
  return { merchant, owner };
}

/** The next visit finds the link expired. */
async function expire(paylink: Paylink, { code }: Link): Promise<void> {
  await paylink.app.deps.db.asOwner.query(`update payments set expires_at = $2 where code = $1`, [
    code,
    new Date(paylink.app.deps.clock.now().getTime() - minuteMs),
  ]);
}

async function expiredLink(paylink: Paylink, owner: Credentials, order: Json = {}): Promise<Link> {
  const made = await createLinkAs(paylink, owner, order);
  await expire(paylink, made);
  return made;
}

const requestFormOf = (page: Page) => formsOf(page).find(({ action }) => action.endsWith('/request-link'));

/** Presses "Ask for a new link", as a browser without script would. */
async function ask(page: Page): Promise<Page> {
  const form = requestFormOf(page) ?? assert.fail(`no new link can be requested at ${page.url}`);
  const body = new URLSearchParams(form.inputs.map(({ name, value }): [string, string] => [name, value]));
  return await visit(form.action, { method: 'POST', body });
}

/** Posts the request with the token of a page that may lack the form. */
async function postRequest(page: Page, code: string): Promise<Response> {
  const token = languageFormOf(page).inputs.find(({ name }) => name === 'form_token')?.value ?? assert.fail();
  const url = `${new URL(page.url).origin}/pay/${code}/request-link`;
  const body = new URLSearchParams({ form_token: token });
  return await fetch(url, { method: 'POST', body, redirect: 'manual', headers: { 'accept-language': 'en' } });
}

async function requestsOf(paylink: Paylink, { code }: Link): Promise<{ events: number; mails: number }> {
  const [row] = await paylink.app.deps.db.asOwner.query<{ events: number; mails: number }>(
    `select (select count(*)::int from events e where e.payment_id = p.payment_id and type = 'payment.link_requested') as events,
            (select count(*)::int from mails m where m.payment_id = p.payment_id and kind = 'link_request') as mails
     from payments p where code = $1`,
    [code],
  );
  return row ?? assert.fail();
}

/** What a response contains, without what differs between two responses of one page. */
async function readResponse(response: Response): Promise<unknown> {
  const varying = /^(date|x-request-id|ratelimit|server-timing|traceparent)/;
  const headers = [...response.headers].filter(([name]) => !varying.test(name));
  return [response.status, headers, await response.text()];
}

for (const engine of engines)
  describe(`requests for a new link on the ${engine} database`, () => {
    const clock = manualClock();
    let box: TestSmtpServer;
    let paylink: Paylink;
    before(async () => {
      box = await openSmtpServer();
      const settings = { SMTP_URL: box.url, MAIL_FROM: 'no-reply@pay.example' };
      paylink = await startPaylink(engine, { clock, settings });
    });
    after(async () => {
      await paylink.stop();
      await box.stop();
    });

    const readPayment = async ({ owner }: Shop, { code }: Link) => {
      const { status, headers, body } = await call(paylink, owner, ['GET', `/v1/payments/${code}`]);
      return { status, etag: headers.get('etag'), body };
    };

    test('without script, the customer of an expired link asks for a new one; the merchant gets an event and an email, and the payment stays as it is', async () => {
      const shop = await openShopOf(paylink, { country: 'GB', name: 'Blumen' });
      const email = 'ada@example.com';
      const order = {
        email,
        locale: 'de',
        customerOrderId: 'A-1042',
        firstName: 'Ada',
        lastName: 'Lovelace',
      };
      const made = await expiredLink(paylink, shop.owner, order);
      const page = await visit(made.link);
      assert.match(page.text, /Dieser Zahlungslink ist abgelaufen/);
      const before = await readPayment(shop, made);
      await untilInFeed(paylink.app.deps.db);
      const latest = await call(paylink, shop.owner, ['GET', '/v1/events?after=latest']);
      const asked = await ask(page);
      assert.deepEqual([asked.status, asked.url], [200, `${made.link}/requested`]);
      assert.match(asked.text, /Wir haben <bdi>Blumen<\/bdi> benachrichtigt\./);
      assert.equal(requestFormOf(asked), undefined, 'it is not offered again');
      assert.deepEqual(await readPayment(shop, made), before);
      await untilInFeed(paylink.app.deps.db);
      const feed = await call(paylink, shop.owner, ['GET', `/v1/events?after=${latest.body.nextCursor}`]);
      const [event, ...more] = feed.body.data as { type: string; data: Json }[];
      assert.deepEqual([event?.type, more], ['payment.link_requested', []]);
      const history = await call(paylink, shop.owner, ['GET', `/v1/payments/${made.code}/events`]);
      const [expired, requested] = (history.body.data as Json[]).slice(-2);
      assert.equal(expired?.type, 'payment.expired');
      // The job of each minute may have come before the customer.
      assert.match(String(expired?.actor), /^(system|job:expire-payments)$/);
      assert.deepEqual([requested?.type, requested?.actor], ['payment.link_requested', 'customer']);
      const [mail, ...others] = await box.waitFor(shop.merchant.email);
      assert.ok(mail && others.length === 0);
      assert.equal(mail.email.subject, '[TEST] New link requested: €19.99, order A-1042');
      assert.equal(headerOf(mail, 'content-language'), 'en', 'in the language of the company');
      assert.deepEqual([mail.email.from?.name, mail.email.replyTo?.[0]?.address], ['Paylink', email]);
      const dashboard = `${paylink.baseUrl}/dashboard/payments/${made.code}?mode=test`;
      for (const form of [plain(mail.email.text), plain(mail.email.html)]) {
        assert.match(form, /A customer wants to pay €19\.99 to Blumen/);
        assert.match(form, /create a new link for the order/);
        for (const fact of ['A-1042', 'Ada Lovelace', email, 'Link expired on', made.code, dashboard])
          assert.ok(form.includes(fact), fact);
      }
    });

    test('the page of a failed payment has the way back to the merchant, and the same request', async () => {
      const shop = await openShopOf(paylink, {
        country: 'DE',
        mail: { noticeAddress: 'orders@shop.example' },
      });
      const made = await createLinkAs(paylink, shop.owner, {
        locale: 'en',
        failure_url: 'https://shop.example/no',
      });
      await payWith(made.link, { number: cards.declined });
      const page = await visit(made.link);
      assert.match(page.text, /<a class="button" href="https:\/\/shop\.example\/no\?[^"]*status=failed/);
      assert.match(page.text, /ask <bdi>Café Zürich<\/bdi> for a new link/);
      const asked = await ask(page);
      assert.match(asked.text, /We’ve notified <bdi>Café Zürich<\/bdi>\./);
      assert.match(asked.text, /<h1>Payment failed<\/h1>\n<p class="money">You have not been charged\.<\/p>/);
      const [mail] = await box.waitFor('orders@shop.example');
      assert.match(
        mail?.email.subject ?? '',
        /^\[TESTMODUS\] Neuer Link angefordert: 19,99\s€, Bestellung /u,
      );
      assert.match(plain(mail?.email.text), /Fehlgeschlagen am/);
      assert.deepEqual(await requestsOf(paylink, made), { events: 1, mails: 1 });
    });

    test('the response is the same whether the merchant is notified now, was within the hour, or wants no emails', async () => {
      const order = { customerOrderId: 'same', locale: 'en' };
      const expiresAt = new Date(clock.now().getTime() + 10 * minuteMs).toISOString();
      const shops = [await openShopOf(paylink), await openShopOf(paylink, { mail: { notices: false } })];
      const links = await Promise.all(
        shops.map(async ({ owner }) => await createLinkAs(paylink, owner, { ...order, expiresAt })),
      );
      clock.advanceMs(11 * minuteMs);
      const responses: unknown[] = [];
      for (const made of [links[0], links[0], links[1]]) {
        assert.ok(made);
        const answered = await postRequest(await visit(made.link), made.code);
        const location = new URL(answered.headers.get('location') ?? '', paylink.baseUrl).href;
        assert.equal(answered.status, 303);
        const shown = await fetch(location, { headers: { 'accept-language': 'en' } });
        const both = JSON.stringify([await readResponse(answered), await readResponse(shown)]);
        responses.push(
          both
            .replaceAll(made.code, 'CODE')
            .replaceAll(/form_token\\" value=\\"[^"]*"/g, 'TOKEN')
            .replaceAll(/paymentResult=[^&"\\]*/g, 'RESULT'),
        );
      }
      assert.equal(responses[1], responses[0]);
      assert.equal(responses[2], responses[0]);
      const counts = await Promise.all(links.map(async (made) => await requestsOf(paylink, made)));
      assert.deepEqual(counts, [
        { events: 1, mails: 1 },
        { events: 1, mails: 0 },
      ]);
    });

    test('a second request of a link reaches the merchant an hour after the first, and those of another link do not count', async () => {
      const { owner } = await openShopOf(paylink);
      const [made, other] = [await expiredLink(paylink, owner), await expiredLink(paylink, owner)];
      const page = await visit(made.link);
      await ask(page);
      clock.advanceMs(60 * minuteMs - 1);
      await ask(page);
      assert.deepEqual(await requestsOf(paylink, made), { events: 1, mails: 1 });
      assert.deepEqual(await requestsOf(paylink, other), { events: 0, mails: 0 });
      clock.advanceMs(1);
      await ask(page);
      assert.deepEqual(await requestsOf(paylink, made), { events: 2, mails: 2 });
    });

    test('a link that is open, being paid, paid or cancelled refuses the request without effect, and shows its page', async () => {
      const { merchant, owner } = await openShopOf(paylink);
      const { companyId } = merchant;
      const [open, processing, paid, cancelled] = [
        await createLinkAs(paylink, owner),
        await createLinkAs(paylink, owner),
        await createLinkAs(paylink, owner),
        await createLinkAs(paylink, owner),
      ];
      const tokens = new Map<string, Page>();
      for (const made of [open, processing, paid, cancelled]) tokens.set(made.code, await visit(made.link));
      await payWith(processing.link, { number: cards.challenged });
      await payWith(paid.link, { number: cards.success });
      const { deps } = paylink.app;
      await cancelPayment(deps, { companyId, mode: 'test', code: cancelled.code, actor: 'test' });
      for (const made of [open, processing, paid, cancelled]) {
        const answered = await postRequest(tokens.get(made.code) ?? assert.fail(), made.code);
        assert.deepEqual([answered.status, answered.headers.get('location')], [303, `/pay/${made.code}`]);
        const shown = await fetch(`${made.link}/requested`, { redirect: 'manual' });
        assert.deepEqual([shown.status, shown.headers.get('location')], [303, `/pay/${made.code}`]);
        assert.equal(requestFormOf(await visit(made.link)), undefined);
        assert.deepEqual(await requestsOf(paylink, made), { events: 0, mails: 0 });
      }
    });

    test('the page that says that the merchant was notified is shown only within an hour of a request', async () => {
      const { owner } = await openShopOf(paylink);
      const made = await expiredLink(paylink, owner, { locale: 'en' });
      await visit(made.link);
      const early = await visit(`${made.link}/requested`);
      assert.deepEqual([early.url, early.status], [made.link, 200], 'nobody has asked');
      assert.doesNotMatch(early.text, /We’ve notified/);
      const asked = await ask(early);
      assert.match(asked.text, /We’ve notified/);
      clock.advanceMs(60 * minuteMs - 1);
      assert.equal((await visit(`${made.link}/requested`)).url, `${made.link}/requested`);
      clock.advanceMs(1);
      const late = await visit(`${made.link}/requested`);
      assert.equal(late.url, made.link);
      assert.ok(requestFormOf(late), 'the request is offered again');
      assert.deepEqual(await requestsOf(paylink, made), { events: 1, mails: 1 });
    });

    test('a forged or old request has no effect and its page says to send it again, and one for an unknown code shows the page of an unknown link', async () => {
      const { owner } = await openShopOf(paylink);
      const made = await expiredLink(paylink, owner, { locale: 'en' });
      const old = requestFormOf(await visit(made.link))?.inputs[0]?.value ?? assert.fail();
      clock.advanceMs(24 * 60 * minuteMs + 1);
      const url = `${made.link}/request-link`;
      const send = async (to: string, token: string, headers: Record<string, string> = {}) =>
        await visit(to, { method: 'POST', body: new URLSearchParams({ form_token: token }), headers });
      const token = requestFormOf(await visit(made.link))?.inputs[0]?.value ?? assert.fail();
      const again: Page[] = [];
      for (const forged of [
        await send(url, 'forged'),
        await send(url, old),
        await send(url, token, { 'sec-fetch-site': 'cross-site' }),
      ]) {
        assert.equal(forged.status, 403);
        assert.match(forged.text, /This page has expired\.<\/p>\n<form class="leave"/);
        assert.ok(requestFormOf(forged), 'the page offers the request again');
        again.push(forged);
      }
      assert.deepEqual(await requestsOf(paylink, made), { events: 0, mails: 0 });
      assert.equal((await ask(again[1] ?? assert.fail())).url, `${made.link}/requested`);
      assert.deepEqual(await requestsOf(paylink, made), { events: 1, mails: 1 });
      const unknown = made.link.replace(/.{4}$/, (end) => (end === '0000' ? '1111' : '0000'));
      const posted = await send(`${unknown}/request-link`, token);
      const read = await visit(unknown);
      assert.deepEqual([posted.status, read.status], [404, 404]);
      const main = (page: Page) => /<main[\s\S]*<\/main>/.exec(page.text)?.[0];
      assert.equal(main(posted), main(read));
    });

    test('a page of a link whose overpayment only the merchant can refund offers no request', async () => {
      const { merchant, owner } = await openShopOf(paylink);
      const made = await expiredLink(paylink, owner);
      await visit(made.link);
      await paylink.app.deps.db.inTenant({ companyId: merchant.companyId, mode: 'test' }, async (tx) => {
        await tx.query(
          `insert into attempts (company_id, attempt_id, payment_id, state, processor, amount_minor, currency, card_brand, card_last4, created_at, updated_at)
           select company_id, 'att_held', payment_id, 'declined', 'sandbox', amount_minor, currency, 'visa', '4242', now(), now()
           from payments where company_id = $1 and code = $2`,
          [tx.companyId, made.code],
        );
        await tx.query(
          `insert into processor_cases (company_id, attempt_id, code, processor_reference, payment_id, amount_minor, currency, created_at)
           select company_id, 'att_held', 'currency_mismatch', 'charge', payment_id, 700, 'USD', now()
           from payments where company_id = $1 and code = $2`,
          [tx.companyId, made.code],
        );
      });
      const page = await visit(made.link);
      assert.match(page.text, /must refund you/);
      assert.equal(requestFormOf(page), undefined);
      await (await postRequest(page, made.code)).text();
      assert.deepEqual(await requestsOf(paylink, made), { events: 0, mails: 0 });
    });

    test('in live mode, the event and the email are of live mode', async () => {
      const { merchant, owner } = await openShopOf(paylink, { country: 'GB' });
      const made = await expiredLink(paylink, owner, { customerOrderId: 'live-1' });
      await visit(made.link);
      await moveToLive(paylink, merchant.companyId);
      await ask(await visit(made.link));
      const rows = await paylink.app.deps.db.asOwner.query(
        `select e.mode as event, m.mode as mail from events e join mails m using (company_id, event_id)
         where company_id = $1 and type = 'payment.link_requested'`,
        [merchant.companyId],
      );
      assert.deepEqual(rows, [{ event: 'live', mail: 'live' }]);
      const [mail] = await box.waitFor(merchant.email);
      assert.match(mail?.email.subject ?? '', /^New link requested: €19\.99, order /);
      assert.ok(plain(mail?.email.text).includes(`/dashboard/payments/${made.code}?mode=live`));
    });

    test('a client may send 60 requests a minute, and gets a page that says to wait beyond that', async () => {
      const { owner } = await openShopOf(paylink);
      const made = await expiredLink(paylink, owner);
      const page = await visit(made.link);
      let last = await postRequest(page, made.code);
      for (let count = 0; count < 120 && last.status === 303; count++)
        last = await postRequest(page, made.code);
      assert.equal(last.status, 429);
      assert.match(await last.text(), /Too many requests/);
      assert.ok(Number(last.headers.get('retry-after')) > 0);
      assert.deepEqual(await requestsOf(paylink, made), { events: 1, mails: 1 });
    });
  });

describe('50 concurrent requests of one link at two processes', () => {
  const stage = createProcessGroup();
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaylink('server');
  });
  after(async () => {
    await stage.clear();
    await paylink.stop();
  });

  test('the merchant gets one event and one email, every customer the same response, and the chain of events is whole', async () => {
    const { merchant, owner } = await openShopOf(paylink);
    const other = await startSecondProcess(stage, paylink);
    const origins = [paylink.baseUrl, other.url];
    const made = await expiredLink(paylink, owner);
    const page = await visit(made.link);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const here = { ...page, url: `${origins[index % 2]}/pay/${made.code}` };
        const { status, headers } = await postRequest(here, made.code);
        return `${status} ${headers.get('location')}`;
      }),
    );
    assert.deepEqual([...new Set(answers)], [`303 /pay/${made.code}/requested`]);
    assert.deepEqual(await requestsOf(paylink, made), { events: 1, mails: 1 });
    const { deps } = paylink.app;
    const { companyId } = merchant;
    await until(async () => {
      await sealEvents(deps);
      const [left] = await deps.db.asOwner.query<{ count: number }>(
        `select count(*)::int as count from events e where company_id = $1
         and not exists (select from event_seals s where s.company_id = e.company_id and s.event_id = e.event_id)`,
        [companyId],
      );
      return left?.count === 0;
    }, 'all events to be sealed');
    assert.deepEqual(await deps.db.inBothModes(companyId, verifyChain), []);
  });
});
