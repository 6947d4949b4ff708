// Clients and due work of a company that moves from one PostgreSQL cluster to another while the service runs, and back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { moveUnderLoad, moveWithDueWork, openStage, type Stage } from './move-journeys.ts';
import { assertNothingLeft, cellsWithRows, readFaults } from './move-rig.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await stage?.close();
});

test('requests, the feed and webhooks of a company go on while it moves, and while it moves back', async () => {
  const company = await stage.openCompany();
  assert.deepEqual(await moveUnderLoad(stage, company), []);
  assert.deepEqual(await moveUnderLoad(stage, { ...company, from: company.to, to: company.from }), []);
  assert.deepEqual(await readFaults(stage.mover.db, company.merchant.companyId), []);
  assert.deepEqual(await cellsWithRows(stage.mover.db, company.merchant.companyId), [company.from]);
  await assertNothingLeft(stage.mover.db);
});

test('work that is due is done by one cell: before the switch by the old one, then by the new one', async () => {
  assert.deepEqual(await moveWithDueWork(stage, await stage.openCompany()), []);
});
