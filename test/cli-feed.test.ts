// The commands for lists, events, local deliveries and keys, each as a process against the real service.

import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { verifyWebhook } from '../sdk/src/index.ts';
import { createHome, type Home, type Running } from './harness/cli.ts';
import { call, createLink, type Json, logIn } from './harness/client.ts';
import { untilInFeed } from './harness/database-fixture.ts';
import { blocksOf, read } from './harness/documents.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';
import { createProcessGroup, until } from './harness/process.ts';
import { createDatabase } from './harness/services.ts';
import { payWith } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings, type ReceivedMessage } from './harness/webhook-endpoints.ts';
import { startReceiver as startEndpoint } from './receiver/receiver.ts';

let paylink: Paylink;
let home: Home;

before(async () => {
  [paylink, home] = await Promise.all([startPaylink('server', { settings: loopbackSettings }), createHome()]);
  const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
  assert.equal((await home.feed(password, {}, ...login)).code, 0);
});
after(async () => {
  await home.remove();
  await paylink.stop();
});

const run = async (...args: string[]) => await home.run({}, ...args);
const linesOf = (text: string) => text.split('\n').filter(Boolean);

/** Waits for a message on standard error. Fails if the command ends first. */
async function untilPrinted(running: Running, what: RegExp): Promise<void> {
  await until(() => what.test(running.err()) || running.child.exitCode !== null, `${what}`);
  assert.match(running.err(), what);
}

async function end(running: Running) {
  running.child.kill('SIGTERM');
  return await running.ended;
}

describe('payments', () => {
  test('a list shows the matching payments in a table that fits, and all fields as JSON', async () => {
    const { code } = await createLink(paylink, {
      customerOrderId: '東京-1',
      email: 'grace@example.com',
    });
    await createLink(paylink, { email: 'other@example.com' });
    const listed = await home.run({ COLUMNS: '90' }, 'payments', 'list', '--email', 'grace@example.com');
    assert.deepEqual([listed.code, listed.err], [0, '']);
    const [head, row, ...rest] = linesOf(listed.out);
    assert.match(head ?? '', /^CREATED +STATUS +AMOUNT +ORDER +EMAIL +CODE$/);
    assert.ok(row?.endsWith(code));
    assert.ok((row?.length ?? 0) <= 90, row);
    assert.match(row ?? '', / {2}東京-1 {2}grace@exa\S+ {2}/);
    assert.deepEqual(rest, []);
    const page = JSON.parse((await run('payments', 'list', '--limit', '1', '--json')).out) as {
      data: Json[];
      nextCursor: string;
    };
    assert.equal(page.data.length, 1);
    const next = JSON.parse(
      (await run('payments', 'list', '--limit', '200', '--cursor', page.nextCursor, '--json')).out,
    );
    assert.equal((next as { data: Json[] }).data.at(-1)?.PaymentLinkCode, code);
    assert.equal((next as { nextCursor: null }).nextCursor, null);
  });

  test('a payment is shown with its refunds and events', async () => {
    const items = [{ name: 'Green tea', quantity: 2, unitAmount: 10 }];
    const { code, link } = await createLink(paylink, { amount: 20, items });
    await payWith(link, { number: '4242424242424242' });
    assert.equal((await run('payments', 'refund', code, '--amount', '5', '--yes')).code, 0);
    const shown = await run('payments', 'get', code);
    assert.deepEqual([shown.code, shown.err], [0, '']);
    for (const line of [
      /^Status +paid$/m,
      /^Refunded +5\.00 EUR$/m,
      /^2 × +Green tea +10\.00 EUR$/m,
      /refund succeeded +5\.00 EUR +ref_/,
      /payment\.paid +\S+/,
    ])
      assert.match(shown.out, line);
    const { refunds, events } = JSON.parse((await run('payments', 'get', code, '--json')).out) as Record<
      string,
      Json[]
    >;
    assert.equal(refunds?.length, 1);
    assert.equal(events?.[0]?.type, 'payment.created');
    assert.ok(events?.some(({ type }) => type === 'refund.succeeded'));
  });
});

