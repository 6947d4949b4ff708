// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are references of a fixtures file.
// `paylink webhooks`, `refunds`, `get|post|…`, `fixtures` and `open`, each as a process against the real service.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pages } from '../src/cli/open.ts';
import { createHome, type ExitedCommand, type Home } from './harness/cli.ts';
import { createLink, type Json } from './harness/client.ts';
import { blocksOf, read } from './harness/documents.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { payWith } from './harness/visitor.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';

let paylink: Paylink;
let home: Home;
let receiver: Receiver;

before(async () => {
  [paylink, home, receiver] = await Promise.all([
    startPaylink('server', { settings: loopbackSettings }),
    createHome(),
    startReceiver(),
  ]);
  const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
  assert.equal((await home.feed(password, {}, ...login)).code, 0);
});
after(async () => {
  await home.remove();
  await receiver.close();
  await paylink.stop();
});

const run = async (...args: string[]) => await home.run({}, ...args);

/** The JSON that a command prints. Fails unless it exits with 0. */
async function jsonOf(...args: string[]): Promise<Json> {
  const ended = await run(...args, '--json');
  assert.equal(ended.code, 0, ended.err + ended.out);
  return JSON.parse(ended.out) as Json;
}

function refuse({ code, out, err }: ExitedCommand, message: RegExp, exitCode = 2): void {
  assert.deepEqual([code, out], [exitCode, '']);
  assert.match(err, message);
}

const dataOf = ({ data }: Json) => data as Json[];

