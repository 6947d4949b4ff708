// Webhooks of processors, on a processor made here: one page, one secret, and a notice that says whatever a
// test wants. What each real processor signs is shown beside its own fake.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newConnectionId } from '../src/base/ids.ts';
import { sealCredentials } from '../src/connections/open-connection.ts';
import type {
  AttemptRequest,
  Notice,
  NoticeNews,
  Outcome,
  ProcessorKind,
} from '../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../src/processors/registry.ts';
import { createLink } from './harness/client.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { visit } from './harness/visitor.ts';
import { choose } from './harness/ways.ts';

type Desk = { outcomes: Map<string, Outcome>; asked: string[]; isDown: boolean };

/** A processor with a page of its own, whose word on each attempt the test writes. */
function createDesk(): Desk & { kind: ProcessorKind } {
  const desk: Desk = { outcomes: new Map(), asked: [], isDown: false };
  const answer = ({ attemptId }: AttemptRequest): Outcome => {
    desk.asked.push(attemptId);
    const outcome = desk.outcomes.get(attemptId);
    if (desk.isDown || !outcome) throw new Error('the desk is closed');
    return outcome;
  };
  const kind: ProcessorKind = {
    name: 'desk',
    title: 'Desk',
    takes: 'page',
    modes: ['test'],
    currencies: ['EUR'],
    actionLifeMs: 30 * 60 * 1000,
    mayOutliveLink: false,
    fields: [],
    check: async () => ({ kind: 'good', holder: 'Desk', account: 'desk' }),
    readNotice: async ({ credentials }, { headers, body }) => {
      if (desk.isDown) throw new Error('the desk is closed');
      if (headers['x-signature'] !== credentials.secret) return { kind: 'forged', why: 'signature' };
      return JSON.parse(body.toString()) as Notice;
    },
    connect: () => ({
      name: 'desk',
      refuseCard: () => null,
      authorise: async ({ attemptId }) => {
        const outcome: Outcome = {
          kind: 'requires_action',
          reference: `desk-${attemptId}`,
          url: `https://desk.example/${attemptId}`,
        };
        desk.outcomes.set(attemptId, outcome);
        return outcome;
      },
      query: async (request) => answer(request),
      cancel: async (request) => answer(request),
      capture: async (request) => answer(request),
      refund: async ({ refundId, amountMinor, currency }) => {
        desk.asked.push(refundId);
        return { kind: 'succeeded', reference: `desk-${refundId}`, amountMinor, currency };
      },
      list: async () => ({ movements: [], nextCursor: null }),
      instruct: async () => null,
    }),
  };
  return Object.assign(desk, { kind });
}

const secret = 'desk-secret-of-these-tests';

async function connect(paylink: Paylink, { companyId, accountId }: Merchant): Promise<string> {
  const connectionId = newConnectionId(companyId);
  const { keyring, db } = paylink.app.deps;
  const sealed = sealCredentials(keyring, { companyId, connectionId }, { secret });
  await db.asOwner.query(
    `insert into connections (company_id, connection_id, processor, mode, name, currencies, position, sealed, key_id,
                              created_by, created_at, updated_at)
     values ($1, $2, 'desk', 'test', 'Desk', '{EUR}', 0, $3, $4, $5, now(), now())`,
    [companyId, connectionId, sealed, keyring.keyId, accountId],
  );
  return connectionId;
}

