// Failed starts: plain sentences on standard error, exit code 1, no stack, no secret. And the sources of settings.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { freePort } from './harness/paylink.ts';
import { createProcessGroup, endOf, type StartOptions, stopRun } from './harness/process.ts';
import { createDatabase } from './harness/services.ts';

const stage = createProcessGroup();
after(() => stage.clear());

const masterKey = Buffer.alloc(32, 7).toString('base64');

/** A prepared folder, so that failing starts need not create a database. */
let made: Promise<{ output: string; dataDir: string }> | undefined;
function startOnce(): Promise<{ output: string; dataDir: string }> {
  made ??= (async () => {
    const cwd = await stage.folder();
    const inFile = ['BASE_URL=https://pay.from-file.example', 'BOOTSTRAP_EMAIL=file@example.com'];
    await writeFile(join(cwd, '.env'), `# settings\n${inFile.join('\n')}\n`);
    const settings = { BOOTSTRAP_EMAIL: 'environment@example.com' };
    const run = await stage.start({ through: 'server', cwd, settings });
    await run.ready();
    assert.deepEqual(await stopRun(run), { code: 0, signal: null });
    return { output: run.stdout(), dataDir: run.dataDir };
  })();
  return made;
}
const readyFolder = async () => await stage.copyOf((await startOnce()).dataDir);

/** An occupied loopback port. */
async function takePort(): Promise<{ port: string; free(): Promise<void> }> {
  // Not referenced, so that the process can end even if the test fails before the port is free.
  const server = createServer().listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const free = async () => void (await new Promise((resolve) => server.close(resolve)));
  return { port: String(address.port), free };
}

/** Returns the output of a failed start. */
async function refusalOf(settings: Record<string, string>, options: StartOptions = {}): Promise<string> {
  const run = await stage.start({ ...options, settings });
  assert.deepEqual(await endOf(run), { code: 1, signal: null });
  assert.doesNotMatch(run.stdout(), /Paylink is ready/);
  assert.doesNotMatch(run.stdout() + run.stderr(), /^ +at |node:internal|Error:/m, 'a stack is shown');
  return run.stderr().trimEnd();
}

/** One line, and for a database a second one that names it. */
function assertOneSentence(text: string, ...parts: readonly (string | RegExp)[]): void {
  assert.match(text, /^.+(\nDATABASE_URL names [^\n]+\.)?$/);
  for (const part of parts) assert.ok(typeof part === 'string' ? text.includes(part) : part.test(text), text);
}

describe('refusals', { concurrency: 2 }, () => {
  test('every invalid setting is reported at once, with its name and what to do', async () => {
    const broken = {
      PORT: 'abc',
      BASE_URL: 'ftp://x/path',
      DATABASE_URL: 'mysql://x:hunter2@y/z',
      LOG_LEVEL: 'loud',
      PAYLINK_MASTER_KEY: 'hunter2',
      BOOTSTRAP_EMAIL: 'x',
      BOOTSTRAP_PASSWORD: 'hunter2',
      DATABASE_POOL_SIZE: '1',
      TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33',
      RATE_LIMIT_PROCESS_PER_SECOND: '-1',
      RATE_LIMIT_LOGIN_PER_MINUTE: '1.5',
      RATE_LIMIT_API_PER_SECOND: 'many',
      RATE_LIMIT_REFUSALS_PER_MINUTE: '-1',
      MAX_CONNECTIONS_PER_CLIENT: '1e3',
    };
    const [heading, ...faults] = (await refusalOf(broken)).split('\n');
    assert.equal(heading, 'These settings are invalid:');
    const named = faults.map((line) => /^ {2}- ([A-Z_]+) (must .*)$/.exec(line)?.[1]);
    assert.deepEqual(named.sort(), Object.keys(broken).sort());
    assert.doesNotMatch(faults.join(), /hunter2/);
    assert.match(faults.join('\n'), /openssl rand -base64 32/);
    assert.match(faults.join('\n'), /TRUSTED_PROXIES .* not "10\.0\.0\.0\/33"/);
  });

  test('an easy first password is reported with its setting, and creates no account', async () => {
    const text = await refusalOf({ PORT: String(await freePort()), BOOTSTRAP_PASSWORD: 'zzzzzzzzzzzz' });
    assertOneSentence(text, 'The password in BOOTSTRAP_PASSWORD', 'different characters');
  });

  test('a server database without a master key is rejected with the command that creates one', async () => {
    const text = await refusalOf({ DATABASE_URL: 'postgres://localhost/paylink' });
    assert.match(text, /PAYLINK_MASTER_KEY is required together with DATABASE_URL.*openssl rand -base64 32/);
  });

  test('a port in use is reported with the port and what to do', async () => {
    const { port, free } = await takePort();
    const text = await refusalOf({ PORT: port }, { dataDir: await readyFolder() });
    await free();
    assertOneSentence(text, `Port ${port} `, /in use .* set PORT/);
  });

  test('a host of another machine is reported by name', async () => {
    const text = await refusalOf({ HOST: '192.0.2.1' }, { dataDir: await readyFolder() });
    assertOneSentence(text, 'HOST names 192.0.2.1', '0.0.0.0');
  });

  test('an unreachable database is reported with host and port, without the password', async () => {
    const port = String(await freePort());
    const databaseUrl = `postgres://paylink:hunter2@127.0.0.1:${port}/shop`;
    const text = await refusalOf({ PAYLINK_MASTER_KEY: masterKey, DATABASE_URL: databaseUrl });
    assertOneSentence(text, 'cannot be reached', '127.0.0.1', port, 'DATABASE_URL');
    assert.doesNotMatch(text, /hunter2/);
  });

  test('a missing database is reported by name, without the password', async () => {
    const database = await createDatabase();
    await database.drop();
    const url = new URL(database.url);
    url.password = 'hunter2';
    const text = await refusalOf({ PAYLINK_MASTER_KEY: masterKey, DATABASE_URL: url.href });
    assertOneSentence(text, 'does not exist', url.pathname.slice(1), `${url.hostname}`, url.port);
    assert.doesNotMatch(text, /hunter2/);
  });

  test('a data folder that cannot be created is reported by name', async () => {
    const file = join(await stage.folder(), 'a-file');
    await writeFile(file, '');
    const dataDir = join(file, 'data');
    assertOneSentence(await refusalOf({}, { dataDir }), `The data folder ${dataDir} cannot be used`);
  });

  test('an invalid master key in a data folder is rejected with its file', async () => {
    const dataDir = await readyFolder();
    await writeFile(join(dataDir, 'master.key'), 'not a key\n');
    assertOneSentence(await refusalOf({}, { dataDir }), join(dataDir, 'master.key'), 'restore it');
  });
});

test('the environment overrides a .env file in the working directory', async () => {
  const { output } = await startOnce();
  assert.match(output, /^Paylink is ready: https:\/\/pay\.from-file\.example$/m);
  assert.match(output, /^ +Email +environment@example\.com$/m);
  assert.doesNotMatch(output, /file@example\.com/);
});

test('a relative DATA_DIR belongs to the project folder when npm or the launcher starts it', async () => {
  // The launcher changes into the project folder, so that one clone always uses one data folder.
  const text = await refusalOf({ DATA_DIR: 'package.json/data' }, { cwd: await stage.folder() });
  assertOneSentence(text, 'The data folder package.json/data cannot be used', 'ENOTDIR');
});
