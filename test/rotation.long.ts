// Changing the master key while merchants work: from the old key to both to the new one, with real processes on both
// engines; killed in the middle; and with a row left under the old key.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { newConnectionId } from '../src/base/ids.ts';
import { type Keyring, openKeyring } from '../src/base/keyring.ts';
import { decryptCredentials, encryptCredentials } from '../src/connections/open-connection.ts';
import { openDatabase } from '../src/db/database.ts';
import { decryptSecret, encryptSecret } from '../src/webhooks/sign.ts';
import { createHome, type ExitedCommand, type Home } from './harness/cli.ts';
import {
  type Answer,
  type Credentials,
  call,
  credentialHeaders,
  type Json,
  orderOf,
  post,
} from './harness/client.ts';
import { copyTemplate, createFromTemplate } from './harness/database-templates.ts';
import { freePort } from './harness/paylink.ts';
import {
  createProcessGroup,
  type ProcessGroup,
  type ServiceProcess,
  stopRun,
  until,
} from './harness/process.ts';
import { fillCard, type Page, visit } from './harness/visitor.ts';
import { createTestEndpoint, type TestEndpoint } from './harness/webhook-endpoints.ts';

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const owner = { email: 'owner@example.com', password: 'correct horse battery' };
const command = ['admin', 'rotate-master-key'];
const credentials = { apiKey: 'sk_test_of_the_processor' };

const logIn = async (run: ServiceProcess, who: Json = owner): Promise<Credentials> => {
  const answer = await post(`${run.url}/v1/auth/login`, who);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const header = (name: string) => answer.headers.get(name) ?? '';
  return { token: String(answer.body.token), apiKey: header('x-api-key'), companyId: header('x-company-id') };
};
const look = async (run: ServiceProcess, who: Credentials): Promise<Answer> =>
  await call({ baseUrl: run.url }, who, ['GET', '/v1/me']);
const keySet = async (run: ServiceProcess): Promise<unknown[]> =>
  (await call({ baseUrl: run.url }, {}, ['GET', '/.well-known/jwks.json'])).body.keys as unknown[];

/** What a merchant and a customer have before the change of keys. */
type Held = { who: Credentials; hook: TestEndpoint; page: Page; invitation: string; keyed: Json };

const keyedPost = async (
  run: ServiceProcess,
  who: Credentials,
  path: string,
  body: Json,
  key: string,
): Promise<Answer> => await post(run.url + path, body, { ...credentialHeaders(who), 'idempotency-key': key });
const keyedLink = async (run: ServiceProcess, who: Credentials, order: Json): Promise<Answer> =>
  await keyedPost(run, who, '/v1/payment/process', order, 'the-only-one');

async function takeAll(run: ServiceProcess): Promise<Held> {
  const at = { baseUrl: run.url };
  const who = await logIn(run);
  const hook = await createTestEndpoint(at, who, { url: 'https://93.184.215.14/hook' });
  const keyed = orderOf({ customerOrderId: 'kept' });
  const made = await keyedLink(run, who, keyed);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const invited = await call(at, who, ['POST', '/v1/members'], {
    email: 'second@example.com',
    roles: ['admin'],
  });
  assert.equal(invited.status, 200, JSON.stringify(invited.body));
  const page = await visit(String(made.body.PaymentLink));
  return { who, hook, page, keyed, invitation: String(invited.body.url).split('#')[1] ?? '' };
}

/** With both keys in the settings, everything is valid, and new tokens and keys use the new one. */
async function seeBoth(run: ServiceProcess, held: Held): Promise<Credentials> {
  assert.equal((await look(run, held.who)).status, 200, 'token and key from before');
  const now = await logIn(run);
  assert.notEqual(now.apiKey, held.who.apiKey, 'a login returns a key of the new master key');
  assert.equal((await look(run, { ...held.who, apiKey: now.apiKey })).status, 200);
  const replayed = await keyedLink(run, now, held.keyed);
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true', JSON.stringify(replayed.body));
  const { action, body } = fillCard(held.page, { number: '4242424242424242' });
  const paid = await visit(action, { method: 'POST', body });
  assert.match(paid.url, /^https:\/\/shop\.example\/thanks/, 'a form from before is taken');
  return now;
}

