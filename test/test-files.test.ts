// Each test file is run by exactly one command: the tidy rule about test files, and the lists of the commands. A process
// of tests always ends.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { findCampaigns, listTestFiles, planFiles, stepOf, testFolders } from '../scripts/test-files.mjs';
import { root } from './harness/process.ts';
import { checkAll } from './tidy-checks.ts';

const text = '// A planted file.\n';
const declaresTests = `${text}import { test } from 'node:test';\ntest('a', () => undefined);\n`;

function findingsIn(...files: { path: string; text: string }[]): string[] {
  return checkAll(files)
    .filter(({ rule }) => rule === 'test file')
    .map(({ path, message }) => `${path}: ${message}`);
}

test('tests in a file that no command runs are reported', () => {
  assert.deepEqual(findingsIn({ path: 'test/a.slow.ts', text: declaresTests }), [
    'test/a.slow.ts: no command runs its tests: end its name with .test.ts, .long.ts, .campaign.ts',
  ]);
  const shared = { path: 'test/shared.ts', text: declaresTests };
  const importer = { path: 'test/a.long.ts', text: `${text}import './shared.ts';\n` };
  assert.deepEqual(findingsIn(shared, importer), [], 'a test file imports it');
});

test('a test file in a folder that no command reads is reported', () => {
  assert.deepEqual(findingsIn({ path: 'sdk/src/a.test.ts', text }), [
    'sdk/src/a.test.ts: no command looks for tests here: move it to src/, web/, test/, bench/, integrations/',
  ]);
});

test('a campaign without a short form is reported', () => {
  const campaign = { path: 'test/a.campaign.ts', text };
  assert.deepEqual(findingsIn(campaign), [
    'test/a.campaign.ts: add its short form of at most 2 minutes as test/a.long.ts',
  ]);
  assert.deepEqual(findingsIn(campaign, { path: 'test/a.long.ts', text }), []);
});

test('two campaigns with one name are reported', () => {
  const paths = ['test/a.campaign.ts', 'test/b/a.campaign.ts', 'test/a.long.ts', 'test/b/a.long.ts'];
  assert.deepEqual(findingsIn(...paths.map((path) => ({ path, text }))), [
    'test/b/a.campaign.ts: test/a.campaign.ts has the name "a" too: name one of the campaigns differently',
  ]);
});

test('the lists of the three commands have every test file of the repository, each once', () => {
  const listed = Object.values(listTestFiles()).flat();
  assert.equal(new Set(listed).size, listed.length);
  const onDisk = testFolders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => stepOf(file) !== undefined && !/node_modules|\/dist\//.test(file)),
  );
  assert.deepEqual(listed.sort(), onDisk.sort());
});

test('every file runs once, and a file that changes its process shares it with no other', () => {
  const files = listTestFiles().test;
  const groups = planFiles(files);
  assert.deepEqual(groups.flat().sort(), files);
  const shared = groups.filter(({ length }) => length > 1).flat();
  assert.ok(shared.length > files.length / 2, `${shared.length} files share a process`);
  // It replaces fetch.
  assert.ok(!shared.includes('test/sdk/calls.test.ts'));
});

test('an unknown campaign is refused with the list of campaigns', () => {
  const { campaign } = listTestFiles();
  assert.throws(
    () => findCampaigns(['nothing'], campaign),
    /no campaign nothing[\s\S]*\n {2}kills +200 kills/,
  );
  assert.throws(() => findCampaigns([], campaign), /^Error: Name a campaign/);
  assert.deepEqual(findCampaigns(['kills'], campaign), ['test/faults/kills.campaign.ts']);
});

test('a file that does not exist is refused', () => {
  const command = [`${root}scripts/test.mjs`, 'test/none.test.ts'];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.equal(stderr, 'There is no test file test/none.test.ts.\n');
});

/** Runs a test file that executes `body` in its only test. The test passes. */
function runTest(body: string) {
  const code = `import { createServer } from 'node:http'; import { test } from 'node:test'; test('it', () => {${body}});`;
  const module = `data:text/javascript,${encodeURIComponent(code)}`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(
    process.execPath,
    ['--import', `${root}scripts/end-test-process.mjs`, '--import', module, '--eval', ''],
    { encoding: 'utf8', env: { ...env, TEST_END_GRACE_MS: '200' }, timeout: 60_000 },
  );
}

test('a process whose test left a server open is ended and reported as failed', () => {
  const { status, stderr } = runTest("createServer().listen(0, '127.0.0.1');");
  assert.equal(status, 1);
  assert.match(stderr, /^This process did not end 0\.2 s after its last test\. Open: .*TCPServerWrap\.\n$/);
  const clean = runTest('');
  assert.deepEqual([clean.status, clean.stderr], [0, '']);
});
