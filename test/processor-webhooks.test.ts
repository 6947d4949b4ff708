// Processor webhooks, with a stub processor: one page, one secret, and any webhook. The tests of each adapter cover its
// own signatures.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newConnectionId } from '../src/base/ids.ts';
import type {
  AttemptOutcome,
  ProcessorWebhook,
  ProcessorWebhookSubject,
} from '../src/processors/processor.ts';
import { createLink } from './harness/client.ts';
import { engines, type Paylink } from './harness/paylink.ts';
import { chooseMethod } from './harness/payment-methods.ts';
import { until } from './harness/process.ts';
import {
  connectScriptedProcessor,
  createScriptedProcessor,
  scriptedProcessorSecret,
  startWithScriptedProcessor,
} from './harness/scripted-processor.ts';
import { visit } from './harness/visitor.ts';

for (const engine of engines) {
  describe(`processor webhooks (${engine})`, () => {
    const stubProcessor = createScriptedProcessor();
    let paylink: Paylink;
    let connectionId: string;
    before(async () => {
      paylink = await startWithScriptedProcessor(engine, stubProcessor);
      connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
    });
    after(async () => await paylink.stop());
    beforeEach(() => {
      stubProcessor.asked.length = 0;
      stubProcessor.isDown = false;
    });

    const query = async (text: string, values: unknown[]) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);

    /** Starts an attempt at the stub processor. */
    async function begin(): Promise<{ code: string; link: string; attemptId: string }> {
      const { link, code } = await createLink(paylink);
      await chooseMethod(await visit(link), connectionId);
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      return { code, link, attemptId: String(row?.id) };
    }

    const newsOf = (
      attemptId: string,
      other: Partial<ProcessorWebhookSubject> = {},
    ): ProcessorWebhookSubject => ({
      ...{ attemptId, refundId: null, connectionId, amountMinor: 1999, currency: 'EUR' },
      ...other,
    });
    const noticeOf = (...news: ProcessorWebhookSubject[]): ProcessorWebhook => ({
      ...{ kind: 'news', noticeId: `n-${randomBytes(8).toString('hex')}`, news },
    });

    async function send(
      notice: ProcessorWebhook,
      options: { signature?: string; to?: string; processor?: string; from?: string } = {},
    ): Promise<number> {
      const {
        to = connectionId,
        processor = 'desk',
        signature = scriptedProcessorSecret,
        from = '203.0.113.1',
      } = options;
      const response = await fetch(`${paylink.baseUrl}/processors/${processor}/webhook/${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-signature': signature, 'x-forwarded-for': from },
        body: JSON.stringify(notice),
      });
      await response.text();
      return response.status;
    }

    const succeeded = (attemptId: string): AttemptOutcome => ({
      ...{ kind: 'succeeded', reference: `desk-${attemptId}`, amountMinor: 1999, currency: 'EUR' },
    });

    async function stateOf(code: string): Promise<unknown> {
      const [row] = await query('select state from payments where code = $1', [code]);
      return row?.state;
    }

    async function countOf(verdict: string): Promise<number> {
      const [row] = await query(
        'select count::int as count from processor_notice_counts where connection_id = $1 and verdict = $2',
        [connectionId, verdict],
      );
      return Number(row?.count ?? 0);
    }

    /** Sends a webhook. Returns how the count of its verdict has grown. */
    async function sendCounted(
      verdict: string,
      notice: ProcessorWebhook,
      options: Parameters<typeof send>[1] = {},
    ): Promise<number> {
      const before = await countOf(verdict);
      const status = await send(notice, options);
      assert.equal((await countOf(verdict)) - before, 1, `counted as ${verdict}`);
      assert.ok(paylink.log().includes(`"verdict":"${verdict}"`), `logged as ${verdict}`);
      return status;
    }

    test('a webhook about an attempt triggers a query, and only its result is recorded', async () => {
      const { code, attemptId } = await begin();
      const early = noticeOf(newsOf(attemptId));
      assert.equal(await sendCounted('accepted', early), 200);
      assert.deepEqual([await stateOf(code), stubProcessor.asked], ['processing', [attemptId]]);
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      assert.equal(await sendCounted('accepted', noticeOf(newsOf(attemptId))), 200);
      assert.equal(await stateOf(code), 'paid');
    });

    test('a webhook without its connection’s signature changes nothing and triggers no query', async () => {
      const { code, attemptId } = await begin();
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      const forged = noticeOf(newsOf(attemptId));
      assert.equal(await sendCounted('forged', forged, { signature: 'another' }), 400);
      assert.deepEqual([await stateOf(code), stubProcessor.asked], ['processing', []]);
    });

    for (const [what, other] of [
      ['another amount', { amountMinor: 2000 }],
      ['another currency', { currency: 'USD' }],
      ['another account', { connectionId: 'con_of_somebody_else' }],
      ['an attempt that nobody has', { attemptId: 'att_01m7wf3wswavyweszg1v4e9mnp' }],
      ['a refund that nobody has', { refundId: 'ref_01m7wf3wswavyweszg1v4e9mnp' }],
    ] as const)
      test(`a correctly signed webhook with ${what} changes nothing and triggers no query`, async () => {
        const { code, attemptId } = await begin();
        stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
        assert.equal(await sendCounted('mismatched', noticeOf(newsOf(attemptId, other))), 200);
        assert.deepEqual([await stateOf(code), stubProcessor.asked], ['processing', []]);
      });

    test('a webhook about an attempt of another connection or company changes nothing', async () => {
      const { code, attemptId } = await begin();
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      const second = await connectScriptedProcessor(paylink, paylink.merchant);
      const news = newsOf(attemptId, { connectionId: null });
      assert.equal(await send(noticeOf(news), { to: second }), 200);
      const stranger = await connectScriptedProcessor(paylink, await paylink.createMerchant());
      assert.equal(await send(noticeOf(news), { to: stranger }), 200);
      assert.deepEqual([await stateOf(code), stubProcessor.asked], ['processing', []]);
    });

    test('a repeated webhook is counted and triggers no query', async () => {
      const { attemptId } = await begin();
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      const notice = noticeOf(newsOf(attemptId));
      assert.equal(await send(notice), 200);
      stubProcessor.asked.length = 0;
      assert.equal(await sendCounted('replayed', notice), 200);
      assert.deepEqual(stubProcessor.asked, []);
    });

    test('webhooks out of order change nothing after an attempt has ended', async () => {
      const { code, attemptId } = await begin();
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      assert.equal(await send(noticeOf(newsOf(attemptId))), 200);
      stubProcessor.outcomes.set(attemptId, { kind: 'void' });
      stubProcessor.asked.length = 0;
      assert.equal(await sendCounted('accepted', noticeOf(newsOf(attemptId))), 200);
      assert.deepEqual([await stateOf(code), stubProcessor.asked], ['paid', []]);
    });

    test('a webhook that cannot be read without a response gets 503, and is accepted when repeated', async () => {
      const { code, attemptId } = await begin();
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      const notice = noticeOf(newsOf(attemptId));
      stubProcessor.isDown = true;
      assert.equal(await send(notice), 503);
      assert.equal(await stateOf(code), 'processing');
      stubProcessor.isDown = false;
      assert.equal(await sendCounted('accepted', notice), 200);
      assert.equal(await stateOf(code), 'paid');
    });

    test('a webhook whose query gets no response gets 503, and its repetition is processed', async () => {
      const { code, attemptId } = await begin();
      stubProcessor.outcomes.delete(attemptId);
      const notice = noticeOf(newsOf(attemptId));
      assert.equal(await send(notice), 503);
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      assert.equal(await sendCounted('accepted', notice), 200);
      assert.equal(await stateOf(code), 'paid');
    });

    test('money collected after its attempt ended is refunded as soon as a webhook reports it', async () => {
      const { code, link, attemptId } = await begin();
      stubProcessor.outcomes.set(attemptId, { kind: 'void' });
      await visit(`${link}/back/${attemptId}`);
      assert.equal(await stateOf(code), 'open');
      stubProcessor.outcomes.set(attemptId, succeeded(attemptId));
      assert.equal(await sendCounted('accepted', noticeOf(newsOf(attemptId))), 200);
      const refunds = await query(
        `select kind, amount_minor::int as amount from refunds where attempt_id = $1`,
        [attemptId],
      );
      assert.deepEqual(refunds, [{ kind: 'surplus', amount: 1999 }]);
      assert.equal(await stateOf(code), 'open');
      // Its job also queries the stub processor: wait for it here, so that it does not disturb another test.
      const sent = `select 1 as one from refunds where attempt_id = $1 and state = 'succeeded'`;
      await until(async () => (await query(sent, [attemptId])).length > 0, 'the money to go back');
    });

    test('a flood of forged webhooks from one client does not block others', async () => {
      const { attemptId } = await begin();
      const notice = noticeOf(newsOf(attemptId));
      const forger = '203.0.113.7';
      await query('delete from rate_limits', []);
      assert.equal(await send(notice, { signature: 'another', from: forger }), 400);
      // Fills every limit that counted this webhook, as a thousand more would.
      await query(`update rate_limits set full_at = now() + interval '1 hour'`, []);
      assert.equal(await send(notice, { signature: 'another', from: forger }), 429);
      assert.equal(await send(notice, { from: '203.0.113.8' }), 200);
      await query('delete from rate_limits', []);
    });

    test('an unrelated webhook is accepted and counted', async () => {
      assert.equal(await sendCounted('irrelevant', { kind: 'irrelevant', noticeId: 'n-other' }), 200);
      assert.deepEqual(stubProcessor.asked, []);
    });

    test('an unknown webhook address gets 404', async () => {
      const notice = noticeOf();
      assert.equal(await send(notice, { to: newConnectionId(paylink.merchant.companyId) }), 404);
      assert.equal(await send(notice, { to: 'con_x' }), 404);
      assert.equal(await send(notice, { processor: 'sandbox' }), 404);
      assert.equal(await send(notice, { processor: 'nobody' }), 404);
      const gone = await connectScriptedProcessor(paylink, paylink.merchant);
      await query(
        `update connections set deleted_at = now(), is_enabled = false, sealed = null, key_id = null
         where connection_id = $1`,
        [gone],
      );
      assert.equal(await send(notice, { to: gone }), 404);
    });

    test('a webhook of more than 256 KiB is refused', async () => {
      const notice: ProcessorWebhook = { kind: 'irrelevant', noticeId: 'x'.repeat(300 * 1024) };
      assert.equal(await send(notice), 413);
    });
  });
}
