// Cases, and the nightly comparison of the database with the processor's list. Each difference is planted in the
// sandbox's records or in ours. On both databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import type { Processor } from '../src/processors/processor.ts';
import { reconcileRefund, refundPayment } from '../src/refunds/refund-payment.ts';
import { reportDeadWork } from '../src/schedule.ts';
import { compareAllProcessors, verifyAllLedgers } from '../src/verify-companies.ts';
import { builtInOf, onlyProcessor } from './acquirer/acquirer-processor.ts';
import { createLink, credentialHeaders, logIn } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

const success = '4242424242424242';
const asksForChallenge = '4000002760003184';
const dayMs = 24 * 60 * 60 * 1000;

for (const engine of engines) {
  describe(`cases and differences (${engine})`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    before(async () => {
      // The test runs the jobs itself.
      paylink = await startPaylink(engine, { clock, isAtWork: false });
    });
    after(async () => await paylink.stop());

    const query = async (text: string, values: unknown[] = []) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);
    /** The findings of a comparison an hour and a half later, so that the present is inside its period. */
    const compare = async () => {
      clock.advanceMs(90 * 60 * 1000);
      const { findings } = await compareAllProcessors(paylink.app.deps);
      return findings.map(({ sentence }) => sentence);
    };
    /** Moves the clock so that no later comparison includes the earlier plants. */
    const forget = () => clock.advanceMs(5 * dayMs);
    const attemptOf = async (code: string) => {
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      return String(row?.id);
    };
    const paidAttempt = async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: success });
      return { code, attemptId: await attemptOf(code) };
    };
    /** An attempt that ended without money in our records, and with money in the sandbox's. */
    const takenLate = async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: asksForChallenge });
      const attemptId = await attemptOf(code);
      await query(`update attempts set state = 'cancelled' where attempt_id = $1`, [attemptId]);
      await query(`update payments set state = 'open' where code = $1`, [code]);
      await query(`update sandbox_charges set state = 'succeeded' where idempotency_key = $1`, [attemptId]);
      return { code, attemptId };
    };
    const surplusOf = async (attemptId: string) =>
      await query(
        `select refund_id as id, state from refunds where attempt_id = $1 and kind = 'surplus' order by 1`,
        [attemptId],
      );
    const reconcile = async (refundId: unknown) =>
      await reconcileRefund(paylink.app.deps, {
        companyId: paylink.merchant.companyId,
        refundId: String(refundId),
      });
    const listCases = async () => {
      const headers = credentialHeaders(await logIn(paylink));
      const response = await fetch(`${paylink.baseUrl}/v1/cases`, { headers });
      assert.equal(response.status, 200);
      return ((await response.json()) as { data: Record<string, unknown>[] }).data;
    };

    test('the comparison finds no differences for paid, partially refunded, declined and pending payments', async () => {
      const { code } = await paidAttempt();
      const { companyId } = paylink.merchant;
      const order = { companyId, mode: 'test', code, amount: 5, createdBy: 'test' } as const;
      assert.equal((await refundPayment(paylink.app.deps, order)).state, 'succeeded');
      await payWith((await createLink(paylink)).link, { number: '4000000000000002' });
      await payWith((await createLink(paylink)).link, { number: asksForChallenge });
      assert.deepEqual(await compare(), []);
    });

    test('what the processor charges for a payment is in its fee once its records say so', async () => {
      forget();
      const feeOf = async (code: string) => {
        const headers = credentialHeaders(await logIn(paylink));
        const response = await fetch(`${paylink.baseUrl}/v1/payments/${code}`, { headers });
        const { fee, version } = (await response.json()) as { fee: number | null; version: number };
        return { fee, version };
      };
      const { code, attemptId } = await paidAttempt();
      const other = await paidAttempt();
      const declined = await createLink(paylink);
      await payWith(declined.link, { number: '4000000000000002' });
      const { version } = await feeOf(code);
      const sandbox = builtInOf(paylink.app.deps.processors);
      const compareCharging = async (feeMinor: number, change: object = {}) => {
        const charging: Processor = {
          ...sandbox,
          list: async (request, signal) => {
            const page = await sandbox.list(request, signal);
            const movements = page.movements.map((one) =>
              one.key === attemptId ? { ...one, feeMinor, ...change } : one,
            );
            return { ...page, movements };
          },
        };
        const deps = { ...paylink.app.deps, processors: onlyProcessor(charging) };
        return (await compareAllProcessors(deps)).findings;
      };
      clock.advanceMs(90 * 60 * 1000);
      const [different] = await compareCharging(99, { amountMinor: 2_000 });
      assert.match(String(different?.sentence), /a charge with a different amount/);
      assert.equal((await feeOf(code)).fee, null, 'the processor lists another amount');
      assert.deepEqual(await compareCharging(54), []);
      assert.deepEqual(await feeOf(code), { fee: 0.54, version });
      assert.equal((await feeOf(other.code)).fee, null);
      assert.equal((await feeOf(declined.code)).fee, null);
      await compareCharging(60);
      assert.equal((await feeOf(code)).fee, 0.6, 'the processor has corrected it');
      assert.deepEqual(await compare(), []);
      assert.equal((await feeOf(code)).fee, 0.6, 'a list without fees leaves it');
    });

    test('money that only the processor’s list shows is recorded, refunded and reported once', async () => {
      forget();
      const { attemptId } = await takenLate();
      const [sentence, ...others] = await compare();
      assert.match(
        String(sentence),
        new RegExp(`${attemptId}, a charge for an attempt with status cancelled`),
      );
      assert.deepEqual(others, []);
      const [refund] = await surplusOf(attemptId);
      assert.ok(refund);
      await reconcile(refund.id);
      assert.deepEqual(await surplusOf(attemptId), [{ id: refund.id, state: 'succeeded' }]);
      const received = await query(
        `select type from events where attempt_id = $1 and type = 'payment.late'`,
        [attemptId],
      );
      assert.equal(received.length, 1);
      assert.deepEqual(await compare(), []);
    });

    test('an attempt in progress that the list shows as charged becomes paid, and is no difference', async () => {
      forget();
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: asksForChallenge });
      await query(`update sandbox_charges set state = 'succeeded' where idempotency_key = $1`, [
        await attemptOf(code),
      ]);
      assert.deepEqual(await compare(), []);
      assert.equal((await query('select state from payments where code = $1', [code]))[0]?.state, 'paid');
    });

    test('each kind of difference is found and named, in both directions', async () => {
      forget();
      const { companyId } = paylink.merchant;
      const other = await paidAttempt();
      await query(`update sandbox_charges set amount_minor = 2000 where idempotency_key = $1`, [
        other.attemptId,
      ]);
      const gone = await paidAttempt();
      await query('delete from sandbox_charges where idempotency_key = $1', [gone.attemptId]);
      const strange = await paidAttempt();
      await query(
        `insert into sandbox_charges (company_id, mode, idempotency_key, reference, state, amount_minor, currency, created_at)
         select company_id, mode, 'att_of_nobody', 'sbx_of_nobody', state, 777, currency, created_at
         from sandbox_charges where idempotency_key = $1`,
        [strange.attemptId],
      );
      const refund = async (code: string) =>
        (await refundPayment(paylink.app.deps, { mode: 'test', companyId, code, createdBy: 'test' }))
          .refundId;
      const lostRefund = await refund((await paidAttempt()).code);
      await query('delete from sandbox_refunds where idempotency_key = $1', [lostRefund]);
      const otherRefund = await refund((await paidAttempt()).code);
      await query('update sandbox_refunds set amount_minor = 5 where idempotency_key = $1', [otherRefund]);
      const strangeRefund = await refund((await paidAttempt()).code);
      await query(
        `insert into sandbox_refunds (company_id, mode, idempotency_key, charge_reference, reference, state, amount_minor, currency, created_at)
         select company_id, mode, 'ref_of_nobody', charge_reference, 'sbr_of_nobody', state, 3, currency, created_at
         from sandbox_refunds where idempotency_key = $1`,
        [strangeRefund],
      );
      const found = await compare();
      const expected = [
        `${other.attemptId}, a charge with a different amount: 2000 minor units there, 1999 minor units here.`,
        'att_of_nobody, a charge without an attempt: 777 minor units there, nothing here.',
        `${otherRefund}, a refund with a different amount: 5 minor units there, 1999 minor units here.`,
        'ref_of_nobody, a refund that Paylink does not know: 3 minor units there, nothing here.',
        `${gone.attemptId}, a charge that the processor does not have: nothing there, 1999 minor units here.`,
        `${lostRefund}, a refund that the processor does not have: nothing there, 1999 minor units here.`,
      ].map((text) => `sandbox and Paylink disagree about ${text}`);
      assert.deepEqual(found.sort(), expected.sort());
    });

    test('a refund that took days is no difference; one that was never made is', async () => {
      forget();
      const { companyId } = paylink.merchant;
      const sandbox = builtInOf(paylink.app.deps.processors);
      let isDone = false;
      const slow: Processor = {
        ...sandbox,
        refund: async (request, signal) => {
          const outcome = await sandbox.refund(request, signal);
          return isDone ? outcome : { kind: 'processing', reference: outcome.reference };
        },
      };
      const deps = { ...paylink.app.deps, processors: onlyProcessor(slow) };
      const order = async () => {
        const { code } = await paidAttempt();
        return (await refundPayment(deps, { mode: 'test', companyId, code, createdBy: 'test' })).refundId;
      };
      const [slowRefund, lostRefund] = [await order(), await order()];
      assert.deepEqual(await compare(), []);
      clock.advanceMs(3 * dayMs);
      isDone = true;
      for (const refundId of [slowRefund, lostRefund]) await reconcileRefund(deps, { companyId, refundId });
      await query('delete from sandbox_refunds where idempotency_key = $1', [lostRefund]);
      const [sentence, ...others] = await compare();
      assert.match(String(sentence), new RegExp(`${lostRefund}, a refund that the processor does not have`));
      assert.deepEqual(others, []);
    });

    test('a company whose list is unavailable is reported, and the others are still compared', async () => {
      forget();
      const other = await paylink.createMerchant({ name: 'Unlisted' });
      const sandbox = builtInOf(paylink.app.deps.processors);
      const failing: Processor = {
        ...sandbox,
        list: async (request, signal) => {
          if (request.companyId === other.companyId) throw new Error('the processor is out');
          return await sandbox.list(request, signal);
        },
      };
      await takenLate();
      clock.advanceMs(90 * 60 * 1000);
      const processors = onlyProcessor(failing);
      const { findings, companies } = await compareAllProcessors({ ...paylink.app.deps, processors });
      assert.ok(companies >= 2);
      const ofOther = findings.filter(({ companyId }) => companyId === other.companyId);
      assert.deepEqual(
        ofOther.map(({ sentence }) => sentence),
        ['The ledger could not be compared with sandbox: the processor is out'],
      );
      assert.equal(findings.length, 2);
    });

    test('a company whose ledger is unreadable is reported, and the others are still verified', async () => {
      const others = [
        await paylink.createMerchant({ name: 'First' }),
        await paylink.createMerchant({ name: 'Last' }),
      ];
      const [first, last] = others.map(({ companyId }) => companyId).sort();
      const { db } = paylink.app.deps;
      const seen: string[] = [];
      const inBothModes: typeof db.inBothModes = async (companyId, work) => {
        seen.push(companyId);
        if (companyId === first) throw new Error('canceling statement due to statement timeout');
        return await db.inBothModes(companyId, work);
      };
      const { companies, findings } = await verifyAllLedgers({ ...db, inBothModes });
      assert.equal(companies, new Set(seen).size);
      assert.ok(last && seen.includes(last));
      const ofFirst = findings.filter(({ companyId }) => companyId === first);
      assert.ok(ofFirst.length > 0);
      for (const { sentence } of ofFirst)
        assert.match(sentence, /^The comparison of .+ failed: canceling statement due to statement timeout$/);
    });

    test('a refused overpayment refund is a case at once, and is retried every half day until it succeeds', async () => {
      forget();
      const { code, attemptId } = await takenLate();
      await compare();
      await query(`update sandbox_charges set state = 'declined' where idempotency_key = $1`, [attemptId]);
      await reconcile((await surplusOf(attemptId))[0]?.id);
      const [refused] = await surplusOf(attemptId);
      assert.equal(refused?.state, 'failed');
      const [waiting] = (await listCases()).filter((one) => one.PaymentLinkCode === code);
      assert.equal(waiting?.refundId, refused?.id);
      assert.equal(waiting?.attemptId, attemptId);
      assert.equal(waiting?.status, 'failed');
      assert.equal(waiting?.failureCode, 'nothing_to_give_back');
      assert.equal(waiting?.amount, 19.99);

      await query(`update sandbox_charges set state = 'succeeded' where idempotency_key = $1`, [attemptId]);
      await compare();
      assert.equal((await surplusOf(attemptId)).length, 1, 'half a day has not passed');
      clock.advanceMs(dayMs / 2);
      assert.deepEqual(await compare(), []);
      const tries = await surplusOf(attemptId);
      assert.equal(tries.length, 2);
      await reconcile(tries[1]?.id);
      assert.deepEqual(
        (await surplusOf(attemptId)).map(({ state }) => state),
        ['failed', 'succeeded'],
      );
      assert.ok(!(await listCases()).some((one) => one.PaymentLinkCode === code));
      const events = await query(
        `select type from events where payment_id = (select payment_id from payments where code = $1)
           and type in ('payment.late', 'refund.escalated', 'refund.created', 'refund.failed', 'refund.succeeded') order by event_id`,
        [code],
      );
      assert.deepEqual(
        events.map(({ type }) => type),
        [
          'refund.created',
          'payment.late',
          'refund.failed',
          'refund.escalated',
          'refund.created',
          'refund.succeeded',
        ],
      );
      const faults = await paylink.app.deps.db.inBothModes(paylink.merchant.companyId, verifyLedger);
      assert.deepEqual(
        faults.filter(({ sourceId }) => sourceId === attemptId || tries.some(({ id }) => id === sourceId)),
        [],
      );
    });

    test('a refund that was refused but made after all is not made twice', async () => {
      forget();
      const { attemptId } = await takenLate();
      await compare();
      await query(`update sandbox_charges set state = 'declined' where idempotency_key = $1`, [attemptId]);
      const [refund] = await surplusOf(attemptId);
      await reconcile(refund?.id);
      await query(`update sandbox_charges set state = 'succeeded' where idempotency_key = $1`, [attemptId]);
      await query(`update sandbox_refunds set state = 'succeeded' where idempotency_key = $1`, [refund?.id]);
      clock.advanceMs(dayMs);
      const found = await compare();
      assert.equal(found.length, 1);
      assert.match(String(found[0]), new RegExp(`${refund?.id}, a refund with status failed`));
      assert.deepEqual(await surplusOf(attemptId), [{ id: refund?.id, state: 'failed' }]);
    });

    test('a refund that is unsettled for three days is escalated once, and still ends by a later report', async () => {
      const { code } = await paidAttempt();
      const { deps } = paylink.app;
      const { companyId } = paylink.merchant;
      const silent: Processor = {
        ...builtInOf(deps.processors),
        refund: async () => Promise.reject(new Error('no')),
      };
      const deaf = { ...deps, processors: onlyProcessor(silent) };
      const { refundId, state } = await refundPayment(deaf, {
        mode: 'test',
        companyId,
        code,
        createdBy: 'test',
      });
      assert.equal(state, 'unknown');
      const reconcileDeaf = async () =>
        await assert.rejects(reconcileRefund(deaf, { companyId, refundId }), /still unknown/);
      await reconcileDeaf();
      assert.ok(!(await listCases()).some((one) => one.refundId === refundId));
      clock.advanceMs(4 * dayMs);
      await reconcileDeaf();
      await reconcileDeaf();
      assert.equal((await listCases()).find((one) => one.refundId === refundId)?.status, 'unknown');
      const received = await query(
        `select type from events where type = 'refund.escalated' and data->>'refundId' = $1`,
        [refundId],
      );
      assert.equal(received.length, 1);
      await reconcile(refundId);
      assert.ok(!(await listCases()).some((one) => one.refundId === refundId));
    });

    test('the log reports dead work, and nothing when there is none', async () => {
      const said: object[] = [];
      const log = { ...paylink.app.deps.log, error: (fields: object) => said.push(fields) };
      const deps = { ...paylink.app.deps, log } as unknown as Parameters<typeof reportDeadWork>[0];
      await reportDeadWork(deps);
      assert.deepEqual(said, []);
      const [refund] = await query(
        `update refunds set state = 'unknown', due_at = 'infinity', last_error = 'gone'
         where refund_id = (select max(refund_id) from refunds) returning refund_id as id`,
      );
      await reportDeadWork(deps);
      // The reason may contain data of the work, which only `paylink jobs dead` shows.
      const newest = [{ id: refund?.id, kind: 'reconcile-refund' }];
      assert.deepEqual(said, [{ job: 'report-dead-jobs', count: 1, newest }]);
    });
  });
}
