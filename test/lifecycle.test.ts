// Expiry, faults and rate limits of links, sessions and logins, on both databases, with a manual clock.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcileAttempt } from '../src/attempts/reconcile-attempt.ts';
import { transitionPayment } from '../src/payments/transition.ts';
import { createLink, logIn, orderOf, post, processPayment } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { fillCard, formsOf, payWith, visit } from './harness/visitor.ts';

const success = '4242424242424242';
const losesAnswer = '4000000000009011';
const answersLate = '4000000000009029';
const dayMs = 24 * 60 * 60 * 1000;

for (const engine of engines) {
  describe(`time and faults on the ${engine} database`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    before(async () => {
      // Two tests wait for it; all other payments must take less.
      paylink = await startPaylink(engine, { clock, processorTimeoutMs: 2_000 });
    });
    after(async () => await paylink.stop());

    const query = async (text: string, values: unknown[] = []) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);
    const statesOf = async (code: string) =>
      await query(
        `select p.state, a.state as attempt from payments p left join attempts a using (company_id, payment_id)
         where code = $1 order by attempt_id`,
        [code],
      );

    test('a lost response leaves the attempt unknown and blocks others, until evidence completes it', async () => {
      const { link, code } = await createLink(paylink);
      const form = fillCard(await visit(link), { number: success });
      const waiting = await payWith(link, { number: losesAnswer });
      // The waiting page queries the processor, so the attempt may have ended by now.
      assert.ok(
        waiting.url.endsWith('/wait') || waiting.url.startsWith('https://shop.example/thanks'),
        waiting.url,
      );
      const again = await visit(form.action, { method: 'POST', body: form.body });
      assert.match((await visit(`${link}/wait`)).url, /shop\.example\/thanks/);
      assert.ok(again.url.endsWith('/wait') || again.url.startsWith('https://shop.example/thanks'));
      assert.deepEqual(await statesOf(code), [{ state: 'paid', attempt: 'succeeded' }]);
      const events = await query(
        `select e.type from events e join payments p using (company_id, payment_id) where code = $1 and type like 'attempt.%' order by e.event_id`,
        [code],
      );
      assert.deepEqual(
        events.map(({ type }) => type),
        ['attempt.unknown', 'attempt.resolved'],
      );
    });

    test('a late response shows “do not pay again” until the outcome is known', async () => {
      const { link, code } = await createLink(paylink);
      const page = await payWith(link, { number: answersLate });
      assert.equal(page.url, `${link}/wait`);
      assert.match(page.text, /do not pay again/i);
      assert.match(page.text, /http-equiv="refresh"/);
      const shown = await visit(link);
      assert.equal(formsOf(shown).length, 0, 'there is nothing to pay with');
      clock.advanceMs(41_000);
      assert.match((await visit(`${link}/wait`)).url, /shop\.example\/thanks/);
      assert.deepEqual(await statesOf(code), [{ state: 'paid', attempt: 'succeeded' }]);
    });

    test('after a crash before the processor call the link is open again, and that attempt can never charge', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4000000000000127' });
      // The state after a crash between the first two transactions.
      await query(`update payments set state = 'processing' where code = $1`, [code]);
      const [payment] = await query(
        'select company_id as company, payment_id as id from payments where code = $1',
        [code],
      );
      const attemptId = 'att_00000000000000000000000001';
      await query(
        `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
         values ($1, 'test', $2, $3, 'created', 'sandbox', 1999, 'EUR', $4, $4)`,
        [payment?.company, attemptId, payment?.id, clock.now()],
      );
      await reconcileAttempt(paylink.app.deps, { companyId: String(payment?.company), attemptId });
      const [attempt] = await query(
        'select state, decline_code as code from attempts where attempt_id = $1',
        [attemptId],
      );
      assert.deepEqual(attempt, { state: 'cancelled', code: 'never_started' });
      const [charge] = await query('select state from sandbox_charges where idempotency_key = $1', [
        attemptId,
      ]);
      assert.equal(charge?.state, 'void');
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
    });

    test('an attempt that never reached the processor does not count, and the link is open again', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: answersLate });
      const [row] = await query(
        'select company_id as company, attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      const job = { companyId: String(row?.company), attemptId: String(row?.id) };
      // The request was lost on its way: unknown to us, and not in the processor's records.
      await query(`update attempts set state = 'unknown' where attempt_id = $1`, [job.attemptId]);
      await query('delete from sandbox_charges where idempotency_key = $1', [job.attemptId]);
      await reconcileAttempt(paylink.app.deps, job);
      const [attempt] = await query(
        'select state, decline_code as code from attempts where attempt_id = $1',
        [job.attemptId],
      );
      assert.deepEqual(attempt, { state: 'cancelled', code: 'never_started' });
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
    });

    test('the worker completes an attempt without a visitor, 15 seconds after it began', async () => {
      const { link, code } = await createLink(paylink);
      const { action, body } = fillCard(await visit(link), { number: losesAnswer });
      await fetch(action, { method: 'POST', body, redirect: 'manual' });
      assert.deepEqual(await statesOf(code), [{ state: 'processing', attempt: 'unknown' }]);
      clock.advanceMs(15_000);
      for (let i = 0; i < 120 && (await statesOf(code))[0]?.state !== 'paid'; i++) await sleep(500);
      assert.deepEqual(await statesOf(code), [{ state: 'paid', attempt: 'succeeded' }]);
    });

    test('an unanswered challenge is cancelled after 15 minutes, and the link can be paid', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4000002760003184' });
      const [row] = await query(
        'select company_id as company, attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      const job = { companyId: String(row?.company), attemptId: String(row?.id) };
      await assert.rejects(reconcileAttempt(paylink.app.deps, job), /still requires_action/);
      clock.advanceMs(16 * 60 * 1000);
      await reconcileAttempt(paylink.app.deps, job);
      assert.deepEqual(await statesOf(code), [{ state: 'open', attempt: 'cancelled' }]);
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
    });

    test('an overdue link expires when it is read, and its order can have a new link', async () => {
      const order = orderOf();
      const first = await processPayment(paylink, await logIn(paylink), order);
      const link = String(first.body.PaymentLink);
      const form = fillCard(await visit(link), { number: success });
      clock.advanceMs(8 * dayMs);
      const late = await visit(form.action, { method: 'POST', body: form.body });
      const forms = formsOf(late).map(({ action }) => new URL(action).pathname);
      assert.deepEqual(
        forms,
        [`/pay/${first.body.PaymentLinkCode}/request-link`],
        'there is nothing to pay with',
      );
      assert.deepEqual(await statesOf(String(first.body.PaymentLinkCode)), [
        { state: 'expired', attempt: null },
      ]);
      const second = await processPayment(paylink, await logIn(paylink), order);
      assert.equal(second.status, 200);
      assert.equal(second.headers.get('idempotent-replayed'), null);
      assert.notEqual(second.body.PaymentLinkCode, first.body.PaymentLinkCode);
    });

    test('an order with an overdue link that was not read yet gets a new link', async () => {
      const expiresAt = new Date(clock.now().getTime() + 10 * 60_000).toISOString();
      const order = orderOf({ expiresAt });
      const first = await processPayment(paylink, await logIn(paylink), order);
      clock.advanceMs(6 * 60_000);
      const replay = await processPayment(paylink, await logIn(paylink), order);
      assert.equal(
        replay.headers.get('idempotent-replayed'),
        'true',
        'a repeat is not wrong because time has passed',
      );
      clock.advanceMs(5 * 60_000);
      const { expiresAt: _past, ...again } = order;
      const second = await processPayment(paylink, await logIn(paylink), again);
      assert.equal(second.status, 200);
      assert.notEqual(second.body.PaymentLinkCode, first.body.PaymentLinkCode);
    });

    test('a cancelled link has its own page and accepts no card', async () => {
      const { link, code } = await createLink(paylink);
      const form = fillCard(await visit(link), { number: success });
      const [row] = await query('select payment_id as id from payments where code = $1', [code]);
      await paylink.app.deps.db.inTenant(
        { companyId: paylink.merchant.companyId, mode: 'test' },
        async (tx) => {
          const move = {
            paymentId: String(row?.id),
            from: 'open',
            to: 'cancelled',
            at: clock.now(),
            actor: 'test',
          } as const;
          await transitionPayment(tx, move);
        },
      );
      const page = await visit(form.action, { method: 'POST', body: form.body });
      assert.equal(page.status, 200);
      assert.equal(formsOf(page).length, 0);
      assert.match(page.text, /shop\.example\/sorry/);
    });

    test('a token ends after 60 minutes and with its session, and a key when it is revoked', async () => {
      const credentials = await logIn(paylink);
      clock.advanceMs(59 * 60_000);
      assert.equal((await processPayment(paylink, credentials, orderOf())).status, 200);
      clock.advanceMs(2 * 60_000);
      assert.equal((await processPayment(paylink, credentials, orderOf())).body.code, 'expired_token');
      const fresh = await logIn(paylink);
      await query('update sessions set ended_at = now() where company_id = $1', [paylink.merchant.companyId]);
      assert.equal((await processPayment(paylink, fresh, orderOf())).body.code, 'invalid_token');
      const other = await paylink.createMerchant();
      const theirs = await logIn(paylink, other);
      await query('update api_keys set revoked_at = now() where company_id = $1', [other.companyId]);
      assert.equal((await processPayment(paylink, theirs, orderOf())).body.code, 'invalid_api_key');
    });

    test('ten wrong passwords pause the account for that client for half an hour', async () => {
      const merchant = await paylink.createMerchant();
      const url = `${paylink.baseUrl}/v1/auth/login`;
      const wrong = { email: merchant.email, password: 'wrong' };
      for (let i = 0; i < 10; i++) assert.equal((await post(url, wrong)).status, 401);
      const paused = await post(url, { email: merchant.email, password });
      assert.equal(paused.status, 429);
      assert.equal(paused.body.code, 'login_paused');
      const waitSeconds = Number(paused.headers.get('retry-after'));
      assert.ok(waitSeconds > 0 && waitSeconds <= 1800);
      assert.equal(
        (await post(url, { email: paylink.merchant.email, password })).status,
        200,
        'others are not paused',
      );
      clock.advanceMs(31 * 60_000);
      assert.equal((await post(url, { email: merchant.email, password })).status, 200);
    });
  });

  describe(`concurrency on the ${engine} database`, () => {
    test('of 40 concurrent wrong passwords some are checked and the others get 429, with ten guesses in all', async () => {
      const paylink = await startPaylink(engine);
      try {
        const wrong = { email: paylink.merchant.email, password: 'wrong' };
        const answers = await Promise.all(
          Array.from({ length: 40 }, async () => await post(`${paylink.baseUrl}/v1/auth/login`, wrong)),
        );
        for (let more = 0; more < 12; more++)
          answers.push(await post(`${paylink.baseUrl}/v1/auth/login`, wrong));
        assert.equal(answers.filter(({ status }) => status === 401).length, 10);
        assert.equal(answers.filter(({ status }) => status === 429).length, 42);
      } finally {
        await paylink.stop();
      }
    });

    test('an unreachable processor uses up no attempt of the link', async () => {
      const paylink = await startPaylink(engine);
      try {
        const { deps } = paylink.app;
        const { link, code } = await createLink(paylink);
        for (let i = 0; i < 8; i++) {
          await payWith(link, { number: losesAnswer });
          // As if the request had been lost instead of the response.
          await deps.db.asOwner.query(
            `update attempts set state = 'cancelled', decline_code = 'never_started' where company_id = $1`,
            [paylink.merchant.companyId],
          );
          await deps.db.asOwner.query(`update payments set state = 'open' where code = $1`, [code]);
        }
        assert.equal((await payWith(link, { number: '4000000000000127' })).status, 200);
        assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
      } finally {
        await paylink.stop();
      }
    });
  });

  describe(`rate limits and stopping on the ${engine} database`, () => {
    test('a login over the limit is refused with Retry-After and RateLimit headers', async () => {
      const paylink = await startPaylink(engine, { settings: { RATE_LIMIT_LOGIN_PER_MINUTE: '3' } });
      try {
        const body = { email: paylink.merchant.email, password };
        const url = `${paylink.baseUrl}/v1/auth/login`;
        const first = await post(url, body);
        assert.equal(first.headers.get('ratelimit-policy'), '"login";q=3;w=60');
        assert.match(first.headers.get('ratelimit') ?? '', /^"login";r=2;t=\d+$/);
        await post(url, body);
        await post(url, body);
        const refused = await post(url, body);
        assert.equal(refused.status, 429);
        assert.equal(refused.body.code, 'rate_limited');
        assert.ok(Number(refused.headers.get('retry-after')) > 0);
      } finally {
        await paylink.stop();
      }
    });

    test('a company over its rate limit is refused, and another company is not', async () => {
      const paylink = await startPaylink(engine, { settings: { RATE_LIMIT_PROCESS_PER_SECOND: '1' } });
      try {
        const [one, two] = [await logIn(paylink), await logIn(paylink, await paylink.createMerchant())];
        const answers = await Promise.all(
          Array.from({ length: 12 }, async () => await processPayment(paylink, one, orderOf())),
        );
        assert.ok(answers.some(({ status }) => status === 200));
        assert.ok(answers.some(({ status, body }) => status === 429 && body.code === 'rate_limited'));
        assert.equal((await processPayment(paylink, two, orderOf())).status, 200);
      } finally {
        await paylink.stop();
      }
    });

    test('during a stop the current request finishes with Connection: close, and the service is not ready', async () => {
      // Not searched: that would come before the stop, which must begin while the processor is being asked.
      const paylink = await startPaylink(engine, { processorTimeoutMs: 5_000, isSearched: false });
      const { link, code } = await createLink(paylink);
      const { action, body } = fillCard(await visit(link), { number: answersLate });
      const paying = fetch(action, { method: 'POST', body, redirect: 'manual' });
      const processing = async () =>
        await paylink.app.deps.db.asOwner.query(
          `select 1 as one from payments where code = $1 and state = 'processing'`,
          [code],
        );
      while ((await processing()).length === 0) await sleep(20);
      const stopped = paylink.stop();
      const answer = await paying;
      assert.equal(answer.status, 303);
      assert.equal(answer.headers.get('connection'), 'close');
      await stopped;
      await assert.rejects(fetch(`${paylink.baseUrl}/readyz`));
    });
  });
}
