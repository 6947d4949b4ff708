import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { checkAll, type Finding } from './tidy-checks.ts';
import { bans, maxFileLines, maxFunctionLines, rank, tableOwner, textBans } from './tidy-rules.ts';
import type { SourceText } from './tidy-source.ts';
import { retiredWords } from './tidy-words.ts';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['src', 'test', 'scripts', 'migrations', 'web', 'sdk', 'sdk-python', 'bench', 'integrations'];

function readProject(): SourceText[] {
  return folders.flatMap((folder) =>
    readdirSync(root).includes(folder)
      ? readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs|js|css|sql|html)$/.test(entry.name))
          .map((entry) => path.join(entry.parentPath, entry.name))
          .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file))
          .map((file) => ({
            path: path.relative(root, file).split(path.sep).join('/'),
            text: readFileSync(file, 'utf8'),
          }))
      : [],
  );
}

const show = ({ path: file, line, rule, message }: Finding) => `${file}:${line} [${rule}] ${message}`;

/** The findings for a project with this one file, except missing tables. */
function findingsIn(file: string, text: string): Finding[] {
  return checkAll([{ path: file, text }]).filter(
    (finding) => !finding.message.startsWith('tableOwner names'),
  );
}

test('circular imports are detected, also of types', () => {
  const files = [
    { path: 'src/base/a.ts', text: `${open}import type { B } from './b.ts';\nexport type A = B;\n` },
    { path: 'src/base/b.ts', text: `${open}export type B = import('./c.ts').C;\n` },
    { path: 'src/base/c.ts', text: `${open}export type { A as C } from './a.ts';\n` },
    { path: 'src/base/d.ts', text: `${open}export type { A as D } from './a.ts';\n` },
  ];
  const circles = checkAll(files).filter(({ rule }) => rule === 'import circle');
  assert.deepEqual(
    circles.map(({ message }) => message.split(':')[0]),
    ['src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts'],
  );
});

test('every file of the project keeps the tidy rules', () => {
  const files = readProject();
  assert.ok(
    files.some((file) => file.path === 'src/base/money.ts'),
    'the project was not read',
  );
  assert.deepEqual(checkAll(files).map(show), []);
});

type Planted = { title: string; file: string; text: string; rule: string; line: number; says: RegExp };

const line = (count: number) => Array.from({ length: count }, () => '  x();').join('\n');
const open = '// A planted file.\n';

