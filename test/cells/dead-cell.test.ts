// A cell that is down costs only its companies: killed while processes work, before a process starts, and with the directory.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/telemetry.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { type Credentials, call, createLinkAs, logIn, post } from '../harness/client.ts';
import { metricsPlace, sampleOf } from '../harness/metrics.ts';
import { freePort, type Merchant, type Paylink, password } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { runSql } from '../harness/run-sql.ts';
import { payWith } from '../harness/visitor.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';

const goodCard = { number: '4242424242424242' };
const operatorEmail = 'ops@example.com';

let rig: CellsRig;
let first: Paylink;
let second: Paylink | null = null;
const running = new Set<Paylink>();
let home: Home;
const place = await metricsPlace();
const merchants = new Map<string, Merchant>();
const credentials = new Map<string, Credentials>();

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two' });
  home = await createHome();
  first = await rig.start({ settings: { ...place.settings, OPERATOR_EMAILS: operatorEmail } });
  running.add(first);
  while (merchants.size < 2) {
    const merchant = await first.createMerchant();
    const cell = (await first.app.deps.db.cellOf(merchant.companyId)).cell ?? '';
    merchants.set(cell, merchant);
    credentials.set(cell, await logIn(first, merchant));
  }
});

after(async () => {
  await Promise.all([...running].map(async (paylink) => await paylink.stop()));
  await rig?.close();
  await home?.remove();
});

const clusterOf = (cell: string) => rig.place(cell).cluster;
const asOwnerOf = (cell: string): Credentials => {
  const found = credentials.get(cell);
  assert.ok(found);
  return found;
};

const list = async (paylink: Paylink, cell: string) =>
  await call(paylink, asOwnerOf(cell), ['GET', '/v1/payments']);

async function assertWorks(paylink: Paylink, cell: string): Promise<void> {
  const { link, code } = await createLinkAs(paylink, asOwnerOf(cell));
  await payWith(link.replace(first.baseUrl, paylink.baseUrl), goodCard);
  const { body } = await call(paylink, asOwnerOf(cell), ['GET', `/v1/payments/${code}`]);
  assert.equal(body.status, 'paid', JSON.stringify(body));
}

/** Everything of a company asks its caller to come back: calls, logins, the page of a customer. */
async function assertUnavailable(paylink: Paylink, cell: string, link: string): Promise<void> {
  const { email } = merchants.get(cell) ?? {};
  const calls = [
    await list(paylink, cell),
    await post(`${paylink.baseUrl}/v1/auth/login`, { email, password }),
  ];
  for (const { status, body, headers } of calls) {
    assert.equal(status, 503, JSON.stringify(body));
    assert.ok(Number(headers.get('retry-after')) > 0, 'Retry-After');
  }
  const page = await fetch(link);
  assert.deepEqual([page.status, Number(page.headers.get('retry-after')) > 0], [503, true]);
  await page.text();
}

const isReady = async (paylink: Paylink) => (await fetch(`${paylink.baseUrl}/readyz`)).status;
const isUpInMetrics = async (cell: string) => sampleOf(await place.scrape(), 'paylink_cell_up', { cell });

const serves = async (paylink: Paylink, cell: string) =>
  await until(
    async () => (await list(paylink, cell)).status === 200,
    `the companies of ${cell} to be served`,
  );

test('while the server of a cell lets nobody into its database, the same holds as without the server', async () => {
  const { url, cluster } = rig.place('eu2');
  const name = new URL(url).pathname.slice(1);
  const { link } = await createLinkAs(first, asOwnerOf('eu2'));
  // safe: the name is ours.
  const run = async (block: string) => await runSql(cluster.url, block);
  await run(
    `alter database ${name} allow_connections false;
     select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}';`,
  );
  const assertOutage = async () => {
    await assertUnavailable(first, 'eu2', link);
    await assertWorks(first, 'eu1');
    assert.equal(await isReady(first), 200);
  };
  await assertOutage();
  // As while it is restored under another name.
  await run(`alter database ${name} rename to ${name}_away;`);
  await assertOutage();
  await run(
    `alter database ${name}_away rename to ${name};
     alter database ${name} allow_connections true;`,
  );
  await serves(first, 'eu2');
  await assertWorks(first, 'eu2');
});

