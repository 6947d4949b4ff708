// The short form of poolers.campaign.ts, and a first start behind PgBouncer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { createDatabase } from '../harness/services.ts';
import { testPoolers } from './pooled.ts';
import { startPooler } from './pooler.ts';

testPoolers({ disruptions: 3 });

test('four processes that start at once on an empty database behind PgBouncer in transaction mode all prepare it', async () => {
  const database = await createDatabase();
  const address = new URL(database.url);
  const pooler = await startPooler({
    databasePort: Number(address.port),
    mode: 'transaction',
    poolSize: 3,
  });
  address.port = String(pooler.port);
  try {
    const start = async () => {
      const db = await openDatabase({
        databaseUrl: address.href,
        dataDir: 'unused',
        preparesStatements: false,
        log: () => undefined,
      });
      try {
        const { applied } = await migrate(db, { dir: migrationsDir, log: () => undefined });
        return applied;
      } finally {
        await db.close();
      }
    };
    const ends = await Promise.allSettled([start(), start(), start(), start()]);
    const applied = ends.flatMap((end) => {
      if (end.status === 'rejected') throw end.reason;
      return end.value;
    });
    assert.equal(new Set(applied).size, applied.length, 'each migration once');
    assert.ok(applied.length > 20);
  } finally {
    await pooler.close();
    await database.drop();
  }
});
