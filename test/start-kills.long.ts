// Kills and stops at awkward moments, with the real launcher, as start.test.ts starts it.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask, createFirstStart, readPrinted, statusOf } from './harness/first-start.ts';
import { createProcessGroup, endOf, stopRun, until, untilGone } from './harness/process.ts';

const stage = createProcessGroup();
after(() => stage.clear());
const { startAgain } = createFirstStart(stage);

test('after a kill -9, the next start opens the folder with all its data', async () => {
  const { run, printed } = await startAgain();
  const made = await ask(run, printed);
  assert.equal(made.status, 200);
  process.kill(run.serverPid(), 'SIGKILL');
  assert.deepEqual(await endOf(run), { code: 137, signal: null });
  assert.ok(existsSync(join(run.dataDir, 'paylink.lock.json')), 'the note of the dead is still there');
  const next = await stage.start({ dataDir: run.dataDir });
  await next.ready();
  assert.equal(await statusOf(`${next.url}/pay/${made.body.PaymentLinkCode}`), 200);
  assert.deepEqual(await stopRun(next), { code: 0, signal: null });
});

test('after a kill -9 of the launcher, the server stops in order', async () => {
  const { run } = await startAgain();
  const server = run.serverPid();
  run.kill('SIGKILL');
  await untilGone(server);
  assert.equal((await run.ended).signal, 'SIGKILL');
  assert.match(run.stdout(), /"signal":"disconnect","msg":"stopping"/);
  assert.match(run.stdout(), /"msg":"stopped"/);
});

test('after a kill -9 of npm, launcher and server stop in order', async () => {
  const { run } = await startAgain({ through: 'npm' });
  const server = run.serverPid();
  run.kill('SIGKILL');
  await untilGone(server);
  await run.ended;
  assert.match(run.stdout(), /"msg":"stopped"/);
});

test('a stop during the first start ends it, and the next start is a complete first start', async () => {
  const run = await stage.start();
  await until(() => existsSync(join(run.dataDir, 'pg.new')), 'the database to be half made');
  assert.deepEqual(await stopRun(run), { code: 0, signal: null });
  assert.doesNotMatch(run.stdout(), /Paylink is ready/);
  const next = await stage.start({ dataDir: run.dataDir });
  await next.ready();
  assert.equal(await statusOf(readPrinted(next.stdout()).link), 200);
  assert.deepEqual(await stopRun(next), { code: 0, signal: null });
});

test('a launcher killed while the server loads leaves no server behind', async () => {
  const run = await stage.start();
  await run.untilHeld();
  const server = run.serverPid();
  run.kill('SIGKILL');
  await untilGone(server);
  await run.ended;
  assert.doesNotMatch(run.stdout(), /Paylink is ready/);
});
