// A cell that hangs, behind a network that loses everything without closing a connection, costs only its own companies: not
// the webhooks of processors for others, and not their calls in the request log.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProcessors, listProcessors } from '../../src/processors/registry.ts';
import { openRequestQueue } from '../../src/request-log/request-queue.ts';
import { openTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts';
import type { Merchant, Paylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { sampleCall } from '../harness/request-log.ts';
import {
  connectScriptedProcessor,
  createScriptedProcessor,
  scriptedProcessorSecret,
} from '../harness/scripted-processor.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';

let rig: CellsRig;
let proxy: TcpProxy;
let paylink: Paylink;
const merchants = new Map<string, Merchant>();

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  const { port } = new URL(rig.place('eu2').url);
  proxy = await openTcpProxy(Number(port));
  rig.cleaner.add(async () => await proxy.close());
  const { DATABASE_URLS = '', ...settings } = rig.settings();
  paylink = await rig.start({
    settings: { ...settings, DATABASE_URLS: DATABASE_URLS.replace(`:${port}/`, `:${proxy.port}/`) },
    isAtWork: false,
    processors: (deps) => listProcessors(createProcessors(deps).builtIn, [createScriptedProcessor().kind]),
  });
  while (merchants.size < 2) {
    const merchant = await paylink.createMerchant();
    merchants.set(String((await paylink.app.deps.db.cellOf(merchant.companyId)).cell), merchant);
  }
});

beforeEach(async () => await proxy.heal());

after(async () => {
  await proxy?.heal();
  await paylink?.stop();
  await rig?.close();
});

function merchantIn(cell: string): Merchant {
  const merchant = merchants.get(cell);
  assert.ok(merchant, cell);
  return merchant;
}

const hang = async () => await proxy.breakDown({ kind: 'half-open', loses: 'both' });

/** A connection of the merchant in the cell. */
async function connectIn(cell: string): Promise<string> {
  // Its row is inserted as the owner of the tables, of this cell.
  const own = await paylink.app.deps.db.cellOf(merchantIn(cell).companyId);
  const view = { app: { deps: { ...paylink.app.deps, db: own } } } as Paylink;
  return await connectScriptedProcessor(view, merchantIn(cell));
}

let sent = 0;
async function sendWebhook(connectionId: string): Promise<number> {
  const response = await fetch(`${paylink.baseUrl}/processors/desk/webhook/${connectionId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': scriptedProcessorSecret },
    body: JSON.stringify({ kind: 'irrelevant', noticeId: `n-${sent++}` }),
  });
  await response.text();
  return response.status;
}

test('webhooks of processors for companies of the other cell are received', async () => {
  const [good, bad] = [await connectIn('eu1'), await connectIn('eu2')];
  assert.deepEqual([await sendWebhook(good), await sendWebhook(bad)], [200, 200]);
  await hang();
  const hanging = Promise.all(Array.from({ length: 6 }, async () => await sendWebhook(bad)));
  await sleep(200);
  const startedAt = performance.now();
  for (let count = 0; count < 20; count += 1) assert.equal(await sendWebhook(good), 200);
  assert.ok(performance.now() - startedAt < 2_000, `${performance.now() - startedAt} ms`);
  assert.ok((await hanging).every((status) => status === 503));
});

test('the request log has all calls of companies of the other cell', async () => {
  const { db } = paylink.app.deps;
  const lost = { count: 0 };
  const queue = openRequestQueue({
    ...{ db, log: { warn: () => undefined }, pauseMs: 100 },
    onDropped: (count) => {
      lost.count += count;
    },
  });
  const [good, bad] = [merchantIn('eu1').companyId, merchantIn('eu2').companyId];
  await hang();
  queue.add(sampleCall(bad));
  for (let round = 0; round < 60; round += 1) {
    await sleep(50);
    for (let count = 0; count < 50; count += 1) queue.add(sampleCall(good));
  }
  const eu1 = await rig.openRaw('eu1');
  const count = async () => {
    const text = "select count(*)::int4 as count from api_requests where request_id = 'req_1'";
    return Number((await eu1.asOwner.query(text))[0]?.count);
  };
  await until(async () => (await count()) + lost.count >= 3_000, 'the calls to be written or lost', 10_000);
  assert.equal(lost.count, 0);
  await queue.close();
});