/** With only the new key, tokens and keys of the old one are invalid, and re-encrypted secrets work. */
async function seeNewAlone(run: ServiceProcess, held: Held, now: Credentials): Promise<void> {
  const token = await look(run, { ...now, token: held.who.token });
  assert.deepEqual([token.status, token.body.code], [401, 'invalid_token']);
  const key = await look(run, { ...now, apiKey: held.who.apiKey });
  assert.deepEqual([key.status, key.body.code], [401, 'invalid_api_key']);
  assert.equal((await look(run, now)).status, 200);
  const joined = await post(`${run.url}/v1/invitations/accept`, {
    token: held.invitation,
    password: 'four quiet rivers at dawn',
  });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
}

/** No account here has an authenticator app; second-factors.test.ts re-encrypts their secrets. */
const noApps = [0, 0, 0];
const countsOf = ({ out }: ExitedCommand) =>
  (JSON.parse(out) as { kinds: { resealed: number; upToDate: number; unopened: unknown[] }[] }).kinds.map(
    ({ resealed, upToDate, unopened }) => [resealed, upToDate, unopened.length],
  );

describe('on a server, with processes that run', () => {
  let stage: ProcessGroup;
  let home: Home;
  let database: Awaited<ReturnType<typeof createFromTemplate>>;
  let client: pg.Client;
  let keyrings: { old: Keyring; both: Keyring; new: Keyring };
  let common: Record<string, string>;
  let held: Held;
  before(async () => {
    [stage, home, database] = [createProcessGroup(), await createHome(), await createFromTemplate()];
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    keyrings = {
      old: await openKeyring(oldKey),
      both: await openKeyring(newKey, oldKey),
      new: await openKeyring(newKey),
    };
    const PORT = String(await freePort());
    common = {
      PORT,
      BASE_URL: `http://localhost:${PORT}`,
      DATABASE_URL: database.url,
      BOOTSTRAP_EMAIL: owner.email,
      BOOTSTRAP_PASSWORD: owner.password,
      RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    };
  });
  after(async () => {
    await stage.clear();
    await home.remove();
    await client.end();
    await database.drop();
  });

  const settings = (current: Buffer, old?: Buffer): Record<string, string> => ({
    ...common,
    PAYLINK_MASTER_KEY: current.toString('base64'),
    ...(old ? { PAYLINK_OLD_MASTER_KEY: old.toString('hex') } : {}),
  });
  const start = async (...keys: [Buffer, Buffer?]): Promise<ServiceProcess> => {
    const run = await stage.start({ through: 'server', settings: settings(...keys) });
    await run.ready();
    return run;
  };
  const rotate = async (keys: [Buffer, Buffer?], ...words: string[]): Promise<ExitedCommand> =>
    await home.run(settings(...keys), ...command, ...words);

  /** A connection with credentials that are encrypted as by the service. */
  const addConnection = async (companyId: string, keyring: Keyring): Promise<string> => {
    const connectionId = newConnectionId(companyId);
    await client.query(
      `insert into connections (company_id, connection_id, processor, mode, name, currencies, position, sealed,
                                key_id, created_by, created_at, updated_at)
       values ($1, $2, 'sandbox', 'test', 'Till', '{EUR}', 1, $3, $4, 'test', now(), now())`,
      [
        companyId,
        connectionId,
        encryptCredentials(keyring, { companyId, connectionId }, credentials),
        keyring.keyId,
      ],
    );
    return connectionId;
  };
  const readConnections = async () =>
    (
      await client.query<{ companyId: string; connectionId: string; sealed: Buffer; keyId: string }>(
        `select company_id as "companyId", connection_id as "connectionId", sealed, key_id as "keyId"
         from connections order by company_id, connection_id`,
      )
    ).rows;
  const readHook = async ({ id }: TestEndpoint) => {
    const { rows } = await client.query<{ companyId: string; endpointId: string; secret: Buffer }>(
      `select company_id as "companyId", endpoint_id as "endpointId", secret
       from webhook_endpoints where endpoint_id = $1`,
      [id],
    );
    assert.ok(rows[0]);
    return rows[0];
  };

  test('everything that a merchant or a customer has stays valid until the old key is removed', async () => {
    const first = await start(oldKey);
    held = await takeAll(first);
    await addConnection(held.who.companyId, keyrings.old);
    const oldKeys = await keySet(first);

    const early = await rotate([newKey, oldKey]);
    assert.deepEqual([early.code, early.out], [2, '']);
    assert.match(early.err, /uses another master key: restart every process/);
    const order = orderOf();
    const invitee = { email: 'third@example.com', roles: ['viewer'] };
    const process = (run: ServiceProcess, who: Credentials) =>
      keyedPost(run, who, '/v1/payment/process', order, 'broken-off-1');
    const invite = (run: ServiceProcess, who: Credentials) =>
      keyedPost(run, who, '/v1/members', invitee, 'broken-off-2');
    const [made, invited] = [await process(first, held.who), await invite(first, held.who)];
    await stopRun(first);
    // As after a process that died before it stored the response.
    await client.query(
      `update idempotency_keys set state = 'running', status = null, answer = null, leased_until = now() - interval '1 s'
       where key like 'broken-off-%'`,
    );

    const second = await start(newKey, oldKey);
    const now = await seeBoth(second, held);
    const found = await process(second, now);
    assert.deepEqual([found.status, found.body.PaymentLinkCode], [200, made.body.PaymentLinkCode]);
    const invitedAgain = await invite(second, now);
    assert.deepEqual([invitedAgain.status, invitedAgain.body.url], [200, invited.body.url]);
    const [newest, ...others] = await keySet(second);
    assert.deepEqual(others, oldKeys);
    assert.deepEqual(newest, keyrings.new.jwks.keys[0]);

    const beside = await rotate([newKey, oldKey], '--json');
    assert.deepEqual([beside.code, beside.err], [0, ''], beside.err);
    assert.deepEqual(countsOf(beside), [[1, 0, 0], [1, 0, 0], noApps]);
    const again = await rotate([newKey, oldKey]);
    assert.equal(again.code, 0);
    assert.match(again.out, /^webhook secrets: 0 re-encrypted, 1 up to date$/m);
    assert.match(again.out, /^credentials of processors: 0 re-encrypted, 1 up to date$/m);
    assert.match(again.out, /^Everything is encrypted with the master key [0-9a-f]{16} \(companies: 1\)\.$/m);
    assert.match(
      again.out,
      /^Next: every merchant takes their new API key[\s\S]*unset PAYLINK_OLD_MASTER_KEY/m,
    );
    assert.ok(![oldKey, newKey].some((key) => again.out.includes(key.toString('base64'))));
    const doctor = await home.run(settings(newKey, oldKey), 'doctor');
    assert.match(doctor.out, /^warn {2}old master key: It is still valid/m);
    await stopRun(second);

    const third = await start(newKey);
    await seeNewAlone(third, held, now);
    const hook = await readHook(held.hook);
    assert.equal(decryptSecret(keyrings.new, hook, hook.secret), held.hook.secret);
    const [connection] = await readConnections();
    assert.ok(connection);
    assert.deepEqual(decryptCredentials(keyrings.new, connection), credentials);
    assert.equal(connection.keyId, keyrings.new.keyId);
    await stopRun(third);
    const done = await rotate([newKey]);
    assert.match(done.out, /^No old master key is set\. The change is complete\.$/m);
  });

  test('a row that is still encrypted with the old key is reported, and the change is not complete', async () => {
    const { companyId } = held.who;
    const hook = await readHook(held.hook);
    await client.query('update webhook_endpoints set secret = $2 where endpoint_id = $1', [
      hook.endpointId,
      encryptSecret(keyrings.old, hook, held.hook.secret),
    ]);
    const connectionId = await addConnection(companyId, keyrings.old);
    const left = await rotate([newKey]);
    assert.equal(left.code, 1);
    assert.ok(
      left.out.includes(
        `webhook secrets: ${hook.endpointId} of ${companyId} cannot be decrypted with any key`,
      ),
    );
    assert.ok(
      left.out.includes(`processors: ${connectionId} of ${companyId} cannot be decrypted with any key`),
    );
    assert.match(left.out, /^2 could not be re-encrypted \(companies: 1\)\.$/m);
    assert.doesNotMatch(left.out, /Everything is encrypted|unset PAYLINK_OLD_MASTER_KEY/);
    const repaired = await rotate([newKey, oldKey], '--json');
    assert.deepEqual(countsOf(repaired), [[1, 0, 0], [1, 1, 0], noApps]);
  });

  test('a row with a wrong key ID is corrected', async () => {
    await client.query(`update connections set key_id = 'ffffffffffffffff'`);
    assert.deepEqual(countsOf(await rotate([newKey], '--json')), [[0, 1, 0], [2, 0, 0], noApps]);
    for (const { keyId } of await readConnections()) assert.equal(keyId, keyrings.new.keyId);
  });

  test('killed in the middle, it leaves every row readable, and the next run completes the work', async () => {
    const { companyId } = held.who;
    for (let count = 0; count < 250; count++) await addConnection(companyId, keyrings.old);
    const rows = await readConnections();
    const blocked = rows[230];
    assert.ok(blocked);
    const locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select 1 from connections where connection_id = $1 for update', [
      blocked.connectionId,
    ]);
    const running = home.start(settings(newKey, oldKey), ...command);
    await until(async () => {
      const { rows: seen } = await client.query<{ isWaiting: boolean }>(
        `select exists (select 1 from pg_stat_activity
                        where datname = current_database() and wait_event_type = 'Lock') as "isWaiting"`,
      );
      return seen[0]?.isWaiting === true;
    }, 'the command to reach the locked row');
    running.child.kill('SIGKILL');
    await running.ended;
    await locker.end();

    const halfway = await readConnections();
    const [done, left] = [halfway.slice(0, 200), halfway.slice(200)];
    for (const { keyId } of done) assert.equal(keyId, keyrings.new.keyId, 'two batches of a hundred');
    assert.deepEqual(left, rows.slice(200), 'the third was rolled back');
    for (const row of halfway) assert.deepEqual(decryptCredentials(keyrings.both, row), credentials);
    for (const row of done) assert.deepEqual(decryptCredentials(keyrings.new, row), credentials);

    const rest = await rotate([newKey, oldKey], '--json');
    assert.equal(rest.code, 0, rest.err);
    const unfinished = left.filter(({ keyId }) => keyId === keyrings.old.keyId).length;
    assert.deepEqual(countsOf(rest)[1], [unfinished, rows.length - unfinished, 0]);
    for (const row of await readConnections())
      assert.deepEqual(decryptCredentials(keyrings.new, row), credentials);
  });

  test('--make is rejected if the key is in the settings', async () => {
    const refused = await rotate([newKey], '--make');
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, /set\nPAYLINK_OLD_MASTER_KEY to the current key/);
  });
});

