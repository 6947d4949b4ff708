// Guarantees about webhooks: an authentic one names its subject; an unsigned, foreign or old one is forged.

import assert from 'node:assert/strict';
import type {
  ProcessorConnection,
  ProcessorWebhook,
  ProcessorWebhookSubject,
} from '../../../src/processors/processor.ts';
import type { SentWebhook } from '../kit/control.ts';
import { unproven } from '../kit/rig.ts';
import { type Bench, type Guarantee, guardMs, openBench, payWhole } from './bench.ts';

const dayMs = 24 * 60 * 60 * 1000;

type Arrived = { headers: Record<string, string>; body: Buffer; now: Date };

async function read(
  { rig }: Bench,
  arrived: Arrived,
  connection: ProcessorConnection = rig.connection,
): Promise<ProcessorWebhook> {
  assert.ok(rig.kind.readNotice, 'a processor that sends webhooks reads them');
  return await rig.kind.readNotice(connection, { ...arrived, ...unproven }, AbortSignal.timeout(guardMs));
}

/** The webhooks of a payment, as they would arrive. */
async function noticesOfPayment(bench: Bench) {
  const before = await bench.rig.webhooks();
  const paid = await payWhole(bench);
  const sent = (await bench.rig.webhooks()).slice(before.length);
  assert.ok(sent.length > 0, 'a payment has webhooks');
  const arrived = sent.map(
    ({ headers, body }: SentWebhook): Arrived => ({
      headers,
      body: Buffer.from(body),
      now: bench.rig.now(),
    }),
  );
  return { paid, arrived };
}

const newsOf = (notice: ProcessorWebhook): ProcessorWebhookSubject[] =>
  notice.kind === 'news' ? notice.news : [];

/** A webhook that reports a payment, as it arrived. */
async function realNotice(bench: Bench): Promise<{ attemptId: string; arrived: Arrived }> {
  const { paid, arrived } = await noticesOfPayment(bench);
  const { attemptId } = paid;
  for (const one of arrived) {
    const news = newsOf(await read(bench, one));
    if (news.some((result) => result.attemptId === attemptId)) return { attemptId, arrived: one };
  }
  throw new Error('no webhook names the attempt');
}

async function assertForged(bench: Bench, arrived: Arrived, what: string, connection?: ProcessorConnection) {
  const { kind } = await read(bench, arrived, connection);
  assert.equal(kind, 'forged', `${what} is forged`);
}

const sends: Guarantee['applies'] = ({ webhooks }) => webhooks !== 'none';
const signs: Guarantee['applies'] = ({ webhooks }) => webhooks === 'signed';

/** Texts that anybody could post to the address of a webhook. */
const nonsense = [
  '',
  '{}',
  'null',
  '[]',
  '{"id":"../../x"}',
  'id=',
  'id=../../x',
  'id=tr_x&id=tr_y',
  '\u0000',
];

