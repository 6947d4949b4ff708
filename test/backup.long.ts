// Runs the commands of docs/backup.md: backups of a service under load are restored elsewhere, and the service works there.
// Only addresses, names of folders and the master key are replaced.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startCluster } from '../scripts/cluster.mjs';
import { type Credentials, call, createLinkAs, post } from './harness/client.ts';
import { copyTemplate } from './harness/database-templates.ts';
import { blocksOf, read, sectionOf } from './harness/documents.ts';
import { createProcessGroup, root, type ServiceProcess, stopRun, until } from './harness/process.ts';
import { startRestoredServer } from './harness/restored-server.ts';
import { runSql } from './harness/run-sql.ts';
import { postgresBin } from './harness/services.ts';
import { payWith } from './harness/visitor.ts';
import { run } from './sdk/packed.ts';

const page = read('docs/backup.md');
const stage = createProcessGroup();
const chores: (() => Promise<unknown>)[] = [];
after(async () => {
  await stage.clear();
  for (const chore of chores.reverse()) await chore();
});

const account = { email: 'owner@example.com', password: 'only for this test 1' };
const masterKey = randomBytes(32).toString('base64');
const settings = {
  PAYLINK_MASTER_KEY: masterKey,
  BOOTSTRAP_EMAIL: account.email,
  BOOTSTRAP_PASSWORD: account.password,
  RATE_LIMIT_PROCESS_PER_SECOND: '0',
  RATE_LIMIT_LOGIN_PER_MINUTE: '0',
};
const card = { number: '4242424242424242' };

/** The blocks of a section that a shell runs. */
const commandsOf = (heading: string) => blocksOf(sectionOf(page, heading), 'sh');

/** Runs a block of the page in a folder, with some of its texts replaced. Every text must be there. */
async function runBlock(
  block: string | undefined,
  folder: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string; errors: string }> {
  let text = block ?? '';
  for (const [from, to] of Object.entries(replaced)) {
    assert.ok(text.includes(from), `${from} is in ${text}`);
    text = text.replaceAll(from, to);
  }
  return await run('sh', ['-ec', text], folder, { PATH: `${postgresBin()}:${process.env.PATH}` });
}

async function runBlockWell(...args: Parameters<typeof runBlock>): Promise<string> {
  const { code, output, errors } = await runBlock(...args);
  assert.equal(code, 0, `${output}\n${errors}`);
  return output;
}

/** A cluster that was set up as in docs/operations.md, with the addresses of its superuser and of the service's user. */
async function prepareCluster(serverSettings: string[] = []) {
  const cluster = await startCluster(postgresBin(), serverSettings);
  chores.push(cluster.stop);
  await runSql(cluster.url, blocksOf(read('docs/operations.md'), 'sql')[0] ?? '');
  const addressOf = (user: string) => {
    const url = new URL(cluster.url);
    [url.username, url.pathname] = [user, '/paylink'];
    return url.href;
  };
  return { ...cluster, addressOf };
}

const startService = async (own: Record<string, string>): Promise<ServiceProcess> => {
  const started = await stage.start({ through: 'server', settings: { ...settings, ...own } });
  await started.ready();
  return started;
};

async function logIn({ url }: ServiceProcess): Promise<Credentials> {
  const { status, headers, body } = await post(`${url}/v1/auth/login`, account);
  assert.equal(status, 200, JSON.stringify(body));
  const [apiKey, companyId] = [headers.get('x-api-key') ?? '', headers.get('x-company-id') ?? ''];
  return { token: String(body.token), apiKey, companyId };
}

/** Tokens belong to an address. The API key does not, and is the same if the master key is. */
async function logInAgain(service: ServiceProcess, before: Credentials): Promise<Credentials> {
  const credentials = await logIn(service);
  assert.equal(credentials.apiKey, before.apiKey);
  return credentials;
}

/** Creates a link and pays it. Returns its code. */
async function createPaid({ url }: ServiceProcess, credentials: Credentials): Promise<string> {
  const { link, code } = await createLinkAs({ baseUrl: url }, credentials);
  assert.match((await payWith(link, card)).url, /status=paid/);
  return code;
}

async function statusOf({ url }: ServiceProcess, credentials: Credentials, code: string): Promise<unknown> {
  const { status, body } = await call({ baseUrl: url }, credentials, ['GET', `/v1/payments/${code}`]);
  return status === 200 ? body.status : status;
}