describe('on the embedded database, with keys in its folder', () => {
  let stage: ProcessGroup;
  let home: Home;
  before(async () => {
    [stage, home] = [createProcessGroup(), await createHome()];
  });
  after(async () => {
    await stage.clear();
    await home.remove();
  });

  test('--make creates a new key and keeps the old one in a file; deleting the file completes the change', async () => {
    const PORT = String(await freePort());
    const dataDir = await copyTemplate(join(await stage.folder(), 'data'));
    const settings = { PORT, BOOTSTRAP_EMAIL: owner.email, BOOTSTRAP_PASSWORD: owner.password };
    const start = async (): Promise<ServiceProcess> => {
      const run = await stage.start({ through: 'server', dataDir, settings });
      await run.ready();
      return run;
    };
    const rotate = async (...words: string[]): Promise<ExitedCommand> =>
      await home.run({ ...settings, DATA_DIR: dataDir }, ...command, ...words);
    const file = join(dataDir, 'master.key');
    const first = await start();
    const held = await takeAll(first);
    const inUse = await rotate('--make');
    assert.equal(inUse.code, 2);
    assert.match(inUse.err, /is in use by process/);
    assert.equal(existsSync(`${file}.old`), false, 'nothing was created beside a running service');
    await stopRun(first);

    const before = readFileSync(file, 'utf8');
    const made = await rotate('--make', '--json');
    assert.deepEqual([made.code, countsOf(made)[0]], [0, [1, 0, 0]], made.err);
    assert.equal(readFileSync(`${file}.old`, 'utf8'), before);
    const current = readFileSync(file, 'utf8');
    assert.notEqual(current, before);
    const again = await rotate('--make');
    assert.equal(readFileSync(file, 'utf8'), current, 'a change in progress creates no further key');
    assert.match(again.out, /0 re-encrypted, 1 up to date[\s\S]*Then delete .*master\.key\.old, and restart/);

    const second = await start();
    const now = await seeBoth(second, held);
    await stopRun(second);
    rmSync(`${file}.old`);
    const third = await start();
    await seeNewAlone(third, held, now);
    await stopRun(third);
    await seeSecret(dataDir, current, held);
  });
});

/** The endpoint's secret is unchanged, and the key in the file decrypts it. */
async function seeSecret(dataDir: string, keyText: string, { who, hook }: Held): Promise<void> {
  const keyring = await openKeyring(Buffer.from(keyText, 'base64'));
  const db = await openDatabase({ dataDir, log: () => undefined });
  try {
    const [row] = await db.asOwner.query<{ secret: Buffer }>('select secret from webhook_endpoints');
    assert.ok(row);
    const at = { companyId: who.companyId, endpointId: hook.id };
    assert.equal(decryptSecret(keyring, at, row.secret), hook.secret);
  } finally {
    await db.close();
  }
}