export const notices: readonly Guarantee[] = [
  {
    title: 'the webhook of a payment names its attempt, and its claims are true',
    applies: sends,
    prove: async (bench) => {
      const { paid, arrived } = await noticesOfPayment(bench);
      const notices = await Promise.all(arrived.map(async (one) => await read(bench, one)));
      assert.ok(!notices.some(({ kind }) => kind === 'forged'), 'none of the real ones is called forged');
      const news = notices.flatMap(newsOf).filter(({ attemptId }) => attemptId === paid.attemptId);
      const claims = { ...paid, connectionId: bench.connection.connectionId };
      assert.ok(news.length > 0, 'one names the attempt');
      for (const claim of ['connectionId', 'amountMinor', 'currency'] as const) {
        for (const result of news)
          assert.ok(result[claim] === null || result[claim] === claims[claim], claim);
        assert.ok(
          news.some((result) => result[claim] !== null),
          `one of them claims its ${claim}`,
        );
      }
    },
  },
  {
    title: 'a webhook about another connection to the same account does not name this one',
    applies: sends,
    prove: async (bench) => {
      const { rig, features } = bench;
      const sharing = openBench(rig, features, rig.sameAccountConnection);
      const { paid, arrived } = await noticesOfPayment(sharing);
      for (const one of arrived) {
        for (const result of newsOf(await read(bench, one))) {
          if (result.attemptId === paid.attemptId)
            assert.equal(result.connectionId, sharing.connection.connectionId);
        }
      }
    },
  },
  {
    title: 'a repeated webhook has the same ID, and a new one has another',
    applies: sends,
    prove: async (bench) => {
      const { arrived } = await realNotice(bench);
      const [first, second] = [await read(bench, arrived), await read(bench, arrived)];
      assert.deepEqual(first, second);
      const other = await read(bench, (await realNotice(bench)).arrived);
      assert.ok(first.kind === 'news' && other.kind === 'news');
      assert.notEqual(first.noticeId, other.noticeId, 'two webhooks have two ids');
      assert.ok(first.noticeId.length <= 300);
    },
  },
  {
    title: 'a webhook with a changed byte is forged',
    applies: signs,
    prove: async (bench) => {
      const { arrived } = await realNotice(bench);
      const { length } = arrived.body;
      for (const place of [0, Math.floor(length / 3), Math.floor(length / 2), length - 1]) {
        const body = Buffer.from(arrived.body);
        body[place] = (body[place] ?? 0) ^ 1;
        await assertForged(bench, { ...arrived, body }, `byte ${place} changed`);
      }
      const longer = Buffer.concat([arrived.body, Buffer.from(' ')]);
      await assertForged(bench, { ...arrived, body: longer }, 'a body that is longer');
    },
  },
  {
    title: 'a webhook signed for another account is forged',
    applies: signs,
    prove: async (bench) => {
      const { arrived } = await realNotice(bench);
      await assertForged(bench, arrived, 'one of another account', bench.rig.otherConnection);
    },
  },
  {
    title: 'a webhook that is too old or from the future is forged',
    applies: signs,
    prove: async (bench) => {
      const { arrived } = await realNotice(bench);
      for (const ms of [bench.features.webhookLifeMs ?? dayMs, -dayMs])
        await assertForged(bench, { ...arrived, now: new Date(arrived.now.getTime() + ms) }, 'its time');
    },
  },
  {
    title: 'a webhook without its own signature is forged',
    applies: signs,
    prove: async (bench) => {
      const { arrived } = await realNotice(bench);
      await assertForged(bench, { ...arrived, headers: {} }, 'one without headers');
      const unsigned = { 'content-type': 'application/json', 'content-length': '1', host: 'x' };
      await assertForged(bench, { ...arrived, headers: unsigned }, 'one without a signature');
      const proof = Object.entries(arrived.headers).filter(([name]) => name !== 'content-type');
      const blank = Object.fromEntries(proof.map(([name]) => [name, '']));
      await assertForged(bench, { ...arrived, headers: { ...arrived.headers, ...blank } }, 'a blank one');
      const other = (await realNotice(bench)).arrived;
      await assertForged(bench, { ...arrived, headers: other.headers }, 'one with the signature of another');
    },
  },
  {
    title: 'an unsigned webhook is no news to an account without the named object',
    applies: (features) => features.webhooks === 'unsigned',
    prove: async (bench) => {
      const { arrived } = await realNotice(bench);
      const result = await read(bench, arrived, bench.rig.otherConnection);
      assert.notEqual(result.kind, 'news');
    },
  },
  {
    title: 'a malformed webhook is forged',
    applies: sends,
    prove: async (bench) => {
      const { arrived } = await realNotice(bench);
      const deep = '['.repeat(50_000);
      for (const text of [...nonsense, deep])
        await assertForged(bench, { ...arrived, body: Buffer.from(text) }, JSON.stringify(text.slice(0, 20)));
    },
  },
];