describe('webhooks', () => {
  test('an endpoint is created, listed, changed, tested, rolled and deleted', async () => {
    const url = receiver.at('shop');
    const fields = ['--event', 'payment.created', '--event', 'payment.paid', '--description', 'a \u009b b'];
    const made = await run('webhooks', 'endpoints', 'create', '--url', url, ...fields);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^whsec_\S+\n$/);
    assert.match(made.err, /^Created the endpoint whe_\w+\.\n.* not shown again\.\n$/);
    const id = /whe_\w+/.exec(made.err)?.[0] ?? '';
    const listed = await run('webhooks', 'endpoints', 'list');
    assert.match(
      listed.out,
      new RegExp(`^${id} +test +enabled +payment\\.created payment\\.paid +${url}$`, 'm'),
    );
    const changed = await run('webhooks', 'endpoints', 'update', id, '--event', 'payment.paid', '--off');
    assert.match(changed.out, /^Status +disabled$/m);
    assert.match(changed.out, /^Events +payment\.paid$/m);
    assert.match(changed.out, /^Description +a \ufffd b$/m);
    assert.equal((await jsonOf('webhooks', 'endpoints', 'update', id, '--on')).status, 'enabled');
    const rolled = await run('webhooks', 'endpoints', 'roll', id, '--overlap', '2');
    assert.match(rolled.out, /^whsec_\S+\n$/);
    assert.notEqual(rolled.out, made.out);
    assert.match(rolled.err, /^The old secret also signs until 20/);
    const tested = await run('webhooks', 'endpoints', 'test', id);
    assert.match(tested.out, /^whd_\w+\n$/);
    await receiver.waitFor('shop', 1);
    const shown = await run('webhooks', 'endpoints', 'get', id);
    for (const secret of [made.out.trim(), rolled.out.trim()])
      for (const { out, err } of [listed, changed, tested, shown])
        assert.ok(!(out + err).includes(secret), 'a secret was printed');
    refuse(await run('webhooks', 'endpoints', 'delete', id), /To delete a webhook endpoint .* add --yes/);
    assert.match(
      (await run('webhooks', 'endpoints', 'delete', id, '--yes')).out,
      /^Deleted the endpoint whe_/,
    );
    refuse(await run('webhooks', 'endpoints', 'get', id), /^Rejected: 404 not_found: /, 4);
  });

  test('deliveries are listed by endpoint and by payment, shown with harmless responses, and sent again', async () => {
    const body = 'no \u001b[2J\u009b1m';
    const url = receiver.at('failing', { status: 500, body });
    const { id } = await jsonOf('webhooks', 'endpoints', 'create', '--url', url);
    const { code } = await createLink(paylink);
    await receiver.waitFor('failing', 1);
    const list = ['webhooks', 'deliveries', 'list', '--endpoint', String(id), '--state', 'pending'];
    let deliveries: Json[] = [];
    await until(async () => {
      deliveries = dataOf(await jsonOf(...list));
      return deliveries[0]?.lastStatus === 500;
    }, 'the delivery has failed once');
    const { deliveryId } = deliveries[0] ?? {};
    const byPayment = await run('webhooks', 'deliveries', 'list', '--payment', code);
    assert.match(byPayment.out, new RegExp(` payment\\.created +pending +\\d+ +500 .*${deliveryId}$`, 'm'));
    const shown = await run('webhooks', 'deliveries', 'get', String(deliveryId));
    assert.match(shown.out, /^20\S+ +\d+ +500 +no \ufffd\[2J\ufffd1m/m);
    assert.doesNotMatch(shown.out.replaceAll('\n', ''), /\p{Cc}/u);
    const asJson = await run('webhooks', 'deliveries', 'get', String(deliveryId), '--json');
    assert.doesNotMatch(asJson.out.trimEnd(), /\p{Cc}/u);
    const [attempt] = (JSON.parse(asJson.out) as { history: Json[] }).history;
    assert.equal(attempt?.answer, body);
    receiver.at('failing', { status: 204 });
    const resent = await run('webhooks', 'resend', String(deliveryId));
    assert.equal(resent.out, `Sending ${deliveryId} again.\n`);
    await until(
      async () => (await jsonOf('webhooks', 'deliveries', 'get', String(deliveryId))).state === 'delivered',
      'the delivery has arrived',
    );
    const since = ['webhooks', 'endpoints', 'resend', String(id), '--since', '2026-01-01T00:00:00Z'];
    assert.match((await run(...since)).out, /^Sending \d+ deliveries again\.\n$/);
  });

  test('invalid calls exit with 2 before any request, and what the service refuses with 4', async () => {
    const listing = ['webhooks', 'deliveries', 'list'];
    refuse(await run(...listing), /^Give the endpoint with --endpoint, or the payment with --payment\.\n$/);
    refuse(await run(...listing, '--payment', 'x', '--state', 'failed'), /^--state needs --endpoint\.\n$/);
    refuse(await run('webhooks', 'endpoints', 'update', 'whe_x'), /^Give what to change: --url, /);
    refuse(await run('webhooks', 'endpoints', 'update', 'whe_x', '--on', '--off'), /not both/);
    refuse(await run('webhooks', 'endpoints', 'roll', 'whe_x', '--overlap', '-1'), /./);
    const address = ['webhooks', 'endpoints', 'create', '--url', 'ftp://x'];
    refuse(await run(...address), /^Rejected: 422 invalid_fields: .* url: /, 4);
    refuse(await run('webhooks', 'resend', 'whd_none'), /^Rejected: 404 not_found: /, 4);
  });
});

test('refunds are created with --yes and listed by payment', async () => {
  const { code, link } = await createLink(paylink);
  await payWith(link, { number: '4242424242424242' });
  const payment = ['--payment', code];
  assert.equal((await run('refunds', 'list', ...payment)).out, 'No refunds.\n');
  refuse(await run('refunds', 'create', ...payment), /To refund a payment without one, add --yes/);
  const five = ['refunds', 'create', ...payment, '--amount', '5.10', '--reason', 'a cup\u009b', '--yes'];
  assert.match((await run(...five)).out, /^ref_\w+: 5\.10 EUR succeeded\n$/);
  const listed = await run('refunds', 'list', ...payment);
  assert.match(listed.out, /^20\S+ \S+ +succeeded +5\.10 EUR +a cup\ufffd +ref_\w+$/m);
  const [refund] = dataOf(await jsonOf('refunds', 'list', ...payment));
  assert.deepEqual([refund?.amount, refund?.reason], [5.1, 'a cup\u009b']);
  const inexact = ['refunds', 'create', ...payment, '--amount', '5.100000000000000000001', '--yes'];
  refuse(await run(...inexact), /^--amount must be an amount such as 19\.99/);
});