const planted: Planted[] = [
  {
    title: 'a part of the dashboard that imports a screen',
    file: 'web/src/parts/a.tsx',
    text: `${open}import { pay } from '../screens/payment/payment.tsx';\n`,
    rule: 'import arrow',
    line: 2,
    says: /"parts" imports "screens"/,
  },
  {
    title: 'a screen that imports another screen',
    file: 'web/src/screens/keys/a.tsx',
    text: `${open}import { pay } from '../payment/payment.tsx';\n`,
    rule: 'import arrow',
    line: 2,
    says: /the screen "keys" imports "payment"/,
  },
  {
    title: 'a dashboard that knows the service',
    file: 'web/src/base/a.ts',
    text: `${open}import { money } from '../../../src/base/money.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /the dashboard is a client/,
  },
  {
    title: 'a module that imports a higher module',
    file: 'src/events/a.ts',
    text: `${open}import { pay } from '../payments/store.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /"events" imports "payments".*move the code down/,
  },
  {
    title: 'a module that imports a module of its own rank',
    file: 'src/work/a.ts',
    text: `${open}export type { A } from '../http/server.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /"work" imports "http"/,
  },
  {
    title: 'a module without a rank',
    file: 'src/newcomer/a.ts',
    text: `${open}import '../base/money.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /"newcomer" has no rank/,
  },
  {
    title: 'a forbidden import by import() and by an import type',
    file: 'src/base/a.ts',
    text: `${open}export type A = import('../db/database.ts').Sql;\n`,
    rule: 'import arrow',
    line: 2,
    says: /"base" imports "db"/,
  },
  {
    title: 'a processor imported by name',
    file: 'src/payments/a.ts',
    text: `${open}const a = await import('../processors/sandbox/sandbox.ts');\n`,
    rule: 'import arrow',
    line: 2,
    says: /use the Processor interface/,
  },
  {
    title: 'the interface of processors importing one of them',
    file: 'src/processors/processor.ts',
    text: `${open}import { a } from './sandbox/sandbox.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /use the Processor interface/,
  },
  {
    title: 'the registry imported by another file than app.ts',
    file: 'src/checkout/a.ts',
    text: `${open}import { registry } from '../processors/registry.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /app\.ts looks it up/,
  },
  {
    title: 'settings read past app.ts',
    file: 'src/bootstrap.ts',
    text: `${open}import { config } from './config.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /app\.ts passes it/,
  },
  {
    title: 'code that imports from the tests',
    file: 'src/app.ts',
    text: `${open}import { a } from '../test/harness/services.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /must not be in tests/,
  },
  {
    title: 'code that imports from outside src/',
    file: 'src/app.ts',
    text: `${open}import { a } from '../scripts/toolchain.mjs';\n`,
    rule: 'import arrow',
    line: 2,
    says: /no project files outside of src/,
  },
  {
    title: 'a module that uses the published client',
    file: 'src/payments/a.ts',
    text: `${open}import { createPaylink } from '../../sdk/src/index.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /no project files outside of src/,
  },
  {
    title: 'a client that needs Node',
    file: 'sdk/src/a.ts',
    text: `${open}import { createHmac } from 'node:crypto';\n`,
    rule: 'import arrow',
    line: 2,
    says: /imports node:crypto: .*runs anywhere/,
  },
  {
    title: 'a client that needs the service',
    file: 'sdk/src/a.ts',
    text: `${open}export { errorCatalogue } from '../../src/base/errors.ts';\n`,
    rule: 'import arrow',
    line: 2,
    says: /only its own files/,
  },
  {
    title: 'a table written by another module',
    file: 'src/checkout/a.ts',
    text: `${open}export const a = \`with b as (select 1)\n  UPDATE payments set state = 'paid'\`;\n`,
    rule: 'table owner',
    line: 3,
    says: /"checkout" writes payments, which belongs to "payments"/,
  },
  {
    title: 'a table written by another module in concatenated strings',
    file: 'src/payments/a.ts',
    text: `${open}export const a = 'insert into ' + 'events (at) values ($1)';\n`,
    rule: 'table owner',
    line: 2,
    says: /"payments" writes events/,
  },
  {
    title: "a processor's own table written by the folder above it",
    file: 'src/processors/a.ts',
    text: `${open}export const a = 'delete from sandbox_charges';\n`,
    rule: 'table owner',
    line: 2,
    says: /belongs to "processors\/sandbox"/,
  },
  {
    title: 'a table without an owner',
    file: 'migrations/0009_more.sql',
    text: '-- More.\n-- create table not_this (a int);\ncreate unlogged table if not exists orphans (a int);\n',
    rule: 'table owner',
    line: 3,
    says: /orphans has no owner/,
  },
  {
    title: 'a file that is too long',
    file: 'src/checkout/assets/a.css',
    text: `/* A planted file. */\n${'a{}\n'.repeat(maxFileLines)}`,
    rule: 'file length',
    line: maxFileLines + 1,
    says: /401 lines, at most 400/,
  },
  {
    title: 'a function that is too long, whatever strings and comments say',
    file: 'scripts/a.mjs',
    text: `${open}const a = '{'; // {\nexport const long = () => {\n${line(maxFunctionLines)}\n};\n`,
    rule: 'function length',
    line: 3,
    says: /long has 72 lines, at most 70/,
  },
  {
    title: 'a helper function of a test that is too long',
    file: 'test/a.test.ts',
    text: `${open}function long() {\n${line(maxFunctionLines)}\n}\n`,
    rule: 'function length',
    line: 2,
    says: /extract a function/,
  },
  {
    title: 'a name that is not kebab-case',
    file: 'src/payments/createPayment.ts',
    text: open,
    rule: 'name',
    line: 1,
    says: /"createPayment\.ts" is not kebab-case/,
  },
  {
    title: 'a folder that names a layer',
    file: 'src/payments/helpers/a.ts',
    text: open,
    rule: 'name',
    line: 1,
    says: /"helpers" names a layer/,
  },
  {
    title: 'a file without an opening comment',
    file: 'src/payments/a.ts',
    text: 'export const a = 1; // late\n',
    rule: 'opening comment',
    line: 1,
    says: /what the file does/,
  },
  {
    title: 'a select of every column',
    file: 'src/payments/a.ts',
    text: `${open}export const a = 'select p.* from payments p';\n`,
    rule: 'select *',
    line: 2,
    says: /name the columns/,
  },
  {
    title: 'a value put into a statement',
    file: 'src/payments/a.ts',
    text: `${open}export const a = (sql, id) => sql.query(\`notify \${id}\`);\n`,
    rule: 'built SQL',
    line: 2,
    says: /pass values as \$1/,
  },
  {
    title: 'a value put into a statement away from its query',
    file: 'src/payments/a.ts',
    text: `${open}export const a = (id) => 'select 1 from payments where code = ' + id;\n`,
    rule: 'built SQL',
    line: 2,
    says: /pass values as \$1/,
  },
  ...[...bans, ...textBans].map((ban) => ({
    title: `a violation of the ban of ${ban.what.source}`,
    file: 'src/payments/a.ts',
    text: `${open}\n${ban.planted}\n`,
    rule: 'banned',
    line: 3,
    says: new RegExp(ban.instead.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')),
  })),
];

for (const { title, file, text, rule, line: at, says } of planted) {
  test(`tidy catches ${title}`, () => {
    const findings = findingsIn(file, text);
    assert.equal(findings.length, 1, findings.map(show).join('\n'));
    assert.deepEqual(
      { path: findings[0]?.path, line: findings[0]?.line, rule: findings[0]?.rule },
      { path: file, line: at, rule },
    );
    assert.match(findings[0]?.message ?? '', says);
  });
}

const harmless: [string, string, string][] = [
  ['an import of a lower module', 'src/checkout/a.ts', `import { pay } from '../payments/pay.ts';`],
  [
    'the sandbox serving a page of its own',
    'src/processors/sandbox/a.ts',
    `import { html } from '../../http/html.ts';`,
  ],
  [
    'the command line using the published client',
    'src/cli/a.ts',
    `import { createPaylink } from '../../sdk/src/index.ts';`,
  ],
  ['a test that imports any module', 'src/base/a.test.ts', `import { a } from '../payments/pay.ts';`],
  [
    'a statement of constants',
    'src/payments/a.ts',
    `const b = 'a, b';\nconst c = 7n;\nexport const a = (q) => q.query(\`select \${b} from payments limit \${c}\`);`,
  ],
  [
    'a statement with declared rows',
    'src/payments/a.ts',
    `export const a = statement(b)\`select \${b} from payments where \${sql\`code = \${c}\`}\`;`,
  ],
  [
    'a built statement with an explanation',
    'src/db/a.ts',
    `// safe: the name is ours.\nexport const a = (q, b) => q.query(\`set role \${b}\`);`,
  ],
  [
    'a banned word in a comment or a string',
    'src/payments/a.ts',
    "// Date.now( and console.log are banned.\nexport const a = 'process.env';",
  ],
  [
    'a sentence about updating',
    'src/checkout/a.ts',
    "export const a = 'Update events in your calendar, delete from it what you like.';",
  ],
  ['a retired word in a string', 'src/payments/a.ts', "export const a = 'parcel';"],
  ['a date from a number', 'src/payments/a.ts', 'export const a = (b) => new Date(b);'],
  [
    'the owner of a table writing it',
    'src/events/a.ts',
    "export const a = 'insert into events (at) values ($1)';",
  ],
  ['a long test', 'src/base/a.test.ts', `test('long', async () => {\n${line(maxFunctionLines)}\n});`],
];

for (const [title, file, text] of harmless) {
  test(`tidy lets pass ${title}`, () => {
    assert.deepEqual(findingsIn(file, `${open}${text}\n`).map(show), []);
  });
}

for (const { planted: text, instead } of retiredWords) {
  test(`tidy catches the retired word in ${text}`, () => {
    const source = /^(\/\/|const|type)/.test(text) ? text : `export const ${text} = 1;`;
    const found = findingsIn('src/base/a.ts', `${open}${source}\n`).map(({ rule, line: at }) => [rule, at]);
    assert.deepEqual(found, [['retired word', 2]], instead);
  });
}

test('tidy catches an owner of a table that does not exist', () => {
  const messages = checkAll([
    { path: 'migrations/0001_a.sql', text: '-- One.\ncreate table events (a int);\n' },
  ]).map(show);
  assert.equal(messages.length, Object.keys(tableOwner).length - 1);
  assert.ok(messages.every((text) => /names \w+, which no migration creates: remove the row/.test(text)));
});

test('every owner of a table is a module with a rank', () => {
  for (const owner of Object.values(tableOwner)) assert.ok((owner.split('/')[0] ?? '') in rank, owner);
});
