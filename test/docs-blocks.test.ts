// Ensures that a test runs or compares every fenced block of the documents, unless its language is in `notRun`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue } from '../src/base/errors.ts';
import { documents, fencedBlocks, read } from './harness/documents.ts';

/** Output, settings, diagrams (which are generated), and commands that need a network or a filled-in placeholder. */
const notRun = new Set(['text', 'mermaid']);

/** Blocks that the start tests or every test run execute. */
const wholeCommands = new Map([
  ['npm start\n', 'test/start.test.ts'],
  ['WEBHOOKS_ALLOW_LOOPBACK=true npm start\n', 'test/start.test.ts'],
  ['npm test\n', 'scripts/test.mjs'],
]);

/** One example for each code. */
const codes = Object.keys(errorCatalogue).length;

type BlockCount = { file: string; language: string; blocks: number; by: string };

/** Which test runs or compares the blocks of a language in a document, and how many there are. */
const accounts: readonly BlockCount[] = [
  { file: 'ARCHITECTURE.md', language: 'way 5', blocks: 1, by: 'test/way-to-statement.test.ts' },
  { file: 'ARCHITECTURE.md', language: 'way 6', blocks: 2, by: 'test/way-to-statement.test.ts' },
  { file: 'docs/guide.md', language: 'sh', blocks: 12, by: 'test/guide.test.ts' },
  { file: 'docs/guide.md', language: 'js', blocks: 5, by: 'test/guide.test.ts' },
  { file: 'docs/guide.md', language: 'python', blocks: 5, by: 'test/guide.test.ts' },
  { file: 'docs/guide.md', language: 'sh', blocks: 2, by: 'test/sdk-python.long.ts' },
  { file: 'docs/guide.md', language: 'python', blocks: 5, by: 'test/sdk-python.long.ts' },
  {
    file: 'sdk-python/README.md',
    language: 'python',
    blocks: 11,
    by: 'sdk-python/tests/real/test_readme.py',
  },
  {
    file: 'integrations/medusa/README.md',
    language: 'js',
    blocks: 1,
    by: 'test/integrations/medusa-shop.ts',
  },
  {
    file: 'integrations/vendure/README.md',
    language: 'js',
    blocks: 1,
    by: 'test/integrations/vendure-shop.ts',
  },
  {
    file: 'integrations/vendure/README.md',
    language: 'graphql',
    blocks: 2,
    by: 'test/integrations/vendure-shop.ts',
  },
  { file: 'sdk/README.md', language: 'js', blocks: 15, by: 'test/sdk/package.test.ts' },
  { file: 'docs/api.md', language: 'js', blocks: 1, by: 'test/docs-run.test.ts' },
  { file: 'docs/api.md', language: 'python', blocks: 1, by: 'test/docs-run.test.ts' },
  { file: 'docs/api.md', language: 'json', blocks: 1, by: 'test/docs-run.test.ts' },
  { file: 'docs/api.md', language: 'json', blocks: 1, by: 'test/items.test.ts' },
  { file: 'docs/cli.md', language: 'json', blocks: 1, by: 'test/cli-requests.test.ts' },
  { file: 'docs/errors.md', language: 'json', blocks: codes, by: 'test/docs.test.ts' },
  { file: 'docs/generated-clients.md', language: 'sh', blocks: 4, by: 'test/generated-clients.campaign.ts' },
  {
    file: 'docs/generated-clients.md',
    language: 'yaml',
    blocks: 2,
    by: 'test/generated-clients.campaign.ts',
  },
  { file: 'docs/generated-clients.md', language: 'php', blocks: 1, by: 'test/generated-clients.campaign.ts' },
  { file: 'docs/generated-clients.md', language: 'go', blocks: 1, by: 'test/generated-clients.campaign.ts' },
  { file: 'docs/generated-clients.md', language: 'sh', blocks: 4, by: 'test/generated-clients.long.ts' },
  { file: 'docs/generated-clients.md', language: 'json', blocks: 1, by: 'test/generated-clients.long.ts' },
  { file: 'docs/generated-clients.md', language: 'ts', blocks: 1, by: 'test/generated-clients.long.ts' },
  { file: 'docs/generated-clients.md', language: 'python', blocks: 1, by: 'test/generated-clients.long.ts' },
  { file: 'docs/mcp.md', language: 'json', blocks: 3, by: 'test/mcp-docs.test.ts' },
  { file: 'docs/processors.md', language: 'sh', blocks: 9, by: 'test/processor-docs.test.ts' },
  { file: 'docs/processors.md', language: 'ts', blocks: 6, by: 'test/processor-docs.test.ts' },
  { file: 'docs/shop.md', language: 'sh', blocks: 8, by: 'test/harness/shop-docs.ts' },
  { file: 'docs/shop.md', language: 'js', blocks: 1, by: 'test/harness/shop-docs.ts' },
  { file: 'docs/shop.md', language: 'python', blocks: 1, by: 'test/harness/shop-docs.ts' },
  { file: 'docs/shop.md', language: 'php', blocks: 1, by: 'test/harness/shop-docs.ts' },
  { file: 'docs/testing.md', language: 'sh', blocks: 4, by: 'test/testing-docs.test.ts' },
  { file: 'docs/webhooks.md', language: 'sh', blocks: 1, by: 'test/shop-docs.long.ts' },
  { file: 'docs/webhooks.md', language: 'js', blocks: 1, by: 'test/webhook-messages.test.ts' },
  { file: 'docs/webhooks.md', language: 'js', blocks: 4, by: 'test/sdk/webhook-receivers.test.ts' },
  { file: 'docs/operations.md', language: 'sql', blocks: 1, by: 'test/docs-run.test.ts' },
  { file: 'docs/backup.md', language: 'sql', blocks: 1, by: 'test/backup.long.ts' },
  { file: 'docs/backup.md', language: 'sh', blocks: 6, by: 'test/backup.long.ts' },
  { file: 'docs/operations.md', language: 'json', blocks: 1, by: 'test/docs-run.test.ts' },
];

