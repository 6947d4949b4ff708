// A connection to PostgreSQL that stops responding: callers time out, an unknown outcome is reported as 503, and the
// connection is not returned to the pool.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { toApiError } from '../../src/http/problem.ts';
import {
  countNotes,
  createCleaner,
  createEmpty,
  createTemplate,
  insertNote,
  newCompany,
  notesMigration,
  type OpenOptions,
  writeMigrations,
} from '../harness/engines.ts';
import { type NetworkFault, openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const cleaner = createCleaner();
after(async () => await cleaner.clean());

let options: OpenOptions;
let straight: Database;
before(async () => {
  options = await createEmpty('server', cleaner, createTemplate(cleaner));
  straight = await openDatabase(options);
  cleaner.add(async () => await straight.close());
  const dir = await writeMigrations(cleaner, { '0001_rooms.sql': notesMigration });
  await migrate(straight, { dir, log: () => undefined });
});

/** A database behind a proxy. */
async function openRerouted(poolSize: number): Promise<{ db: Database; proxy: TcpProxy }> {
  const url = new URL(options.databaseUrl ?? '');
  const proxy = await openTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  const db = await openDatabase({ ...options, databaseUrl: url.href, poolSize });
  cleaner.add(async () => {
    // Close the proxy first: pending statements would keep the database from closing.
    await proxy.close();
    await db.close();
  });
  return { db, proxy };
}

/** Asserts 503 with Retry-After, which does not say whether the work was done. */
function asksToComeAgain(error: Error): boolean {
  const { status, headers } = toApiError(error);
  assert.deepEqual([status, headers['retry-after']], [503, '2'], error.message);
  return true;
}

const half = (loses: 'requests' | 'answers' | 'both'): NetworkFault => ({ kind: 'half-open', loses });

describe('a connection that stops responding', { concurrency: true }, () => {
  for (const [loses, left] of [
    ['answers', 1],
    ['requests', 0],
  ] as const)
    test(`a commit whose ${loses} are lost has an unknown outcome, and its connection is not reused`, async () => {
      const { db, proxy } = await openRerouted(1);
      const companyId = newCompany();
      const work = db.inTenant({ companyId, mode: 'test' }, async (tx) => {
        await tx.query('insert into notes values ($1, 1)', [companyId]);
        await proxy.breakDown(half(loses));
      });
      await assert.rejects(work, asksToComeAgain);
      assert.equal(await countNotes(straight, companyId), left);
      await proxy.heal();
      await insertNote(db, companyId, 2);
      assert.equal(await countNotes(straight, companyId), left + 1);
    });

  test('a statement outside a transaction times out, too', async () => {
    const { db, proxy } = await openRerouted(1);
    await db.ping();
    await proxy.breakDown(half('answers'));
    await assert.rejects(db.asOwner.query('select 1'), asksToComeAgain);
    await proxy.heal();
    assert.deepEqual(await db.asOwner.query('select 1 as one'), [{ one: 1 }]);
  });

  test('waiting requests are rejected while no connection responds, and later ones are served by new connections', async () => {
    const { db, proxy } = await openRerouted(2);
    await proxy.breakDown(half('both'));
    const asked = Array.from({ length: 6 }, async () => await db.asOwner.query('select 1'));
    for (const one of await Promise.allSettled(asked)) {
      assert.equal(one.status, 'rejected');
      asksToComeAgain(one.reason);
    }
    await proxy.heal();
    assert.deepEqual(await db.asOwner.query('select 1 as one'), [{ one: 1 }]);
  });
});
