// The command that moves a company is killed at each step, servers crash, and the subscription breaks. Afterwards the company
// is whole in exactly one cell, and the command can be run again.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../../src/base/operator-error.ts';
import { cancelMove } from '../../src/cell-moves/cancel-move.ts';
import { drainCell } from '../../src/cell-moves/drain-cell.ts';
import { findCompany } from '../../src/cell-moves/find-company.ts';
import { type MoveStep, moveSteps } from '../../src/cell-moves/move-company.ts';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import { updateWeight } from '../../src/cells/directory-store.ts';
import { type Credentials, createLinkAs, logIn } from '../harness/client.ts';
import type { Paylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { openClient } from '../harness/run-sql.ts';
import { payWith } from '../harness/visitor.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import { assertMoved, type Mover, openMover, readWhole, runMoveProcess } from './move-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;
let credentials: Credentials;
let companyId = '';

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  // Without its own work, the rows of the company stay as they are.
  paylink = await rig.start({ isAtWork: false });
  mover = await openMover(rig);
  companyId = paylink.merchant.companyId;
  credentials = await logIn(paylink, paylink.merchant);
  for (let made = 0; made < 20; made += 1) {
    const { link } = await createLinkAs(paylink, credentials);
    if (made % 2 === 0) await payWith(link, { number: '4242424242424242' });
  }
  // Seals and words are there from the start.
  await mover.move(companyId, await otherCell());
});

after(async () => {
  await paylink?.stop();
  await rig?.close();
});

const homeOf = async () => String((await mover.db.cellOf(companyId)).cell);
const otherCell = async () => ((await homeOf()) === 'eu1' ? 'eu2' : 'eu1');
const cellNamed = (name: string) => {
  const cell = mover.db.cells().find((each) => each.cell === name);
  assert.ok(cell, name);
  return cell;
};

const readCompany = async () => await readWhole(mover, companyId);
const assertHome = async (to: string, rows: Record<string, string[]>) =>
  await assertMoved(mover, { companyId, to, rows });

async function assertWhole(rows: Record<string, string[]>): Promise<void> {
  const { home, unfinished } = await findCompany(mover.db, companyId);
  assert.ok((home === null) !== (unfinished === null), 'it is in exactly one cell');
  assert.deepEqual(await readCompany(), rows);
}

const runCommand = async (to: string, killedAt: MoveStep | '') =>
  await runMoveProcess(rig, { companyId, to, killedAt });

const switchedFrom = moveSteps.indexOf('switched');

for (const [index, step] of moveSteps.entries()) {
  const isSwitched = index >= switchedFrom;
  test(`killed at "${step}", the company is whole in the ${isSwitched ? 'new' : 'old'} cell, and the command can be run again`, async () => {
    const [from, to] = [await homeOf(), await otherCell()];
    const rows = await readCompany();
    assert.equal(await runCommand(to, step), 'SIGKILL');
    await assertWhole(rows);
    assert.equal(await homeOf(), isSwitched ? to : from);
    assert.equal(await runCommand(to, ''), 'done');
    await assertHome(to, rows);
  });
}

/** The server notices late that a command was killed. Until then the company counts as being moved. */
async function untilReported(remedy: string): Promise<void> {
  const isReported = async () =>
    (await verifyCells(mover.db, companyId)).findings.some(({ sentence }) => sentence.includes(remedy));
  await until(isReported, `the report of "${remedy}"`);
}

for (const step of ['arriving', 'slot', 'subscribed', 'copied', 'frozen', 'compared'] as const)
  test(`killed at "${step}", the move is reported, and can be undone`, async () => {
    const [from, to] = [await homeOf(), await otherCell()];
    const rows = await readCompany();
    assert.equal(await runCommand(to, step), 'SIGKILL');
    const kept = step === 'arriving' ? '' : ` Until then a replication slot in ${from} keeps log on disk.`;
    await untilReported(
      `Its move to ${to} was interrupted. Finish it: paylink admin cells move ${companyId} ${to}. Or undo it: ` +
        `paylink admin cells cancel ${companyId}.${kept}`,
    );
    // Also the slots of unfinished copies are part of it.
    assert.equal((await verifyCells(mover.db, null)).findings.length, 1);
    const cancelled = await cancelMove(mover.deps, companyId);
    assert.deepEqual([cancelled.outcome, cancelled.otherCell, cancelled.home], ['undone', to, from]);
    await assertHome(from, rows);
    assert.equal((await cancelMove(mover.deps, companyId)).outcome, 'none');
  });