/** A command of operators, with the settings of a service. */
async function operate(own: Record<string, string>, ...words: string[]) {
  const folder = await stage.folder();
  return await run(process.execPath, [join(root, 'scripts', 'paylink.mjs'), ...words], folder, {
    PAYLINK_MASTER_KEY: masterKey,
    ...own,
  });
}

async function verify(own: Record<string, string>): Promise<void> {
  for (const check of ['ledger', 'audit']) {
    const { code, output, errors } = await operate(own, check, 'verify');
    assert.equal(code, 0, `${output}\n${errors}`);
  }
}

/** The IDs of all events of the feed, from a cursor on. */
async function readFeed({ url }: ServiceProcess, credentials: Credentials, after?: string) {
  const ids: string[] = [];
  let cursor = after;
  for (;;) {
    const path = `/v1/events?limit=100${cursor === undefined ? '' : `&after=${cursor}`}`;
    const { status, body } = await call({ baseUrl: url }, credentials, ['GET', path]);
    assert.equal(status, 200, JSON.stringify(body));
    const data = body.data as { id: string }[];
    ids.push(...data.map(({ id }) => id));
    cursor = (body.nextCursor as string | null) ?? cursor;
    if (data.length === 0) return { ids, cursor };
  }
}

/** Runs work while payments are made without a pause. Returns how many were paid. */
async function underLoad(service: ServiceProcess, credentials: Credentials, work: () => Promise<unknown>) {
  let isOver = false;
  let paid = 0;
  const customers = [1, 2].map(async () => {
    while (!isOver) {
      await createPaid(service, credentials);
      paid += 1;
    }
  });
  // The backup begins in the middle of the load.
  await until(() => paid >= 5, 'the first payments');
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(customers);
  }
  return paid;
}

/** Runs transactions on a server, as in months of service, so that its numbers are above those of a new server. */
async function spendTransactions(url: string): Promise<void> {
  await runSql(
    url,
    'do $$ begin for i in 1..15000 loop perform pg_current_xact_id(); commit; end loop; end $$',
  );
}

test('a dump under load is restored on another server: it is whole, the numbers catch up, and readers miss nothing', async () => {
  const first = await prepareCluster();
  const own = { DATABASE_URL: first.addressOf('paylink') };
  const old = await startService(own);
  const credentials = await logIn(old);
  const known = await createPaid(old, credentials);
  const raised = await operate(own, 'admin', 'catch-up', '--beyond', '3000000000');
  // Transactions of the service between the reading and the raise lower the difference.
  assert.match(raised.output, /Raised by (2999999|3000000)\d{3}\./, raised.errors);
  await spendTransactions(first.url);

  await runSql(first.url, blocksOf(sectionOf(page, '## A dump'), 'sql')[0] ?? '');
  const folder = await stage.folder();
  const backup = { 'postgres://paylink_backup@host/paylink': first.addressOf('paylink_backup') };
  await underLoad(
    old,
    credentials,
    async () => await runBlockWell(commandsOf('## A dump')[0], folder, backup),
  );
  const lost = await createPaid(old, credentials);
  const { ids: oldIds, cursor } = await readFeed(old, credentials);
  await stopRun(old);

  const asOwner = await runBlock(commandsOf('## A dump')[0], await stage.folder(), {
    'postgres://paylink_backup@host/paylink': own.DATABASE_URL,
  });
  assert.notEqual(asOwner.code, 0);
  assert.match(asOwner.errors, /query would be affected by row-level security policy/);

  const shown = await runBlockWell(commandsOf('## Rehearsing a restore')[0], folder, {
    'PAYLINK_MASTER_KEY=…': `PAYLINK_MASTER_KEY=${masterKey}`,
    node: process.execPath,
    'scripts/paylink.mjs': join(root, 'scripts', 'paylink.mjs'),
  });
  assert.match(shown, /The backup can be restored: 9 ok, 0 warnings, 0 failures\./);
  assert.match(shown, /numbers of events: \d{5} behind/);
  const [sample = ''] = blocksOf(sectionOf(page, '## Rehearsing a restore'), 'text');
  const labels = (text: string) => text.match(/^(ok|warn|fail) +[\w ]+:/gm);
  assert.deepEqual(labels(shown), labels(sample));

  const second = await prepareCluster();
  await runBlockWell(commandsOf('## Restoring a dump')[0], folder, {
    'postgres://postgres@host/paylink': second.addressOf('postgres'),
  });
  const moved = { DATABASE_URL: second.addressOf('paylink') };
  // The reader of the feed has seen events of the time that is lost.
  const beyond = await operate(moved, 'admin', 'catch-up', '--beyond', '1000000');
  assert.equal(beyond.code, 0, beyond.errors);
  const restored = await startService(moved);
  const renewed = await logInAgain(restored, credentials);
  assert.equal(await statusOf(restored, renewed, known), 'paid');
  assert.equal(await statusOf(restored, renewed, lost), 404);
  const { ids } = await readFeed(restored, renewed);
  assert.ok(ids.length > 0);
  assert.deepEqual(
    ids,
    oldIds.filter((id) => ids.includes(id)),
    'the feed has the order of before',
  );
  const next = await createPaid(restored, renewed);
  assert.equal(await statusOf(restored, renewed, next), 'paid');
  await until(async () => (await readFeed(restored, renewed, cursor)).ids.length >= 2, 'the new events');
  await verify(moved);
  const due = await operate(moved, 'jobs', 'run', 'compare-processors');
  assert.match(due.output, /^Job compare-processors is due now\. .*the result is in its log/, due.errors);
  const unknown = await operate(moved, 'jobs', 'run', 'no-such-job');
  assert.equal(unknown.code, 2);
  assert.match(unknown.errors, /There is no recurring job no-such-job: the jobs are .*compare-processors/);
  await stopRun(restored);
});

