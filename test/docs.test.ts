// Compares the documents with the code: error codes, rights, settings, cards, packages, links and paths.
// docs-run.test.ts and guide.test.ts run the commands of the documents.

import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseReference } from '../src/base/creditor-reference.ts';
import { errorCatalogue } from '../src/base/errors.ts';
import { parseIban } from '../src/base/iban.ts';
import { readConfig } from '../src/config.ts';
import { rights, roles } from '../src/http/roles.ts';
import { limits } from '../src/http/server.ts';
import { ItemInput, PaymentRequest, PaymentResponse, PaymentTax } from '../src/payments/schema.ts';
import { attemptGraph, paymentGraph, refundGraph } from '../src/payments/states.ts';
import { groupDigits, testCards } from '../src/processors/sandbox/test-cards.ts';
import { bare, blocksOf, documents, read, rowsOf, sectionOf } from './harness/documents.ts';
import { root } from './harness/process.ts';

test('each language verifies a result in six lines', () => {
  for (const language of ['js', 'python']) {
    const [snippet = ''] = blocksOf(read('docs/api.md'), language);
    assert.equal(snippet.trim().split('\n').length, 6, language);
  }
});

test('docs/errors.md has every error code, with its status, what to do and an example, and no other', () => {
  const section = sectionOf(read('docs/errors.md'), '## Codes');
  const documented = section.split('\n### ').slice(1);
  const known = Object.values(errorCatalogue);
  assert.deepEqual(
    documented.map((text) => text.split('\n')[0]),
    known.map(({ code }) => code),
  );
  for (const [index, { code, status, title }] of known.entries()) {
    const text = documented[index] ?? '';
    assert.match(text, new RegExp(`\\n\\*\\*${status}\\.\\*\\* \\S`), code);
    assert.match(text, /\nWhat to do: \S/, code);
    const example = JSON.parse(blocksOf(text, 'json')[0] ?? '{}');
    assert.deepEqual(
      { code: example.code, status: example.status, title: example.title },
      { code, status, title },
    );
    assert.ok(example.detail.length > 0 && Array.isArray(example.errors), code);
  }
});

test('docs/api.md has the right of every role, and no other', () => {
  const rows = rowsOf(sectionOf(read('docs/api.md'), '## Roles')).filter(([, right]) =>
    right?.startsWith('`'),
  );
  const documented = rows.map(([, right, ...cells]) => {
    assert.ok(cells.every((cell) => cell === 'yes' || cell === 'no'));
    return [bare(right), roles.filter((_role, index) => cells[index] === 'yes')];
  });
  assert.deepEqual(Object.fromEntries(documented), rights);
  assert.equal(documented.length, Object.keys(rights).length);
});

/** The fields of the tables with this number of columns. A table of a request has one more: whether the field is required. */
const fieldsOfTables = (section: string, columns: number) =>
  rowsOf(section)
    .filter((row) => row.length === columns)
    .flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    .sort();

const processSection = () => sectionOf(read('docs/api.md'), '## POST /v1/payment/process');

test('docs/api.md has every field of a payment request and its response, and no other', () => {
  const [section = ''] = processSection().split('### Items');
  assert.deepEqual(fieldsOfTables(section, 4), Object.keys(PaymentRequest.properties).sort());
  assert.deepEqual(fieldsOfTables(section, 3), Object.keys(PaymentResponse.properties).sort());
});

test('docs/api.md has every field of an item and of a tax, and no other', () => {
  const section = sectionOf(processSection(), '### Items');
  assert.deepEqual(fieldsOfTables(section, 4), Object.keys(ItemInput.properties).sort());
  assert.deepEqual(fieldsOfTables(section, 3), Object.keys(PaymentTax.properties).sort());
});

test('docs/api.md has the limits of the server', () => {
  const section = sectionOf(read('docs/api.md'), '## Limits');
  for (const bytes of [limits.bodyBytes, limits.headerBytes])
    assert.ok(section.includes(`| ${bytes / 1024} KiB |`), `${bytes}`);
  assert.ok(section.includes(`| ${limits.headersTimeoutMs / 1000} s, ${limits.requestTimeoutMs / 1000} s |`));
});

/** The settings that the service reads. */
function settingsRead(): string[] {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  readConfig(environment);
  return [...names].sort();
}

