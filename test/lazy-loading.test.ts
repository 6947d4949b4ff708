// What the service loads at start, and what it loads on demand. Each test loads the service in a separate process and
// reads Node's loader; the last ones read which options Node got from the launcher.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { serverEnvironment } from '../scripts/server-environment.mjs';
import { root } from './harness/process.ts';

/** Lists every loaded file, whether by import or by require. */
const listing = `
  import { registerHooks } from 'node:module';
  const files = new Set();
  registerHooks({ load: (url, context, next) => { files.add(url); return next(url, context); } });
  process.on('exit', () => process.stdout.write(JSON.stringify([...files])));
`;

/** The packages that are loaded with one of our files. */
function packagesOf(file: string): Set<string> {
  const hook = `data:text/javascript,${encodeURIComponent(listing)}`;
  const output = execFileSync(process.execPath, ['--import', hook, '-e', `import('${root}${file}')`], {
    encoding: 'utf8',
  });
  const names = (JSON.parse(output) as string[]).map(
    (url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1],
  );
  return new Set(names.filter((name) => name !== undefined));
}

test('on a server, the embedded engine, the receipts’ PDF library and the processors’ packages are not loaded', () => {
  const packages = packagesOf('src/app.ts');
  for (const late of ['@electric-sql/pglite', 'pdfkit', 'fontkit', 'bidi-js', 'stripe'])
    assert.ok(!packages.has(late), late);
  for (const needed of ['fastify', 'pg']) assert.ok(packages.has(needed), needed);
});

test('the embedded engine is loaded only by its own file', () => {
  assert.ok(packagesOf('src/db/embedded.ts').has('@electric-sql/pglite'));
});

test('the command line loads the packages of assistants only for `paylink mcp`', () => {
  const late = ['@modelcontextprotocol/server', 'zod', 'typebox'];
  const packages = packagesOf('src/cli/commands.ts');
  for (const name of late) assert.ok(!packages.has(name), name);
  const needed = packagesOf('src/mcp/serve.ts');
  for (const name of late) assert.ok(needed.has(name), name);
});

test('the launcher limits the young generation, unless an option is already set', () => {
  const script = `const spaces = require('node:v8').getHeapSpaceStatistics; let kept = [];
    for (let i = 0; i < 4e6; i++) { kept.push({ i }); if (kept.length > 4e5) kept = []; }
    console.log(spaces().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20);`;
  const youngMb = (environment: NodeJS.ProcessEnv) =>
    Number(execFileSync(process.execPath, ['-e', script], { env: environment, encoding: 'utf8' }));
  assert.ok(youngMb({}) > 16, 'the script fills it');
  // Of 8 MB, and a few more pages while the collector copies.
  const limited = youngMb(serverEnvironment({}));
  assert.ok(limited < 12, `${limited} MB`);
  assert.ok(youngMb(serverEnvironment({ NODE_OPTIONS: '--max-semi-space-size=64' })) > 16);
  assert.equal(serverEnvironment({ MALLOC_ARENA_MAX: '8' }).MALLOC_ARENA_MAX, '8');
});

test('under the launcher, memory for password hashes is returned to the system, however many are checked', () => {
  // Each hash takes 19 MB; the objects that are allocated between two hashes would keep a pool from shrinking.
  const script = `const { argon2Sync } = require('node:crypto'); const kept = [];
    const hash = () => argon2Sync('argon2id', { message: 'x', nonce: Buffer.alloc(16), parallelism: 1, tagLength: 32, memory: 19456, passes: 1 });
    hash(); const before = process.memoryUsage.rss();
    for (let i = 0; i < 8; i++) { hash(); for (let j = 0; j < 64; j++) kept.push(Buffer.allocUnsafeSlow(2048)); }
    console.log((process.memoryUsage.rss() - before) / 2 ** 20);`;
  const grownMb = Number(
    execFileSync(process.execPath, ['-e', script], { env: serverEnvironment({}), encoding: 'utf8' }),
  );
  assert.ok(grownMb < 12, `${grownMb} MB`);
});
