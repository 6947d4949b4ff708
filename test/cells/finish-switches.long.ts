// A move that was killed past its switch: the service lets the company work in its new cell, although nobody asks for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { leaveHome, readTimeline } from '../../src/cells/home-store.ts';
import type { Database } from '../../src/db/database.ts';
import { createLinkAs, logIn } from '../harness/client.ts';
import type { Merchant, Paylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { payWith } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import { type Mover, openMover, runMoveProcess } from './move-rig.ts';

let rig: CellsRig;
/** It does nothing that is due. */
let idle: Paylink;
let atWork: Paylink | null = null;
let mover: Mover;
let receiver: Receiver;

before(async () => {
  // The directory is in the first cell, and eu1 can be killed without it.
  rig = await openCellsRig({ eu2: 'two', eu3: 'two', eu1: 'one' });
  idle = await rig.start({ isAtWork: false, settings: loopbackSettings });
  mover = await openMover(rig);
  receiver = await startReceiver();
});

after(async () => {
  await atWork?.stop();
  await idle?.stop();
  await receiver?.close();
  await rig?.close();
});

const cellNamed = (name: string): Database => {
  const cell = mover.db.cells().find((each) => each.cell === name);
  assert.ok(cell, name);
  return cell;
};

async function createIn(cell: string): Promise<Merchant> {
  for (;;) {
    const merchant = await idle.createMerchant();
    if ((await mover.db.cellOf(merchant.companyId)).cell === cell) return merchant;
  }
}

async function statusIn(cell: string, companyId: string): Promise<string | null> {
  const [row] = await cellNamed(cell).asOwner.query<{ status: string }>(
    'select status from company_homes where company = $1',
    [companyId],
  );
  return row?.status ?? null;
}

/** The company is on its way to eu2, without rows. */
async function letArrive(companyId: string, from: string): Promise<void> {
  await cellNamed('eu2').asOwner.query(
    "insert into company_homes (company, status, other_cell) values ($1, 'arriving', $2)",
    [companyId, from],
  );
}

async function leave(companyId: string, from: string): Promise<void> {
  const timeline = await readTimeline(cellNamed('eu2').asOwner);
  assert.ok(await leaveHome(cellNamed(from).asOwner, companyId, { to: 'eu2', timeline }));
}

/** Lets the service run the job of eu2, and waits for its end. Returns its failures since it last succeeded. */
async function runJob(): Promise<number> {
  const { asOwner } = cellNamed('eu2');
  const read = async () => {
    const [row] = await asOwner.query<{ ended: Date | null; failures: number }>(
      "select greatest(succeeded_at, failed_at) as ended, failures from scheduled_jobs where name = 'finish-switches'",
    );
    return { at: row?.ended?.getTime() ?? 0, failures: row?.failures ?? 0 };
  };
  const { at } = await read();
  await asOwner.query(
    "update scheduled_jobs set due_at = statement_timestamp() where name = 'finish-switches'",
  );
  await until(async () => (await read()).at > at, 'the job to run', 30_000);
  return (await read()).failures;
}

test('without a request, due webhooks and emails are sent by the new cell within about a minute', async () => {
  const merchant = await createIn('eu1');
  const { companyId } = merchant;
  const owner = await logIn(idle, merchant);
  await createTestEndpoint(idle, owner, { url: receiver.at('killed'), events: ['payment.paid'] });
  await payWith((await createLinkAs(idle, owner)).link, { number: '4242424242424242' });
  assert.equal(await runMoveProcess(rig, { companyId, to: 'eu2', killedAt: 'switched' }), 'SIGKILL');
  assert.equal(await statusIn('eu2', companyId), 'arriving');
  const queued = async () => {
    const [row] = await cellNamed('eu2').asOwner.query<{ count: number }>(
      "select count(*)::int as count from mails where company_id = $1 and state = 'queued'",
      [companyId],
    );
    return row?.count;
  };
  assert.ok(await queued());
  assert.equal(receiver.messages('killed').length, 0);
  atWork = await rig.start({ settings: loopbackSettings });
  await until(() => receiver.messages('killed').length > 0, 'the webhook', 75_000);
  await until(async () => (await queued()) === 0, 'the emails');
  assert.equal(await statusIn('eu2', companyId), 'home');
});

test('a company that arrives and has not switched stays where it is, and its move is not disturbed', async () => {
  assert.ok(atWork);
  const { companyId } = await createIn('eu1');
  let frozen: Promise<number> | null = null;
  await mover.move(companyId, 'eu2', {
    onStep: async (step) => {
      if (step === 'frozen') frozen = runJob();
      if (step !== 'copied') return;
      assert.equal(await runJob(), 0);
      assert.deepEqual(
        [await statusIn('eu1', companyId), await statusIn('eu2', companyId)],
        ['home', 'arriving'],
      );
    },
  });
  assert.equal(await frozen, 0);
  assert.ok(!mover.lines.some((line) => line.includes('given up')), mover.lines.join('\n'));
  assert.equal(await statusIn('eu2', companyId), 'home');
});

test('companies from a cell that is down wait for it; those from other cells do not', async () => {
  assert.ok(atWork);
  const fromDown = [await createIn('eu1'), await createIn('eu1'), await createIn('eu1')];
  const others = [await createIn('eu3'), await createIn('eu3')];
  for (const [merchants, from] of [
    [fromDown, 'eu1'],
    [others, 'eu3'],
  ] as const)
    for (const { companyId } of merchants) {
      await letArrive(companyId, from);
      await leave(companyId, from);
    }
  const { cluster } = rig.place('eu1');
  await cluster.crash();
  assert.ok((await runJob()) > 0, 'the job says that it could not finish all');
  for (const { companyId } of others) assert.equal(await statusIn('eu2', companyId), 'home');
  for (const { companyId } of fromDown) assert.equal(await statusIn('eu2', companyId), 'arriving');
  await cluster.restart();
  await until(async () => (await runJob()) === 0, 'the job to succeed', 30_000);
  for (const { companyId } of fromDown) assert.equal(await statusIn('eu2', companyId), 'home');
});
