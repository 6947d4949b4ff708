// Runs the commands in the README, docs/api.md and docs/operations.md, and compares the shown output.
// Only addresses, accounts, passwords and numbers are replaced.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startCluster } from '../scripts/cluster.mjs';
import { errorCatalogue } from '../src/base/errors.ts';
import { describeStart } from '../src/bootstrap.ts';
import { createLink, credentialHeaders, logIn, orderOf, post } from './harness/client.ts';
import { blocksOf, read, sectionOf } from './harness/documents.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { createProcessGroup, root } from './harness/process.ts';
import { runSql } from './harness/run-sql.ts';
import { postgresBin, pythonPath } from './harness/services.ts';
import { payWith } from './harness/visitor.ts';
import { run } from './sdk/packed.ts';

/** The top-level field names of a JSON text, which may be shortened. */
const namesIn = (json: string) => [...json.matchAll(/[{,]\s*"(\w+)":/g)].map(([, name = '']) => name);

type Given = { paylinkUrl: string; companyId: string; order: object; paymentResult: string };

const inSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** How to run the verification in each language, and its error for a forged result. */
const verifiers = [
  {
    language: 'js',
    refusal: /signature verification failed/,
    verify: async (lines: string, given: Given) => {
      const head = Object.entries(given).map(([k, v]) => `const ${k} = ${JSON.stringify(v)};\n`);
      const program = `${head.join('')}${lines}console.log(isPaid)`;
      return await run(process.execPath, ['--input-type=module', '--eval', program], root);
    },
  },
  {
    language: 'python',
    refusal: /InvalidSignatureError/,
    verify: async (lines: string, given: Given) => {
      const head = Object.entries(given).map(([k, v]) => `${inSnakeCase(k)} = ${JSON.stringify(v)}\n`);
      const program = `${head.join('')}${lines}print(str(is_paid).lower())`;
      return await run(pythonPath(), ['-c', program], root);
    },
  },
] as const;

describe('the examples in the documents', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaylink('embedded');
  });
  after(async () => await paylink.stop());

  test('the response in the README has the fields of a real one', async () => {
    const shown = blocksOf(read('README.md'), 'text').find((block) => block.startsWith('HTTP/1.1')) ?? '';
    const answer = await post(
      `${paylink.baseUrl}/v1/payment/process`,
      orderOf(),
      credentialHeaders(await logIn(paylink)),
    );
    assert.ok(shown.startsWith(`HTTP/1.1 ${answer.status} OK\n`));
    for (const [, name = ''] of shown.split('\n\n')[0]?.matchAll(/^([\w-]+): /gm) ?? [])
      assert.ok(answer.headers.has(name), `the answer has a header ${name}`);
    const names = namesIn(shown);
    assert.ok(names.length > 5);
    for (const name of names) assert.ok(name in answer.body, `the answer has a field ${name}`);
  });

  test('the first start prints the output in the README', () => {
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
      const reported = line.replace(/(?<!Password +\S*)….*$/, '');
      assert.ok(
        printed.some((candidate) => candidate.startsWith(reported)),
        `"${reported}" is printed`,
      );
    }
  });

  test('the URL in the type of every problem leads to the entry of its code', async () => {
    for (const entry of Object.values(errorCatalogue)) {
      const response = await fetch(`${paylink.baseUrl}/problems/${entry.code}`);
      assert.deepEqual([response.status, await response.json()], [200, entry]);
    }
    const refused = await fetch(`${paylink.baseUrl}/v1/cases`);
    const problem = (await refused.json()) as { type: string; code: string };
    assert.equal(problem.type, `${paylink.baseUrl}/problems/${problem.code}`);
  });

  test('the problem in docs/api.md and its log line in docs/operations.md are those of a real request', async () => {
    const [problem = ''] = blocksOf(sectionOf(read('docs/api.md'), '## Errors'), 'json');
    const shown = JSON.parse(problem);
    const { body } = await post(
      `${paylink.baseUrl}/v1/payment/process`,
      orderOf({ amount: 19.999 }),
      credentialHeaders(await logIn(paylink)),
    );
    const { type, instance, requestId } = body;
    assert.equal(String(type).replace(paylink.baseUrl, 'http://localhost:3000'), shown.type);
    assert.deepEqual({ ...shown, type, instance, requestId }, body);
    const [logged = ''] = blocksOf(sectionOf(read('docs/operations.md'), '## Logs'), 'json');
    const line = paylink
      .log()
      .split('\n')
      .find((text) => text.includes(`"${requestId}"`) && text.includes('"answered"'));
    const [wanted, got] = [JSON.parse(logged), JSON.parse(line ?? '{}')];
    assert.deepEqual(Object.keys(got), Object.keys(wanted));
    const { time, reqId, tookMs, companyId } = got;
    assert.deepEqual({ ...wanted, time, reqId, tookMs, companyId }, got);
  });

  const pay = async (number: string) => {
    const order = orderOf();
    const { link } = await createLink(paylink, order);
    const end = await payWith(link, { number });
    return { order, paymentResult: new URL(end.url).searchParams.get('paymentResult') ?? '' };
  };

  for (const { language, verify, refusal } of verifiers) {
    test(`the ${language} verification in docs/api.md accepts only a paid order`, async () => {
      const [lines = ''] = blocksOf(read('docs/api.md'), language);
      const place = { paylinkUrl: paylink.baseUrl, companyId: paylink.merchant.companyId };
      const check = async (order: object, paymentResult: string) =>
        await verify(lines, { ...place, order, paymentResult });
      const paid = await pay('4242424242424242');
      const { code, output, errors } = await check(paid.order, paid.paymentResult);
      assert.deepEqual({ code, output, errors }, { code: 0, output: 'true\n', errors: '' });
      for (const other of [{ amount: 20 }, { currency: 'USD' }, { customerOrderId: 'another' }])
        assert.equal((await check({ ...paid.order, ...other }, paid.paymentResult)).output, 'false\n');
      const failed = await pay('4000000000000002');
      assert.equal((await check(failed.order, failed.paymentResult)).output, 'false\n');
      const [head, body = '', signature] = failed.paymentResult.split('.');
      const claims = Buffer.from(body, 'base64url').toString();
      const forged = Buffer.from(claims.replace('"failed"', '"paid"')).toString('base64url');
      const refused = await check(failed.order, [head, forged, signature].join('.'));
      assert.notEqual(refused.code, 0);
      assert.match(refused.errors, refusal);
    });
  }
});

test('the SQL in docs/operations.md sets up a server', async () => {
  const cluster = await startCluster(postgresBin());
  const stage = createProcessGroup();
  try {
    const [setUp = ''] = blocksOf(read('docs/operations.md'), 'sql');
    await runSql(cluster.url, setUp);
    const own = new URL(cluster.url);
    [own.username, own.pathname] = ['paylink', '/paylink'];
    const started = await stage.start({
      through: 'server',
      settings: { DATABASE_URL: own.href, PAYLINK_MASTER_KEY: randomBytes(32).toString('base64') },
    });
    await started.ready();
  } finally {
    await stage.clear();
    await cluster.stop();
  }
});
