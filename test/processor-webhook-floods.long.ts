// Floods of forged processor webhooks: their costs, effects and leftovers. Costs are counted as transactions and calls,
// with a stopped clock, so that no result depends on the machine's speed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { newConnectionId, newId } from '../src/base/ids.ts';
import { encryptCredentials } from '../src/connections/open-connection.ts';
import type { ProcessorWebhook } from '../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../src/processors/registry.ts';
import { webhookProof } from '../src/processors/webhook-proof.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Engine, type Paylink, startPaylink } from './harness/paylink.ts';
import {
  connectScriptedProcessor,
  createScriptedProcessor,
  scriptedProcessorSecret,
} from './harness/scripted-processor.ts';
import { countTransactions } from './harness/statements.ts';

/** The limits of a client before it is refused from memory, as documented. */
const forgedPerMinute = 120;
const missesPerMinute = 60;
const unprovenCallsPerMinute = 60;

const mollieKey = 'test_ofTheseTests0123456789012345';

/** A fake Mollie that knows the given payments and counts its calls. */
async function startMollie() {
  const payments = new Map<string, unknown>();
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    const [, id = ''] = /^\/v2\/payments\/(tr_\w+)/.exec(incoming.url ?? '') ?? [];
    asked.push(id);
    const payment = payments.get(id);
    response.writeHead(payment ? 200 : 404, { 'content-type': 'application/hal+json' });
    response.end(JSON.stringify(payment ?? { status: 404 }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments,
    asked,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function startWith(
  engine: Engine,
  stub: ReturnType<typeof createScriptedProcessor>,
  mollieUrl: string,
) {
  const clock = manualClock();
  const paylink = await startPaylink(engine, {
    clock,
    settings: { TRUSTED_PROXIES: 'loopback', MOLLIE_API_URL: mollieUrl },
    isAtWork: false,
    processors: (deps) => {
      const { builtIn, kinds } = createProcessors(deps);
      const mollie = kinds.filter(({ name }) => name === 'mollie');
      return listProcessors(builtIn, [stub.kind, ...mollie]);
    },
  });
  return { clock, paylink };
}

for (const engine of ['server', 'embedded'] as const)
  describe(`floods of forged processor webhooks (${engine})`, () => {
    const stub = createScriptedProcessor();
    let mollie: Awaited<ReturnType<typeof startMollie>>;
    let paylink: Paylink;
    let clock: ReturnType<typeof manualClock>;
    let transactions: () => number;
    before(async () => {
      mollie = await startMollie();
      ({ paylink, clock } = await startWith(engine, stub, mollie.url));
      transactions = countTransactions(paylink);
    });
    after(async () => {
      await paylink?.stop();
      mollie?.stop();
    });
    // Resets the limits that earlier tests have used up.
    beforeEach(async () => {
      clock.advanceMs(10 * 60_000);
      await paylink.app.deps.db.asOwner.query('delete from rate_limits');
      mollie.asked.length = 0;
    });

    type Sent = {
      to: string;
      processor?: string;
      from?: string;
      signature?: string;
      body?: string;
      query?: string;
    };
    async function send(sent: Sent): Promise<number> {
      const { to, processor = 'desk', from = '203.0.113.7', signature = 'forged', query = '' } = sent;
      const response = await paylink.app.server.inject({
        method: 'POST',
        url: `/processors/${processor}/webhook/${to}${query}`,
        remoteAddress: '127.0.0.1',
        headers: {
          'content-type': 'application/json',
          host: 'pay.example',
          'x-signature': signature,
          'x-forwarded-for': from,
        },
        payload: sent.body ?? '{"kind":"irrelevant","noticeId":"n-1"}',
      });
      return response.statusCode;
    }

    /** Sends many webhooks, 100 at a time. Returns the count of each status. */
    async function sendMany(count: number, sentOf: (index: number) => Sent): Promise<Record<number, number>> {
      const statuses: Record<number, number> = {};
      for (let from = 0; from < count; from += 100) {
        const some = Array.from({ length: Math.min(100, count - from) }, (_, index) => from + index);
        for (const status of await Promise.all(some.map(async (index) => await send(sentOf(index)))))
          statuses[status] = (statuses[status] ?? 0) + 1;
      }
      return statuses;
    }

    const limitRows = async () =>
      (await paylink.app.deps.db.asOwner.query<{ bucket: string }>('select bucket from rate_limits')).map(
        ({ bucket }) => bucket,
      );
    const irrelevant = (noticeId: string) =>
      JSON.stringify({ kind: 'irrelevant', noticeId } satisfies ProcessorWebhook);
    const lines = () => paylink.log().split('\n').length;

    async function connectMollie(): Promise<string> {
      const { companyId, accountId } = paylink.merchant;
      const connectionId = newConnectionId(companyId);
      const { keyring, db } = paylink.app.deps;
      const sealed = encryptCredentials(keyring, { companyId, connectionId }, { apiKey: mollieKey });
      await db.asOwner.query(
        `insert into connections (company_id, connection_id, processor, mode, name, holder, account, currencies, position,
                                  sealed, key_id, created_by, created_at, updated_at)
         values ($1, $2, 'mollie', 'test', 'Mollie', 'M', 'pfl_1', '{EUR}', 0, $3, $4, $5, now(), now())`,
        [companyId, connectionId, sealed, keyring.keyId, accountId],
      );
      return connectionId;
    }

    test('a client over its limit causes no statement, and one log line a minute', async () => {
      const to = await connectScriptedProcessor(paylink, paylink.merchant);
      const first = await sendMany(forgedPerMinute + 100, () => ({ to }));
      assert.deepEqual(first, { 400: forgedPerMinute, 429: 100 });
      const [transactionsBefore, linesBefore] = [transactions(), lines()];
      assert.deepEqual(await sendMany(1_500, () => ({ to })), { 429: 1_500 });
      assert.equal(transactions() - transactionsBefore, 0, 'transactions of 1,500 webhooks over the limit');
      assert.equal(lines() - linesBefore, 0, 'lines of the log within a minute');
      clock.advanceMs(4_000);
      await sendMany(100, () => ({ to }));
      clock.advanceMs(60_000);
      await sendMany(forgedPerMinute + 100, () => ({ to }));
      const counts = [...paylink.log().matchAll(/"count":(\d+),"msg":"processor webhooks refused/g)];
      // The first refusal, and after the minute the refusals of that minute with the current one.
      assert.deepEqual(
        counts.slice(-2).map(([, count]) => Number(count)),
        [1, 99 + 1_500 + 100 + 1],
      );
    });

    test('concurrent forged webhooks cause no more transactions than the limit allows', async () => {
      const to = await connectScriptedProcessor(paylink, paylink.merchant);
      await send({ to, signature: scriptedProcessorSecret, body: irrelevant('n-known') });
      const before = transactions();
      const all = Array.from({ length: 1_000 }, async () => await send({ to }));
      const statuses = await Promise.all(all);
      assert.equal(statuses.filter((status) => status === 400).length, forgedPerMinute);
      // One for the limit and one for the count of each webhook.
      assert.ok(transactions() - before <= 2 * forgedPerMinute, `${transactions() - before} transactions`);
    });

    test('invented connection IDs write no row and cause a limited number of queries', async () => {
      const { companyId } = paylink.merchant;
      const before = transactions();
      const statuses = await sendMany(16_000, () => ({ to: newConnectionId(companyId) }));
      assert.equal(transactions() - before, missesPerMinute, 'look-ups');
      assert.deepEqual(statuses, { 404: missesPerMinute, 429: 16_000 - missesPerMinute });
      assert.deepEqual(await limitRows(), []);
    });

    test('an unknown ID is queried once, for all clients', async () => {
      const to = newConnectionId(paylink.merchant.companyId);
      const before = transactions();
      const statuses = await sendMany(500, (index) => ({ to, from: `198.51.100.${index % 250}` }));
      assert.deepEqual(statuses, { 404: 500 });
      assert.ok(transactions() - before <= 1, `${transactions() - before} look-ups`);
    });

    test('stored limits refer to existing connections only', async () => {
      const to = await connectScriptedProcessor(paylink, paylink.merchant);
      await send({ to });
      await send({ to: newConnectionId(paylink.merchant.companyId) });
      await send({ to: `${to}x` });
      await send({ to: 'con_%00' });
      assert.deepEqual(await limitRows(), [`notices:${to} 203.0.113.7`]);
    });

    test('a signed webhook is accepted at once after 1,300 forged ones from the same address', async () => {
      const to = await connectScriptedProcessor(paylink, paylink.merchant);
      await sendMany(1_300, () => ({ to }));
      assert.equal(await send({ to }), 429, 'the address is over its limit');
      assert.equal(
        await send({ to, signature: scriptedProcessorSecret, body: irrelevant('n-genuine') }),
        200,
      );
      // Longer than a connection is cached: it is read again, and the invented IDs do not delay it.
      await sendMany(200, () => ({ to: newConnectionId(paylink.merchant.companyId) }));
      clock.advanceMs(11_000);
      assert.equal(
        await send({ to, signature: scriptedProcessorSecret, body: irrelevant('n-genuine-2') }),
        200,
      );
    });

    test('signed webhooks decrypt the credentials of their connection occasionally, not each time', async () => {
      const to = await connectScriptedProcessor(paylink, paylink.merchant);
      const { keyring } = paylink.app.deps;
      const { open } = keyring;
      let opened = 0;
      keyring.open = (...sealed) => {
        opened += 1;
        return open(...sealed);
      };
      try {
        await sendMany(300, (index) => ({
          to,
          signature: scriptedProcessorSecret,
          body: irrelevant(`n-${index}`),
        }));
        clock.advanceMs(11_000);
        await sendMany(100, (index) => ({
          to,
          signature: scriptedProcessorSecret,
          body: irrelevant(`n-${index}`),
        }));
      } finally {
        keyring.open = open;
      }
      assert.equal(opened, 1);
    });

    test('a changed secret works at once, even while the old one is cached', async () => {
      const to = await connectScriptedProcessor(paylink, paylink.merchant);
      assert.equal(await send({ to, signature: scriptedProcessorSecret }), 200);
      const { companyId } = paylink.merchant;
      const { keyring, db } = paylink.app.deps;
      const sealed = encryptCredentials(
        keyring,
        { companyId, connectionId: to },
        { secret: 'another secret' },
      );
      await db.asOwner.query('update connections set sealed = $2 where connection_id = $1', [to, sealed]);
      clock.advanceMs(1);
      assert.equal(await send({ to, signature: 'another secret' }), 200);
      assert.equal(await send({ to, signature: scriptedProcessorSecret }), 400);
    });

    const forgedId = (index: number) => `id=tr_forged${String(index).padStart(6, '0')}`;

    test('forged Mollie webhooks cause no more calls than the connection’s budget, over all senders', async () => {
      const to = await connectMollie();
      const statuses = await sendMany(3_850, (index) => ({
        ...{ to, processor: 'mollie', body: forgedId(index) },
        from: `198.51.${index % 200}.7`,
      }));
      assert.equal(mollie.asked.length, unprovenCallsPerMinute, 'calls to Mollie');
      assert.deepEqual(statuses, {
        400: unprovenCallsPerMinute,
        429: 3_850 - unprovenCallsPerMinute,
      });
    });

    test('a payment ID that Mollie does not know is not queried again for a while', async () => {
      const to = await connectMollie();
      const one = { to, processor: 'mollie', body: 'id=tr_nobodyhasit' };
      for (let times = 0; times < 20; times += 1) assert.equal(await send(one), 400);
      assert.deepEqual(mollie.asked, ['tr_nobodyhasit']);
    });

    /** A payment at Mollie about an unknown attempt: it is queried, and changes nothing. */
    function payAtMollie(connectionId: string) {
      const attemptId = newId('att', clock.now());
      const id = `tr_${attemptId.slice(-10)}`;
      const { companyId } = paylink.merchant;
      mollie.payments.set(id, {
        ...{ resource: 'payment', id, status: 'paid', amount: { currency: 'EUR', value: '19.99' } },
        metadata: { company: companyId, connection: connectionId, attempt: attemptId },
      });
      const place = { companyId, connectionId, attemptId };
      const proof = webhookProof(paylink.app.deps.keyring, place);
      return { attemptId, body: `id=${id}`, proof, query: `?attempt=${attemptId}&proof=${proof}` };
    }

    test('a Mollie webhook with a proven address is accepted even if the budget is used up', async () => {
      const to = await connectMollie();
      const { body, query } = payAtMollie(to);
      await sendMany(unprovenCallsPerMinute, (index) => ({
        ...{ to, processor: 'mollie', body: forgedId(index) },
        from: `198.51.${index % 200}.7`,
      }));
      assert.equal(await send({ to, processor: 'mollie', body }), 429, 'without a proof it has to wait');
      assert.equal(await send({ to, processor: 'mollie', body, query }), 200);
      clock.advanceMs(60_000);
      assert.equal(
        await send({ to, processor: 'mollie', body }),
        200,
        'without one it is taken within the budget',
      );
    });

    test('a proof is valid only for its own attempt and connection', async () => {
      const [to, other] = [await connectMollie(), await connectMollie()];
      const [mine, another] = [payAtMollie(to), payAtMollie(to)];
      const useUp = async (connectionId: string) =>
        await sendMany(unprovenCallsPerMinute, (index) => ({
          ...{
            to: connectionId,
            processor: 'mollie',
            body: forgedId(index),
            from: `198.51.${index % 200}.7`,
          },
        }));
      await useUp(to);
      await useUp(other);
      const mollieWebhook = { to, processor: 'mollie', body: mine.body };
      const swapped = `?attempt=${another.attemptId}&proof=${mine.proof}`;
      assert.equal(await send({ ...mollieWebhook, query: swapped }), 429);
      assert.equal(await send({ ...mollieWebhook, to: other, query: mine.query }), 429);
      assert.equal(await send({ ...mollieWebhook, query: `${mine.query}&proof=${mine.proof}` }), 429);
      assert.equal(await send({ ...mollieWebhook, query: another.query }), 400, 'about another payment');
      assert.equal(await send({ ...mollieWebhook, query: mine.query }), 200);
    });
  });
