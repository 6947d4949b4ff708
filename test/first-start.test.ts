// The first moments of a process on a new database, as seen by a client that waits for it.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import pg from 'pg';
import { readAnswer } from './harness/client.ts';
import { createFromTemplate } from './harness/database-templates.ts';
import { createProcessGroup, endOf, type ServiceProcess, stopRun, until } from './harness/process.ts';
import { createDatabase } from './harness/services.ts';

const stage = createProcessGroup();
const drops: (() => Promise<void>)[] = [];
after(async () => {
  await stage.clear();
  for (const drop of drops) await drop();
});

const account = { email: 'owner@example.com', password: 'only for this test 1' };

async function freshSettings(): Promise<Record<string, string>> {
  const database = await createDatabase();
  drops.push(database.drop);
  return {
    DATABASE_URL: database.url,
    PAYLINK_MASTER_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_EMAIL: account.email,
    BOOTSTRAP_PASSWORD: account.password,
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
  };
}

/** The status of a login; null while nothing accepts the connection. */
async function tryLogin(run: ServiceProcess): Promise<number | null> {
  const headers = { 'content-type': 'application/json' };
  const sent = fetch(`${run.url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(account) });
  return await sent.then(async (response) => (await readAnswer(response)).status).catch(() => null);
}

/** The statuses of the first `count` logins of a process, starting when it accepts connections. */
async function firstLogins(run: ServiceProcess, count: number): Promise<number[]> {
  const statuses: number[] = [];
  await until(async () => {
    assert.ok(!run.hasEnded(), run.stderr());
    const status = await tryLogin(run);
    if (status !== null) statuses.push(status);
    return statuses.length === count;
  }, 'the first logins');
  return statuses;
}

test('two processes started at once on a new database accept every login with the first password', async () => {
  const settings = { ...(await freshSettings()), BASE_URL: 'http://pay.example' };
  const start = () => stage.start({ through: 'server', settings });
  const runs = await Promise.all([start(), start()]);
  const statuses = await Promise.all(runs.map((run) => firstLogins(run, 5)));
  assert.deepEqual(statuses, [Array(5).fill(200), Array(5).fill(200)]);
  for (const run of runs) {
    await run.ready();
    assert.deepEqual(await stopRun(run), { code: 0, signal: null });
  }
});

test('a first start whose port is in use creates no company, and the next start prints its password', async () => {
  const taken = createServer().listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  assert.ok(address && typeof address === 'object');
  const { BOOTSTRAP_PASSWORD: _, ...settings } = await freshSettings();
  const refused = await stage.start({
    through: 'server',
    settings: { ...settings, PORT: String(address.port) },
  });
  assert.deepEqual(await endOf(refused), { code: 1, signal: null });
  await new Promise((resolve) => taken.close(resolve));
  assert.match(refused.stderr(), /^Port \d+ on 127\.0\.0\.1 is in use/);
  assert.doesNotMatch(refused.stdout(), /Password|Paylink is ready/);
  const run = await stage.start({ through: 'server', settings });
  await run.ready();
  assert.match(run.stdout(), /^ +Password +\S+ +\(shown this once\)$/m);
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
});

test('a first start that fails after the company was created prints its password', async () => {
  const database = await createFromTemplate();
  drops.push(database.drop);
  const { BOOTSTRAP_PASSWORD: _, ...settings } = await freshSettings();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`create function refuse_links() returns trigger language plpgsql as
    $$ begin raise exception 'no links today'; end $$`);
  await client.query(
    'create trigger refuse_links before insert on payments for each row execute function refuse_links()',
  );
  await client.end();
  const run = await stage.start({ through: 'server', settings: { ...settings, DATABASE_URL: database.url } });
  assert.deepEqual(await endOf(run), { code: 1, signal: null });
  assert.match(run.stderr(), /no links today/);
  assert.match(run.stdout(), /^ +Email +owner@example\.com$/m);
  assert.match(run.stdout(), /^ +Password +\S+ +\(shown this once\)$/m);
  assert.doesNotMatch(run.stdout(), /Paylink is ready/);
});
