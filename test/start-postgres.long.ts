// Starting on a PostgreSQL server: several processes at once, and database users without superuser rights.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import pg from 'pg';
import { type Credentials, credentialHeaders, orderOf, post } from './harness/client.ts';
import { createProcessGroup, endOf, type ServiceProcess, stopRun } from './harness/process.ts';
import { createDatabase, testDatabaseUrl } from './harness/services.ts';
import { payWith } from './harness/visitor.ts';

const stage = createProcessGroup();
const chores: (() => Promise<unknown>)[] = [];
after(async () => {
  await stage.clear();
  for (const chore of chores.reverse()) await chore();
});

const account = { email: 'owner@example.com', password: 'only for this test 1' };
const serverSettings = {
  PAYLINK_MASTER_KEY: randomBytes(32).toString('base64'),
  BOOTSTRAP_EMAIL: account.email,
  BOOTSTRAP_PASSWORD: account.password,
};

/** Runs statements as superuser and returns the rows of the last one. */
async function query(text: string, url = testDatabaseUrl()): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results = [await client.query(text)].flat();
    return results.at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

async function makeDatabase() {
  const database = await createDatabase();
  chores.push(() => database.drop());
  return database.url;
}

/** A new database of a new user. */
async function makeOwnedDatabase(attributes: string) {
  const user = `user_${randomBytes(6).toString('hex')}`;
  await query(`create role ${user} login ${attributes}`);
  chores.push(() => query(`drop role ${user}`));
  const url = new URL(await makeDatabase());
  await query(`alter database ${url.pathname.slice(1)} owner to ${user}`);
  const asAdministrator = url.href;
  url.username = user;
  return { user, url: url.href, asAdministrator };
}

async function logIn(run: ServiceProcess): Promise<Credentials> {
  const answer = await post(`${run.url}/v1/auth/login`, account);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return {
    token: String(answer.body.token),
    apiKey: answer.headers.get('x-api-key') ?? '',
    companyId: answer.headers.get('x-company-id') ?? '',
  };
}

async function askForLink(run: ServiceProcess, credentials: Credentials) {
  const answer = await post(
    `${run.url}/v1/payment/process`,
    orderOf({ success_url: 'https://shop.example/thanks' }),
    credentialHeaders(credentials),
  );
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return String(answer.body.PaymentLinkCode);
}

/** The main use case: log in, create a link, open it, pay, return. */
async function payOnce(run: ServiceProcess): Promise<void> {
  const code = await askForLink(run, await logIn(run));
  const end = await payWith(`${run.url}/pay/${code}`, { number: '4242 4242 4242 4242' });
  assert.match(end.url, /^https:\/\/shop\.example\/thanks\?.*status=paid/);
}

test('two processes started at once on one empty database share one company, its tokens and its links', async () => {
  const databaseUrl = await makeDatabase();
  const settings = {
    ...serverSettings,
    DATABASE_URL: databaseUrl,
    BASE_URL: 'http://pay.example',
    LOG_LEVEL: 'info',
  };
  const runs = await Promise.all([stage.start({ settings }), stage.start({ settings })]);
  await Promise.all(runs.map((run) => run.ready()));
  const [one, other] = runs as [ServiceProcess, ServiceProcess];
  for (const run of runs) assert.equal((await fetch(`${run.url}/readyz`)).status, 200);

  const output = one.stdout() + other.stdout();
  const applied = [...output.matchAll(/"migration (\S+) applied"/g)].map(([, file]) => file);
  assert.ok(applied.length >= 2, output);
  assert.equal(new Set(applied).size, applied.length, 'a migration was applied twice');
  const counts = `select (select count(*)::int from companies) as companies, (select count(*)::int from logins) as logins,
                         (select count(*)::int from schema_migrations) as migrations`;
  assert.deepEqual(await query(counts, databaseUrl), [
    { companies: 1, logins: 1, migrations: applied.length },
  ]);
  assert.equal(output.match(/A sandbox company was created/g)?.length, 1);
  assert.doesNotMatch(output + one.stderr() + other.stderr(), /"level":"(warn|error|fatal)"|^ +at /m);

  const code = await askForLink(other, await logIn(one));
  assert.equal((await fetch(`${one.url}/pay/${code}`)).status, 200);
  assert.deepEqual(await Promise.all(runs.map(stopRun)), [
    { code: 0, signal: null },
    { code: 0, signal: null },
  ]);
});

