// Runs the commands of docs/testing.md, and compares the page with the routes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paymentActions } from '../src/test-mode/payment-actions.ts';
import { createLinkAs, type Json, logIn } from './harness/client.ts';
import { blocksOf, read, rowsOf, sectionOf } from './harness/documents.ts';
import { startPaylink } from './harness/paylink.ts';
import { root } from './harness/process.ts';
import { run } from './sdk/packed.ts';

const page = read('docs/testing.md');

test('the commands of docs/testing.md do what the page says', async () => {
  const paylink = await startPaylink('embedded');
  try {
    const { token, apiKey, companyId } = await logIn(paylink);
    const { code } = await createLinkAs(paylink, { token, apiKey, companyId });
    const variables = {
      ...{ PAYLINK_URL: paylink.baseUrl, TOKEN: token, API_KEY: apiKey, COMPANY_ID: companyId, CODE: code },
    };
    const head = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`);
    const bodies: Json[] = [];
    for (const block of blocksOf(page, 'sh'))
      bodies.push(JSON.parse((await run('sh', ['-c', head.join('') + block], root)).output) as Json);
    const [clock, advanced, paid, caused] = bodies;
    assert.equal(clock?.aheadSeconds, 0);
    assert.deepEqual([advanced?.aheadSeconds, advanced?.isComplete], [259_200, true]);
    assert.equal((paid?.payment as Json).status, 'paid');
    assert.deepEqual([caused?.type, (caused?.refund as Json).amount], ['refund.succeeded', 12.5]);
  } finally {
    await paylink.stop();
  }
});

test('docs/testing.md has every route that changes a state, with the fields of its body', () => {
  const rows = rowsOf(sectionOf(page, '## States of a payment'));
  const documented = Object.fromEntries(
    rows.map(([route = '', body = '']) => {
      const names = [...body.matchAll(/(?:^|, (?:and )?)`(\w+)`(?=:|,|$| )/g)].map(([, name]) => name);
      return [route.replaceAll(/`…\/|`/g, ''), names];
    }),
  );
  for (const [name, { body }] of Object.entries(paymentActions))
    for (const field of Object.keys(body.properties))
      assert.ok(documented[name]?.includes(field), `${name}: ${field}`);
  assert.deepEqual(Object.keys(documented), Object.keys(paymentActions));
});