test('killed after the switch, the move is reported, cannot be undone, and is finished by the next request', async () => {
  const to = await otherCell();
  const rows = await readCompany();
  assert.equal(await runCommand(to, 'switched'), 'SIGKILL');
  await untilReported(`paylink admin cells move ${companyId} ${to}`);
  await assert.rejects(cancelMove(mover.deps, companyId), /has switched to/);
  await createLinkAs(paylink, credentials);
  assert.equal(await homeOf(), to);
  const from = await otherCell();
  assert.deepEqual(
    (await verifyCells(mover.db, companyId)).findings.map(({ sentence }) => sentence),
    [
      `Its move to ${to} was interrupted after the switch. Finish it: paylink admin cells move ${companyId} ${to}. Until ` +
        `then a replication slot in ${from} keeps log on disk.`,
    ],
  );
  assert.equal(await runCommand(to, ''), 'done');
  assert.notDeepEqual(await readCompany(), rows);
  await assertHome(to, await readCompany());
});

test('after a request has finished the switch, a cancel removes what is left, and says that the move has switched', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  assert.equal(await runCommand(to, 'switched'), 'SIGKILL');
  await untilReported(`paylink admin cells move ${companyId} ${to}`);
  await createLinkAs(paylink, credentials);
  const cancelled = await cancelMove(mover.deps, companyId);
  assert.ok(cancelled.removedRows > 0);
  assert.deepEqual([cancelled.outcome, cancelled.otherCell, cancelled.home], ['finished', from, to]);
  await assertHome(to, await readCompany());
});

test('a drain finishes a move that was killed after its switch, and has nothing left', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  for (const isSettled of [true, false]) {
    assert.equal(await runCommand(isSettled ? to : from, 'switched'), 'SIGKILL');
    const [drained, other] = isSettled ? [from, to] : [to, from];
    await untilReported(`paylink admin cells move ${companyId} ${other}`);
    if (isSettled) await createLinkAs(paylink, credentials);
    const { moved, failed } = await drainCell(mover.deps, drained);
    assert.deepEqual(
      [moved.find((move) => move.companyId === companyId)?.to, failed],
      [other, []],
      JSON.stringify(moved),
    );
    await assertHome(other, await readCompany());
    await updateWeight(mover.db.asOwner, drained, 100);
  }
});

test('a drain names a company whose move to the cell was interrupted', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  assert.equal(await runCommand(to, 'slot'), 'SIGKILL');
  await untilReported(`paylink admin cells cancel ${companyId}`);
  const { failed } = await drainCell(mover.deps, to);
  assert.deepEqual(
    failed.map(({ companyId: left }) => left),
    [companyId],
  );
  assert.match(failed[0]?.reason ?? '', /Its move to eu\d was interrupted.*cells cancel/);
  await updateWeight(mover.db.asOwner, to, 100);
  await cancelMove(mover.deps, companyId);
  await assertHome(from, await readCompany());
});

const crashes = [
  { side: 'target', step: 'subscribed' },
  { side: 'source', step: 'counted' },
  { side: 'source', step: 'compared' },
  { side: 'target', step: 'compared' },
  { side: 'source', step: 'switched' },
] as const;
for (const { side, step } of crashes)
  test(`the server of the ${side} crashes at "${step}": afterwards the company is whole in one cell, and moves`, async () => {
    const [from, to] = [await homeOf(), await otherCell()];
    const rows = await readCompany();
    const { cluster } = rig.place(side === 'source' ? from : to);
    const ended = await mover
      .move(companyId, to, {
        onStep: async (done) => {
          if (done === step) await cluster.crash();
        },
      })
      .then(
        () => null,
        (error: unknown) => error,
      );
    assert.ok(ended instanceof OperatorError, `the command reports the crash in a sentence: ${ended}`);
    await cluster.restart();
    for (const until = Date.now() + 30_000; ; await pause(200)) {
      const isUp = await Promise.all(mover.db.cells().map(async (cell) => await cell.ping())).catch(
        () => null,
      );
      if (isUp || Date.now() > until) break;
    }
    await assertWhole(rows);
    await mover.move(companyId, to);
    await assertHome(to, rows);
  });

