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

test('a link can be paid while a flood of webhooks waits for the database', async () => {
  const { link } = await createLink(paylink);
  await client.query('begin; lock table processor_notice_counts in access exclusive mode');
  const url = `${paylink.baseUrl}/processors/desk/webhook/${connectionId}`;
  const webhooks = Array.from({ length: 40 }, async (_, index) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signature': scriptedProcessorSecret },
      body: JSON.stringify({ kind: 'irrelevant', noticeId: `n-${index}` }),
    });
    await response.text();
    return response.status;
  });
  try {
    await until(async () => (await waitingNow()) >= connectionsOfWebhooks, 'webhooks that hang');
    const page = await payWith(link, { number: '4242424242424242' });
    assert.match(page.url, /^https:\/\/shop\.example\/thanks/);
    assert.equal(await waitingNow(), connectionsOfWebhooks);
  } finally {
    await client.query('rollback');
  }
  const statuses = await Promise.all(webhooks);
  assert.deepEqual(new Set(statuses), new Set([200]), 'each is taken when the database goes on');
});
