// Many tabs with one link and many copies of one order, at two processes on PostgreSQL. Checks the responses, the
// ledger and the oracle.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientReport } from './faults/oracle.ts';
import {
  type Answer,
  type Credentials,
  createLink,
  logIn,
  orderOf,
  processPayment,
} from './harness/client.ts';
import { assertNoFaults, runConcurrently, startSecondProcess } from './harness/concurrency.ts';
import { refundLateCharges } from './harness/late-charges.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { createProcessGroup } from './harness/process.ts';
import { fillCard, formsOf, type Page, press, visit } from './harness/visitor.ts';

const tabLimitMs = 90_000;

const cards = {
  success: '4242424242424242',
  hardDecline: '4000000000000002',
  softDecline: '4000000000000127',
  challenge: '4000002760003184',
  losesAnswer: '4000000000009011',
  answersTwice: '4000000000009037',
  answersOutOfOrder: '4000000000009045',
  chargedAfterDecline: '4000000000009078',
} as const;

const hasCardForm = (page: Page) =>
  formsOf(page).some((form) => form.inputs.some(({ autocomplete }) => autocomplete === 'cc-number'));

const stage = createProcessGroup();
let paylink: Paylink;
let credentials: Credentials;
/** Where the two processes listen. */
let doors: readonly string[];
const reported: ClientReport[] = [];

before(async () => {
  paylink = await startPaylink('server');
  doors = [paylink.baseUrl, (await startSecondProcess(stage, paylink)).url];
  credentials = await logIn(paylink);
});
after(async () => {
  await stage.clear();
  await paylink.stop();
});

const doorOf = (index: number) => doors[index % doors.length] ?? paylink.baseUrl;

const query = async (text: string, values: unknown[]) =>
  await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);

describe('200 tabs that pay one link with different cards', () => {
  type Tab = { here: string; statuses: number[]; page: Page };

  /** Opens an address in a tab, and follows redirects of the bank's page, which uses the public origin. */
  async function go(tab: Tab, next: Promise<Page>): Promise<void> {
    tab.page = await next;
    tab.statuses.push(tab.page.status);
    if (tab.page.status === 0 && tab.page.url.startsWith(paylink.baseUrl)) await go(tab, visit(tab.page.url));
  }

  async function openTab(code: string, index: number): Promise<Tab> {
    const here = `${doorOf(index)}/pay/${code}`;
    const page = await visit(here);
    assert.ok(hasCardForm(page));
    return { here, page, statuses: [page.status] };
  }

  /** Pays, and follows the pages until the tab is back at the shop. Returns the result that the shop gets. */
  async function payInTab(tab: Tab, number: string): Promise<string> {
    const until = performance.now() + tabLimitMs;
    while (tab.page.status !== 0) {
      if (performance.now() > until) return `never left ${tab.page.url}`;
      if (tab.page.url.includes('/sandbox/3ds/'))
        await go(tab, press(tab.page, { form: 0, extra: { decision: 'approve' } }));
      else if (hasCardForm(tab.page)) {
        const { action, body } = fillCard(tab.page, { number });
        await go(tab, visit(action, { method: 'POST', body }));
      } else {
        await sleep(200);
        await go(tab, visit(`${tab.here}/wait`));
      }
    }
    return new URL(tab.page.url).searchParams.get('status') ?? tab.page.url;
  }

  const mixes = {
    'nearly all cards lead to money': Object.values(cards).filter((card) => card !== cards.hardDecline),
    'one in eight is declined for good': Object.values(cards),
    'every answer is lost, doubled or late': [cards.losesAnswer, cards.answersTwice, cards.answersOutOfOrder],
  };
  for (const [name, mix] of Object.entries(mixes))
    test(`${name}: at most one charge, no errors, and the same result in every tab`, async (t) => {
      const link = await createLink(paylink);
      const tabs = await runConcurrently(200, 50, async (index) => await openTab(link.code, index));
      const ends = await Promise.all(
        tabs.map(async (tab, index) => await payInTab(tab, mix[index % mix.length] ?? '')),
      );
      // A service that is too busy may respond with 503; it must not break.
      const faulty = tabs.flatMap(({ statuses }) =>
        statuses.filter((status) => status >= 500 && status !== 503),
      );
      assert.deepEqual(faulty, []);
      const [payment] = await query('select state from payments where code = $1', [link.code]);
      assert.deepEqual([...new Set(ends)], [payment?.state]);
      const state = payment?.state === 'paid' ? 'paid' : 'failed';
      reported.push({ kind: state, code: link.code });
      const busy = tabs.filter(({ statuses }) => statuses.includes(503)).length;
      t.diagnostic(`${state}; ${busy} tabs were asked to come back`);
      const [charges] = await query(
        `select count(*) as count from ledger_entries l join payments p using (company_id, payment_id)
         where p.code = $1 and l.kind = 'capture'`,
        [link.code],
      );
      assert.equal(charges?.count, state === 'paid' ? 1 : 0);
    });

  test('after everything completes and the nightly comparison ran, the oracle finds nothing', async () => {
    // A database that is too busy may not record a charge after a decline in time.
    assert.deepEqual(await refundLateCharges(paylink.app.deps), []);
    const underWay = `select count(*) as count from refunds where state not in ('succeeded', 'failed')`;
    for (let look = 0; look < 600 && (await query(underWay, []))[0]?.count !== 0; look++) await sleep(100);
    assert.deepEqual(await assertNoFaults(paylink, reported), []);
  });
});

