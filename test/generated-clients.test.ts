// The page about generated clients is the same as the files in clients/, and names the versions that tests install.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiVersions, newestOf } from '../src/http/api-versions.ts';
import { read } from './harness/documents.ts';
import { readChapter, readSteps } from './harness/generated-clients.ts';

const page = read('docs/generated-clients.md');

const languages = ['PHP', 'Go', 'TypeScript', 'Python'];

test('the configurations on the page are the files in clients/', () => {
  const steps = languages.flatMap((language) => readChapter(page, `## ${language}`).making);
  const shown = steps.flatMap((step) => ('file' in step ? [step] : []));
  assert.deepEqual(
    shown.map(({ file }) => file),
    ['php.yaml', 'go.yaml', 'package.json'],
  );
  for (const { file, text } of shown)
    assert.equal(text, read(`clients/${file === 'package.json' ? 'typescript/' : ''}${file}`), file);
});

test('the page names one version of each generator, and the tests that install them have no other', () => {
  const named = (pattern: RegExp) => [...new Set([...page.matchAll(pattern)].map(([, version]) => version))];
  assert.deepEqual(named(/openapi-generator(?:-cli)?(?:==|` )(\d[\d.]*\d)/g), ['7.26.0']);
  const python = named(/openapi-python-client(?:==|` )(\d[\d.]*\d)/g);
  assert.equal(python.length, 1);
  assert.ok(
    read('test/openapi-generators.requirements.txt').includes(`\nopenapi-python-client==${python[0]}\n`),
  );
  const { dependencies, devDependencies } = JSON.parse(read('clients/typescript/package.json'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
  assert.deepEqual(named(/openapi-typescript` (\d[\d.]*\d)/g), [devDependencies['openapi-typescript']]);
  assert.deepEqual(named(/openapi-fetch` (\d[\d.]*\d)/g), [dependencies['openapi-fetch']]);
  const installed = read('test/openapi-generators.long.ts');
  for (const name of ['openapi-typescript', 'typescript'])
    assert.match(installed, new RegExp(`\\b${name}'?: '${devDependencies[name]}'`), name);
});

test('every program pins the newest version of the API', () => {
  for (const language of languages) {
    const { program } = readChapter(page, `## ${language}`);
    assert.ok('file' in program && program.text.includes(newestOf(apiVersions)), language);
  }
});

test('a block without a file name that is no command is refused', () => {
  const chapter = '\nSave `a.yaml`:\n\n```yaml\na: 1\n```\n\n```sh\ncat a.yaml\n```\n';
  assert.deepEqual(readSteps(chapter), [{ file: 'a.yaml', text: 'a: 1\n' }, { commands: 'cat a.yaml\n' }]);
  assert.throws(() => readSteps('\nText.\n\n```yaml\na: 1\n```\n'), /no file name/);
});
