// A standby that lacks what its primary had confirmed replaces the server of the new cell, around a switch. The company has all
// rows in one cell, and what the operator has to do is said.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startCluster } from '../../scripts/cluster.mjs';
import { cancelMove } from '../../src/cell-moves/cancel-move.ts';
import { readNextNumber } from '../../src/cell-moves/raise-numbers.ts';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import { updateWeight } from '../../src/cells/directory-store.ts';
import { finishSwitchesTo } from '../../src/cells/finish-switch.ts';
import { openTcpProxy } from '../faults/tcp-proxy.ts';
import { call, createLinkAs, logIn } from '../harness/client.ts';
import { until } from '../harness/process.ts';
import { runSql } from '../harness/run-sql.ts';
import { postgresBin } from '../harness/services.ts';
import { payWith } from '../harness/visitor.ts';
import { cellSettings, openCellsRig } from './cells-rig.ts';
import { assertMoved, assertNothingLeft, openMover, readRows, readWhole } from './move-rig.ts';

/** A company in eu1. The server of eu2 has an asynchronous standby, to which the addresses of eu2 lead once it is promoted. */
async function openStage(t: TestContext) {
  const rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  t.after(async () => await rig.close());
  const { cluster } = rig.place('eu2');
  const { port } = new URL(cluster.url);
  const proxy = await openTcpProxy(Number(port));
  rig.cleaner.add(async () => await proxy.close());
  const standby = await startCluster(
    ...[postgresBin(), cellSettings, cluster.url.replace(port, String(proxy.port))],
  );
  rig.cleaner.add(async () => await standby.stop());
  const settings = rig.settings();
  const both = `:${port},127.0.0.1:${new URL(standby.url).port}/`;
  settings.DATABASE_URLS = String(settings.DATABASE_URLS).replace(`:${port}/`, both);
  await updateWeight((await rig.openRaw('eu1')).asOwner, 'eu2', 0);
  // Without its own work, the rows of the company stay as they are.
  const paylink = await rig.start({ isAtWork: false, settings });
  rig.cleaner.add(async () => await paylink.stop());
  const { companyId } = paylink.merchant;
  const credentials = await logIn(paylink, paylink.merchant);
  for (let made = 0; made < 5; made += 1)
    await payWith((await createLinkAs(paylink, credentials)).link, { number: '4242424242424242' });
  const mover = await openMover(rig, settings);
  const cellNamed = (name: string) => {
    const cell = mover.db.cells().find((each) => each.cell === name);
    assert.ok(cell, name);
    return cell;
  };
  // Seals and words are there from the start.
  await mover.deps.work(mover.db, companyId);
  return {
    ...{ mover, standby, companyId, cellNamed },
    request: async () => (await call(paylink, credentials, ['GET', '/v1/payments'])).status,
    /** The standby stays connected, and gets nothing any more. */
    holdUpStandby: async () => await proxy.breakDown({ kind: 'half-open', loses: 'answers' }),
    failOver: async () => {
      await cluster.crash();
      await runSql(standby.url, 'select pg_promote()');
      const { asOwner } = cellNamed('eu2');
      await until(async () => (await asOwner.query('select').catch(() => [])).length === 1, 'the new server');
    },
  };
}

/** PostgreSQL 15 may take 5 s to start a copy. */
const stallLimitMs = 8_000;
const laggingStandby = /These standbys of eu2 do not receive its log: walreceiver\..* run the command again/;

test('a company does not switch to a cell whose standby does not follow, and moves once it is gone', async (t) => {
  const { mover, standby, companyId, holdUpStandby } = await openStage(t);
  const rows = await readWhole(mover, companyId);
  const stopped = mover.move(companyId, 'eu2', {
    stallLimitMs,
    onStep: async (step) => {
      if (step === 'counted') await holdUpStandby();
    },
  });
  await assert.rejects(stopped, laggingStandby);
  await assertMoved(mover, { companyId, to: 'eu1', rows });
  await standby.stop();
  await mover.move(companyId, 'eu2');
  await assertMoved(mover, { companyId, to: 'eu2', rows });
});

test('no rows are removed in the old cell before the standbys of the new one know that the company works there', async (t) => {
  const { mover, companyId, cellNamed, holdUpStandby, failOver } = await openStage(t);
  const rows = await readWhole(mover, companyId);
  const stopped = mover.move(companyId, 'eu2', {
    stallLimitMs,
    onStep: async (step) => {
      if (step === 'switched') await holdUpStandby();
    },
  });
  await assert.rejects(stopped, laggingStandby);
  assert.equal((await mover.db.cellOf(companyId)).cell, 'eu2');
  const kept = await readRows(cellNamed('eu1'), companyId);
  assert.deepEqual(kept.payments, rows.payments);
  await assert.rejects(mover.move(companyId, 'eu1', { stallLimitMs }), laggingStandby);
  assert.deepEqual((await readRows(cellNamed('eu1'), companyId)).payments, rows.payments);
  await failOver();
  await mover.move(companyId, 'eu2');
  await assertMoved(mover, { companyId, to: 'eu2', rows });
});

test('a standby with a part of the rows that replaces the new server after the switch does not get the company', async (t) => {
  const { mover, companyId, cellNamed, request, holdUpStandby, failOver } = await openStage(t);
  const rows = await readWhole(mover, companyId);
  const stopped = mover.move(companyId, 'eu2', {
    onStep: async (step) => {
      if (step === 'switched') await failOver();
      if (step !== 'frozen') return;
      await holdUpStandby();
      await cellNamed('eu1').asOwner.query(
        `insert into company_logos (company_id, variant, content_type, content) values ($1, 'light', 'image/png', '\\x00')`,
        [companyId],
      );
    },
  });
  await assert.rejects(stopped, /does not work in eu2: .* a standby has replaced the server of eu2/);
  assert.equal((await readRows(cellNamed('eu2'), companyId)).company_logos, undefined);
  assert.equal(await request(), 503);
  await assert.rejects(finishSwitchesTo(cellNamed('eu2')));
  const { findings } = await verifyCells(mover.db, companyId);
  assert.equal(findings.length, 1);
  assert.match(
    String(findings[0]?.sentence),
    /The server of eu2 was replaced after the switch, .* eu1 has all rows up to the switch\. Take it back: paylink admin cells cancel co_/,
  );
  const cancelled = await cancelMove(mover.deps, companyId);
  assert.deepEqual([cancelled.outcome, cancelled.home, cancelled.otherCell], ['undone', 'eu1', 'eu2']);
  const [old, replaced] = await Promise.all(
    ['eu1', 'eu2'].map(async (name) => await readNextNumber(cellNamed(name).asOwner)),
  );
  assert.ok(
    old && replaced && old > replaced,
    'the feed goes on after what its readers may have got from eu2',
  );
  const { company_logos: logos, ...others } = await readWhole(mover, companyId);
  assert.equal(logos?.length, 1);
  assert.deepEqual(others, rows);
  await assertNothingLeft(mover.db);
  assert.equal(await request(), 200);
  await mover.move(companyId, 'eu2');
  await assertMoved(mover, { companyId, to: 'eu2', rows: { ...rows, company_logos: logos ?? [] } });
});