test('a service on a restored dump raises the numbers by itself before it listens', async () => {
  const first = await prepareCluster();
  const own = { DATABASE_URL: first.addressOf('paylink') };
  const old = await startService(own);
  const credentials = await logIn(old);
  await spendTransactions(first.url);
  await createPaid(old, credentials);
  const { ids: oldIds, cursor } = await readFeed(old, credentials);
  await stopRun(old);
  const folder = await stage.folder();
  await runBlockWell(commandsOf('## A dump')[0], folder, {
    'postgres://paylink_backup@host/paylink': first.addressOf('postgres'),
  });
  const second = await prepareCluster();
  await runBlockWell(commandsOf('## Restoring a dump')[0], folder, {
    'postgres://postgres@host/paylink': second.addressOf('postgres'),
  });
  const moved = { DATABASE_URL: second.addressOf('paylink') };
  const before = await operate(moved, 'audit', 'verify');
  assert.equal(before.code, 1);
  assert.match(before.output, /has the number of a transaction that does not exist yet/);
  const restored = await startService(moved);
  assert.match(
    restored.stdout(),
    /raised the numbers of events by [12]\d{4}, above those of the stored events/,
  );
  const renewed = await logInAgain(restored, credentials);
  assert.deepEqual((await readFeed(restored, renewed)).ids, oldIds);
  await createPaid(restored, renewed);
  await until(async () => (await readFeed(restored, renewed, cursor)).ids.length >= 2, 'the new events');
  await verify(moved);
  await stopRun(restored);
  const again = await startService(moved);
  assert.doesNotMatch(again.stdout(), /numbers of events/);
  await stopRun(again);

  await runSql(
    second.addressOf('postgres'),
    `update events set xact = '9000000000000000000' where event_id = (select max(event_id) from events)`,
  );
  const forged = await stage.start({ through: 'server', settings: { ...settings, ...moved } });
  assert.notEqual((await forged.ended).code, 0);
  assert.match(
    forged.stderr(),
    /an event of the number 9000000000000000000, and no installation can have come that far/,
  );
});