test('a connection that breaks again and again while it copies is built up again, and the company moves', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  const rows = await readCompany();
  let broken = 0;
  await mover.move(companyId, to, {
    onStep: async (step) => {
      if (step !== 'subscribed') return;
      for (const until = Date.now() + 20_000; broken < 2 && Date.now() < until; await pause(20)) {
        const [row] = await cellNamed(from).asOwner.query<{ count: number }>(
          `select count(pg_terminate_backend(pid))::int as count from pg_stat_activity where backend_type = 'walsender'`,
        );
        broken += row?.count ?? 0;
      }
    },
  });
  assert.ok(broken >= 2, `connections broken: ${broken}`);
  await assertHome(to, rows);
});

test('a server of the new cell that restarts while it gets the copy does not end the move', async () => {
  // The other cell has the directory, and with it the lock.
  if ((await homeOf()) === 'eu2') await mover.move(companyId, 'eu1');
  const rows = await readCompany();
  const { cluster } = rig.place('eu2');
  let restarted: Promise<void> = Promise.resolve();
  await mover.move(companyId, 'eu2', {
    outageLimitMs: 30_000,
    onStep: async (step) => {
      if (step !== 'subscribed') return;
      await cluster.crash();
      restarted = pause(1_000).then(cluster.restart);
    },
  });
  await restarted;
  await assertHome('eu2', rows);
});

test('a copy that a lock in the new cell holds up ends after a while, and everything is cleaned up', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  const rows = await readCompany();
  const blocker = openClient(rig.place(to).url);
  await blocker.connect();
  const hasEnded = async () => {
    const text = 'select from pg_subscription where subenabled';
    return (await cellNamed(to).asOwner.query(text)).length === 0;
  };
  let released: Promise<void> = Promise.resolve();
  const moved = mover.move(companyId, to, {
    stallLimitMs: 1_500,
    onStep: async (step) => {
      if (step === 'slot') await blocker.query('begin; lock table payments in share mode');
      // The rows that were copied can be removed then.
      if (step === 'subscribed')
        released = until(hasEnded, 'the end of the copy').finally(async () => await blocker.end());
    },
  });
  await assert.rejects(moved, /The copy to eu\d makes no progress\. A lock there.*Run the command again/);
  await released;
  await assertHome(from, rows);
});

test('a copy that fails because the target has the same row ends with an error, and everything is cleaned up', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  const rows = await readCompany();
  const moved = mover.move(companyId, to, {
    onStep: async (step) => {
      if (step !== 'slot') return;
      await cellNamed(to).asOwner.query(
        "insert into companies (company_id, name, country, created_at) values ($1, 'left over', 'DE', now())",
        [companyId],
      );
    },
  });
  await assert.rejects(moved, /The copy to eu\d fails again and again: the log of the server/);
  await assertHome(from, rows);
});

test('a copy that differs is noticed during the freeze by the name of its table, and the company stays', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  const rows = await readCompany();
  for (const text of [
    "update payments set description = 'changed' where company_id = $1",
    'delete from event_seals where company_id = $1 and position = (select max(position) from event_seals where company_id = $1)',
    'update ledger_totals set amount_minor = amount_minor + 1 where company_id = $1',
  ]) {
    const moved = mover.move(companyId, to, {
      onStep: async (step) => {
        if (step === 'counted') await cellNamed(to).asOwner.query(text, [companyId]);
      },
    });
    await assert.rejects(moved, /The copy of the table (payments|event_seals|ledger_totals) differs/);
    await assertHome(from, rows);
  }
});

test('a transaction of the company that does not end gives the switch up: the company goes on', async () => {
  const [from, to] = [await homeOf(), await otherCell()];
  const rows = await readCompany();
  const released = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const holding = paylink.app.deps.db.inCompany(companyId, async (tx) => {
    await tx.query('select 1 as one');
    entered.resolve();
    await released.promise;
  });
  await entered.promise;
  await assert.rejects(mover.move(companyId, to), /could not be held up for a switch.*It goes on in eu\d/);
  released.resolve();
  await holding;
  assert.ok(mover.lines.some((line) => line.includes('the switch was given up')));
  await assertHome(from, rows);
});