for (const engine of engines) {
  describe(`webhooks of processors (${engine})`, () => {
    const desk = createDesk();
    let paylink: Paylink;
    let connectionId: string;
    before(async () => {
      paylink = await startPaylink(engine, {
        processors: (deps) => listProcessors(createProcessors(deps).builtIn, [desk.kind]),
      });
      connectionId = await connect(paylink, paylink.merchant);
    });
    after(async () => await paylink.stop());
    beforeEach(() => {
      desk.asked.length = 0;
      desk.isDown = false;
    });

    const query = async (text: string, values: unknown[]) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);

    /** Begins an attempt at the desk. */
    async function begin(): Promise<{ code: string; link: string; attemptId: string }> {
      const { link, code } = await createLink(paylink);
      await choose(await visit(link), connectionId);
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      return { code, link, attemptId: String(row?.id) };
    }

    const newsOf = (attemptId: string, other: Partial<NoticeNews> = {}): NoticeNews => ({
      ...{ attemptId, refundId: null, connectionId, amountMinor: 1999, currency: 'EUR' },
      ...other,
    });
    const noticeOf = (...news: NoticeNews[]): Notice => ({
      ...{ kind: 'news', noticeId: `n-${randomBytes(8).toString('hex')}`, news },
    });

    async function send(
      notice: Notice,
      options: { signature?: string; to?: string; processor?: string } = {},
    ): Promise<number> {
      const { to = connectionId, processor = 'desk', signature = secret } = options;
      const response = await fetch(`${paylink.baseUrl}/processors/${processor}/webhook/${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-signature': signature },
        body: JSON.stringify(notice),
      });
      await response.text();
      return response.status;
    }

    const succeeded = (attemptId: string): Outcome => ({
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

    /** Sends a notice and says how its verdict's count has grown. */
    async function sendCounted(
      verdict: string,
      notice: Notice,
      options: Parameters<typeof send>[1] = {},
    ): Promise<number> {
      const before = await countOf(verdict);
      const status = await send(notice, options);
      assert.equal((await countOf(verdict)) - before, 1, `counted as ${verdict}`);
      assert.ok(paylink.log().includes(`"verdict":"${verdict}"`), `logged as ${verdict}`);
      return status;
    }

    test('a webhook about an attempt has the processor asked, whose word alone is recorded', async () => {
      const { code, attemptId } = await begin();
      const early = noticeOf(newsOf(attemptId));
      assert.equal(await sendCounted('accepted', early), 200);
      assert.deepEqual([await stateOf(code), desk.asked], ['processing', [attemptId]]);
      desk.outcomes.set(attemptId, succeeded(attemptId));
      assert.equal(await sendCounted('accepted', noticeOf(newsOf(attemptId))), 200);
      assert.equal(await stateOf(code), 'paid');
    });

    test('a webhook that was not signed with the secret of its connection changes nothing, and nobody is asked', async () => {
      const { code, attemptId } = await begin();
      desk.outcomes.set(attemptId, succeeded(attemptId));
      const forged = noticeOf(newsOf(attemptId));
      assert.equal(await sendCounted('forged', forged, { signature: 'another' }), 400);
      assert.deepEqual([await stateOf(code), desk.asked], ['processing', []]);
    });

    for (const [what, other] of [
      ['another amount', { amountMinor: 2000 }],
      ['another currency', { currency: 'USD' }],
      ['another account', { connectionId: 'con_of_somebody_else' }],
      ['an attempt that nobody has', { attemptId: 'att_01m7wf3wswavyweszg1v4e9mnp' }],
      ['a refund that nobody has', { refundId: 'ref_01m7wf3wswavyweszg1v4e9mnp' }],
    ] as const)
      test(`a webhook with the right signature and ${what} changes nothing, and nobody is asked`, async () => {
        const { code, attemptId } = await begin();
        desk.outcomes.set(attemptId, succeeded(attemptId));
        assert.equal(await sendCounted('mismatched', noticeOf(newsOf(attemptId, other))), 200);
        assert.deepEqual([await stateOf(code), desk.asked], ['processing', []]);
      });

    test('a webhook about an attempt of another connection or another company changes nothing', async () => {
      const { code, attemptId } = await begin();
      desk.outcomes.set(attemptId, succeeded(attemptId));
      const second = await connect(paylink, paylink.merchant);
      const news = newsOf(attemptId, { connectionId: null });
      assert.equal(await send(noticeOf(news), { to: second }), 200);
      const stranger = await connect(paylink, await paylink.createMerchant());
      assert.equal(await send(noticeOf(news), { to: stranger }), 200);
      assert.deepEqual([await stateOf(code), desk.asked], ['processing', []]);
    });

    test('a webhook that is sent again is no news: it is counted, and nobody is asked again', async () => {
      const { attemptId } = await begin();
      desk.outcomes.set(attemptId, succeeded(attemptId));
      const notice = noticeOf(newsOf(attemptId));
      assert.equal(await send(notice), 200);
      desk.asked.length = 0;
      assert.equal(await sendCounted('replayed', notice), 200);
      assert.deepEqual(desk.asked, []);
    });

    test('webhooks out of order take nothing back: after the end of an attempt none is news', async () => {
      const { code, attemptId } = await begin();
      desk.outcomes.set(attemptId, succeeded(attemptId));
      assert.equal(await send(noticeOf(newsOf(attemptId))), 200);
      desk.outcomes.set(attemptId, { kind: 'void' });
      desk.asked.length = 0;
      assert.equal(await sendCounted('accepted', noticeOf(newsOf(attemptId))), 200);
      assert.deepEqual([await stateOf(code), desk.asked], ['paid', []]);
    });

    test('a webhook that could not be read for want of an answer is refused with 503, and taken when it comes again', async () => {
      const { code, attemptId } = await begin();
      desk.outcomes.set(attemptId, succeeded(attemptId));
      const notice = noticeOf(newsOf(attemptId));
      desk.isDown = true;
      assert.equal(await send(notice), 503);
      assert.equal(await stateOf(code), 'processing');
      desk.isDown = false;
      assert.equal(await sendCounted('accepted', notice), 200);
      assert.equal(await stateOf(code), 'paid');
    });

    test('a webhook about nothing of ours is taken and counted', async () => {
      assert.equal(await sendCounted('irrelevant', { kind: 'irrelevant', noticeId: 'n-other' }), 200);
      assert.deepEqual(desk.asked, []);
    });

    test('an address that is nobody’s answers 404, whatever is wrong with it', async () => {
      const notice = noticeOf();
      assert.equal(await send(notice, { to: newConnectionId(paylink.merchant.companyId) }), 404);
      assert.equal(await send(notice, { to: 'con_x' }), 404);
      assert.equal(await send(notice, { processor: 'sandbox' }), 404);
      assert.equal(await send(notice, { processor: 'nobody' }), 404);
      const gone = await connect(paylink, paylink.merchant);
      await query(
        `update connections set deleted_at = now(), is_enabled = false, sealed = null, key_id = null
         where connection_id = $1`,
        [gone],
      );
      assert.equal(await send(notice, { to: gone }), 404);
    });

    test('a webhook of more than 256 KiB is refused', async () => {
      const notice: Notice = { kind: 'irrelevant', noticeId: 'x'.repeat(300 * 1024) };
      assert.equal(await send(notice), 413);
    });
  });
}
