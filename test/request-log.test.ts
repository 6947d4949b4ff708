// Each request has one line in the log, with what its handler says about it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLink, type Json, logIn, orderOf, processPayment } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';

let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server');
});
after(async () => await paylink.stop());

/** The lines of a response's request. */
const linesOf = ({ headers }: { headers: Headers }): Json[] =>
  paylink
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json)
    .filter(({ reqId }) => reqId === headers.get('x-request-id'));

async function lineOf(response: { headers: Headers }): Promise<Json> {
  // It is written after the response was sent.
  await until(() => linesOf(response).length > 0, 'the line of a request');
  const [line, ...others] = linesOf(response);
  assert.deepEqual(others, []);
  assert.ok(line);
  return line;
}

test('the line of a created link names the link, and says whether it existed', async () => {
  const credentials = await logIn(paylink);
  const order = orderOf();
  const [created, repeated] = [
    await lineOf(await processPayment(paylink, credentials, order)),
    await lineOf(await processPayment(paylink, credentials, order)),
  ];
  assert.match(String(created.paymentId), /^pay_/);
  assert.deepEqual(
    [created, repeated].map(({ msg, status, route, companyId, paymentId, isReplay }) => ({
      ...{ msg, status, route, companyId, paymentId, isReplay },
    })),
    [false, true].map((isReplay) => ({
      msg: 'answered',
      status: 200,
      route: '/v1/payment/process',
      companyId: credentials.companyId,
      paymentId: created.paymentId,
      isReplay,
    })),
  );
});

test('the line of a refused request has its error code and the wrong fields', async () => {
  const credentials = await logIn(paylink);
  const refused = await processPayment(paylink, credentials, orderOf({ amount: 'x', email: '' }));
  const { status, code, fields, level } = await lineOf(refused);
  assert.deepEqual({ status, code, level }, { status: 422, code: 'invalid_fields', level: 'info' });
  assert.ok((fields as string[]).includes('amount'));
  for (const [path, expected] of [
    ['/v1/payments', 401],
    ['/nothing', 404],
    ['/%', 400],
    ['/pay/unknown', 404],
  ] as const) {
    const line = await lineOf(await fetch(`${paylink.baseUrl}${path}`));
    assert.equal(line.status, expected, path);
    assert.equal(typeof line.code, 'string', path);
  }
});

test('a page view has one line, and a probe has none', async () => {
  const { link } = await createLink(paylink);
  assert.equal((await lineOf(await fetch(link))).status, 200);
  assert.deepEqual(linesOf(await fetch(`${paylink.baseUrl}/healthz`)), []);
});
