// `paylink logs` and `paylink tail`, each as a process against the real service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createHome, type Home } from './harness/cli.ts';
import { type Credentials, type Json, logIn, orderOf, processPayment } from './harness/client.ts';
import { untilInFeed } from './harness/database-fixture.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { waitForCall } from './harness/request-log.ts';

let paylink: Paylink;
let home: Home;
let owner: Credentials;

before(async () => {
  [paylink, home] = await Promise.all([startPaylink('server'), createHome()]);
  const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
  assert.equal((await home.feed(password, {}, ...login)).code, 0);
  owner = await logIn(paylink);
});
after(async () => {
  await home.remove();
  await paylink.stop();
});

const run = async (...args: string[]) => await home.run({}, ...args);
const create = async (order: Json = {}) => {
  const { headers, status } = await processPayment(paylink, owner, orderOf(order));
  const id = String(headers.get('x-request-id'));
  await waitForCall(paylink, id);
  return { id, status };
};

test('logs lists the matching calls, and as JSON the responses of the service', async () => {
  const { id } = await create();
  const refused = await create({ amount: 'x' });
  const listed = await run('logs', '--response', '4xx', '--path', '/v1/payment/');
  assert.deepEqual([listed.code, listed.err], [0, '']);
  const [head, row, ...rest] = listed.out.split('\n').filter(Boolean);
  assert.match(head ?? '', /^TIME +STATUS +MS +METHOD +PATH +ERROR +KEY_ID +REQUEST_ID$/);
  assert.ok(row?.includes('invalid_fields') && row.endsWith(refused.id), row);
  assert.deepEqual(rest, []);
  const page = JSON.parse((await run('logs', '--request', id, '--json')).out) as { data: Json[] };
  assert.deepEqual(
    page.data.map(({ requestId, status }) => [requestId, status]),
    [[id, 200]],
  );
  const wrong = await run('logs', '--response', '9xx');
  assert.equal(wrong.code, 4);
  assert.match(wrong.err, /status such as 404/);
});

test('logs show prints one call with its bodies, and says if there is none', async () => {
  const { id } = await create();
  const shown = await run('logs', 'show', id);
  assert.deepEqual([shown.code, shown.err], [0, '']);
  assert.match(shown.out, /POST \/v1\/payment\/process/);
  assert.match(shown.out, /"customerOrderId"/);
  assert.equal((await run('logs', 'show', 'req_none')).code, 4);
});

test('logs --follow prints each new call once, until it is stopped', async () => {
  await create();
  const running = home.start({}, 'logs', '--follow', '--path', '/v1/payment/', '--json');
  await until(() => /Following the request log/.test(running.err()), 'the start');
  const ids = [(await create()).id, (await create()).id];
  const lines = () => running.out().split('\n').filter(Boolean);
  await until(() => lines().length >= 2, 'two calls');
  ids.push((await create()).id);
  await until(() => lines().length >= 3, 'a third call');
  running.child.kill('SIGTERM');
  assert.equal((await running.ended).code, 0);
  assert.deepEqual(
    lines().map((line) => (JSON.parse(line) as Json).requestId),
    ids,
  );
});

test('tail prints the events, as events tail does', async () => {
  await create();
  await untilInFeed(paylink.app.deps.db);
  const [short, long] = [
    await run('tail', '--after', 'start', '--once', '--type', 'payment.created', '--json'),
    await run('events', 'tail', '--after', 'start', '--once', '--type', 'payment.created', '--json'),
  ];
  assert.deepEqual([short.code, short.out], [long.code, long.out]);
  assert.ok(short.out.includes('payment.created'));
});
