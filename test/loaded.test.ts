// What the service loads, and when: what few requests need waits until one does. Each test loads the service in a
// process of its own and reads from Node's own loader what came with it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
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
  for (const late of ['@electric-sql/pglite', 'pdfkit', 'fontkit', 'stripe'])
    assert.ok(!packages.has(late), late);
  for (const needed of ['fastify', 'pg', 'pg-boss']) assert.ok(packages.has(needed), needed);
});

test('the embedded engine is loaded by its own file', () => {
  assert.ok(packagesOf('src/db/embedded.ts').has('@electric-sql/pglite'));
});
