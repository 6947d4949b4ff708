// Paying elsewhere than on our page, without a browser, on both databases: at a processor's own page, alone and
// among others, with processors that are down, silent or keep what was begun.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { reconcileAttempt } from '../src/attempts/reconcile-attempt.ts';
import { call, createLinkAs } from './harness/client.ts';
import {
  createFakeHostedProcessor,
  createFakeTransferProcessor,
  withSandbox,
} from './harness/fake-processors.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import {
  chooseMethod,
  listAttempts,
  methodsOf,
  noCards,
  openCompany,
  statusOf,
  titleOf,
  visibleText,
} from './harness/payment-methods.ts';
import { fillCard, type Page, payWith, press, visit } from './harness/visitor.ts';

const good = { number: '4242 4242 4242 4242' };

for (const engine of engines) {
  describe(`ways to pay on the ${engine} database`, () => {
    const clock = manualClock(new Date());
    const pond = createFakeHostedProcessor('paypond', 'Paypond');
    const lake = createFakeHostedProcessor('paylake', 'Paylake');
    const brook = createFakeHostedProcessor('paybrook', 'Paybrook');
    const bank = createFakeTransferProcessor();
    let paylink: Paylink;
    before(async () => {
      const small = { ...brook.kind, amountsMinor: { least: 1000, most: 2000 } };
      const processors = withSandbox([pond.kind, lake.kind, small, bank.kind]);
      paylink = await startPaylink(engine, { clock, processors });
    });
    after(async () => await paylink.stop());
    beforeEach(() => {
      for (const page of [pond, lake]) Object.assign(page, { mood: 'good', captured: 0 });
    });

    /** A link of a company that pays at one page alone, and the customer on their way there. */
    async function goToPond() {
      const { owner, ids } = await openCompany(paylink, 'paypond', noCards);
      const made = await createLinkAs(paylink, owner);
      const leaving = await press(await visit(made.link), { form: 0 });
      const attemptId = (await listAttempts(paylink, made.code)).at(-1)?.id ?? '';
      return { owner, ids, ...made, leaving, attemptId };
    }

    test('one page alone is one button with the amount, and leads to that page by a refresh and a link', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      assert.deepEqual(methodsOf(page), [ids[0]]);
      assert.match(visibleText(page), /Pay €19\.99 You go on to Paypond to pay, and come back here\./);
      assert.doesNotMatch(page.text, /cc_number|Test cards|How would you like/);
      const leaving = await press(page, { form: 0 });
      const [attempt] = await listAttempts(paylink, code);
      const address = `https://page.example/${attempt?.id}?a=1&b=2`;
      assert.equal(leaving.url, `${link}/continue`);
      assert.equal(leaving.headers.get('refresh'), `0;url=${address}`);
      assert.match(visibleText(leaving), /Taking you to Paypond…/);
      assert.ok(leaving.text.includes(`href="${address.replace('&', '&amp;')}">Go on at Paypond</a>`));
      assert.match(leaving.headers.get('referrer-policy') ?? '', /^no-referrer$/);
    });

    test('what a processor would not take is not offered: less than its least, or more than its most', async () => {
      const { owner, ids } = await openCompany(paylink, 'paybrook', noCards);
      const offeredAt = async (amount: number) =>
        methodsOf(await visit((await createLinkAs(paylink, owner, { amount })).link));
      for (const amount of [10, 20]) assert.deepEqual(await offeredAt(amount), [ids[0]], `${amount}`);
      for (const amount of [9.99, 20.01]) assert.deepEqual(await offeredAt(amount), [], `${amount}`);
    });

    test('who has paid there comes back to the shop, is charged once, and reads with what they paid', async () => {
      const { owner, link, code, attemptId } = await goToPond();
      pond.sessions.get(attemptId)!.state = 'approved';
      const ends = await Promise.all([visit(`${link}/return`), visit(`${link}/return`)]);
      for (const end of ends) assert.match(end.url, /shop\.example\/thanks\?.*status=paid/);
      assert.equal(pond.captured, 1);
      assert.equal(await statusOf(paylink, owner, code), 'paid');
      const page = await visit(link);
      assert.match(visibleText(page), /Paid with Paypond/);
      assert.doesNotMatch(visibleText(page), /[Cc]ard was|Card/);
    });

    test('who closes the window after paying there has paid: the attempt’s job finds it', async () => {
      const { owner, link, code, attemptId } = await goToPond();
      pond.sessions.get(attemptId)!.state = 'approved';
      await reconcileAttempt(paylink.app.deps, { companyId: owner.companyId, attemptId });
      assert.deepEqual([await statusOf(paylink, owner, code), pond.captured], ['paid', 1]);
      assert.match(visibleText(await visit(link)), /Paid\. Thank you!/);
    });

    test('who turns back there reads that nothing was charged, and can pay again', async () => {
      const { owner, link, code, attemptId, ids } = await goToPond();
      const page = await visit(`${link}/back/${attemptId}`);
      assert.equal(page.url, link);
      assert.match(visibleText(page), /You came back without paying\. Nothing was charged\./);
      assert.doesNotMatch(page.text, /role="alert"/);
      assert.equal(await statusOf(paylink, owner, code), 'open');
      assert.equal((await chooseMethod(page, ids[0]!)).url, `${link}/continue`);
      const again = await visit(`${link}/back/${attemptId}`);
      assert.match(
        visibleText(again),
        /Your payment at Paypond is not finished/,
        'an old way back gives up nothing newer',
      );
    });

    test('the Back button shows how to go on there and how to pay another way, also where nothing is retried', async () => {
      const { link, attemptId, owner } = await goToPond();
      const change = await call(paylink, owner, ['PATCH', '/v1/company'], { retryPolicy: 'none' });
      assert.equal(change.status, 200);
      const page = await visit(link);
      assert.match(visibleText(page), /You have not been charged yet\. Go on at Paypond to pay/);
      assert.ok(page.text.includes(`https://page.example/${attemptId}`));
      assert.doesNotMatch(visibleText(page), /bank|card/i);
      const open = await press(page, { form: 0 });
      assert.deepEqual([open.url, pond.sessions.get(attemptId)?.state], [link, 'void']);
      assert.equal(methodsOf(open).length, 1);
    });

    test('where a processor keeps what was begun, the page says until when, and nothing else is offered', async () => {
      const { link, code, attemptId } = await goToPond();
      pond.mood = 'keeping';
      for (const page of [
        await press(await visit(link), { form: 0 }),
        await visit(`${link}/back/${attemptId}`),
      ]) {
        assert.equal(page.url, `${link}/kept`);
        assert.match(
          visibleText(page),
          /Paypond keeps this payment open until .+ UTC \. You can go on there/,
        );
        assert.deepEqual(methodsOf(page), []);
      }
      assert.deepEqual(
        (await listAttempts(paylink, code)).map(({ state }) => state),
        ['requires_action'],
      );
      assert.doesNotMatch(visibleText(await visit(link)), /keeps/);
    });

    test('two tabs begin one attempt and both lead to its page', async () => {
      const { owner } = await openCompany(paylink, 'paypond', noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const tabs = await Promise.all([visit(link), visit(link)]);
      const begun = pond.sessions.size;
      await Promise.all(tabs.map(async (tab) => await press(tab, { form: 0 })));
      assert.deepEqual([pond.sessions.size - begun, (await listAttempts(paylink, code)).length], [1, 1]);
      const late = await press(tabs[0]!, { form: 0 });
      assert.match(visibleText(late), /Your payment at Paypond is not finished/);
      assert.equal(pond.sessions.size - begun, 1);
    });

    test('several ways stand in the merchant’s order, the sandbox’s card form behind them, and each can be used', async () => {
      const { owner, ids } = await openCompany(paylink, 'paylake', 'pretend_transfer', 'paypond');
      const { link } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      assert.deepEqual(methodsOf(page), [...ids, 'card']);
      assert.match(
        visibleText(page),
        /How would you like to pay\? Pay with Paylake .*Pay by bank transfer .*working days\. Pay with Paypond .*Pay by card Card details/,
      );
      assert.match((await payWith(link, good)).url, /thanks/);
      const other = await createLinkAs(paylink, owner);
      assert.match(titleOf(await chooseMethod(await visit(other.link), ids[2]!)), /Paypond/);
    });

    test('a card that is refused leaves its form open among the other ways', async () => {
      const { owner } = await openCompany(paylink, 'paypond');
      const { link } = await createLinkAs(paylink, owner);
      const { action, body } = fillCard(await visit(link), { number: '4242' });
      assert.ok(!(await visit(link)).text.includes('<details open>'));
      const refused = await visit(action, { method: 'POST', body });
      assert.ok(refused.status === 422 && refused.text.includes('<details open>'));
      const declined = await payWith(link, { number: '4000000000000127' });
      assert.ok(declined.text.includes('<details open>'));
    });

    test('a processor that is down before anything began gives way to the next, and no try is lost', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const { link, code } = await createLinkAs(paylink, owner);
      pond.mood = 'down';
      const page = await press(await visit(link), { form: 0 });
      assert.match(
        visibleText(page),
        /Paypond can’t be reached right now\. You have not been charged\. You can pay another way, or try again\. Payment to/,
      );
      assert.deepEqual(methodsOf(page), [ids[1], 'card', ids[0]]);
      assert.match(visibleText(page), /Pay with Paypond You go on .* This may not work right now\./);
      assert.equal(titleOf(page).slice(0, 6), 'Error:');
      const leaving = await press(page, { form: 0 });
      assert.match(visibleText(leaving), /Taking you to Paylake/);
      assert.deepEqual(
        (await listAttempts(paylink, code)).map(({ processor, state }) => `${processor} ${state}`),
        ['paypond cancelled', 'paylake requires_action'],
      );
      assert.match(paylink.log(), /"outcome":"unavailable".*"why":"test".*did not begin/);
    });

    test('the only processor being down is said so, and can be tried again', async () => {
      const { owner } = await openCompany(paylink, 'paypond', noCards);
      const { link } = await createLinkAs(paylink, owner);
      pond.mood = 'down';
      const page = await press(await visit(link), { form: 0 });
      assert.match(
        visibleText(page),
        /Paypond can’t be reached right now\. .* Please try again in a moment\./,
      );
      pond.mood = 'good';
      assert.match(visibleText(await press(page, { form: 0 })), /Taking you to Paypond/);
    });

    test('while nobody knows what became of an attempt, no other way is offered or begun', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const { link, code } = await createLinkAs(paylink, owner);
      const first = await visit(link);
      pond.mood = 'silent';
      const page = await press(first, { form: 0 });
      assert.equal(page.url, `${link}/wait`);
      assert.match(
        visibleText(page),
        /We’re checking your payment Do not pay again\. We have no clear answer from Paypond/,
      );
      assert.deepEqual(methodsOf(page), []);
      const begun = lake.sessions.size;
      assert.equal((await chooseMethod(first, ids[1]!)).url, `${link}/wait`);
      assert.match((await payWithOld(first)).url, /\/wait$/);
      assert.equal(lake.sessions.size, begun);
      assert.deepEqual(
        (await listAttempts(paylink, code)).map(({ state }) => state),
        ['unknown'],
      );
      pond.mood = 'good';
      assert.match(visibleText(await visit(link)), /We’re checking your payment/);
      assert.match(visibleText(await visit(`${link}/wait`)), /Your payment at Paypond is not finished/);
    });

    /** Posts the card form of a page that was opened before. */
    async function payWithOld(page: Page): Promise<Page> {
      const { action, body } = fillCard(page, good);
      return await visit(action, { method: 'POST', body });
    }

    test('after three failures in a row a processor stands last for a minute, and first again after it', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const fresh = async () => await visit((await createLinkAs(paylink, owner)).link);
      pond.mood = 'down';
      for (let failures = 0; failures < 3; failures++) {
        const page = await fresh();
        assert.deepEqual(methodsOf(page), [...ids, 'card'], `after ${failures}`);
        await press(page, { form: 0 });
      }
      const page = await fresh();
      assert.deepEqual(methodsOf(page), [ids[1], 'card', ids[0]]);
      assert.match(visibleText(page), /Pay with Paypond .*This may not work right now\./);
      assert.doesNotMatch(page.text, /role="alert"/);
      clock.advanceMs(61_000);
      assert.deepEqual(methodsOf(await fresh()), [...ids, 'card']);
      pond.mood = 'good';
      await press(await fresh(), { form: 0 });
      pond.mood = 'down';
      await press(await fresh(), { form: 0 });
      assert.deepEqual(
        methodsOf(await fresh()),
        [...ids, 'card'],
        'an answer in between counts from the start',
      );
    });

    test('a way that is gone since the page was opened begins nothing', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const { link, code } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      const gone = await call(paylink, owner, ['DELETE', `/v1/processor-connections/${ids[0]}`]);
      assert.ok(gone.status < 300, JSON.stringify(gone.body));
      const refused = await press(page, { form: 0 });
      assert.equal(refused.status, 422);
      assert.match(visibleText(refused), /This way to pay is not offered any more\. Nothing was sent/);
      assert.deepEqual(methodsOf(refused), [ids[1], 'card']);
      assert.deepEqual(await listAttempts(paylink, code), []);
    });

    test('a link without any way to pay says so and leads back', async () => {
      const { owner } = await openCompany(paylink, noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      assert.match(visibleText(page), /This payment cannot be made yet You have not been charged\./);
      assert.match(page.text, /href="https:\/\/shop\.example\/sorry\?[^"]*">Back to <bdi>Café Zürich/);
      const posted = await visit(link, { method: 'POST', body: new URLSearchParams({ method: 'sandbox' }) });
      assert.match(visibleText(posted), /This payment cannot be made yet/);
      assert.deepEqual(await listAttempts(paylink, code), []);
    });

    test('a post without the form’s token begins nothing anywhere', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const body = new URLSearchParams({ method: ids[0]! });
      const page = await visit(link, { method: 'POST', body });
      assert.equal(page.status, 403);
      assert.match(visibleText(page), /This page was open for too long\. .* Please choose again\./);
      assert.deepEqual(await listAttempts(paylink, code), []);
    });
  });
}