/** The number of blocks per language that a test must run or compare. */
function countBlocks(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const block of fencedBlocks(text)) {
    if (notRun.has(block.language) || wholeCommands.has(block.text)) continue;
    counts.set(block.language, (counts.get(block.language) ?? 0) + 1);
  }
  return counts;
}

/** Differences between a document and the expected counts, as sentences. */
function findUnaccounted(file: string, text: string): string[] {
  const counts = countBlocks(text);
  const known = accounts.filter((account) => account.file === file);
  const languages = new Set([...counts.keys(), ...known.map(({ language }) => language)]);
  return [...languages].flatMap((language) => {
    const expected = known.reduce((sum, one) => sum + (one.language === language ? one.blocks : 0), 0);
    const found = counts.get(language) ?? 0;
    return found === expected
      ? []
      : [`${file} has ${found} blocks of "${language}", and ${expected} are accounted for`];
  });
}

test('a test runs or compares every block of the documents that can be run', () => {
  assert.deepEqual(
    documents.flatMap((file) => findUnaccounted(file, read(file))),
    [],
  );
});

test('an added block and a block without a language are found', () => {
  const page = read('docs/api.md');
  for (const language of ['js', 'sh', 'python', 'sql', 'json', 'yaml', '']) {
    const longer = `${page}\n\`\`\`${language}\nanything\n\`\`\`\n`;
    assert.equal(findUnaccounted('docs/api.md', longer).length, 1, language);
  }
  assert.equal(findUnaccounted('docs/new.md', '```sh\nrm -rf data\n```\n').length, 1);
  assert.deepEqual(findUnaccounted('docs/new.md', '```text\nanything\n```\n'), []);
});

test('a removed block is found', () => {
  const shorter = read('docs/guide.md').replace(/^```js\n[\s\S]*?^```\n/m, '');
  assert.equal(findUnaccounted('docs/guide.md', shorter).length, 1);
});

test('each named test reads its document', () => {
  for (const { file, by } of accounts) {
    const name = file.startsWith('sdk') ? 'README.md' : file;
    const reader = read(by);
    assert.ok(reader.includes(`'${name}'`) || reader.includes(`"${name}"`), `${by} reads ${file}`);
  }
  for (const [command, by] of wholeCommands)
    assert.match(read(by), command.includes('npm start') ? /through: 'npm'/ : /npm test/, by);
});

test('no indented or longer fence hides a block', () => {
  for (const file of documents) {
    const fences = read(file).match(/^[ \t>]*(`{3,}|~{3,})/gm) ?? [];
    assert.ok(
      fences.every((fence) => fence === '```'),
      file,
    );
    assert.equal(fences.length, fencedBlocks(read(file)).length * 2, file);
  }
});