/** The settings of .env.example, uncommented. */
function exampleSettings(): Record<string, string> {
  const lines = read('.env.example').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => [...line.matchAll(/^#([A-Z_]+)=(.*)$/g)].map(([, k, v]) => [k, v])),
  );
}

test('.env.example has every setting, and no other, each with its default', () => {
  const example = exampleSettings();
  assert.deepEqual(Object.keys(example).sort(), settingsRead());
  assert.deepEqual(readConfig(example), readConfig({}));
});

test('docs/operations.md has every setting, and no other, each with its default', () => {
  const rows = rowsOf(sectionOf(read('docs/operations.md'), '## Settings'));
  const documented = Object.fromEntries(rows.map(([name, value]) => [bare(name), bare(value)]));
  assert.deepEqual(Object.keys(documented).sort(), settingsRead());
  for (const [name, value] of Object.entries(exampleSettings()))
    assert.equal(documented[name], value === '' ? 'none' : value, name);
});

test('docs/cards.md has every test card and no other; the README has some of them, and the number of the rest', () => {
  const known = testCards.map(({ number }) => groupDigits(number)).sort();
  const listed = rowsOf(read('docs/cards.md')).map(([card]) => bare(card));
  assert.deepEqual(listed.filter((card) => /^\d{4} /.test(card)).sort(), known);
  const section = sectionOf(read('README.md'), '## Test cards');
  const named = [...section.matchAll(/`(\d{4} \d{4} \d{4} \d{4})`/g)].map(([, card = '']) => card);
  assert.deepEqual(
    named.filter((card) => !known.includes(card)),
    [],
  );
  assert.deepEqual([named.length, section.includes('[Thirteen more](')], [known.length - 13, true]);
});

test('docs/states.md explains every state', () => {
  const text = read('docs/states.md');
  for (const [heading, graph] of Object.entries({
    '## A payment': paymentGraph,
    '## An attempt': attemptGraph,
    '## A refund': refundGraph,
  })) {
    const states = rowsOf(sectionOf(text, heading)).map(([state]) => bare(state));
    assert.deepEqual(states.sort(), Object.keys(graph).sort());
  }
});

test('the table of packages has every direct dependency with its version and licence, and no other', () => {
  const own = JSON.parse(read('package.json'));
  const locked = JSON.parse(read('package-lock.json')).packages;
  const wanted: Record<string, string> = {
    ...own.dependencies,
    ...own.optionalDependencies,
    ...own.devDependencies,
  };
  const known = Object.entries(wanted).map(
    ([name, version]) => `${name} ${version} ${locked[`node_modules/${name}`].license}`,
  );
  const rows = rowsOf(read('docs/decisions/0011-dependencies.md')).filter(([name]) => name?.startsWith('`'));
  const documented = rows.flatMap(([names, version, licence]) =>
    bare(names)
      .split(', ')
      .map((name) => `${name} ${version} ${licence}`),
  );
  assert.deepEqual(documented.sort(), known.sort());
});

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test('every link of the documents leads to an existing file and heading', () => {
  let count = 0;
  for (const file of documents) {
    for (const [, link, image] of read(file).matchAll(/\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g)) {
      const target = link ?? image ?? '';
      if (/^https?:/.test(target)) continue;
      const [name = '', anchor] = target.split('#');
      const place = name === '' ? file : path.join(path.dirname(file), name);
      assert.ok(existsSync(path.join(root, place)), `${file} links to ${target}`);
      const headings = anchor === undefined ? [] : [...read(place).matchAll(/^#+ (.*)$/gm)];
      if (anchor !== undefined)
        assert.ok(
          headings.map(([, heading = '']) => anchorOf(heading)).includes(anchor),
          `${file} links to ${target}`,
        );
      count += 1;
    }
  }
  assert.ok(count > 30);
});

test('every file and folder that the documents name exists', () => {
  let count = 0;
  for (const file of documents) {
    for (const [, name = ''] of read(file).matchAll(
      /(?<![\w/-])((?:sdk|src|test|scripts|migrations|web)\/[\w./-]*\w\/?)/g,
    )) {
      assert.ok(existsSync(path.join(root, name)), `${file} names ${name}`);
      count += 1;
    }
  }
  assert.ok(count > 60);
});

test('every npm command that the documents name exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  // Its commands run in a folder with this file.
  const { scripts: ofClient } = JSON.parse(read('clients/typescript/package.json'));
  for (const file of documents) {
    const known = file === 'docs/generated-clients.md' ? ofClient : scripts;
    for (const [, , name = ''] of read(file).matchAll(/\bnpm (run )?(start|test|(?<=run )[\w-]+)/g))
      assert.ok(name in known, `${file} names npm ${name}`);
  }
});

test('every name of the code in ARCHITECTURE.md and the decisions is in the code', () => {
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const files = [
    'tsconfig.json',
    ...sources.filter((name) => name.endsWith('.ts')).map((name) => `src/${name}`),
  ];
  const words = new Set(files.flatMap((file) => read(file).match(/\w+/g) ?? []));
  const names = documents
    .filter((file) => file === 'ARCHITECTURE.md' || file.startsWith('docs/decisions/'))
    .flatMap((file) => [...read(file).matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => name));
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name) => !words.has(name)),
    [],
  );
});

