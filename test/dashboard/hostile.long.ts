// Hostile values in every field that a merchant or a customer can fill, on every screen that shows them: they are plain
// text, do not affect the text beside them, and no spreadsheet runs them. Values that the API would refuse, such as a
// name of 10,000 letters, are written to the database, as an older version might have done.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { newId } from '../../src/base/ids.ts';
import { openBrowser } from '../harness/browser.ts';
import { cards } from '../harness/checkout-fixture.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from '../harness/client.ts';
import { readTable } from '../harness/csv.ts';
import {
  assertAccessible,
  type DashboardOptions,
  type DashboardWindow,
  openDashboard,
  settle,
} from '../harness/dashboard-window.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { invite, join } from '../harness/people.ts';
import { until } from '../harness/process.ts';
import { payWith } from '../harness/visitor.ts';
import { createTestEndpoint, listDeliveries, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { allWords, findHarm, formulas, hostileText, visibleText } from './hostile-words.ts';

const endless = 10_000;
const address = (length: number) =>
  hostileText(length)
    .replaceAll(/[\s@]/g, '_')
    .replace(/.{12}$/u, '@example.com');
const oddQuery = `?a="><script>alert(3)</script>&=HYPERLINK(1)&a=2&__proto__[x]=1&next=//evil.example&%E2%80%AE&${'q'.repeat(1_500)}`;
const oddUrl = `https://shop.example/${oddQuery}#'<b>`;

const words = {
  /** The most hostile name that the API accepts for a company and a key. */
  printable: `=1+1"><script>alert(1)</script><img src=x onerror=alert(2)>'`,
  company: hostileText(200),
  order: hostileText(128),
  key: hostileText(100),
  passkey: hostileText(100),
  connection: hostileText(100),
  holder: hostileText(200),
  description: hostileText(500),
  reason: hostileText(500),
  answer: hostileText(3_000),
  owner: address(251),
  member: address(254),
  invited: address(253),
  replyTo: address(252),
  origin: `https://${hostileText(300)}.example`,
  name: hostileText(endless),
  phone: hostileText(endless, '+49'),
  email: address(endless),
  pairName: hostileText(endless, '-pair'),
  pairValue: hostileText(endless, '@pair'),
};

type Sights = { paid: string; endless: string; hook: string; delivery: string };

/** The path of each screen, and the hostile values that it shows. */
const screensOf = ({ paid, endless: long, hook, delivery }: Sights): [path: string, shown: string[]][] => [
  ['/', [words.company, words.order]],
  ['/payments', [words.order, words.name, words.email]],
  [`/payments?${new URLSearchParams({ text: words.order })}`, [words.order]],
  [`/payments?${new URLSearchParams({ customerOrderId: words.order, email: words.member })}`, [words.member]],
  [`/payments/${paid}`, [words.reason, words.owner, oddUrl, hostileText(40), hostileText(500)]],
  [`/payments/${long}`, [words.order, words.name, words.phone, words.email, words.pairName, words.pairValue]],
  ['/payments/new', []],
  ['/cases', []],
  ['/balances', []],
  ['/webhooks', [words.description, oddQuery]],
  [`/webhooks/${hook}`, [words.description, oddQuery]],
  [`/webhooks/${hook}/${delivery}`, [words.answer]],
  ['/processors', [words.connection]],
  ['/keys', [words.key]],
  ['/requests', []],
  ['/team', [words.member, words.invited]],
  ['/audit', [words.printable]],
  ['/settings', [words.company, words.origin, words.replyTo]],
  ['/start', []],
  ['/account', [words.passkey]],
];

const allColumns = 'order amount state customer email created expires description refunded mode';

describe('hostile data in the dashboard', () => {
  let paylink: Paylink;
  let browser: Browser;
  let receiver: Receiver;
  let merchant: Merchant;
  let owner: Credentials;
  let sights: Sights;
  const windows: DashboardWindow[] = [];

  const ask = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await call(paylink, owner, [method, path], body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const write = async (statement: string, values: unknown[]) =>
    await paylink.app.deps.db.asOwner.query(statement, [merchant.companyId, ...values]);
  const enter = async (options: DashboardOptions) => {
    const window = await openDashboard(paylink, browser, { merchant, ...options });
    windows.push(window);
    return window;
  };

  /** A payment for each kind of formula, in all fields that the API accepts. Returns their codes. */
  const makePayments = async () => {
    const made: { code: string; link: string }[] = [];
    for (const formula of formulas)
      made.push(
        await createLinkAs(paylink, owner, {
          customerOrderId: `${formula}<img src=x onerror=alert(4)>`,
          firstName: hostileText(100, formula),
          lastName: hostileText(100, formula),
          email: `${'=1+1<img/src=x/onerror=alert(5)>"'}@example.com`,
          description: hostileText(500, formula),
          success_url: oddUrl,
          failure_url: oddUrl,
          metadata: { [visibleText(40, formula)]: hostileText(500, formula) },
        }),
      );
    return made;
  };

  const makeSights = async (): Promise<Sights> => {
    await ask('PATCH', '/v1/company', { name: words.printable });
    const { pathname, search } = new URL(oddUrl);
    receiver.at(`${pathname.slice(1)}${search}`, { status: 500, body: words.answer });
    const url = `http://127.0.0.1:${receiver.port}/${oddQuery}`;
    const hook = await createTestEndpoint(paylink, owner, { url, description: words.description });
    const [first, last] = await makePayments();
    assert.ok(first && last);
    await payWith(first.link, cards.success);
    await ask('POST', `/v1/payments/${first.code}/refunds`, { amount: 5, reason: words.reason });
    await ask('POST', '/v1/api-keys', { name: words.printable, mode: 'test' });
    let delivery = '';
    await until(
      async () => {
        const tried = (await listDeliveries(paylink, owner, hook)).find(
          ({ lastStatus }) => lastStatus === 500,
        );
        delivery = String(tried?.deliveryId ?? '');
        return delivery !== '';
      },
      'a delivery that was answered',
      60_000,
    );
    return { paid: first.code, endless: last.code, hook: hook.id, delivery };
  };

  /** Writes values that no API accepts. */
  const writePast = async () => {
    const { accountId } = await join(paylink, owner, ['viewer']);
    await write('update accounts set email = $3 where company_id = $1 and account_id = $2', [
      accountId,
      words.member,
    ]);
    const { invitationId } = await invite(paylink, owner, { email: 'b@example.com', roles: ['viewer'] });
    await write('update invitations set email = $3 where company_id = $1 and invitation_id = $2', [
      invitationId,
      words.invited,
    ]);
    await write(
      `update payments set customer_order_id = $3, first_name = $4, last_name = $4, description = $4, phone = $5,
              email = $6, metadata = $7 where company_id = $1 and code = $2`,
      [
        ...[sights.endless, words.order, words.name, words.phone, words.email],
        JSON.stringify({ [words.pairName]: words.pairValue }),
      ],
    );
    await write('update companies set name = $2, allowed_origins = $3, reply_to = $4 where company_id = $1', [
      words.company,
      [words.origin],
      words.replyTo,
    ]);
    await write('update api_keys set name = $2 where company_id = $1 and name = $3', [
      words.key,
      words.printable,
    ]);
    await write(
      `insert into connections (company_id, connection_id, processor, mode, name, holder, account, currencies, position,
                                is_enabled, created_by, created_at, updated_at)
       values ($1, $2, 'stripe', 'test', $3, $4, $4, '{EUR}', 0, false, $5, now(), now())`,
      [`con_${'0'.repeat(24)}`, words.connection, words.holder, `account:${merchant.accountId}`],
    );
  };

  /** Writes values into an account that could no longer sign in with them. */
  const writeAccount = async () => {
    await write('update accounts set email = $3 where company_id = $1 and account_id = $2', [
      merchant.accountId,
      words.owner,
    ]);
    await write(
      `insert into passkeys (company_id, passkey_id, account_id, name, credential_id, public_key, counter, transports,
                             created_at) values ($1, $2, $3, $4, 'x', '', 0, '{}', now())`,
      [newId('psk', new Date()), merchant.accountId, words.passkey],
    );
  };

  before(
    async () => {
      [paylink, browser, receiver] = await Promise.all([
        startPaylink('server', { settings: loopbackSettings }),
        openBrowser(),
        startReceiver(),
      ]);
      merchant = await paylink.createMerchant();
      owner = await logIn(paylink, merchant);
      sights = await makeSights();
      await writePast();
      await enter({});
      await enter({ size: 'phone', language: 'de', look: 'dark' });
      await writeAccount();
    },
    { timeout: 120_000 },
  );
  after(async () => {
    await browser.close();
    await paylink.stop();
    await receiver.close();
  });

  /** Checks one screen with all its details opened. */
  const look = async (window: DashboardWindow, path: string, shown: readonly string[]) => {
    const where = path.slice(0, 60);
    await window.open(path);
    const { page } = window;
    await page.evaluate(`for (const more of document.querySelectorAll('#content details')) more.open = true`);
    await until(
      async () => {
        const said = await allWords(page);
        return shown.every((text) => said.includes(text));
      },
      `all words of ${where}`,
      60_000,
    );
    assert.deepEqual(await findHarm(page), [], where);
    // The preview is not rendered with a name that the API refuses, and the browser logs that.
    const troubles = window.troubles.filter(
      (trouble) => path !== '/settings' || !trouble.includes('status of 422'),
    );
    await assertAccessible({ ...window, troubles }, where);
    window.troubles.length = 0;
  };

  for (const [at, name] of ['a desktop', 'a phone, in German and dark'].entries())
    test(`on ${name}, every screen shows hostile values as plain text`, async () => {
      const window = windows[at];
      assert.ok(window);
      await window.open('/payments');
      await window.page.evaluate(`localStorage.setItem('paylink.payments.columns', '${allColumns}')`);
      for (const [path, shown] of screensOf(sights)) await look(window, path, shown);
    });

  test('an export has every value, and none that a spreadsheet would run', async () => {
    const [window] = windows;
    assert.ok(window);
    const { page } = window;
    await window.open('/payments');
    await settle(window);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const rows = readTable(await readFile(await download.path(), 'utf8'));
    const kept = (await ask('GET', '/v1/payments?limit=100')).data as Json[];
    assert.equal(rows.length, kept.length);
    const isRun = /^[=+\-@\t\r\n＝＋－＠]/;
    const plain = (cell = '') => (isRun.test(cell.slice(1)) ? cell.replace(/^'/, '') : cell);
    for (const payment of kept) {
      const row = rows.find(({ PaymentLinkCode }) => PaymentLinkCode === payment.PaymentLinkCode) ?? {};
      assert.deepEqual(
        Object.values(row).filter((cell) => isRun.test(cell)),
        [],
      );
      for (const name of [
        'customerOrderId',
        'email',
        'firstName',
        'lastName',
        'phone',
        'description',
        'success_url',
      ])
        assert.equal(plain(row[name]), payment[name] ?? '', name);
      assert.deepEqual(JSON.parse(row.metadata ?? ''), payment.metadata);
    }
    assert.deepEqual(window.troubles, []);
  });
});
