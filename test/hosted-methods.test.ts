// Paying at a processor's page without a browser, on both databases: alone and among others, with processors that are
// down, silent or keep an attempt open.

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
  chosenMethodOf,
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
  describe(`payment methods on the ${engine} database`, () => {
    const clock = manualClock();
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

    /** A link of a company with only a hosted page, and a customer who was redirected to it. */
    async function goToPond() {
      const { owner, ids } = await openCompany(paylink, 'paypond', noCards);
      const made = await createLinkAs(paylink, owner);
      const leaving = await press(await visit(made.link), { form: 0 });
      const attemptId = (await listAttempts(paylink, made.code)).at(-1)?.id ?? '';
      return { owner, ids, ...made, leaving, attemptId };
    }

    test('a single hosted page is one button with the amount, and redirects by a refresh and a link', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      assert.deepEqual(methodsOf(page), [ids[0]]);
      assert.match(visibleText(page), /You’ll pay at Paypond and then return to this page\. Pay €19\.99/);
      assert.doesNotMatch(page.text, /cc_number|Test cards|How would you like/);
      const leaving = await press(page, { form: 0 });
      const [attempt] = await listAttempts(paylink, code);
      const address = `https://page.example/${attempt?.id}?a=1&b=2`;
      assert.equal(leaving.url, `${link}/continue`);
      assert.equal(leaving.headers.get('refresh'), `0;url=${address}`);
      assert.match(visibleText(leaving), /Redirecting you to Paypond…/);
      assert.ok(leaving.text.includes(`href="${address.replace('&', '&amp;')}">Continue to Paypond</a>`));
      assert.match(leaving.headers.get('referrer-policy') ?? '', /^no-referrer$/);
    });

    test('a processor is not offered for amounts outside its limits', async () => {
      const { owner, ids } = await openCompany(paylink, 'paybrook', noCards);
      const offeredAt = async (amount: number) =>
        methodsOf(await visit((await createLinkAs(paylink, owner, { amount })).link));
      for (const amount of [10, 20]) assert.deepEqual(await offeredAt(amount), [ids[0]], `${amount}`);
      for (const amount of [9.99, 20.01]) assert.deepEqual(await offeredAt(amount), [], `${amount}`);
    });

    test('a customer who paid there returns to the shop, is charged once, and sees the method', async () => {
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

    test('if the customer closes the window after paying, the worker completes the payment', async () => {
      const { owner, link, code, attemptId } = await goToPond();
      pond.sessions.get(attemptId)!.state = 'approved';
      await reconcileAttempt(paylink.app.deps, { companyId: owner.companyId, attemptId });
      assert.deepEqual([await statusOf(paylink, owner, code), pond.captured], ['paid', 1]);
      assert.match(visibleText(await visit(link)), /Payment received/);
    });

    test('a customer who cancels there sees that nothing was charged, and can pay again', async () => {
      const { owner, link, code, attemptId, ids } = await goToPond();
      const page = await visit(`${link}/back/${attemptId}`);
      assert.equal(page.url, link);
      assert.match(visibleText(page), /You returned without paying\. You have not been charged\./);
      assert.doesNotMatch(page.text, /role="alert"/);
      assert.equal(await statusOf(paylink, owner, code), 'open');
      assert.equal((await chooseMethod(page, ids[0]!)).url, `${link}/continue`);
      const again = await visit(`${link}/back/${attemptId}`);
      assert.match(
        visibleText(again),
        /Finish your payment at Paypond/,
        'an old way back gives up nothing newer',
      );
    });

    test('the Back button leads to a page that offers to continue there or to pay another way, whatever the retry policy', async () => {
      const { link, attemptId, owner } = await goToPond();
      const change = await call(paylink, owner, ['PATCH', '/v1/company'], { retryPolicy: 'none' });
      assert.equal(change.status, 200);
      const page = await visit(link);
      assert.match(visibleText(page), /You have not been charged yet\. Continue to Paypond to pay/);
      assert.ok(page.text.includes(`https://page.example/${attemptId}`));
      assert.doesNotMatch(visibleText(page), /bank|card/i);
      const open = await press(page, { form: 0 });
      assert.deepEqual([open.url, pond.sessions.get(attemptId)?.state], [link, 'void']);
      assert.equal(methodsOf(open).length, 1);
    });

    test('if a processor keeps an attempt open, the page says until when, and offers no other method', async () => {
      const { link, code, attemptId } = await goToPond();
      pond.mood = 'keeping';
      for (const page of [
        await press(await visit(link), { form: 0 }),
        await visit(`${link}/back/${attemptId}`),
      ]) {
        assert.equal(page.url, `${link}/kept`);
        assert.match(visibleText(page), /Paypond keeps this payment open until .+ UTC \. Continue there/);
        assert.deepEqual(methodsOf(page), []);
      }
      assert.deepEqual(
        (await listAttempts(paylink, code)).map(({ state }) => state),
        ['requires_action'],
      );
      assert.doesNotMatch(visibleText(await visit(link)), /keeps/);
    });

    test('two tabs start one attempt and both lead to its page', async () => {
      const { owner } = await openCompany(paylink, 'paypond', noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const tabs = await Promise.all([visit(link), visit(link)]);
      const begun = pond.sessions.size;
      await Promise.all(tabs.map(async (tab) => await press(tab, { form: 0 })));
      assert.deepEqual([pond.sessions.size - begun, (await listAttempts(paylink, code)).length], [1, 1]);
      const late = await press(tabs[0]!, { form: 0 });
      assert.match(visibleText(late), /Finish your payment at Paypond/);
      assert.equal(pond.sessions.size - begun, 1);
    });

    test('several methods are in the merchant’s order, after the sandbox’s card form, and each can be used', async () => {
      const { owner, ids } = await openCompany(paylink, 'paylake', 'pretend_transfer', 'paypond');
      const { link } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      assert.deepEqual(methodsOf(page), ['card', ...ids]);
      assert.match(
        visibleText(page),
        /How would you like to pay\? Card .*Paylake .*Bank transfer .*business days\. Paypond .*Pay €19\.99/,
      );
      assert.match((await payWith(link, good)).url, /thanks/);
      const other = await createLinkAs(paylink, owner);
      assert.match(titleOf(await chooseMethod(await visit(other.link), ids[2]!)), /Paypond/);
    });

    test('the chosen method stays chosen after a refused form, a decline and a return without paying', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const { link, code } = await createLinkAs(paylink, owner);
      assert.equal(chosenMethodOf(await visit(link)), 'card');
      const { action, body } = fillCard(await visit(link), { number: '4242' });
      const refused = await visit(action, { method: 'POST', body });
      assert.deepEqual([refused.status, chosenMethodOf(refused)], [422, 'card']);
      await chooseMethod(await visit(link), ids[1]!);
      const attemptId = (await listAttempts(paylink, code)).at(-1)?.id ?? '';
      assert.equal(chosenMethodOf(await visit(`${link}/back/${attemptId}`)), ids[1]);
      assert.equal(chosenMethodOf(await payWith(link, { number: '4000000000000127' })), 'card');
    });

    test('two connections of one kind have different names, and one connection has only the name of its kind', async () => {
      const twins = [1, 2].map((number) => ({ processor: 'paypond', name: `Account ${number}` }));
      const { owner } = await openCompany(paylink, ...twins, 'paylake', noCards);
      const text = visibleText(await visit((await createLinkAs(paylink, owner)).link));
      assert.match(text, /Paypond \( Account 1 \) .*Paypond \( Account 2 \) .*Paylake You’ll/);
      const { owner: other } = await openCompany(paylink, 'paypond', 'paypond', noCards);
      const unnamed = visibleText(await visit((await createLinkAs(paylink, other)).link));
      assert.match(unnamed, /Paypond \( 1 \) .*Paypond \( 2 \)/);
    });

    test('if a processor is down before the attempt starts, the next one is offered, and no attempt is lost', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const { link, code } = await createLinkAs(paylink, owner);
      pond.mood = 'down';
      const page = await chooseMethod(await visit(link), ids[0]!);
      assert.match(
        visibleText(page),
        /Paypond is unavailable right now\. You have not been charged\. Pay another way, or try again\. Order/,
      );
      assert.deepEqual([methodsOf(page), chosenMethodOf(page)], [['card', ids[1], ids[0]], 'card']);
      assert.match(visibleText(page), /Paypond You’ll pay at .* This method may be unavailable right now\./);
      assert.equal(titleOf(page).slice(0, 6), 'Error:');
      const leaving = await chooseMethod(page, ids[1]!);
      assert.match(visibleText(leaving), /Redirecting you to Paylake/);
      assert.deepEqual(
        (await listAttempts(paylink, code)).map(({ processor, state }) => `${processor} ${state}`),
        ['paypond cancelled', 'paylake requires_action'],
      );
      assert.match(paylink.log(), /"outcome":"unavailable".*"why":"test".*did not start/);
    });

    test('if the only processor is down, the page says so and allows a retry', async () => {
      const { owner } = await openCompany(paylink, 'paypond', noCards);
      const { link } = await createLinkAs(paylink, owner);
      pond.mood = 'down';
      const page = await press(await visit(link), { form: 0 });
      assert.match(visibleText(page), /Paypond is unavailable right now\. .* Please try again in a moment\./);
      pond.mood = 'good';
      assert.match(visibleText(await press(page, { form: 0 })), /Redirecting you to Paypond/);
    });

    test('while the outcome of an attempt is unknown, no other method is offered or started', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const { link, code } = await createLinkAs(paylink, owner);
      const first = await visit(link);
      pond.mood = 'silent';
      const page = await chooseMethod(first, ids[0]!);
      assert.equal(page.url, `${link}/wait`);
      assert.match(
        visibleText(page),
        /We’re checking with Paypond Do not pay again\. Paypond has not confirmed the result/,
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
      assert.match(visibleText(await visit(link)), /We’re checking with Paypond/);
      assert.match(visibleText(await visit(`${link}/wait`)), /Finish your payment at Paypond/);
    });

    /** Posts the card form of a page that was opened before. */
    async function payWithOld(page: Page): Promise<Page> {
      const { action, body } = fillCard(page, good);
      return await visit(action, { method: 'POST', body });
    }

    test('after three failures in a row a processor is not offered for a minute, unless every processor is down', async () => {
      const { owner, ids: all } = await openCompany(paylink, 'paypond', 'paylake', noCards);
      const ids = all.slice(0, 2);
      const fresh = async () => await visit((await createLinkAs(paylink, owner)).link);
      pond.mood = 'down';
      for (let failures = 0; failures < 3; failures++) {
        const page = await fresh();
        assert.deepEqual(methodsOf(page), ids, `after ${failures}`);
        await chooseMethod(page, ids[0]!);
      }
      assert.deepEqual(methodsOf(await fresh()), [ids[1]]);
      lake.mood = 'down';
      for (let failures = 0; failures < 3; failures++) await press(await fresh(), { form: 0 });
      const page = await fresh();
      assert.deepEqual(methodsOf(page), ids);
      assert.match(visibleText(page), /Paypond .*This method may be unavailable right now\. .*Paylake/);
      assert.doesNotMatch(page.text, /role="alert"/);
      clock.advanceMs(61_000);
      assert.deepEqual(methodsOf(await fresh()), ids);
      pond.mood = 'good';
      await chooseMethod(await fresh(), ids[0]!);
      pond.mood = 'down';
      await chooseMethod(await fresh(), ids[0]!);
      assert.deepEqual(methodsOf(await fresh()), ids, 'a response in between counts from the start');
    });

    test('a method that was removed after the page was opened starts nothing', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', 'paylake');
      const { link, code } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      const gone = await call(paylink, owner, ['DELETE', `/v1/processor-connections/${ids[0]}`]);
      assert.ok(gone.status < 300, JSON.stringify(gone.body));
      const refused = await chooseMethod(page, ids[0]!);
      assert.equal(refused.status, 422);
      assert.match(
        visibleText(refused),
        /This payment method is no longer available\. You have not been charged/,
      );
      assert.deepEqual(methodsOf(refused), ['card', ids[1]]);
      assert.deepEqual(await listAttempts(paylink, code), []);
    });

    test('a link without a payment method says so and links back', async () => {
      const { owner } = await openCompany(paylink, noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const page = await visit(link);
      assert.match(visibleText(page), /No payment method available You have not been charged\./);
      assert.match(page.text, /href="https:\/\/shop\.example\/sorry\?[^"]*">Back to <bdi>Café Zürich/);
      const posted = await visit(link, { method: 'POST', body: new URLSearchParams({ method: 'sandbox' }) });
      assert.match(visibleText(posted), /No payment method available/);
      assert.deepEqual(await listAttempts(paylink, code), []);
    });

    test('a POST without the form token starts nothing', async () => {
      const { owner, ids } = await openCompany(paylink, 'paypond', noCards);
      const { link, code } = await createLinkAs(paylink, owner);
      const body = new URLSearchParams({ method: ids[0]! });
      const page = await visit(link, { method: 'POST', body });
      assert.equal(page.status, 403);
      assert.match(visibleText(page), /This page has expired\. .* Please choose again\./);
      assert.deepEqual(await listAttempts(paylink, code), []);
    });
  });
}
