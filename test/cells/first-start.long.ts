// The first start of an installation with cells: interrupted after its address was claimed, and by two processes at once.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { OperatorError } from '../../src/base/operator-error.ts';
import { bootstrap } from '../../src/bootstrap.ts';
import { findLoginOf } from '../../src/companies/logins.ts';
import { hasAnyCompany } from '../../src/companies/store.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { createLogger } from '../../src/telemetry.ts';
import { freePort } from '../harness/paylink.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';

let rig: CellsRig;
const email = 'first@example.com';

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'one' });
});

after(async () => {
  await rig?.close();
});

/** A process before its first start. */
async function openProcess() {
  const config = readConfig({
    ...rig.settings(),
    PORT: String(await freePort()),
    BOOTSTRAP_EMAIL: email,
    LOG_LEVEL: 'silent',
  });
  const app = await createApp({ config, log: createLogger({ level: config.logLevel }) });
  rig.cleaner.add(async () => await app.stop());
  return { db: app.deps.db, start: async () => await bootstrap(app.deps, () => undefined) };
}

async function countCells(db: Database): Promise<number> {
  const found = await Promise.all(db.cells().map(async (cell) => await cell.inSystem(hasAnyCompany)));
  return found.filter(Boolean).length;
}

test('a first start that was killed between its claim and its company is done by a start ten minutes later', async () => {
  const { db, start } = await openProcess();
  await db.asOwner.query(
    "insert into directory_logins (email, company, account_id) values ($1, 'co_00000001', 'acc_lost')",
    [email],
  );
  await assert.rejects(
    start(),
    (error) => error instanceof OperatorError && /was interrupted: first@.*ten minutes/.test(error.message),
  );
  assert.equal(await countCells(db), 0);
  await db.asOwner.query("update directory_logins set claimed_at = claimed_at - interval '11 minutes'");
  const both = [{ db, start }, await openProcess()];
  // At once, and each returns when the account exists.
  const firsts = await Promise.all(
    both.map(async (each) => {
      const first = await each.start();
      assert.equal(await countCells(each.db), 1);
      return first;
    }),
  );
  const [first, ...more] = firsts.filter((each) => each !== null);
  assert.deepEqual(more, []);
  assert.equal((await findLoginOf(db, email))?.companyId, first?.companyId);
  assert.equal(await start(), null);
});
