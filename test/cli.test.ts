// The operators' commands as processes: their output, their exit codes, and that they find changes made by SQL.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from '../src/db/database.ts';
import { migrate, migrationsDir } from '../src/db/migrate.ts';
import { createHome, type ExitedCommand, type Home, type Settings, settingsOf } from './harness/cli.ts';
import { createLink, type Json, post } from './harness/client.ts';
import { sealAllOf } from './harness/database-fixture.ts';
import { type Engine, type Paylink, startPaylink } from './harness/paylink.ts';
import { createDatabase } from './harness/services.ts';
import { payWith } from './harness/visitor.ts';

async function startPaid(engine: Engine): Promise<Paylink> {
  const paylink = await startPaylink(engine);
  const { link } = await createLink(paylink);
  await payWith(link, { number: '4242424242424242' });
  await sealAllOf(paylink.app.deps.db, paylink.merchant.companyId);
  return paylink;
}

describe('the command line on a server database, beside the service', () => {
  let paylink: Paylink;
  let home: Home;
  before(async () => {
    [paylink, home] = await Promise.all([startPaid('server'), createHome()]);
  });
  after(async () => {
    await home.remove();
    await paylink.stop();
  });
  const run = async (...args: string[]) => await home.run(settingsOf(paylink), ...args);
  const asOwner = async (text: string) =>
    await paylink.app.deps.db.asOwner.query(text, [paylink.merchant.companyId]);

  test('verifying consistent ledgers exits with 0, as text and as JSON', async () => {
    const ledger = await run('ledger', 'verify');
    assert.deepEqual([ledger.code, ledger.err], [0, '']);
    assert.match(ledger.out, /^The ledgers agree \(companies: \d+\)\.$/m);
    const audit = await run('audit', 'verify', '--json');
    assert.equal(audit.code, 0);
    const report = JSON.parse(audit.out) as Json & { heads: { position: number; hashHex: string }[] };
    assert.deepEqual(report.findings, []);
    assert.ok(report.heads.some(({ position, hashHex }) => position > 2 && /^[0-9a-f]{64}$/.test(hashHex)));
  });

  test('a missing ledger entry exits with 1 and names the company', async () => {
    await asOwner('delete from ledger_entries where company_id = $1');
    const ledger = await run('ledger', 'verify', '--json');
    assert.equal(ledger.code, 1);
    const { findings } = JSON.parse(ledger.out) as { findings: Json[] };
    assert.deepEqual(
      findings.map(({ companyId, fault, postedMinor }) => [companyId, fault, postedMinor]),
      [
        [paylink.merchant.companyId, 'capture missing', null],
        [paylink.merchant.companyId, 'total differs', 1999],
      ],
    );
    assert.match((await run('ledger', 'verify')).out, /^2 disagreements found \(companies: \d+\)\.$/m);
  });

  test('a changed event exits with 1 and names the event', async () => {
    await asOwner(`update events set actor = 'nobody' where company_id = $1 and type = 'payment.paid'`);
    const audit = await run('audit', 'verify');
    assert.equal(audit.code, 1);
    assert.match(audit.out, /Event evt_\w+ or its seal was changed/);
  });

  test('a dead job is listed with exit code 1 and can be rerun; an unknown ID exits with 2', async () => {
    assert.deepEqual(await run('jobs', 'dead'), { code: 0, out: 'There are no dead jobs.\n', err: '' });
    await asOwner(
      // It does not run by itself during the test, whatever the time of day.
      `insert into scheduled_jobs (name, due_at, failures, last_error, failed_at)
       select 'purge-old-rows', now() + interval '12 hours', 4, 'no disk', now() where $1 <> ''
       on conflict (name) do update set failures = excluded.failures, last_error = excluded.last_error,
         due_at = excluded.due_at, lease_token = scheduled_jobs.lease_token + 1, leased_until = null`,
    );
    const listed = await run('jobs', 'dead', '--json');
    assert.equal(listed.code, 1);
    const { dead } = JSON.parse(listed.out) as { dead: Json[] };
    assert.deepEqual([dead[0]?.id, dead[0]?.reason, dead[0]?.runs], ['purge-old-rows', 'no disk', 4]);
    const again = await run('jobs', 'dead', '--rerun', String(dead[0]?.id));
    assert.deepEqual([again.code, again.err], [0, '']);
    assert.equal((await run('jobs', 'dead')).code, 0);
    const unknown = await run('jobs', 'dead', '--rerun', String(dead[0]?.id));
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /There is no dead job/);
  });

  test('a new company has an owner who can log in; a second one with that email address is rejected', async () => {
    const company = ['admin', 'company', 'create', '--name', 'Café Zürich', '--country', 'DE'];
    const made = await run(...company, '--email', 'new@example.com', '--json');
    assert.deepEqual([made.code, made.err], [0, '']);
    const { companyId, password } = JSON.parse(made.out) as { companyId: string; password: string };
    assert.equal(password.length, 20);
    const login = await post(`${paylink.baseUrl}/v1/auth/login`, { email: 'new@example.com', password });
    assert.deepEqual([login.status, login.headers.get('x-company-id')], [200, companyId]);
    const again = await run(...company, '--email', 'New@example.com');
    assert.deepEqual([again.code, again.out], [1, '']);
    assert.match(again.err, /An account with the email address New@example\.com already exists/);
    const nowhere = await run(...company.with(-1, 'XX'), '--email', 'other@example.com');
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.err, /^--country: This must be a country code/);
  });

  test('a given password is used and never printed', async () => {
    const founder = ['--name', 'A', '--country', 'DE', '--email', 'given@example.com'];
    const settings = { ...settingsOf(paylink), PAYLINK_PASSWORD: 'a password of mine' };
    const made = await home.run(settings, 'admin', 'company', 'create', ...founder);
    assert.equal(made.code, 0);
    assert.doesNotMatch(made.out + made.err, /a password of mine/);
    const short = { ...settings, PAYLINK_PASSWORD: 'short' };
    assert.match(
      (await home.run(short, 'admin', 'company', 'create', ...founder)).err,
      /at least 12 characters/,
    );
  });

  /** Runs the doctor. It is run again if it could not wait for the service, which a busy machine makes slow. */
  async function examine(answered: RegExp, settings: Settings, ...options: string[]): Promise<ExitedCommand> {
    for (let runs = 1; ; runs++) {
      const ended = await home.run(settings, 'doctor', ...options);
      if (answered.test(ended.out) || runs === 5) return ended;
    }
  }

  test('the doctor exits with 0 for a healthy service', async () => {
    const { code, out } = await examine(/ is ready"/, settingsOf(paylink), '--json');
    const { healthy, findings } = JSON.parse(out) as { healthy: boolean; findings: Json[] };
    const stateOf = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
    assert.deepEqual([code, healthy], [0, true]);
    const { durability, ...others } = stateOf;
    // The test cluster does not flush, which the doctor reports.
    assert.equal(durability, 'warn');
    const wanted = ['node', 'settings', 'database', 'database roles', 'migrations', 'clock', 'jobs'];
    assert.deepEqual(
      Object.keys(others).sort(),
      [...wanted, 'master key', 'master key of the database', 'BASE_URL', 'proxies', 'mail'].sort(),
    );
    assert.deepEqual(new Set(Object.values(others)), new Set(['ok']));
  });

  test('the doctor reports another master key, a wrong address and an invalid setting, each with a remedy', async () => {
    const settings = settingsOf(paylink);
    const otherKey = { ...settings, PAYLINK_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') };
    const key = await examine(/ uses another master key/, otherKey);
    assert.equal(key.code, 1);
    assert.match(
      key.out,
      /^fail {2}master key: The service at \S+ uses another master key\.\n {6}Set PAYLINK_MASTER_KEY/m,
    );
    // The database has a check value of its key.
    assert.match(
      key.out,
      /^fail {2}master key of the database: The database was written with another key, named \S+: the service will not start\.\n {6}Set PAYLINK_MASTER_KEY to that key/m,
    );
    const setting = await home.run({ ...settings, PORT: 'x' }, 'doctor');
    assert.equal(setting.code, 1);
    assert.match(setting.out, /^fail {2}settings: [\s\S]*PORT must be a whole number/m);
    const elsewhere = { DATABASE_URL: 'postgres://127.0.0.1:1/gone', BASE_URL: 'https://nowhere.invalid' };
    const unnoticed = { METRIC_PORT: '9464', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const gone = await home.run({ ...settings, ...elsewhere, ...unnoticed }, 'doctor');
    assert.match(
      gone.out,
      /^warn {2}names of settings: METRIC_PORT is not a setting\. Did you mean METRICS_PORT\?\n {6}\S/m,
    );
    assert.match(
      gone.out,
      /^warn {2}traces: Payments go on, but the OpenTelemetry collector at 127\.0\.0\.1:1 does not respond \(.+\)\.\n {6}\S/m,
    );
    assert.equal(gone.code, 1);
    assert.match(gone.out, /^fail {2}database: The database of DATABASE_URL cannot be reached/m);
    assert.match(gone.out, /^fail {2}BASE_URL: nowhere\.invalid has no address/m);
    assert.match(gone.out, /^warn {2}proxies: /m);
  });
});

describe('the command line on a database of its own', () => {
  test('a dry run lists the pending migrations; migrating applies exactly these, once', async () => {
    await using database = await createDatabase();
    await using home = await createHome();
    const settings = {
      DATABASE_URL: database.url,
      PAYLINK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const run = async (...args: string[]) => await home.run(settings, ...args);
    const refused = await run('audit', 'verify');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /does not match this version of Paylink: run paylink admin migrate/);
    const files = async (...args: string[]) =>
      JSON.parse((await run('admin', 'migrate', ...args, '--json')).out);
    const { missing } = (await files('--dry-run')) as { missing: string[] };
    assert.match(missing[0] ?? '', /^0000_roles\.sql$/);
    assert.deepEqual(await files('--dry-run'), { missing });
    const doctor = await run('doctor');
    assert.match(doctor.out, /^warn {2}migrations: pending: 0000_roles\.sql, [\s\S]*paylink admin migrate/m);
    assert.deepEqual(await files(), { applied: missing });
    assert.deepEqual(await files(), { applied: [] });
    assert.equal((await run('ledger', 'verify')).code, 0);
  });
});

describe('the command line on a database of an older version', () => {
  test('every command rejects it with a remedy, instead of failing at a missing column', async () => {
    await using database = await createDatabase();
    await using home = await createHome();
    const dir = join(home.folder, 'migrations');
    await mkdir(dir);
    for (const file of await readdir(migrationsDir))
      if (file < '0017') await cp(join(migrationsDir, file), join(dir, file));
    const db = await openDatabase({ databaseUrl: database.url, dataDir: '', log: () => undefined });
    await migrate(db, { dir, log: () => undefined }).finally(async () => await db.close());
    const settings = {
      DATABASE_URL: database.url,
      PAYLINK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    for (const args of [
      ['ledger', 'verify'],
      ['audit', 'verify'],
      ['audit', 'crossings'],
      ['admin', 'rotate-master-key'],
    ]) {
      const refused = await home.run(settings, ...args);
      assert.equal(refused.code, 2, `${args.join(' ')}: ${refused.out} ${refused.err}`);
      assert.match(refused.err, /does not match this version of Paylink: run paylink admin migrate/);
    }
  });
});

describe('the command line on an embedded database', () => {
  test('a folder without a database is reported, and none is created', async () => {
    await using home = await createHome();
    const nothing = await home.run({ DATA_DIR: 'none' }, 'audit', 'verify');
    assert.equal(nothing.code, 2);
    assert.match(nothing.err, /There is no database in none/);
    const empty = await home.run({ DATA_DIR: 'none' }, 'doctor');
    assert.equal(empty.code, 0);
    assert.match(empty.out, /^warn {2}database: There is no database in none\./m);
    assert.equal(existsSync(join(home.folder, 'none')), false);
  });

  test('commands are rejected while the service runs, and work after it has stopped', async () => {
    await using home = await createHome();
    await lookAtEmbedded(home);
  });
});

async function lookAtEmbedded(home: Home): Promise<void> {
  const paylink = await startPaid('embedded');
  const settings = settingsOf(paylink);
  const { dataDir } = paylink.app.deps.config;
  try {
    for (const command of ['ledger verify', 'status']) {
      const refused = await home.run(settings, ...command.split(' '));
      assert.equal(refused.code, 2, command);
      assert.match(refused.err, /is in use by process \d+/, command);
    }
    const beside = await home.run(settings, 'doctor');
    assert.equal(beside.code, 0);
    assert.match(beside.out, /^warn {2}database: .*is in use by process \d+/m);
    await paylink.app.stop();
    for (const command of ['audit verify', 'jobs dead', 'status']) {
      const { code, err } = await home.run(settings, ...command.split(' '));
      assert.deepEqual([code, err], [0, ''], command);
    }
    await chmod(dataDir, 0o755);
    const open = await home.run(settings, 'doctor');
    assert.equal(open.code, 1);
    assert.match(open.out, /^fail {2}data folder: Other users can access .*\n {6}chmod 700 /m);
    assert.match(open.out, /^ok {4}database: PostgreSQL 18/m);
  } finally {
    await paylink.app.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
