// Compares docs/processors.md with the code, and runs its commands against the fakes. Only addresses, accounts and
// credentials are replaced.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { commands } from '../src/cli/commands.ts';
import { parse } from '../src/cli/parse.ts';
import { failureReasons } from '../src/processors/mollie/declines.ts';
import { captureIssues, responseCodes } from '../src/processors/paypal/declines.ts';
import { paypalEventTypes as paypalEvents } from '../src/processors/paypal/webhooks.ts';
import type { DeclineCode } from '../src/processors/processor.ts';
import { apiVersion } from '../src/processors/stripe/client.ts';
import { declineCodes, errorCodes } from '../src/processors/stripe/declines.ts';
import { stripeEventTypes as stripeEvents } from '../src/processors/stripe/webhooks.ts';
import { call, type Json, logIn } from './harness/client.ts';
import { bare, blocksOf, read, rowsOf, sectionOf } from './harness/documents.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { type RunningFake, startFake } from './processors/kit/start-fake.ts';
import { liveMakers } from './processors/live.ts';
import { accounts as mollieAccounts } from './processors/mollie/records.ts';
import { apps } from './processors/paypal/records.ts';
import { accounts as stripeAccounts } from './processors/stripe/accounts.ts';
import { run } from './sdk/packed.ts';
import { textBans } from './tidy-rules.ts';

const page = read('docs/processors.md');

const tables: readonly { heading: string; columns: readonly Readonly<Record<string, DeclineCode>>[] }[] = [
  { heading: '### Declines of Stripe', columns: [declineCodes, errorCodes] },
  { heading: '### Declines of Mollie', columns: [Object.fromEntries(failureReasons)] },
  { heading: '### Declines of PayPal', columns: [captureIssues, responseCodes] },
];