describe('events tail', () => {
  test('it prints new events, and continues from its cursor, each event once', async () => {
    // Events that an open transaction delays would be new to the tail.
    await untilInFeed(paylink.app.deps.db);
    const tail = home.start({}, 'events', 'tail', '--json', '--type', 'payment.created');
    await untilPrinted(tail, /Following/);
    const codes = [(await createLink(paylink)).code, (await createLink(paylink)).code];
    await until(() => linesOf(tail.out()).length >= 2, 'two events');
    const { code, out, err } = await end(tail);
    assert.equal(code, 0);
    const printed = linesOf(out).map((line) => JSON.parse(line) as Json);
    assert.deepEqual(
      printed.map(({ PaymentLinkCode }) => PaymentLinkCode),
      codes,
    );
    const cursor = /--after (\S+)/.exec(err)?.[1] ?? '';
    const missed = (await createLink(paylink)).code;
    await untilInFeed(paylink.app.deps.db);
    const rest = await run('events', 'tail', '--once', '--after', cursor, '--type', 'payment.*');
    assert.equal(rest.code, 0);
    assert.equal(linesOf(rest.out).length, 1);
    assert.match(rest.out, new RegExp(`payment\\.created {2}${missed}`));
  });
});

type Taken = { headers: IncomingHttpHeaders; body: string };

/** A merchant's program that receives webhooks, and fails the first `refusals` of them. */
async function startReceiver(refusals = 0): Promise<{ server: Server; url: string; taken: Taken[] }> {
  const taken: Taken[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    taken.push({ headers: request.headers, body });
    response.writeHead(taken.length <= refusals ? 500 : 204).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, taken };
}

const secretIn = (text: string) => /^Signing secret: (whsec_\S+)$/m.exec(text)?.[1] ?? '';

describe('listen', () => {
  test('each event arrives signed with a secret that survives a restart, and a failed delivery is retried', async () => {
    const { server, url, taken } = await startReceiver(1);
    try {
      const line = `listen --forward-to ${url} --retry 2 --type payment.created`;
      const listen = home.start({}, ...line.split(' '));
      await untilPrinted(listen, /Following/);
      const secret = secretIn(listen.err());
      const { code } = await createLink(paylink);
      await until(() => linesOf(listen.out()).length >= 2, 'two attempts');
      assert.equal((await end(listen)).code, 0);
      const [refused, arrived] = linesOf(listen.out());
      assert.match(refused ?? '', /payment\.created {2}evt_\w+ {2}→ 500 in \d+ ms$/);
      assert.match(arrived ?? '', /→ 204 in \d+ ms$/);
      for (const { headers, body } of taken) {
        await verifyWebhook(body, headers as Record<string, string>, secret);
        const event = JSON.parse(body) as ReceivedMessage;
        assert.equal(event.id, headers['webhook-id']);
        assert.equal((event.data.payment as Json).PaymentLinkCode, code);
      }
      const again = home.start({}, 'listen', '--forward-to', url);
      await untilPrinted(again, /Following/);
      assert.equal(secretIn((await end(again)).err), secret);
    } finally {
      server.close();
    }
  });
});

type IsFromPaylink = (message: { headers: object; body: string }, keys: unknown) => boolean;

/** The verification in docs/webhooks.md. */
async function documentedCheck(): Promise<IsFromPaylink> {
  const [lines = ''] = blocksOf(read('docs/webhooks.md'), 'js');
  const { isFromPaylink } = (await import(`data:text/javascript,${encodeURIComponent(lines)}`)) as {
    isFromPaylink: IsFromPaylink;
  };
  return isFromPaylink;
}

test('listen forwards the same message that an endpoint receives, and the verification in docs/webhooks.md accepts it', async () => {
  const [endpoint, local, isFromPaylink] = await Promise.all([
    startEndpoint(),
    startReceiver(),
    documentedCheck(),
  ]);
  try {
    const credentials = await logIn(paylink);
    await createTestEndpoint(paylink, credentials, { url: endpoint.at('both') });
    const listen = home.start({}, 'listen', '--forward-to', local.url);
    await untilPrinted(listen, /Following/);
    const secret = secretIn(listen.err());
    const { link, code } = await createLink(paylink);
    await payWith(link, { number: '4242424242424242' });
    await call(paylink, credentials, ['POST', `/v1/payments/${code}/refunds`], { amount: 5 });
    const received = await endpoint.waitFor('both', 5);
    await until(() => local.taken.length >= 5, 'five messages');
    assert.equal((await end(listen)).code, 0);
    const { keys } = (await (await fetch(`${paylink.baseUrl}/.well-known/jwks.json`)).json()) as {
      keys: unknown;
    };
    const bodiesOf = (messages: readonly { body: string }[]) =>
      new Map(messages.map(({ body }) => [(JSON.parse(body) as ReceivedMessage).type, body]));
    const [sent, forwarded] = [bodiesOf(received), bodiesOf(local.taken)];
    assert.deepEqual([...forwarded.keys()].sort(), [...sent.keys()].sort());
    // A message has the payment as it is when sent, so only the last one must be the same.
    assert.equal(forwarded.get('refund.succeeded'), sent.get('refund.succeeded'));
    const [like] = received;
    for (const message of local.taken) {
      assert.equal(isFromPaylink(message, keys), true);
      await verifyWebhook(message.body, message.headers as Record<string, string>, secret);
      for (const name of ['content-type', 'user-agent'])
        assert.equal(message.headers[name], like?.headers[name]);
    }
  } finally {
    local.server.close();
    await endpoint.close();
  }
});