/** The files with texts for people: documents, messages, the dashboard. */
function filesForPeople(): string[] {
  const below = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.split(path.sep).join('/')}`,
    );
  const programs = ['src', 'web/src', 'sdk/src', 'scripts', 'bench']
    .flatMap(below)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file));
  return [...documents, ...programs, '.env.example', 'package.json', 'sdk/package.json'];
}

type PackageFile = { name?: string; private?: boolean };

/** Commands that download and run or install a package, and its name. */
const fetching =
  /\b(?:npx|bunx|pnpx|npm (?:exec|x|install|i|add|init|create)|(?:pnpm|yarn|bun) (?:add|dlx))(?![\w-])(?: +-[\w=-]+)*(?: +([@\w][\w@/.-]*[\w]))?/g;

test('no text recommends to run or install a package that the project does not own', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  // Packages of the lockfile run from node_modules.
  const installed = new Set(Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }));
  const strangers = (text: string) =>
    [...text.matchAll(fetching)].flatMap(([whole, name]) =>
      name === undefined || installed.has(name) ? [] : [whole],
    );
  assert.deepEqual(strangers('`npx paylink doctor`, npm install paylink-sdk, npm i -D @paylink/sdk'), [
    'npx paylink',
    'npm install paylink-sdk',
    'npm i -D @paylink/sdk',
  ]);
  assert.deepEqual(strangers('npm install ./paylink-sdk-*.tgz; npm init -y; npm ci'), []);
  const files = filesForPeople();
  assert.ok(files.length > 300, `${files.length} files`);
  const found = files.flatMap((file) => strangers(read(file)).map((text) => `${file}: ${text}`));
  assert.deepEqual(found, []);
});

test('no package can be published under a name that the project does not own', () => {
  const exclude = (file: string) => /^(node_modules|dist|data|\.\w+)$/.test(path.basename(file));
  const files = globSync('**/package.json', { cwd: root, exclude });
  const packages = files.map((file) => JSON.parse(read(file)) as PackageFile);
  for (const file of ['package.json', 'sdk/package.json']) assert.ok(files.includes(file), file);
  const isSafe = ({ name = '', private: isPrivate }: PackageFile) =>
    isPrivate === true || name.startsWith('@');
  assert.deepEqual(
    packages.filter((one) => !isSafe(one)),
    [],
  );
});

test('docs/api.md says how to store a token, and operations.md how the data of a trial comes along', () => {
  const keeping = sectionOf(read('docs/api.md'), '### Keeping the token');
  for (const word of ['60 minutes', '401', 'ten a minute', 'expiresAt', 'X-API-KEY', 'lock', 'Retry-After'])
    assert.ok(keeping.includes(word), word);
  const databases = sectionOf(read('docs/operations.md'), '## The embedded database or a server');
  assert.match(databases, /To take the data of a trial with\s+you, \[move it\]/);
});

test('every creditor reference and account number in the documents and the API has valid check digits', () => {
  const sources = [...documents, 'openapi.json', 'src/cli/bank.ts'].map(read);
  const shown = (form: RegExp) => sources.flatMap((text) => text.match(form) ?? []);
  const references = shown(/\bRF\d\d[ ]?[0-9A-Z][0-9A-Z ]{3,26}\b/g);
  assert.ok(references.length > 5);
  for (const reference of references) assert.ok(parseReference(reference), reference);
  const accounts = shown(/\b[A-Z]{2}\d\d(?:[0-9]{12,20}|(?: [0-9]{4}){3,6}(?: [0-9]{1,4})?)\b/g).filter(
    (text) => !text.startsWith('RF'),
  );
  assert.ok(accounts.length > 2);
  for (const account of accounts) assert.ok('iban' in parseIban(account), account);
});
