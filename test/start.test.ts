// A new user's steps: start, follow the printed commands, stop, start again, with the real launcher. start-kills.long.ts
// kills it.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testCards } from '../src/processors/sandbox/test-cards.ts';
import { post } from './harness/client.ts';
import { ask, createFirstStart, paste, statusOf } from './harness/first-start.ts';
import { createProcessGroup, endOf, isRunning, stopRun, untilGone } from './harness/process.ts';
import { visit } from './harness/visitor.ts';

const stage = createProcessGroup();
after(() => stage.clear());
const { firstStart, startAgain } = createFirstStart(stage);

test('a first start on an empty folder becomes ready and prints the first steps', async () => {
  const { run, printed, readiness } = await firstStart();
  assert.deepEqual(readiness, [200, { status: 'ready' }]);
  assert.equal(printed.address, run.url);
  assert.equal(printed.email, 'owner@example.com');
  assert.match(printed.password, /^[0-9A-Za-z]{20}$/);
  assert.equal(printed.curls.length, 2);
  assert.match(printed.link, new RegExp(`^${run.url}/pay/[0-9a-zA-Z]{30}$`));
  for (const { number } of testCards)
    assert.ok(run.stdout().includes(number.replace(/(\d{4})(?=\d)/g, '$1 ')), number);
  assert.match(run.stdout(), /^Database: embedded, in .*; every commit is flushed to disk \(fsync\)$/m);
  assert.equal(run.stderr(), '');
});

test('the printed curl commands work unchanged and return the documented fields', async () => {
  const { login, process, printed } = await firstStart();
  assert.match(login.head, /^HTTP\/1\.1 200 OK\r\n/);
  assert.ok(login.head.toLowerCase().includes(`x-api-key: ${printed.apiKey}`));
  assert.ok(login.head.toLowerCase().includes(`x-company-id: ${printed.companyId}`));
  for (const field of ['email', 'accountId', 'token', 'redirectPath'])
    assert.equal(typeof login.body[field], 'string', field);
  assert.deepEqual(login.body.roles, ['owner']);
  assert.match(process.head, /^HTTP\/1\.1 200 OK\r\n/);
  for (const field of [
    'country',
    'CreatedOn',
    'currency',
    'customerOrderId',
    'PaymentLink',
    'PaymentLinkCode',
    'responseCode',
    'responseMessage',
  ])
    assert.equal(typeof process.body[field], 'string', field);
});

test('the printed link can be opened', async () => {
  assert.equal((await firstStart()).linkStatus, 200);
});

test('only the owner can read the data folder and the master key', async () => {
  const { run } = await firstStart();
  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
  assert.equal(modeOf(run.dataDir), '700');
  assert.equal(modeOf(join(run.dataDir, 'master.key')), '600');
});

test('a second start knows the links and tokens of the first and prints no secret', async () => {
  const { run, printed, linkHere } = await startAgain();
  const server = run.serverPid();
  const page = await visit(linkHere);
  assert.equal(page.status, 200);
  assert.match(page.text, /19\.99/);
  assert.equal((await ask(run, printed)).status, 200);
  const relogin = await post(`${run.url}/v1/auth/login`, {
    email: printed.email,
    password: printed.password,
  });
  assert.equal(relogin.status, 200);
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
  assert.equal(isRunning(server), false, 'the server outlived the launcher');
  const output = run.stdout() + run.stderr();
  for (const secret of [printed.password, printed.token, printed.apiKey, printed.link])
    assert.ok(!output.includes(secret));
  assert.doesNotMatch(output, /Password|curl|Bearer|plk_|\/pay\/\w{30}/);
  assert.match(output, /Sign in with the account of the first start/);
});

test('npm forwards a stop, and all its processes end in order', async () => {
  const { run } = await startAgain({ through: 'npm' });
  const server = run.serverPid();
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
  await untilGone(server);
  assert.match(run.stdout(), /"msg":"stopped"/);
  assert.equal(existsSync(join(run.dataDir, 'paylink.lock.json')), false, 'the folder was not given free');
});

test('a second process on the same folder is rejected in one sentence, and the first continues', async () => {
  const { run, printed, linkHere } = await startAgain();
  const second = await stage.start({ dataDir: run.dataDir });
  assert.deepEqual(await endOf(second), { code: 1, signal: null });
  assert.equal(second.stdout(), '');
  const lines = second.stderr().trimEnd().split('\n');
  assert.equal(lines.length, 1, second.stderr());
  assert.ok(lines[0]?.includes(run.dataDir));
  assert.match(lines[0] ?? '', new RegExp(`in use by process ${run.serverPid()}\\b.*: stop that one, or`));
  assert.equal((await ask(run, printed)).status, 200);
  assert.equal(await statusOf(linkHere), 200);
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
});

test('BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD create the first account, and the password is not printed', async () => {
  const account = { email: "o'neil@example.com", password: 'only for this test 1' };
  const settings = { BOOTSTRAP_EMAIL: account.email, BOOTSTRAP_PASSWORD: account.password };
  const run = await stage.start({ settings });
  await run.ready();
  assert.ok(!run.stdout().includes(account.password));
  assert.match(run.stdout(), /Password +\(the one in BOOTSTRAP_PASSWORD\)/);
  assert.equal((await post(`${run.url}/v1/auth/login`, account)).status, 200);
  const line =
    run
      .stdout()
      .split('\n')
      .find((text) => text.startsWith('curl')) ?? '';
  const pasted = paste(line.replace('<BOOTSTRAP_PASSWORD>', account.password));
  assert.match(pasted.head, /^HTTP\/1\.1 200 OK/);
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
  assert.equal(readFileSync(join(run.dataDir, 'master.key'), 'utf8').trim().length, 44);
});
