// Every declared statement has the names, the types and the nullability that PostgreSQL reports for it.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Columns, declared, selectList, t } from '../src/db/statements.ts';
import { rowFault } from './harness/check-rows.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { createStatementChecker, type StatementChecker } from './harness/describe-statements.ts';

const root = new URL('../', import.meta.url);

let bare: DatabaseFixture;
let client: pg.Client;
let check: StatementChecker;

before(async () => {
  bare = await openDatabaseFixture('server');
  client = new pg.Client({ connectionString: bare.options.databaseUrl });
  await client.connect();
  check = await createStatementChecker(client);
  for (const file of globSync('src/**/*.ts', { cwd: root.pathname })) {
    const declares = /\b(statement|builtStatement)\(/.test(readFileSync(new URL(file, root), 'utf8'));
    if (declares && !file.endsWith('.test.ts')) await import(new URL(file, root).href);
  }
});
after(async () => {
  await client?.end();
  await bare?.stop();
});

test('each statement returns its declared columns with their types, and null only where declared', async () => {
  assert.ok(declared.size > 150, `${declared.size} statements`);
  const faults: string[] = [];
  for (const [text, columns] of declared) {
    const found = await check(text, columns).catch((error: Error) => [error.message]);
    faults.push(...found.map((fault) => `${fault}: ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`));
  }
  assert.deepEqual(faults, []);
});

test('wrong names, types and nullability, extra and missing columns, and columns missing in an insert are reported', async () => {
  const sound: Columns = { keyId: t.text, createdAt: t.timestamptz, expiresAt: t.nullable(t.timestamptz) };
  const faultsOf = async (list: string, columns: Columns = sound) =>
    await check(`select ${list} from api_keys`, columns);
  const all = selectList(sound);
  assert.deepEqual(await faultsOf(all), []);
  assert.deepEqual(await faultsOf(all.replace('keyId', 'keyID')), [
    'keyID is selected and not declared',
    'keyId is declared and not selected',
  ]);
  assert.deepEqual(await faultsOf(all, { ...sound, keyId: t.int4 }), ['keyId is text and declared as int4']);
  assert.deepEqual(await faultsOf(all, { ...sound, expiresAt: t.timestamptz }), [
    'expiresAt may be null and is not declared so',
  ]);
  assert.deepEqual(await faultsOf(all, { ...sound, keyId: t.nullable(t.text) }), [
    'keyId is never null and declared nullable',
  ]);
  const insert = `insert into api_keys (company_id, key_id, name, created_at) values ($1, $2, $3, $4) returning ${all}`;
  assert.deepEqual(await check(insert, sound), ['mode is missing in the insert']);
  assert.deepEqual(await faultsOf(`${all}, name`), ['name is selected and not declared']);
  assert.deepEqual(await faultsOf(`${all}, key_id as "keyId"`), ['two columns have the same name']);
});

test('a row with another value than its statement declares is reported', () => {
  const columns: Columns = { at: t.timestamptz, state: t.oneOf('open', 'paid'), note: t.nullable(t.text) };
  const row = { at: new Date(), state: 'open', note: null };
  assert.equal(rowFault(columns, row), null);
  const others = [{ at: null }, { at: '2026-01-01' }, { state: 'failed' }, { note: 1 }, { extra: 1 }];
  for (const other of others)
    assert.match(rowFault(columns, { ...row, ...other }) ?? '', /\w/, JSON.stringify(other));
});