describe('requests by method and path', () => {
  test('a GET prints JSON with its query, and a POST sends fields once per key', async () => {
    const { code } = await createLink(paylink, { customerOrderId: 'raw-1', firstName: 'Ada' });
    const got = await run('get', '/v1/payments', '-d', 'customerOrderId=raw-1', '-d', 'limit=1');
    assert.deepEqual([got.code, got.err], [0, '']);
    assert.match(got.out, /^\{\n {2}"data": \[\n/);
    assert.equal(dataOf(JSON.parse(got.out) as Json)[0]?.PaymentLinkCode, code);
    const order = JSON.parse(got.out).data[0] as Json;
    const patched = await jsonOf('patch', `/v1/payments/${code}`, '-d', 'metadata[cart]=7');
    assert.deepEqual(patched.metadata, { cart: '7' });
    const fields = ['url', 'events[]'].map((name, index) => [
      '-d',
      `${name}=${[receiver.at('raw'), '*'][index]}`,
    ]);
    const post = ['post', '/v1/webhook-endpoints', ...fields.flat(), '--idempotency-key', 'raw key 1'];
    const [first, again] = [await run(...post), await run(...post)];
    assert.equal(first.err, 'Idempotency-Key: raw key 1\n');
    assert.equal(first.out, again.out);
    const { id } = JSON.parse(first.out) as Json;
    const deleted = await jsonOf('delete', `/v1/webhook-endpoints/${id}`);
    assert.deepEqual([deleted.id, deleted.status], [id, 'deleted']);
    assert.equal(order.status, 'open');
  });

  test('the body comes from an option, a file or standard input, with exact numbers', async () => {
    const { code, link } = await createLink(paylink);
    await payWith(link, { number: '4242424242424242' });
    const path = `/v1/payments/${code}/refunds`;
    const file = join(home.folder, 'refund.json');
    writeFileSync(file, '{"amount": 1.10}');
    const byFile = await jsonOf('post', path, '--data', `@${file}`);
    assert.equal(byFile.amount, 1.1);
    const byInput = await home.feed('{"amount":2.20}', {}, 'post', path, '--data', '-', '--json');
    assert.equal((JSON.parse(byInput.out) as Json).amount, 2.2);
    const inexact = '{"amount":3.3000000000000000001}';
    refuse(await run('post', path, '--data', inexact), /^--data has the number 3\.3000000000000000001, /);
    refuse(await run('post', path, '--data', '{"amount":'), /^--data is not valid JSON: /);
    refuse(await run('post', path, '--data', '{}', '-d', 'amount:=1'), /not with both/);
    refuse(await run('post', path, '--data', '@none.json'), /^none\.json could not be read \(ENOENT\)\.\n$/);
    assert.equal(dataOf(await jsonOf('refunds', 'list', '--payment', code)).length, 2);
  });

  test('a response that is not JSON is printed unchanged, and not as JSON', async () => {
    const { code } = await createLink(paylink);
    const svg = await run('get', `/v1/payments/${code}/qr`);
    assert.match(svg.out, /^<svg [\s\S]*<\/svg>\s*$/);
    const refused = await run('get', `/v1/payments/${code}/qr`, '--json');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /^The response is image\/svg\+xml.*, not JSON: leave --json out\.\n$/);
    const csv = await run('get', '/v1/exports/payments?format=csv');
    assert.match(csv.out, new RegExp(code));
  });

  test('other addresses and faulty paths are refused, and an error of the service exits with 4', async () => {
    for (const path of [
      'https://example.com/v1/payments',
      'v1/payments',
      '/v1/pay ments',
      '@x',
      '/v1#a',
      '/v1\\a',
    ])
      refuse(await run('get', path), /^PATH must be a path of the service, such as \/v1\/payments, not /);
    refuse(await run('get', '/v1/payments?limit=1', '-d', 'limit=2'), /not with both/);
    const wrong = await run('get', '/v1/nothing', '--json');
    assert.equal(wrong.code, 4);
    assert.equal((JSON.parse(wrong.out) as { error: Json }).error.status, 404);
  });
});

describe('fixtures', () => {
  const write = (name: string, value: unknown): string => {
    const file = join(home.folder, name);
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };
  const countPayments = async (order: string) =>
    dataOf(await jsonOf('payments', 'list', '--order', order)).length;

  test('the example of docs/cli.md runs, and again with its run ID creates nothing', async () => {
    const file = write('documented.json', blocksOf(read('docs/cli.md'), 'json')[0] ?? '');
    const first = await run('fixtures', 'run', file);
    assert.equal(first.code, 0, first.err);
    const runId = /--run-id (\S+)\n$/.exec(first.err)?.[1] ?? '';
    assert.match(first.err, new RegExp(`^Run ID: ${runId}\\.`));
    const lines = first.out.trimEnd().split('\n');
    assert.equal(lines.length, 4);
    assert.equal(lines[0], '1. payment: POST /v1/payment/process → 200');
    assert.equal(lines[3], '4. POST /v1/payment/process → 200');
    const again = await jsonOf('fixtures', 'run', file, '--run-id', runId);
    const steps = again.steps as { replayed: boolean; body: Json }[];
    assert.deepEqual(
      steps.map(({ replayed }) => replayed),
      [true, false, false, true],
    );
    assert.deepEqual(steps[2]?.body.metadata, { was: '19.99 EUR' });
    assert.equal(steps[3]?.body.amount, 19.99);
    // By the words of orders, which are filled shortly after.
    await until(async () => (await countPayments(`demo-${runId}*`)) === 2, 'two payments to be found');
  });

  test('a run that broke off continues with its run ID: what was created is not created again', async () => {
    const endpoint = { url: receiver.at('fixtures'), events: ['payment.created'] };
    const steps = [
      { name: 'hook', method: 'POST', path: '/v1/webhook-endpoints', body: endpoint },
      {
        name: 'gone',
        method: 'POST',
        path: '/v1/webhook-endpoints',
        body: { ...endpoint, description: 'b' },
      },
      { method: 'DELETE', path: '/v1/webhook-endpoints/${gone.id}' },
      { name: 'found', method: 'GET', path: '/v1/payments/${run.id}' },
      {
        method: 'PATCH',
        path: '/v1/webhook-endpoints/${hook.id}',
        body: { description: 'of ${found.amount}' },
      },
    ];
    const { code } = await createLink(paylink);
    const faulty = write('broken.json', {
      steps: steps.with(3, { name: 'found', method: 'GET', path: '/v1/payments/none' }),
    });
    const args = ['--run-id', code];
    const broken = await run('fixtures', 'run', faulty, ...args, '--json');
    assert.equal(broken.code, 4);
    assert.match(broken.err, /^Run ID: .*\nStep 4 \(found\): Rejected: 404 payment_not_found: /);
    const { error } = JSON.parse(broken.out) as { error: Json };
    assert.deepEqual([error.exitCode, error.status], [4, 404]);
    const before = dataOf(await jsonOf('webhooks', 'endpoints', 'list')).length;
    const whole = await jsonOf('fixtures', 'run', write('whole.json', { steps }), ...args);
    assert.equal(whole.runId, code);
    assert.deepEqual(
      (whole.steps as Json[]).map(({ step, method, status, replayed }) => [step, method, status, replayed]),
      [
        [1, 'POST', 200, true],
        [2, 'POST', 200, true],
        [3, 'DELETE', 404, true],
        [4, 'GET', 200, false],
        [5, 'PATCH', 200, false],
      ],
    );
    const after = dataOf(await jsonOf('webhooks', 'endpoints', 'list'));
    assert.equal(after.length, before);
    assert.equal((whole.steps as { body: Json }[])[4]?.body.description, 'of 19.99');
    const changed = write('changed.json', {
      steps: [{ ...steps[0], body: { ...endpoint, description: 'c' } }],
    });
    const refused = await run('fixtures', 'run', changed, ...args);
    assert.match(refused.err, /\nStep 1 \(hook\): Rejected: 422 idempotency_key_reused: /);
  });

  test('a fault in the last step stops the run before the first request', async () => {
    const order = { email: 'a@b.example', amount: 5, currency: 'EUR', customerOrderId: 'never' };
    const urls = { success_url: 'https://shop.example/a', failure_url: 'https://shop.example/b' };
    const first = { name: 'a', method: 'POST', path: '/v1/payment/process', body: { ...order, ...urls } };
    const file = write('late.json', {
      steps: [first, { method: 'GET', path: '/v1/payments/${b.PaymentLinkCode}' }],
    });
    refuse(
      await run('fixtures', 'run', file),
      /late\.json was not run:\nStep 2: "\$\{b\.PaymentLinkCode\}": no earlier step/,
    );
    assert.equal(await countPayments('never'), 0);
    refuse(await run('fixtures', 'run', join(home.folder, 'none.json')), /could not be read \(ENOENT\)/);
    refuse(await run('fixtures', 'run', file, '--run-id', 'a b'), /^--run-id has 1 to 64 letters/);
    const missing = write('missing.json', {
      steps: [first, { method: 'GET', path: '/v1/payments/${a.nothing}' }],
    });
    const ended = await run('fixtures', 'run', missing);
    assert.deepEqual([ended.code, ended.out], [1, '1. a: POST /v1/payment/process → 200\n']);
    assert.match(ended.err, /\nStep 2: \$\{a\.nothing\}: the response of "a" has no field "nothing"\.\n$/);
  });
});

describe('open', () => {
  test('every page without an ID has a name, and the service has it', async () => {
    const table = readFileSync(new URL('../web/src/shell/screens.tsx', import.meta.url), 'utf8');
    const paths = [...table.matchAll(/^ {2}\{ path: '([^':]+)',/gm)].map(([, path = '']) => path);
    assert.ok(paths.length > 10);
    assert.deepEqual(
      Object.values(pages)
        .filter((path) => path !== '/docs')
        .sort(),
      paths.map((path) => `/dashboard${path === '/' ? '' : path}`).sort(),
    );
    for (const path of ['/docs', '/dashboard/keys'])
      assert.equal((await fetch(paylink.baseUrl + path)).status, 200);
  });

  test('it prints the URL with --print, and uses the address of the login', async () => {
    assert.deepEqual(await run('open', 'webhooks', '--print'), {
      code: 0,
      out: `${paylink.baseUrl}/dashboard/webhooks\n`,
      err: '',
    });
    const none = await home.run({ BROWSER: join(home.folder, 'nothing') }, 'open', '--json');
    assert.deepEqual(JSON.parse(none.out), { url: `${paylink.baseUrl}/dashboard`, opened: false });
    const elsewhere = await home.run({ PAYLINK_URL: 'https://pay.example.com/' }, 'open', 'docs', '--print');
    assert.equal(elsewhere.out, 'https://pay.example.com/docs\n');
  });
});

test('without any word the commands are printed, and the exit code is 0', async () => {
  const bare = await run();
  assert.deepEqual([bare.code, bare.err], [0, '']);
  assert.match(bare.out, /^Usage: paylink <command> \[options\]\n/);
});