test('an owner who may not create roles gets the statements for an administrator, and they work', async () => {
  const { user, url, asAdministrator } = await makeOwnedDatabase('nocreaterole');
  const settings = { ...serverSettings, DATABASE_URL: url };
  const refused = await stage.start({ settings });
  assert.deepEqual(await endOf(refused), { code: 1, signal: null });
  const [sentence = '', which = '', ...more] = refused.stderr().trimEnd().split('\n');
  assert.deepEqual(more, []);
  assert.match(which, /^DATABASE_URL names the database test_\w+ at 127\.0\.0\.1, port \d+\.$/);
  const [, statements = ''] =
    new RegExp(`user ${user} may not create roles; an administrator has to run once: (.*;)$`).exec(
      sentence,
    ) ?? assert.fail(sentence);
  await query(statements, asAdministrator);
  const run = await stage.start({ settings });
  await run.ready();
  await payOnce(run);
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
});

test('a process with a newer database warns and works, so that an upgrade can be rolled back', async () => {
  const databaseUrl = await makeDatabase();
  const settings = { ...serverSettings, DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' };
  const first = await stage.start({ settings });
  await first.ready();
  await stopRun(first);
  const newer =
    "insert into schema_migrations (version, name, checksum) values (9999, 'of_the_next_release', 'x')";
  await query(newer, databaseUrl);
  const again = await stage.start({ settings });
  await again.ready();
  await payOnce(again);
  await stopRun(again);
  assert.match(again.stdout(), /^\{[^\n]*"version":"\d+\.\d+\.\d+","msg":"starting"\}$/m);
  assert.match(
    again.stdout(),
    /the database is newer than this version of Paylink: it has 9999_of_the_next_release\.sql/,
  );
});

test('an owner who may create roles needs no superuser for migrations, login, link and payment', async () => {
  const { user, url } = await makeOwnedDatabase('createrole nosuperuser');
  // Since PostgreSQL 16 such a user controls only its own roles; this cluster's roles may belong to another user.
  await query(`do $$ begin
    if current_setting('server_version_num')::int >= 160000 and exists (select from pg_roles where rolname = 'paylink_tenant')
    then grant paylink_tenant, paylink_system to ${user}; end if; end $$`);
  const run = await stage.start({ settings: { ...serverSettings, DATABASE_URL: url } });
  await run.ready();
  assert.match(run.stdout(), /^Database: PostgreSQL; /m);
  await payOnce(run);
  const [self] = await query(`select rolsuper from pg_roles where rolname = '${user}'`);
  assert.deepEqual(self, { rolsuper: false });
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
});

test('a user who neither owns the database nor may create tables gets one sentence', async () => {
  const { url } = await makeOwnedDatabase('createrole');
  await query(`alter database ${new URL(url).pathname.slice(1)} owner to postgres`);
  const refused = await stage.start({ settings: { ...serverSettings, DATABASE_URL: url } });
  assert.deepEqual(await endOf(refused), { code: 1, signal: null });
  assert.match(
    refused.stderr(),
    /^The database user may not create tables; .*grant create on schema public to user_\w+;\nDATABASE_URL names .*\.\n$/,
  );
});

test('a user who may create tables need not own the database', async () => {
  const { user, url, asAdministrator } = await makeOwnedDatabase('createrole');
  await query(`alter database ${new URL(url).pathname.slice(1)} owner to postgres`);
  await query(`grant create on schema public to ${user}`, asAdministrator);
  const run = await stage.start({ settings: { ...serverSettings, DATABASE_URL: url } });
  await run.ready();
  await payOnce(run);
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
});

test('after a kill -9, the next server continues with the same links and tokens', async () => {
  const settings = { ...serverSettings, DATABASE_URL: await makeDatabase(), BASE_URL: 'http://pay.example' };
  const killed = await stage.start({ settings, through: 'server' });
  await killed.ready();
  const credentials = await logIn(killed);
  const code = await askForLink(killed, credentials);
  killed.kill('SIGKILL');
  assert.deepEqual(await endOf(killed), { code: null, signal: 'SIGKILL' });
  const next = await stage.start({ settings, through: 'server' });
  await next.ready();
  assert.equal((await fetch(`${next.url}/pay/${code}`)).status, 200);
  await askForLink(next, credentials);
  assert.doesNotMatch(next.stdout(), /Password|curl/);
  assert.deepEqual(await stopRun(next), { code: 0, signal: null });
});
