// The rows of filled payments are like those of the service: its nightly check and its search accept them.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { sealEvents } from '../src/events/seal-events.ts';
import { verifyAllLedgers } from '../src/verify-companies.ts';
import { call, createLinkAs, logIn } from '../test/harness/client.ts';
import { createFromTemplate } from '../test/harness/database-templates.ts';
import { type Paylink, startPaylink } from '../test/harness/paylink.ts';
import type { TestDatabase } from '../test/harness/services.ts';
import { payWith } from '../test/harness/visitor.ts';
import type { BenchDatabase } from './database.ts';
import { addHistory, growingTables, readTemplate, settleHistory, templateOrder } from './fill-history.ts';

const count = 300;
let database: TestDatabase;
let bench: BenchDatabase;
const started: Paylink[] = [];

before(async () => {
  database = await createFromTemplate();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  bench = { admin, url: database.url, postmasterPid: process.pid };
});

async function start(isAtWork: boolean): Promise<Paylink> {
  const paylink = await startPaylink('server', { settings: { DATABASE_URL: database.url }, isAtWork });
  started.push(paylink);
  return paylink;
}

after(async () => {
  for (const each of started) await each.stop();
  await bench?.admin.end();
  await database?.drop();
});

async function waitForWords(): Promise<void> {
  for (;;) {
    const { rows } = await bench.admin.query(
      'select 1 from events, payment_word_progress where xact >= filled_below',
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('filled payments have as many rows as a real one, and the checks and the search of the service accept them', async () => {
  const paylink = await start(true);
  const [large, small] = [await paylink.createMerchant(), await paylink.createMerchant()];
  await payWith((await createLinkAs(paylink, await logIn(paylink), templateOrder)).link, {
    number: '4242 4242 4242 4242',
  });
  await waitForWords();
  await sealEvents(paylink.app.deps);
  await paylink.stop();
  started.pop();
  const template = await readTemplate(bench, paylink.merchant.companyId);
  const companyIds = [large.companyId, small.companyId];
  await addHistory(bench, template, { companyIds, from: 0, to: 100, rows: 30 });
  await addHistory(bench, template, { companyIds, from: 100, to: count });
  await settleHistory(bench);
  const later = await start(false);
  for (const table of growingTables) {
    const { rows } = await bench.admin.query(
      `select count(*)::integer as rows from ${table} t where company_id = any($1)
       and (to_jsonb(t)->>'payment_id' is not null or $2 not in ('events'))`,
      [companyIds, table],
    );
    const ofTemplate = template.rows.filter((row) => row.table === table).length;
    // The seals of the companies' own first events are there, too.
    const others = table === 'event_seals' ? companyIds.length : 0;
    assert.equal(rows[0].rows, ofTemplate * count + others, table);
  }
  const { companies, findings } = await verifyAllLedgers(later.app.deps.db);
  assert.deepEqual(findings, []);
  assert.ok(companies >= 3);
  const credentials = await logIn(later, large);
  const found = await call(later, credentials, ['GET', '/v1/payments?text=00000042']);
  const other = await call(later, await logIn(later, small), ['GET', '/v1/payments?text=00000042']);
  const both = [found, other].flatMap(({ body }) => body.data as { customerOrderId: string }[]);
  assert.deepEqual(
    both.map(({ customerOrderId }) => customerOrderId),
    ['shop-00000042'],
  );
});