test('the webhook of an event is returned only to readers of webhooks, for public events of their company', async () => {
  const credentials = await logIn(paylink);
  const ask = async (eventId: string) =>
    await call(paylink, credentials, ['GET', `/v1/events/${eventId}/webhook`]);
  const { code } = await createLink(paylink);
  const { body } = await call(paylink, credentials, ['GET', `/v1/payments/${code}/events`]);
  const [created] = body.data as Json[];
  assert.equal((await ask(String(created?.id))).status, 200);
  const other = await paylink.createMerchant({ name: 'Other' });
  const foreign = await call(paylink, await logIn(paylink, other), [
    'GET',
    `/v1/events/${created?.id}/webhook`,
  ]);
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'not_found']);
  for (const id of ['evt_01m7wf3wswavyweszg1v4e9mnn', 'x', '%00'])
    assert.equal((await ask(id)).status, 404, id);
  const [hidden] = await paylink.app.deps.db.asOwner.query<{ eventId: string }>(
    'select event_id as "eventId" from events where company_id = $1 and not is_public limit 1',
    [paylink.merchant.companyId],
  );
  assert.ok(hidden);
  assert.equal((await ask(hidden.eventId)).status, 404);
});

describe('keys', () => {
  test('a key is printed only when it is created; it is listed, rolled and revoked by its ID', async () => {
    const made = await run('keys', 'create', '--name', 'shop', '--json');
    assert.equal(made.code, 0);
    const { keyId, key } = JSON.parse(made.out) as Record<string, string>;
    const rolled = await run('keys', 'roll', String(keyId), '--overlap', '1');
    assert.match(rolled.out, /^plk_test_\w+\n$/);
    assert.ok(!rolled.out.includes(String(key)));
    const listed = await run('keys', 'list');
    assert.match(listed.out, new RegExp(`^${keyId} +shop +test +expiring`, 'm'));
    assert.doesNotMatch(listed.out, /plk_/);
    assert.equal((await run('keys', 'revoke', String(keyId))).code, 0);
    assert.match((await run('keys', 'list')).out, new RegExp(`^${keyId} +shop +test +revoked`, 'm'));
  });
});

test('logging out also ends the session at the service', async () => {
  await using place = await createHome();
  const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
  assert.equal((await place.feed(password, {}, ...login)).code, 0);
  const out = await place.run({}, 'logout', '--json');
  assert.deepEqual([out.code, out.err], [0, '']);
  assert.deepEqual(JSON.parse(out.out), { profile: 'default', ended: true });
});

test('a tail survives a restart of the service without losing an event', async () => {
  const stage = createProcessGroup();
  const [place, database] = await Promise.all([createHome(), createDatabase()]);
  try {
    const settings = {
      DATABASE_URL: database.url,
      PAYLINK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      BOOTSTRAP_EMAIL: 'owner@example.com',
      BOOTSTRAP_PASSWORD: password,
    };
    const first = await stage.start({ through: 'server', settings });
    await first.ready();
    const own = { PAYLINK_URL: first.url, PAYLINK_EMAIL: 'owner@example.com', PAYLINK_PASSWORD: password };
    const tail = place.start(own, 'events', 'tail', '--json');
    await untilPrinted(tail, /Following/);
    first.kill('SIGTERM');
    await first.ended;
    await untilPrinted(tail, /could not be reached[^\n]*Retrying/);
    const second = await stage.start({
      through: 'server',
      settings: { ...settings, PORT: String(first.port) },
    });
    await second.ready();
    assert.equal((await place.run(own, 'trigger', 'payment.paid')).code, 0);
    await until(() => /"payment\.paid"/.test(tail.out()), 'the event after the restart');
    const { code, err, out } = await end(tail);
    assert.equal(code, 0);
    assert.match(err, /The service is available again\./);
    const types = linesOf(out).map((line) => (JSON.parse(line) as Json).type);
    assert.deepEqual(types, ['payment.created', 'payment.processing', 'payment.paid']);
  } finally {
    await place.remove();
    await stage.clear();
    await database.drop();
  }
});
