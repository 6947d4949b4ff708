// A company moves from one PostgreSQL cluster to another while the service runs, and back.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { cancelMove } from '../../src/cell-moves/cancel-move.ts';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import { call, createLinkAs, credentialHeaders, orderOf, post } from '../harness/client.ts';
import { until } from '../harness/process.ts';
import { openClient } from '../harness/run-sql.ts';
import { payWith } from '../harness/visitor.ts';
import { createTestEndpoint } from '../harness/webhook-endpoints.ts';
import {
  codeIn,
  openReader,
  openStage,
  type Stage,
  useAfterMove,
  writeDuringFreeze,
} from './move-journeys.ts';
import { assertNothingLeft, cellsWithRows, readFaults, readRows } from './move-rig.ts';

let stage: Stage;
before(async () => {
  stage = await openStage();
});
after(async () => {
  await stage?.close();
});

/** Tables that the service fills by itself, shortly after a request. */
const ownWork = ['event_seals', 'payment_words', 'payment_word_positions', 'api_requests'];

const cellNamed = (name: string) => {
  const cell = stage.mover.db.cells().find((each) => each.cell === name);
  assert.ok(cell, name);
  return cell;
};

test('a transaction that begins during the freeze is done in the new cell', async () => {
  assert.deepEqual(await writeDuringFreeze(stage, await stage.openCompany()), []);
});

test('a process that used a company in its old cell finds it in the new one', async () => {
  assert.deepEqual(await useAfterMove(stage, await stage.openCompany()), []);
});

test('an unknown attempt, an idempotency key, a session, a feed cursor and pending deliveries go on in the new cell', async () => {
  const company = await stage.openCompany();
  const { paylink, receiver, mover } = stage;
  const { credentials, merchant, to } = company;
  const headers = { ...credentialHeaders(credentials), 'idempotency-key': randomUUID() };
  const order = orderOf();
  const first = await post(`${paylink.baseUrl}/v1/payment/process`, order, headers);
  assert.equal(first.status, 200);
  const url = receiver.at('broken', { status: 500 });
  await createTestEndpoint(paylink, credentials, { url });
  const { link, code } = await createLinkAs(paylink, credentials);
  await payWith(link, { number: '4000000000009011' });
  const reader = openReader(stage, company);
  await reader.readOn();
  await mover.move(merchant.companyId, to);
  const again = await post(`${paylink.baseUrl}/v1/payment/process`, order, headers);
  assert.deepEqual([again.status, again.body], [first.status, first.body]);
  receiver.at('broken');
  await cellNamed(to).asOwner.query('update webhook_deliveries set due_at = now() where company_id = $1', [
    merchant.companyId,
  ]);
  await cellNamed(to).asOwner.query('update attempts set due_at = now() where company_id = $1', [
    merchant.companyId,
  ]);
  const isPaid = () => reader.events.some((event) => event.type === 'payment.paid' && codeIn(event) === code);
  await until(async () => {
    await reader.readOn();
    return isPaid();
  }, 'the unknown attempt to be reconciled');
  assert.equal(new Set(reader.ids).size, reader.ids.length);
  await receiver.waitFor('broken', 3);
});

test('the new cell has every row of the company as it was, and its events are sealed', async () => {
  const company = await stage.openCompany();
  const { mover, paylink } = stage;
  const { companyId } = company.merchant;
  const { link } = await createLinkAs(paylink, company.credentials);
  await payWith(link, { number: '4242424242424242' });
  // The new cell would send an email that is still queued.
  const queued = `select from mails where company_id = $1 and state = 'queued'`;
  const source = cellNamed(company.from).asOwner;
  await until(async () => (await source.query(queued, [companyId])).length === 0, 'the emails to end');
  let rows: Record<string, string[]> = {};
  await mover.move(companyId, company.to, {
    onStep: async (step) => {
      if (step === 'compared') rows = await readRows(cellNamed(company.from), companyId);
    },
  });
  const copied = await readRows(cellNamed(company.to), companyId);
  for (const name of ownWork) {
    delete rows[name];
    delete copied[name];
  }
  assert.ok(Object.keys(rows).length > 5);
  assert.deepEqual(copied, rows);
  const [unsealed] = await cellNamed(company.to).asOwner.query<{ count: number }>(
    `select count(*)::int as count from events e where company_id = $1
       and not exists (select from event_seals s where s.company_id = e.company_id and s.event_id = e.event_id)`,
    [companyId],
  );
  assert.equal(unsealed?.count, 0);
  assert.deepEqual(await readFaults(mover.db, companyId), []);
});

