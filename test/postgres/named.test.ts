// Which PostgreSQL the tests run on.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { postgresBin, testDatabaseUrl } from '../harness/services.ts';

test('the tests run on the PostgreSQL that POSTGRES_BIN names, and on the one that was found without it', async () => {
  const { POSTGRES_BIN: named } = process.env;
  if (named) assert.equal(postgresBin(), named);
  const client = new pg.Client({ connectionString: testDatabaseUrl() });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>(
      `select current_setting('server_version') as version`,
    );
    const said = execFileSync(join(postgresBin(), 'postgres'), ['--version'], { encoding: 'utf8' });
    assert.equal(said.trim(), `postgres (PostgreSQL) ${rows[0]?.version}`);
  } finally {
    await client.end();
  }
});
