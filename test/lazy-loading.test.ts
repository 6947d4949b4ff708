// What the service loads, and when: what few requests need waits until one does. Each test loads the service in a
// process of its own and reads from Node's own loader what came with it; the last one reads what Node took from the launcher.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { serverEnvironment } from '../scripts/server-environment.mjs';
import { root } from './harness/process.ts';

/** Tells every file that is loaded, by whichever of Node's two ways. */
const listing = `
  import { registerHooks } from 'node:module';
  const files = new Set();
  registerHooks({ load: (url, context, next) => { files.add(url); return next(url, context); } });
  process.on('exit', () => process.stdout.write(JSON.stringify([...files])));
`;

/** The packages that come with a file of ours. */
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

test('beside a server, neither the embedded engine is loaded, nor what draws receipts, nor a package of a processor', () => {
  const packages = packagesOf('src/app.ts');
  for (const late of ['@electric-sql/pglite', 'fontkit', 'stripe']) assert.ok(!packages.has(late), late);
  for (const needed of ['fastify', 'pg', 'pg-boss']) assert.ok(packages.has(needed), needed);
});

test('the embedded engine is loaded by its own file', () => {
  assert.ok(packagesOf('src/db/embedded.ts').has('@electric-sql/pglite'));
});

test('the launcher bounds the young generation, and gives way to what is set already', () => {
  const script = `const spaces = require('node:v8').getHeapSpaceStatistics; let kept = [];
    for (let i = 0; i < 4e6; i++) { kept.push({ i }); if (kept.length > 4e5) kept = []; }
    console.log(spaces().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20);`;
  const youngMb = (environment: NodeJS.ProcessEnv) =>
    Number(execFileSync(process.execPath, ['-e', script], { env: environment, encoding: 'utf8' }));
  assert.ok(youngMb({}) > 16, 'the script fills it');
  assert.ok(youngMb(serverEnvironment({})) <= 8);
  assert.ok(youngMb(serverEnvironment({ NODE_OPTIONS: '--max-semi-space-size=64' })) > 16);
  assert.equal(serverEnvironment({ MALLOC_ARENA_MAX: '8' }).MALLOC_ARENA_MAX, '8');
});

test('under the launcher, memory for passwords goes back to the system, however many are checked', () => {
  // A hash takes 19 MB each time; what lies between two keeps a pool from shrinking.
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
