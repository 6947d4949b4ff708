// A company with many idempotency keys of one account and many notices of one connection moves: the freeze compares the newest
// of them, and not all of that account or connection.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Paylink } from '../harness/paylink.ts';
import { openClient } from '../harness/run-sql.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';
import { assertNothingLeft, type Mover, openMover } from './move-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
let mover: Mover;

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  paylink = await rig.start({ isAtWork: false });
  mover = await openMover(rig);
});
after(async () => {
  await paylink?.stop();
  await rig?.close();
});

const rows = 200_000;
const seeds = [
  `insert into idempotency_keys (company_id, account_id, key, fingerprint, state, seed, subject_at, leased_until, status, answer,
                                 created_at, mode)
   select $1, 'acc_one', md5(i::text), sha256(i::text::bytea), 'done', sha256(i::text::bytea), now(), now(), 201, sha256(i::text::bytea),
          now() - interval '1 ms' * i, 'test'
   from generate_series(1, $2::int) i`,
  `insert into processor_notices (company_id, connection_id, notice_id, received_at, mode)
   select $1, 'con_one', 'evt_' || md5(i::text), now() - interval '1 ms' * i, 'test' from generate_series(1, $2::int) i`,
];

test(`a company with ${rows} idempotency keys of one account and as many notices of one connection moves`, async () => {
  const { companyId } = paylink.merchant;
  const { cell } = await mover.db.cellOf(companyId);
  const [from, to] = cell === 'eu1' ? ['eu1', 'eu2'] : ['eu2', 'eu1'];
  const client = openClient(rig.place(from).url);
  await client.connect();
  // Without the account and the connection that they name.
  await client.query('set session_replication_role = replica');
  for (const text of seeds) await client.query(text, [companyId, rows]);
  await client.end();
  const moved = await mover.move(companyId, to, { freezeLimitMs: 2_000 });
  assert.equal(moved.from, from);
  assert.ok(Number(moved.rows) > 2 * rows, `${moved.rows} rows`);
  assert.deepEqual(
    mover.lines.filter((line) => line.includes('given up')),
    [],
  );
  assert.equal((await mover.db.cellOf(companyId)).cell, to);
  assert.equal(moved.removedRows, moved.rows);
  await assertNothingLeft(mover.db);
});
