// Holds the documents to the code: what they tell people to run is run as it stands, and what they list
// is compared with what there is. Python and PHP are not at hand everywhere, so their lines in
// docs/api.md are the only ones that no test runs.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { errorCatalogue } from '../src/base/errors.ts';
import { describeStart } from '../src/bootstrap.ts';
import { readConfig } from '../src/config.ts';
import { limits } from '../src/http/server.ts';
import { rights, roles } from '../src/merchants/roles.ts';
import { attemptGraph, paymentGraph, refundGraph } from '../src/payments/states.ts';
import { groupDigits, testCards } from '../src/processors/sandbox/test-cards.ts';
import { createLink, orderOf } from './harness/client.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Every document, by its path from the root. */
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  'sdk/README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.split(path.sep).join('/')}`),
];

/** The fenced blocks of a language, in order. */
function blocksOf(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  return [...text.matchAll(fence)].map(([, block = '']) => block);
}

/** The text under a heading, up to the next one of the same rank. */
function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(`\n${heading}\n`);
  assert.ok(section !== undefined, `there is no heading "${heading}"`);
  return section.split(new RegExp(`^${heading.split(' ')[0]} `, 'm'))[0] ?? '';
}

/** The cells of a section's table rows, without the head. */
function rowsOf(section: string): string[][] {
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

const bare = (cell: string | undefined) => (cell ?? '').replaceAll('`', '');

type Ended = { code: number | null; output: string; errors: string };

/** Runs a program on a text, in the project's folder. */
async function run(file: string, args: string[], input: string): Promise<Ended> {
  const child = spawn(file, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended: Ended = { code: null, output: '', errors: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    ended.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    ended.errors += text;
  });
  child.stdin.end(input);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...ended, code }));
  });
}