describe('a cell that dies while processes work', () => {
  let link = '';
  before(async () => {
    ({ link } = await createLinkAs(first, asOwnerOf('eu2')));
    await clusterOf('eu2').crash();
  });

  test('its companies get 503 with Retry-After, those of other cells work, and the process stays ready', async () => {
    await assertUnavailable(first, 'eu2', link);
    await assertWorks(first, 'eu1');
    assert.equal(await isReady(first), 200);
  });

  test('new companies are placed in the cells that are up', async () => {
    for (let count = 0; count < 4; count++) {
      const { companyId } = await first.createMerchant();
      assert.equal((await first.app.deps.db.cellOf(companyId)).cell, 'eu1');
    }
    const owner = ['--name', 'New', '--country', 'DE', '--email', 'new@example.com'];
    const created = await home.run(rig.settings(), 'admin', 'company', 'create', ...owner);
    assert.equal(created.code, 0, created.err);
    assert.match(created.out, /^Company {3}co_\w+ New\nCell {6}eu1\n/);
  });

  test('the metrics, the status and the commands name it', async () => {
    assert.deepEqual([await isUpInMetrics('eu1'), await isUpInMetrics('eu2')], [1, 0]);
    const text = await place.scrape();
    assert.equal(sampleOf(text, 'paylink_status_read', { cell: 'eu2' }), 0);
    assert.notEqual(sampleOf(text, 'paylink_webhook_endpoints_failing', { cell: 'eu1' }), null);
    assert.equal(sampleOf(text, 'paylink_database_up'), 1);
    // On a busy machine an email that takes over a second is one of a slow server: failed.
    const hasCounted = (scraped: Awaited<ReturnType<typeof place.scrape>>) =>
      ['ok', 'failed'].some((result) =>
        Number(sampleOf(scraped, 'paylink_work_runs_total', { kind: 'emails', result, cell: 'eu1' })),
      );
    await until(async () => hasCounted(await place.scrape()), 'the emails of eu1 to be counted');
    const status = await home.run(rig.settings(), 'status', '--json');
    const { downCells, problems } = JSON.parse(status.out);
    assert.deepEqual([status.code, downCells, problems[0].code], [1, ['eu2'], 'down_cells'], status.err);
    const listed = await home.run(rig.settings(), 'admin', 'cells', 'list', '--json');
    const { cells } = JSON.parse(listed.out);
    assert.deepEqual(
      cells.map(({ name, state }: { name: string; state: string }) => [name, state]),
      [
        ['eu1', 'up'],
        ['eu2', 'down'],
      ],
    );
    assert.equal(listed.code, 1);
    const verify = await home.run(rig.settings(), 'ledger', 'verify');
    assert.deepEqual([verify.code, verify.err.includes('eu2')], [2, true], verify.err);
    const migrated = await home.run(rig.settings(), 'admin', 'migrate');
    assert.equal(migrated.code, 1, migrated.err);
    assert.match(migrated.out, /^eu1: No migration is pending\.\neu2: not reached\./m);
    const doctor = await home.run(rig.settings(), 'doctor', '--json');
    const { findings } = JSON.parse(doctor.out);
    const failed = findings.filter(({ state }: { state: string }) => state === 'fail');
    assert.deepEqual(
      failed.map(({ check }: { check: string }) => check),
      ['database of eu2'],
    );
  });

  test('a process that starts meanwhile serves the other cells at once, and this one when it is up', async () => {
    // With one public address, as behind a load balancer: tokens are bound to it.
    second = await rig.start({ settings: { BASE_URL: first.baseUrl } });
    running.add(second);
    assert.match(second.log(), /^{"level":"error",.*"cell":"eu2",.*the cell eu2 is unavailable/m);
    await assertUnavailable(second, 'eu2', link.replace(first.baseUrl, second.baseUrl));
    await assertWorks(second, 'eu1');
    assert.equal(await isReady(second), 200);
    await clusterOf('eu2').restart();
    for (const paylink of [first, second]) {
      await serves(paylink, 'eu2');
      await assertWorks(paylink, 'eu2');
    }
    assert.equal(await isUpInMetrics('eu2'), 1);
  });

  test('the process that started meanwhile also works what is due in it', async () => {
    running.delete(first);
    await first.stop();
    const eu2 = await rig.openRaw('eu2');
    const sealed = async () => {
      const [row] = await eu2.asOwner.query<{ at: Date | null }>(
        "select succeeded_at as at from scheduled_jobs where name = 'seal-events'",
      );
      return row?.at?.getTime() ?? 0;
    };
    const before = await sealed();
    await eu2.asOwner.query(
      "update scheduled_jobs set due_at = statement_timestamp() where name = 'seal-events'",
    );
    await until(async () => (await sealed()) > before, 'a recurring job to run in eu2');
  });
});

test('a cell that dies between the opening of the databases and that of the port costs only its companies', async () => {
  assert.ok(second);
  const port = await freePort();
  const dataDir = await rig.cleaner.folder();
  const settings = { PORT: String(port), BASE_URL: first.baseUrl, DATA_DIR: dataDir };
  const config = readConfig({ ...rig.settings(), ...settings });
  const app = await createApp({ config, log: createLogger({ level: 'silent' }) });
  try {
    await clusterOf('eu2').crash();
    await app.listen();
    const started = { ...second, app, baseUrl: `http://127.0.0.1:${port}` };
    assert.equal((await list(started, 'eu2')).status, 503);
    assert.deepEqual([(await list(started, 'eu1')).status, await isReady(started)], [200, 200]);
    await clusterOf('eu2').restart();
    await serves(started, 'eu2');
  } finally {
    await app.stop();
  }
});

test('without the database of the directory a process is not ready', async () => {
  assert.ok(second);
  await clusterOf('eu1').crash();
  const paylink = second;
  await until(async () => (await isReady(paylink)) === 503, 'the process to be unready');
  assert.equal((await list(paylink, 'eu1')).status, 503);
  for (const command of [['status'], ['admin', 'cells', 'list'], ['admin', 'migrate'], ['doctor']]) {
    const { out, err } = await home.run(rig.settings(), ...command);
    assert.match(
      out + err,
      /The cell eu1: Its database cannot be reached: .* It has the directory, without which no command works: bring it back first\./s,
    );
  }
  await clusterOf('eu1').restart();
  await until(async () => (await isReady(paylink)) === 200, 'the process to be ready again');
  await serves(paylink, 'eu1');
});