test('a table that is truncated in the old cell during a move keeps the rows of other companies in the new one', async () => {
  const company = await stage.openCompany();
  let other = await stage.openCompany();
  while (other.from !== company.to) other = await stage.openCompany();
  const { asOwner: target } = cellNamed(company.to);
  await target.query(
    `insert into company_logos (company_id, variant, content_type, content) values ($1, 'light', 'image/png', '\\x00')`,
    [other.merchant.companyId],
  );
  await stage.mover.move(company.merchant.companyId, company.to, {
    onStep: async (step) => {
      if (step === 'copied') await cellNamed(company.from).asOwner.query('truncate company_logos');
    },
  });
  const { company_logos: kept } = await readRows(cellNamed(company.to), other.merchant.companyId);
  assert.equal(kept?.length, 1);
});

test('a slot of the copy of one table is reported unless it is used: it may belong to another replication', async () => {
  const { mover, rig } = stage;
  const client = openClient(rig.place('eu1').url);
  await client.connect();
  const sentences = async () => (await verifyCells(mover.db, null)).findings.map(({ sentence }) => sentence);
  try {
    // A temporary slot is used by its session.
    await client.query(
      "select pg_create_logical_replication_slot('pg_1_sync_2_3', 'pgoutput', temporary => true)",
    );
    assert.deepEqual(await sentences(), []);
    await client.query("select pg_drop_replication_slot('pg_1_sync_2_3')");
    await client.query("select pg_create_logical_replication_slot('pg_1_sync_2_3', 'pgoutput')");
    assert.match(
      (await sentences()).join(),
      /^The slot pg_1_sync_2_3 .* unless another replication uses it\.$/,
    );
    await client.query("select pg_drop_replication_slot('pg_1_sync_2_3')");
  } finally {
    await client.end();
  }
});

test('an unfinished move is found and undone, and a company that is moved meanwhile is left alone', async () => {
  const company = await stage.openCompany();
  const { mover } = stage;
  const { companyId } = company.merchant;
  const before = await readRows(cellNamed(company.from), companyId);
  for (const name of ownWork) delete before[name];
  let seen: unknown[] = ['nothing'];
  const stopped = mover.move(companyId, company.to, {
    onStep: async (step) => {
      if (step !== 'copied') return;
      seen = (await verifyCells(mover.db, companyId)).findings;
      await assert.rejects(cancelMove(mover.deps, companyId), /Another command moves/);
      throw new Error('stopped by the test');
    },
  });
  await assert.rejects(stopped, /stopped by the test/);
  assert.deepEqual(seen, []);
  const left = await readRows(cellNamed(company.from), companyId);
  for (const name of ownWork) delete left[name];
  assert.deepEqual(left, before);
  assert.deepEqual(await cellsWithRows(mover.db, companyId), [company.from]);
  await assertNothingLeft(mover.db);
  assert.deepEqual((await verifyCells(mover.db, null)).findings, []);
});

test('a move to the cell that the company is in, to no cell, or of no company changes nothing and says so', async () => {
  const company = await stage.openCompany();
  const { mover } = stage;
  const { companyId } = company.merchant;
  assert.equal((await mover.move(companyId, company.from)).from, null);
  await assert.rejects(mover.move(companyId, 'eu9'), /There is no cell eu9: the cells are eu1, eu2\./);
  await assert.rejects(mover.move('co_zzzzzzzz', 'eu1'), /There is no company co_zzzzzzzz/);
  await assert.rejects(mover.move("co_'; drop", 'eu1'), /is not the ID of a company/);
  const { status } = await call(stage.paylink, company.credentials, ['GET', '/v1/payments']);
  assert.equal(status, 200);
});
