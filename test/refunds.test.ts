// Refunds, cancelled and expired links: never more than was captured, and every movement in the ledger. On both
// databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { reconcileAttempt } from '../src/attempts/reconcile-attempt.ts';
import { recordOutcome } from '../src/attempts/record-outcome.ts';
import { ApiError } from '../src/base/errors.ts';
import { newId } from '../src/base/ids.ts';
import { isUnavailable } from '../src/db/outage.ts';
import { listBalances } from '../src/ledger/list-balances.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { cancelPayment } from '../src/links/cancel-payment.ts';
import { expirePayments } from '../src/links/expire-payments.ts';
import { escalateAttempt } from '../src/payments/case-store.ts';
import { reconcileRefund, refundPayment } from '../src/refunds/refund-payment.ts';
import { createLink } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { fillCard, payWith, visit } from './harness/visitor.ts';

const success = '4242424242424242';

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

for (const engine of engines) {
  describe(`refunds and final statuses on the ${engine} database`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    before(async () => {
      // The test runs the jobs itself.
      paylink = await startPaylink(engine, { clock, isAtWork: false });
    });
    after(async () => {
      const { companyId } = paylink.merchant;
      assert.deepEqual(await paylink.app.deps.db.inBothModes(companyId, verifyLedger), []);
      await paylink.stop();
    });

    const query = async (text: string, values: unknown[] = []) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);
    const refund = async (
      code: string,
      options: { amount?: number; expectedRemaining?: number; refundId?: string } = {},
    ) =>
      await refundPayment(paylink.app.deps, {
        mode: 'test',
        companyId: paylink.merchant.companyId,
        code,
        createdBy: 'test',
        ...options,
      });
    const cancel = async (code: string) =>
      await cancelPayment(paylink.app.deps, {
        mode: 'test',
        companyId: paylink.merchant.companyId,
        code,
        actor: 'test',
      });
    const paidLink = async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: success });
      return code;
    };
    const moneyOf = async (code: string) =>
      (
        await query(
          'select state, refunded_minor as refunded, refunding_minor as refunding from payments where code = $1',
          [code],
        )
      )[0];

    test('a payment is refunded partially, then in full, and never more', async () => {
      const code = await paidLink();
      assert.equal((await refund(code, { amount: 5 })).state, 'succeeded');
      assert.deepEqual(await moneyOf(code), { state: 'paid', refunded: 500, refunding: 0 });
      assert.equal(await codeOf(refund(code, { amount: 15 })), 'refund_too_large');
      assert.equal((await refund(code)).amountMinor, 1499);
      assert.deepEqual(await moneyOf(code), { state: 'paid', refunded: 1999, refunding: 0 });
      assert.equal(await codeOf(refund(code)), 'refund_too_large');
    });

    test('a stale expected remaining amount refuses the refund', async () => {
      const code = await paidLink();
      await refund(code, { amount: 5, expectedRemaining: 19.99 });
      assert.equal(await codeOf(refund(code, { amount: 5, expectedRemaining: 19.99 })), 'stale_remaining');
      assert.equal((await refund(code, { amount: 5, expectedRemaining: 14.99 })).state, 'succeeded');
    });

    test('50 concurrent refunds never exceed the paid amount', async () => {
      const code = await paidLink();
      // One that waits too long for the lock is repeated under its ID, as an idempotent request is.
      const refundOnce = async (refundId: string): Promise<string> => {
        try {
          return await codeOf(refund(code, { amount: 1, refundId }));
        } catch (error) {
          if (error instanceof Error && isUnavailable(error)) return await refundOnce(refundId);
          throw error;
        }
      };
      const ends = await Promise.all(
        Array.from({ length: 50 }, async () => await refundOnce(newId('ref', clock.now()))),
      );
      assert.equal(ends.filter((end) => end === 'done').length, 19);
      assert.equal(ends.filter((end) => end === 'refund_too_large').length, 31);
      assert.deepEqual(await moneyOf(code), { state: 'paid', refunded: 1900, refunding: 0 });
    });

    test('only a paid payment can be refunded', async () => {
      const { code } = await createLink(paylink);
      assert.equal(await codeOf(refund(code)), 'not_refundable');
      assert.equal(await codeOf(refund(`${code.slice(0, -1)}~`)), 'payment_not_found');
    });

    test('cancelling is final and repeatable, and refused for a payment in progress or ended', async () => {
      const { link, code } = await createLink(paylink);
      assert.equal((await cancel(code)).state, 'cancelled');
      assert.equal((await cancel(code)).state, 'cancelled');
      const busy = await createLink(paylink);
      await payWith(busy.link, { number: '4000002760003184' });
      assert.equal(await codeOf(cancel(busy.code)), 'payment_in_progress');
      assert.equal(await codeOf(cancel(await paidLink())), 'payment_ended');
      assert.equal((await visit(link)).status, 200);
    });

    test('cancelling an overdue link is refused and expires it', async () => {
      const { code } = await createLink(paylink);
      clock.advanceMs(8 * 24 * 60 * 60 * 1000);
      assert.equal(await codeOf(cancel(code)), 'payment_ended');
      assert.equal((await moneyOf(code))?.state, 'expired');
    });

    test('cancel racing pay: either nothing was charged, or the payment is paid', async () => {
      for (let round = 0; round < 10; round++) {
        const { link, code } = await createLink(paylink);
        const form = fillCard(await visit(link), { number: success });
        const [, cancelled] = await Promise.all([
          visit(form.action, { method: 'POST', body: form.body }),
          codeOf(cancel(code)),
        ]);
        const charges = await query(
          `select c.state from sandbox_charges c join attempts a on a.attempt_id = c.idempotency_key
           join payments p using (payment_id) where p.code = $1`,
          [code],
        );
        const state = (await moneyOf(code))?.state;
        assert.equal(state, cancelled === 'done' ? 'cancelled' : 'paid');
        assert.equal(charges.length, cancelled === 'done' ? 0 : 1);
      }
    });

    test('money that comes after the end of its attempt is recorded, reported and refunded once', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4000000000000127' });
      const [row] = await query(
        'select attempt_id as id, payment_id as payment from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      const attemptId = String(row?.id);
      await query(`update sandbox_charges set state = 'succeeded' where idempotency_key = $1`, [attemptId]);
      const late = { kind: 'succeeded', reference: 'sbx_late', amountMinor: 1999, currency: 'EUR' } as const;
      const { companyId } = paylink.merchant;
      for (const _time of [1, 2, 3])
        await recordOutcome(paylink.app.deps, {
          mode: 'test',
          companyId,
          attemptId,
          outcome: late,
          actor: 'test',
        });
      const refunds = await query(
        `select refund_id as id, kind, amount_minor as amount from refunds where attempt_id = $1`,
        [attemptId],
      );
      assert.equal(refunds.length, 1);
      await reconcileRefund(paylink.app.deps, { companyId, refundId: String(refunds[0]?.id) });
      const [sent] = await query('select state from refunds where attempt_id = $1', [attemptId]);
      assert.equal(sent?.state, 'succeeded');
      const received = await query(
        `select type from events where attempt_id = $1 and type = 'payment.late'`,
        [attemptId],
      );
      assert.equal(received.length, 1);
      assert.deepEqual(await moneyOf(code), { state: 'open', refunded: 0, refunding: 0 });
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
    });

    /** Reports to the service that the processor captured another amount than the link's 19.99. */
    async function takeOther(amountMinor: number): Promise<{ attemptId: string; state: string }> {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4000002760003184' });
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      const attemptId = String(row?.id);
      const outcome = { kind: 'succeeded', reference: 'sbx_wrong', amountMinor, currency: 'EUR' } as const;
      const { companyId } = paylink.merchant;
      const report = { companyId, mode: 'test' as const, attemptId, outcome, actor: 'test' };
      const { payment } = await recordOutcome(paylink.app.deps, report);
      return { attemptId, state: payment.state };
    }

    test('a partial charge does not pay an order, becomes a case, and is not refunded automatically', async () => {
      const { attemptId, state } = await takeOther(1998);
      assert.equal(state, 'processing');
      const [attempt] = await query(
        'select state, escalated_at is not null as "isCase" from attempts where attempt_id = $1',
        [attemptId],
      );
      assert.deepEqual(attempt, { state: 'processing', isCase: true });
      assert.deepEqual(await query('select kind from refunds where attempt_id = $1', [attemptId]), []);
      assert.deepEqual(await query('select kind from ledger_entries where source_id = $1', [attemptId]), []);
    });

    test('a charge of more than requested does not pay an order, and is refunded', async () => {
      const { attemptId, state } = await takeOther(2000);
      assert.equal(state, 'failed');
      const [refundRow] = await query(
        'select kind, amount_minor as amount from refunds where attempt_id = $1',
        [attemptId],
      );
      assert.deepEqual(refundRow, { kind: 'surplus', amount: 2000 });
    });

    test('the job expires links that nobody reads, except those being paid', async () => {
      const idle = await createLink(paylink);
      const busy = await createLink(paylink);
      await payWith(busy.link, { number: '4000002760003184' });
      clock.advanceMs(8 * 24 * 60 * 60 * 1000);
      assert.ok((await expirePayments(paylink.app.deps)) >= 1);
      assert.equal((await moneyOf(idle.code))?.state, 'expired');
      assert.equal((await moneyOf(busy.code))?.state, 'processing');
      assert.equal(await expirePayments(paylink.app.deps), 0);
    });

    test('an attempt without an outcome for three days becomes a case, once', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4000002760003184' });
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      const attemptId = String(row?.id);
      await query(
        `update sandbox_charges set state = 'pending', settles_at = '2999-01-01' where idempotency_key = $1`,
        [attemptId],
      );
      clock.advanceMs(4 * 24 * 60 * 60 * 1000);
      const { companyId } = paylink.merchant;
      for (const _time of [1, 2])
        await assert.rejects(reconcileAttempt(paylink.app.deps, { companyId, attemptId }));
      const received = await query(
        `select type from events where attempt_id = $1 and type = 'attempt.escalated'`,
        [attemptId],
      );
      assert.equal(received.length, 1);
    });

    test('an attempt whose processor was removed becomes a case, too', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: '4000002760003184' });
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      const { deps } = paylink.app;
      const attemptId = String(row?.id);
      const find = (name: string): never => {
        throw new Error(`there is no processor named ${name}`);
      };
      const removed = { ...deps, processors: { ...deps.processors, find } };
      clock.advanceMs(4 * 24 * 60 * 60 * 1000);
      const job = { companyId: paylink.merchant.companyId, attemptId };
      await assert.rejects(reconcileAttempt(removed, job), /still unknown/);
      const received = await query(
        `select data->>'state' as state from events where attempt_id = $1 and type = 'attempt.escalated'`,
        [attemptId],
      );
      assert.deepEqual(received, [{ state: 'unknown' }]);
    });

    test('an attempt that ends at the moment of its escalation becomes no case', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: success });
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      const handed = await paylink.app.deps.db.inTenant(
        { companyId: paylink.merchant.companyId, mode: 'test' },
        async (tx) => await escalateAttempt(tx, String(row?.id), clock.now()),
      );
      assert.equal(handed, null);
    });

    test('balances are captures minus refunds', async () => {
      const { companyId } = paylink.merchant;
      const balances = await paylink.app.deps.db.inTenant({ companyId, mode: 'test' }, listBalances);
      const of = (account: string) =>
        balances.find((balance) => balance.account === account)?.balanceMinor ?? 0n;
      assert.equal(
        balances.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n),
        0n,
      );
      assert.equal(of('processor'), -of('merchant') - of('refunds') - of('suspense'));
      assert.ok(of('merchant') < 0n && of('refunds') > 0n);
    });
  });
}