for (const { heading, columns } of tables) {
  test(`the table under "${heading.slice(4)}" has every code of the code's own table, and no other`, () => {
    const rows = rowsOf(sectionOf(page, heading)).filter(([ours]) => ours?.startsWith('`'));
    for (const [index, table] of columns.entries()) {
      const listed = rows.flatMap((cells) => {
        const theirs = [...(cells[index + 1] ?? '').matchAll(/`([^`]+)`/g)];
        return theirs.map(([, code = '']) => [code, bare(cells[0])]);
      });
      assert.equal(listed.length, Object.keys(table).length);
      assert.deepEqual(Object.fromEntries(listed), { ...table });
    }
  });
}

test('the page lists exactly the webhook events that each adapter reads', () => {
  for (const [heading, events] of [
    ['## Stripe', stripeEvents],
    ['## PayPal', paypalEvents],
  ] as const) {
    const listed = rowsOf(sectionOf(page, heading)).filter((cells) =>
      /^`[\w.-]+\.[\w.-]+`$/.test(cells[0] ?? ''),
    );
    assert.deepEqual(
      listed.map(([event]) => bare(event)),
      events,
    );
  }
});

test('the page names the API version that is sent to Stripe', () => {
  assert.ok(sectionOf(page, '## Limits of each').includes(`\`${apiVersion}\``));
});

test('each quoted code block is in a source file', () => {
  const sources = ['sample/sample-processor.ts', 'sample/sample-rig.ts'].map((name) =>
    read(`test/processors/${name}`),
  );
  sources.push(read('src/processors/registry.ts'));
  const quotes = blocksOf(page, 'ts');
  for (const quote of quotes)
    assert.ok(
      sources.some((source) => source.includes(quote)),
      quote,
    );
});

test('every command and option on the page exists', () => {
  const lines = [...page.matchAll(/`npm run paylink -- ([^`]+)`/g)].map(([, line = '']) => line);
  assert.ok(lines.length > 8);
  for (const line of lines) assert.equal(parse(line.split(' '), commands).kind, 'run', line);
});

/** The fakes' values for the placeholders of credentials on the page. */
const credentials: readonly (readonly [open: string, own: string])[] = [
  ['sk_test_…', stripeAccounts.chairs.secretKey],
  ['whsec_…', stripeAccounts.chairs.webhookSecret],
  ['"test_…"', `"${mollieAccounts[0].apiKey}"`],
  ['AW…', apps[0].clientId],
  ['EJ…', apps[0].clientSecret],
  ['1AB…', apps[0].webhookId],
];

describe('the commands on the page', () => {
  let paylink: Paylink;
  let fakes: RunningFake[] = [];
  before(async () => {
    const start = async (name: string) =>
      await startFake(new URL(`./processors/${name}/fake.ts`, import.meta.url));
    fakes = await Promise.all(['stripe', 'mollie', 'paypal'].map(start));
    const [stripe, mollie, paypal] = fakes.map(({ url }) => url);
    assert.ok(stripe && mollie && paypal);
    const settings = { STRIPE_API_URL: stripe, MOLLIE_API_URL: mollie, PAYPAL_API_URL: paypal };
    paylink = await startPaylink('server', { settings });
  });
  after(async () => {
    await paylink?.stop();
    for (const fake of fakes) await fake.stop();
  });

  test('the page has the currencies and amounts of each processor', () => {
    const [, ...rows] = rowsOf(sectionOf(page, '## Limits of each'));
    const cellsOf = (name: string) => rows.find(([what]) => what === name)?.slice(1);
    const kinds = ['stripe', 'mollie', 'paypal', 'bank_transfer'].map(paylink.app.deps.processors.find);
    const names = kinds.map(({ currencies }) => [...currencies].sort().join(', '));
    assert.deepEqual(cellsOf('Currencies'), names);
    const bounds = kinds.map(({ amountsMinor: { least, most } = { least: 0, most: 0 } }) =>
      [least, most]
        .map((minor) => (minor / 100).toLocaleString('en', { minimumFractionDigits: 2 }))
        .join(' to '),
    );
    const said = cellsOf('Amounts')?.map((text) => (/^\d/.test(text) ? text : '0.00 to 0.00'));
    assert.deepEqual(said, bounds);
  });

  test('every processor is in all places that the page lists for a new one', () => {
    const kinds = paylink.app.deps.processors.kinds.filter(({ takes }) => takes === 'page');
    const nameBan = textBans.find(({ name }) => name === 'a processor by its name');
    for (const { name, title } of kinds) {
      const setting = `${name.toUpperCase()}_API_URL`;
      const places: Record<string, boolean> = {
        'test/processors/live.ts: add its rig to liveMakers': liveMakers.some((maker) => maker.name === name),
        [`test/processors/${name}/fake.ts: write its fake`]: existsSync(
          new URL(`./processors/${name}/fake.ts`, import.meta.url),
        ),
        [`src/config.ts: add ${setting}`]: read('src/config.ts').includes(`'${setting}'`),
        [`.env.example: add ${setting}`]: read('.env.example').includes(`#${setting}=`),
        [`docs/operations.md: add ${setting}`]: read('docs/operations.md').includes(`\`${setting}\``),
        'test/tidy-rules.ts: add its name to the words of "a processor by its name"':
          nameBan?.what.test(name) === true,
        [`docs/processors.md: add a section "## ${title}"`]: page.includes(`\n## ${title}\n`),
        [`docs/processors.md: add a section "### Declines of ${title}"`]: page.includes(
          `\n### Declines of ${title}\n`,
        ),
      };
      const missing = Object.keys(places).filter((place) => !places[place]);
      assert.deepEqual(missing, [], `${title} is not everywhere (docs/processors.md, "Where to put it")`);
    }
  });

  /** The blocks of the guide that log in and define the two functions, then those of the page. */
  function scriptOf(): string {
    const [, account = '', login = '', functions = ''] = blocksOf(read('docs/guide.md'), 'sh');
    const script = [account, login, functions, ...blocksOf(page, 'sh')].join('');
    const own = script
      .replaceAll('http://localhost:3000', paylink.baseUrl)
      .replaceAll('owner@example.com', paylink.merchant.email)
      .replaceAll('the password that the first start printed', password);
    return credentials.reduce((text, [open, value]) => {
      assert.ok(text.includes(open), open);
      return text.replaceAll(open, value);
    }, own);
  }

  test('its blocks connect every processor, with webhooks, in the given order', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'paylink-connect-'));
    const { code, output, errors } = await run('sh', ['-ec', scriptOf()], folder);
    assert.deepEqual(await readdir(folder), [], 'no file with a secret is left');
    await rm(folder, { recursive: true });
    assert.deepEqual({ code, errors }, { code: 0, errors: '' }, output);
    const answer = await call(paylink, await logIn(paylink), ['GET', '/v1/processor-connections']);
    const all = answer.body.data as Json[];
    assert.deepEqual(
      all.map(({ processor, currencies, enabled }) => [processor, (currencies as string[]).length, enabled]),
      [
        ['mollie', 2, true],
        ['paypal', 1, false],
        ['stripe', 2, true],
        ['bank_transfer', 1, true],
      ],
    );
    const fields = all.flatMap(({ credentials: kept }) => kept as { name: string; isSet: boolean }[]);
    assert.deepEqual(
      fields.filter(({ isSet }) => !isSet).map(({ name }) => name),
      ['bic'],
    );
    // The output matches the page.
    for (const shown of ['stripe', 'paypal'])
      assert.match(output, new RegExp(`Webhooks go to \\S+/processors/${shown}/webhook/con_`));
    for (const holder of ['Chairs Ltd (acct_chairs)', 'Möbel Müller'])
      assert.ok(output.includes(`The account of ${holder}\n`), output);
  });
});