/** The field names at the top of a JSON text that may be shortened. */
const namesIn = (json: string) => [...json.matchAll(/[{,]\s*"(\w+)":/g)].map(([, name = '']) => name);

describe('what the documents tell people to run', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaylink('embedded');
  });
  after(async () => await paylink.stop());

  test('the commands of the README log in and make a link that opens, and answer what it shows', async () => {
    const readme = read('README.md');
    const blocks = blocksOf(readme, 'sh').filter((block) => !/^npm \w+$/.test(block.trim()));
    let script = blocks.join('');
    const values = { PAYLINK: paylink.baseUrl, EMAIL: paylink.merchant.email, PASSWORD: `'${password}'` };
    for (const [name, value] of Object.entries(values)) {
      const line = new RegExp(`^${name}=.*$`, 'gm');
      assert.equal(script.match(line)?.length, 1, `${name} is set once`);
      script = script.replace(line, `${name}=${value}`);
    }
    const { code, output, errors } = await run('sh', ['-c', script], '');
    assert.deepEqual({ code, errors }, { code: 0, errors: '' });
    const answers = output.replaceAll('\r', '').split(/^(?=HTTP\/1\.1)/m);
    assert.deepEqual(
      answers.map((answer) => answer.split('\n')[0]),
      ['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'],
    );
    const shown = blocksOf(readme, 'text').filter((block) => block.startsWith('HTTP/1.1'));
    assert.equal(shown.length, answers.length);
    for (const [index, sample] of shown.entries()) {
      const got = new Set(namesIn(answers[index] ?? ''));
      const wanted = namesIn(sample);
      assert.ok(wanted.length > 5);
      for (const name of wanted) assert.ok(got.has(name), `the answer has a field ${name}`);
    }
    const link = /"PaymentLink":"([^"]+)"/.exec(output)?.[1] ?? '';
    const page = await fetch(link);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /autocomplete="cc-number"/);
  });

  test('what the README shows of the first start is what is printed', () => {
    const { deps } = paylink.app;
    const [sample = ''] = blocksOf(read('README.md'), 'text');
    const first = {
      email: 'owner@example.com',
      generatedPassword: /Password +(\S+)/.exec(sample)?.[1] ?? '',
      token: '',
      apiKey: '',
      companyId: '',
      link: /\S+\/pay\/\S+/.exec(sample)?.[0] ?? '',
    };
    const config = { ...deps.config, dataDir: './data' };
    const printed = describeStart({ ...deps, config, baseUrl: 'http://localhost:3000' }, first).split('\n');
    for (const line of sample.split('\n')) {
      const told = line.replace(/(?<!Password +\S*)….*$/, '');
      assert.ok(
        printed.some((candidate) => candidate.startsWith(told)),
        `"${told}" is printed`,
      );
    }
  });

  test('the Node lines of docs/api.md tell a paid order from all others', async () => {
    const [snippet = ''] = blocksOf(read('docs/api.md'), 'js');
    const check = async (order: object, paymentResult: string | null) => {
      const given = {
        paylinkUrl: paylink.baseUrl,
        companyId: paylink.merchant.companyId,
        order,
        paymentResult,
      };
      const head = Object.entries(given).map(
        ([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`,
      );
      return await run(
        process.execPath,
        ['--input-type=module', '-'],
        `${head.join('')}${snippet}console.log(isPaid)`,
      );
    };
    const pay = async (number: string) => {
      const order = orderOf();
      const { link } = await createLink(paylink, order);
      const end = await payWith(link, { number });
      return { order, result: new URL(end.url).searchParams.get('paymentResult') };
    };
    const paid = await pay('4242424242424242');
    assert.deepEqual(await check(paid.order, paid.result), { code: 0, output: 'true\n', errors: '' });
    for (const other of [{ amount: 20 }, { currency: 'USD' }, { customerOrderId: 'another' }])
      assert.equal((await check({ ...paid.order, ...other }, paid.result)).output, 'false\n');
    const failed = await pay('4000000000000002');
    assert.equal((await check(failed.order, failed.result)).output, 'false\n');
    const [head, , signature] = (failed.result ?? '').split('.');
    const claims = Buffer.from((failed.result ?? '').split('.')[1] ?? '', 'base64url').toString();
    const forged = Buffer.from(claims.replace('"failed"', '"paid"')).toString('base64url');
    const refused = await check(failed.order, [head, forged, signature].join('.'));
    assert.notEqual(refused.code, 0);
    assert.match(refused.errors, /signature verification failed/);
  });
});

test('each language verifies a result in six lines', () => {
  for (const language of ['js', 'python', 'php']) {
    const [snippet = ''] = blocksOf(read('docs/api.md'), language);
    assert.equal(snippet.trim().split('\n').length, 6, language);
  }
});

test('docs/api.md lists every error code with its status, and no other', () => {
  const rows = rowsOf(sectionOf(read('docs/api.md'), '## Errors')).filter(([, status]) =>
    /^\d{3}$/.test(status ?? ''),
  );
  const documented = rows.map(([code, status]) => `${bare(code)} ${status}`);
  const known = Object.values(errorCatalogue).map(({ code, status }) => `${code} ${status}`);
  assert.deepEqual(documented.sort(), known.sort());
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

test('docs/api.md tells the limits of the server', () => {
  const section = sectionOf(read('docs/api.md'), '## Limits');
  for (const bytes of [limits.bodyBytes, limits.headerBytes])
    assert.ok(section.includes(`| ${bytes / 1024} KiB |`), `${bytes}`);
  assert.ok(section.includes(`| ${limits.headersTimeoutMs / 1000} s, ${limits.requestTimeoutMs / 1000} s |`));
});

/** The settings that the service reads, noted as it reads them. */
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

test('README.md and docs/cards.md list every test card, and no other', () => {
  const known = testCards.map(({ number }) => groupDigits(number)).sort();
  const cards = (text: string) =>
    rowsOf(text)
      .map(([card]) => bare(card))
      .filter((card) => /^\d{4} /.test(card));
  assert.deepEqual(cards(sectionOf(read('README.md'), '## Test cards')).sort(), known);
  assert.deepEqual(cards(read('docs/cards.md')).sort(), known);
});

test('docs/states.md tells what every state means', () => {
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

/** How GitHub names the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test('every link of the documents leads to a file and a heading that exist', () => {
  let count = 0;
  for (const file of documents) {
    for (const [, target = ''] of read(file).matchAll(/\]\(([^)\s]+)\)/g)) {
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
      /(?<![\w-])((?:sdk|src|test|scripts|migrations)\/[\w./-]*\w\/?)/g,
    )) {
      assert.ok(existsSync(path.join(root, name)), `${file} names ${name}`);
      count += 1;
    }
  }
  assert.ok(count > 60);
});

test('every npm command that the documents name exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  for (const file of documents)
    for (const [, , name = ''] of read(file).matchAll(/\bnpm (run )?(start|test|(?<=run )[\w-]+)/g))
      assert.ok(name in scripts, `${file} names npm ${name}`);
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