test('point-in-time recovery restores the database as it was before a destructive statement', async () => {
  const cluster = await prepareCluster(['wal_level=replica', 'archive_mode=on', 'archive_timeout=60']);
  // The account of the server can write there.
  const archive = join(cluster.folder, 'pg', 'archive');
  const [config = '', recovery = ''] = blocksOf(sectionOf(page, '## Point-in-time recovery'), 'text');
  const archiveCommand = /archive_command = '(.+)'/.exec(config)?.[1]?.replaceAll('/archive', archive) ?? '';
  assert.notEqual(archiveCommand, '');
  await runSql(cluster.url, `alter system set archive_command = 'mkdir -p ${archive} && ${archiveCommand}'`);
  await runSql(cluster.url, 'select pg_reload_conf()');
  const own = { DATABASE_URL: cluster.addressOf('paylink') };
  const service = await startService(own);
  const credentials = await logIn(service);
  const known = await createPaid(service, credentials);

  const folder = await stage.folder();
  const server = new URL(cluster.url);
  server.pathname = '/';
  await underLoad(service, credentials, async () => {
    const address = { 'postgres://postgres@host/': server.href };
    await runBlockWell(commandsOf('## Point-in-time recovery')[0], folder, address);
  });
  const last = await createPaid(service, credentials);
  const [at] = await runSql(
    cluster.url,
    `select to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF') as now`,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await runSql(own.DATABASE_URL, 'truncate payments cascade');
  assert.equal(await statusOf(service, credentials, known), 404);
  await stopRun(service);
  const [segment] = await runSql(cluster.url, 'select pg_walfile_name(pg_switch_wal()) as name');
  await until(() => existsSync(join(archive, String(segment?.name))), 'the last segment to be archived');

  const target = recovery
    .replaceAll('/archive', archive)
    .replace(/(recovery_target_time = )'.*'/, `$1'${at?.now}'`);
  assert.ok(target.includes(String(at?.now)) && target.includes(archive));
  // The account of the restored server may not enter this folder, but that of the cluster.
  const base = join(cluster.folder, 'pg', 'base');
  await rename(join(folder, 'base'), base).catch(async () => {
    assert.equal((await run('cp', ['-a', join(folder, 'base'), base], folder)).code, 0);
  });
  await appendFile(join(base, 'postgresql.conf'), `\n${target}`);
  await writeFile(join(base, 'recovery.signal'), '');
  assert.match(await readFile(join(base, 'postgresql.auto.conf'), 'utf8'), /archive_command/);
  const restored = await startRestoredServer(base);
  chores.push(restored.stop);
  const url = new URL(restored.url);
  [url.username, url.pathname] = ['paylink', '/paylink'];
  const recovered = await startService({ DATABASE_URL: url.href });
  const renewed = await logInAgain(recovered, credentials);
  for (const code of [known, last]) assert.equal(await statusOf(recovered, renewed, code), 'paid');
  assert.doesNotMatch(recovered.stdout(), /numbers of events/);
  await createPaid(recovered, renewed);
  await verify({ DATABASE_URL: url.href });
  await stopRun(recovered);
});

test('a copy of a stopped data folder is restored with its key, and a copy of a folder in use is refused', async () => {
  const folder = await stage.folder();
  const dataDir = await copyTemplate(join(folder, 'data'));
  // The key is that in the folder.
  const { PAYLINK_MASTER_KEY: _, ...trial } = settings;
  const start = async () => {
    const started = await stage.start({ through: 'server', dataDir, settings: trial });
    await started.ready();
    return started;
  };
  const service = await start();
  const credentials = await logIn(service);
  const known = await createPaid(service, credentials);
  const [copy, restore] = commandsOf('## The embedded database');
  await runBlockWell(copy, folder, { 'paylink-backup': 'paylink-hot' });
  const hot = await operate(
    { PAYLINK_MASTER_KEY: '' },
    'admin',
    'rehearse-restore',
    join(folder, 'paylink-hot'),
  );
  assert.equal(hot.code, 1);
  assert.match(hot.errors, /was copied while Paylink used it/);
  await stopRun(service);
  await runBlockWell(copy, folder);

  const again = await start();
  const lost = await createPaid(again, await logInAgain(again, credentials));
  await stopRun(again);
  const backup = join(folder, 'paylink-backup');
  const rehearsed = await operate({ PAYLINK_MASTER_KEY: '' }, 'admin', 'rehearse-restore', backup);
  assert.equal(rehearsed.code, 0, rehearsed.output + rehearsed.errors);
  assert.match(rehearsed.output, /rows: companies 1, payments 2, attempts 1,/);
  const wrongKey = await operate({}, 'admin', 'rehearse-restore', backup);
  assert.equal(wrongKey.code, 1);
  assert.match(wrongKey.output, /fail {2}master key: The backup needs the master key named/);

  await runBlockWell(restore, folder);
  const restored = await start();
  const renewed = await logInAgain(restored, credentials);
  assert.equal(await statusOf(restored, renewed, known), 'paid');
  assert.equal(await statusOf(restored, renewed, lost), 404);
  await stopRun(restored);
});