describe('1,000 copies of one order', () => {
  const post = async (body: (index: number) => object): Promise<Answer[]> =>
    await runConcurrently(1_000, 64, async (index) => await processPatiently(doorOf(index), body(index)));

  /** Repeats a request that a busy service refuses with 503, as a merchant does. */
  async function processPatiently(baseUrl: string, body: object): Promise<Answer> {
    const answer = await processPayment({ baseUrl }, credentials, body);
    if (answer.status !== 503) return answer;
    await sleep(200);
    return await processPatiently(baseUrl, body);
  }

  async function countRows(orderId: unknown): Promise<Record<string, unknown> | undefined> {
    const [counts] = await query(
      `select count(distinct p.payment_id) as payments, count(e.event_id) as events
       from payments p left join events e on e.payment_id = p.payment_id and e.type = 'payment.created'
       where p.customer_order_id = $1`,
      [orderId],
    );
    return counts;
  }

  test('1,000 equal requests: one link, 999 replays, one row and one event', async () => {
    const order = orderOf();
    const answers = await post(() => order);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(new Set(answers.map(({ body }) => body.PaymentLinkCode)).size, 1);
    const replays = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    assert.equal(replays.length, 999);
    assert.deepEqual(await countRows(order.customerOrderId), { payments: 1, events: 1 });
  });

  test('half of the requests differ: the first creates the link, equal ones get it, others are refused with the fields', async () => {
    const order = orderOf();
    const answers = await post((index) => (index % 2 === 0 ? order : { ...order, amount: 20.99 }));
    const winner = answers.findIndex(
      ({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'),
    );
    const wrong = answers.filter(({ status, body }, index) => {
      if (index % 2 === winner % 2) return status !== 200;
      const [error] = (body.errors ?? []) as { field?: string }[];
      return status !== 409 || body.code !== 'order_conflict' || error?.field !== 'amount';
    });
    assert.deepEqual(wrong, []);
    const codes = answers.flatMap(({ status, body }) => (status === 200 ? [body.PaymentLinkCode] : []));
    assert.equal(codes.length, 500);
    assert.equal(new Set(codes).size, 1);
    assert.deepEqual(await countRows(order.customerOrderId), { payments: 1, events: 1 });
  });
});
