// Processor webhooks use only a few database connections, even if all their transactions hang. On a server only: the
// embedded database has one connection.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createLink } from './harness/client.ts';
import type { Paylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import {
  connectScriptedProcessor,
  createScriptedProcessor,
  scriptedProcessorSecret,
  startWithScriptedProcessor,
} from './harness/scripted-processor.ts';
import { payWith } from './harness/visitor.ts';

/** Of the pool of 10. */
const connectionsOfWebhooks = 2;

let paylink: Paylink;
let connectionId: string;
let client: pg.Client;
before(async () => {
  paylink = await startWithScriptedProcessor('server', createScriptedProcessor());
  connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
  client = new pg.Client({ connectionString: paylink.app.deps.config.databaseUrl ?? '' });
  await client.connect();
});
after(async () => {
  await client?.end();
  await paylink?.stop();
});

/** How many connections of the service wait for the lock on the counts of webhooks. */
async function waitingNow(): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_locks
     where relation = 'processor_notice_counts'::regclass and not granted`,
  );
  return rows[0]?.count ?? 0;
}

/** Sends a webhook again until it is taken, as processors do: one that waits for the database too long gets 503. */
async function deliver(noticeId: string): Promise<void> {
  const url = `${paylink.baseUrl}/processors/desk/webhook/${connectionId}`;
  const send = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': scriptedProcessorSecret },
      body: JSON.stringify({ kind: 'irrelevant', noticeId }),
    });
    await response.text();
    assert.ok([200, 503].includes(response.status), `${response.status}`);
    return response.status === 200;
  };
  await until(send, `webhook ${noticeId} to be taken`);
}

/** How long a webhook waits for the database. Then it is sent again while its statement still waits on the server. */
const webhookWaitMs = 4_000;

/** Pays a link during a flood. Returns the waiting connections; null if it took so long that webhooks were sent again. */
async function payDuringFlood(round: number): Promise<number | null> {
  const { link } = await createLink(paylink);
  await client.query('begin; lock table processor_notice_counts in access exclusive mode');
  const startedAt = performance.now();
  const webhooks = Promise.all(
    Array.from({ length: 40 }, async (_, each) => await deliver(`${round}-${each}`)),
  );
  // Observed at once: one may fail before this function waits for them.
  webhooks.catch(() => undefined);
  try {
    await until(async () => (await waitingNow()) >= connectionsOfWebhooks, 'webhooks that hang');
    const page = await payWith(link, { number: '4242424242424242' });
    assert.match(page.url, /^https:\/\/shop\.example\/thanks/);
    const waiting = await waitingNow();
    return performance.now() - startedAt < webhookWaitMs ? waiting : null;
  } finally {
    await client.query('rollback');
    // Each is taken when the database goes on.
    await webhooks;
  }
}

test('a link can be paid while a flood of webhooks waits for the database', async () => {
  let waiting: number | null = null;
  for (let round = 0; round < 20 && waiting === null; round++) waiting = await payDuringFlood(round);
  assert.equal(waiting, connectionsOfWebhooks);
});
