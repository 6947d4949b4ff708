// A service that starts on a restored database, or after a major upgrade, analyses its tables before it accepts
// requests: plans without statistics would read whole companies.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createFromTemplate } from './harness/database-templates.ts';
import { startPaylink } from './harness/paylink.ts';
import type { TestDatabase } from './harness/services.ts';

let database: TestDatabase;
let admin: pg.Client;
before(async () => {
  database = await createFromTemplate();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await database.drop();
});

test('a service listens only after it has analysed all tables without statistics', async () => {
  // As in a restore, the index comes after the row. Analysing it takes as long as for a large table.
  await admin.query(`
    create table restored (id integer) with (autovacuum_enabled = off);
    insert into restored values (1);
    create function slowly(id integer) returns integer immutable language plpgsql
      as $$ begin perform pg_sleep(3); return id; end $$;
    create index on restored (slowly(id));`);
  const paylink = await startPaylink('server', { settings: { DATABASE_URL: database.url } });
  try {
    const { rows } = await admin.query(
      `select last_analyze is not null as "isAnalyzed" from pg_stat_all_tables where relid = 'restored'::regclass`,
    );
    assert.deepEqual(rows, [{ isAnalyzed: true }]);
  } finally {
    await paylink.stop();
  }
});
