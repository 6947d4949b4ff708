// Webhook endpoints through the API, and messages verified like a merchant does.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Check } from 'typebox/value';
import { messages, testEventType } from '../src/webhooks/event-types.ts';
import { resendSince } from '../src/webhooks/resend.ts';
import {
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  post,
} from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { dumpAllRows, engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';
import {
  createTestEndpoint,
  endpointsPath,
  getDelivery,
  listDeliveries,
  loopbackSettings,
  openAsPerson,
  postEndpoint,
  read,
  verify,
} from './harness/webhook-endpoints.ts';
import type { Received } from './receiver/journal.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';

const clock = manualClock();
const hourMs = 60 * 60 * 1000;
let paylink: Paylink;
let receiver: Receiver;
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings, clock });
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await paylink.stop();
});

type Shop = { credentials: Credentials; companyId: string };
async function openShop(): Promise<Shop> {
  const merchant = await paylink.createMerchant();
  return { credentials: await logIn(paylink, merchant), companyId: merchant.companyId };
}
const faultsOf = ({ body }: { body: Json }) => body.errors as { field: string; detail: string }[];

for (const engine of engines)
  test(`every message of a payment and its refund arrives once and is signed (${engine})`, async () => {
    const own = await startPaylink(engine, { settings: loopbackSettings });
    const name = `whole-${engine}`;
    try {
      const credentials = await logIn(own);
      const hook = await createTestEndpoint(own, credentials, { url: receiver.at(name) });
      const { link, code } = await createLinkAs(own, credentials);
      await openAsPerson(link);
      await payWith(link, { number: '4242424242424242' });
      await post(`${own.baseUrl}/v1/payments/${code}/refunds`, { amount: 5 }, credentialHeaders(credentials));
      const arrived = await receiver.waitFor(name, 6);
      await own.app.work.sweep('webhooks');
      assert.deepEqual(arrived.map((message) => verify(hook, message).type).sort(), [
        'payment.created',
        'payment.opened',
        'payment.paid',
        'payment.processing',
        'refund.created',
        'refund.succeeded',
      ]);
      assert.equal(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size, 6);
      const last = arrived.map(read).find(({ type }) => type === 'refund.succeeded');
      const shown = (await call(own, credentials, ['GET', `/v1/payments/${code}`])).body;
      assert.deepEqual(last?.data.payment, shown);
    } finally {
      await own.stop();
    }
  });

/** The received message of a new payment. */
async function oneMessage(name: string): Promise<{ message: Received; secret: string }> {
  const { credentials } = await openShop();
  const { secret } = await createTestEndpoint(paylink, credentials, {
    url: receiver.at(name),
    events: ['payment.created'],
  });
  await createLinkAs(paylink, credentials);
  const [message] = await receiver.waitFor(name, 1);
  assert.ok(message);
  return { message, secret };
}

test('a message with a changed byte, ID or time, or another secret, fails verification', async () => {
  const { message, secret } = await oneMessage('tampered');
  const { headers, body } = message;
  assert.equal(verify({ secret }, message).id, headers['webhook-id']);
  const later = String(Number(headers['webhook-timestamp']) + 1);
  const changed: Received[] = [
    { ...message, body: body.replace('"amount":19.99', '"amount":19.98') },
    { ...message, headers: { ...headers, 'webhook-id': `${headers['webhook-id']}0` } },
    { ...message, headers: { ...headers, 'webhook-timestamp': later } },
  ];
  for (const forged of changed) assert.throws(() => verify({ secret }, forged), /No matching signature/);
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  assert.throws(() => verify({ secret: other }, message), /No matching signature/);
});

test('a rolled secret also signs until its overlap ends', async () => {
  const { credentials } = await openShop();
  const name = 'rolled';
  const old = await createTestEndpoint(paylink, credentials, {
    url: receiver.at(name),
    events: ['payment.created'],
  });
  const rolled = await call(paylink, credentials, ['POST', `${endpointsPath}/${old.id}/roll-secret`], {
    overlapHours: 2,
  });
  const secret = String(rolled.body.secret);
  await createLinkAs(paylink, credentials);
  const [during] = await receiver.waitFor(name, 1);
  assert.ok(during);
  // The verifier uses the clock of the machine.
  assert.equal(verify({ secret }, during).id, verify(old, during).id);
  clock.advanceMs(2 * hourMs);
  await createLinkAs(paylink, await logIn(paylink, await merchantOf(credentials)));
  const [, later] = await receiver.waitFor(name, 2);
  assert.equal(
    (later?.headers['webhook-signature'] ?? '').split(' ').length,
    2,
    'v1 of the new secret, and v1a',
  );
  clock.advanceMs(-2 * hourMs);
});

async function merchantOf({ companyId }: Credentials) {
  const rows = await paylink.app.deps.db.inTenant(
    { companyId, mode: 'test' },
    async (tx) =>
      await tx.query<{ companyId: string; accountId: string; email: string }>(
        'select company_id as "companyId", account_id as "accountId", email from accounts',
      ),
  );
  const [merchant] = rows;
  assert.ok(merchant);
  return merchant;
}

test('a repeated Idempotency-Key creates or rolls once, and returns the same secret', async () => {
  const { credentials } = await openShop();
  const headers = { ...credentialHeaders(credentials), 'idempotency-key': randomUUID() };
  const wanted = { url: receiver.at('keyed'), events: ['payment.paid'] };
  const first = await post(`${paylink.baseUrl}${endpointsPath}`, wanted, headers);
  const again = await post(`${paylink.baseUrl}${endpointsPath}`, wanted, headers);
  assert.deepEqual(again.body, first.body);
  const { body } = await call(paylink, credentials, ['GET', endpointsPath]);
  assert.equal((body.data as Json[]).length, 1);
});

test('only the response that creates a secret contains it, and the database does not', async () => {
  const { credentials } = await openShop();
  const hook = await createTestEndpoint(paylink, credentials, { url: receiver.at('secret') });
  assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = await call(paylink, credentials, ['GET', `${endpointsPath}/${hook.id}`]);
  assert.equal(shown.status, 200);
  assert.equal('secret' in shown.body, false);
  const rows = await dumpAllRows(paylink.app);
  const bytes = Buffer.from(hook.secret.slice(6), 'base64');
  for (const form of [hook.secret, bytes.toString('hex'), Buffer.from(hook.secret).toString('hex')])
    assert.equal(rows.includes(form), false);
});

test('unknown event types and forbidden URLs are refused with the reason', async () => {
  const { credentials } = await openShop();
  const refused = async (wanted: Json) => faultsOf(await postEndpoint(paylink, credentials, wanted));
  const url = receiver.at('refused');
  assert.deepEqual(
    (await refused({ url, events: ['payment.payed'] })).map(({ detail }) => detail),
    ['The event type payment.payed does not exist. Did you mean payment.paid?'],
  );
  assert.deepEqual(
    (await refused({ url, events: ['*', 'payment.paid'] })).map(({ field }) => field),
    ['events'],
  );
  const odd = [
    'ftp://shop.example/',
    'https://10.0.0.1/',
    'https://user:pw@shop.example/',
    'https://shop.example/#x',
  ];
  for (const wrong of odd)
    assert.deepEqual(
      (await refused({ url: wrong })).map(({ field }) => field),
      ['url'],
      wrong,
    );
});

test('loopback URLs are refused without the setting', async () => {
  const strict = await startPaylink('server');
  try {
    const credentials = await logIn(strict);
    for (const url of ['http://127.0.0.1:9999/', 'http://localhost:9999/', 'http://[::1]:9999/'])
      assert.equal((await postEndpoint(strict, credentials, { url })).status, 422, url);
  } finally {
    await strict.stop();
  }
});

test('a company has at most 16 endpoints, even with concurrent requests', async () => {
  const { credentials } = await openShop();
  const asked = Array.from({ length: 20 }, () =>
    postEndpoint(paylink, credentials, { url: receiver.at('many') }),
  );
  const answers = await Promise.all(asked);
  assert.equal(answers.filter(({ status }) => status === 200).length, 16);
  assert.equal(answers.filter(({ body }) => body.code === 'too_many_endpoints').length, 4);
});

test('a disabled endpoint gets its events when it is enabled, and a deleted one gets none', async () => {
  const { credentials } = await openShop();
  const hook = await createTestEndpoint(paylink, credentials, {
    url: receiver.at('paused'),
    events: ['payment.created'],
  });
  const gone = await createTestEndpoint(paylink, credentials, { url: receiver.at('deleted') });
  const path = `${endpointsPath}/${hook.id}`;
  assert.equal(
    (await call(paylink, credentials, ['PATCH', path], { status: 'disabled' })).body.disabledReason,
    'switched_off',
  );
  assert.equal(
    (await call(paylink, credentials, ['DELETE', `${endpointsPath}/${gone.id}`])).body.status,
    'deleted',
  );
  assert.equal((await call(paylink, credentials, ['GET', `${endpointsPath}/${gone.id}`])).status, 404);
  await createLinkAs(paylink, credentials);
  await createLinkAs(paylink, credentials);
  await paylink.app.work.sweep('webhooks');
  assert.equal(receiver.messages('paused').length + receiver.messages('deleted').length, 0);
  assert.equal((await call(paylink, credentials, ['POST', `${path}/test`])).body.code, 'endpoint_disabled');
  await call(paylink, credentials, ['PATCH', path], { status: 'enabled' });
  assert.equal((await receiver.waitFor('paused', 2)).length, 2);
  assert.equal(receiver.messages('deleted').length, 0);
});

test('a test event goes only to its endpoint, whatever its event types, and is in no feed', async () => {
  const { credentials } = await openShop();
  const hook = await createTestEndpoint(paylink, credentials, {
    url: receiver.at('tested'),
    events: ['payment.paid'],
  });
  await createTestEndpoint(paylink, credentials, { url: receiver.at('bystander') });
  await call(paylink, credentials, ['POST', `${endpointsPath}/${hook.id}/test`]);
  const [message] = await receiver.waitFor('tested', 1);
  assert.ok(message);
  const parsed = verify(hook, message);
  assert.equal(parsed.type, testEventType);
  assert.equal(Check(messages[testEventType] ?? {}, parsed), true);
  await paylink.app.work.sweep('webhooks');
  assert.equal(receiver.messages('bystander').length, 0);
  assert.deepEqual((await call(paylink, credentials, ['GET', '/v1/events'])).body.data, []);
});

test('one delivery, or all since a time, are resent with the same IDs', async () => {
  const { credentials } = await openShop();
  const name = 'again';
  const hook = await createTestEndpoint(paylink, credentials, {
    url: receiver.at(name, { status: 200, body: 'thanks' }),
    events: ['payment.created'],
  });
  await createLinkAs(paylink, credentials);
  await receiver.waitFor(name, 1);
  await paylink.app.work.sweep('webhooks');
  clock.advanceMs(1_000);
  const since = clock.now().toISOString();
  await createLinkAs(paylink, credentials);
  await receiver.waitFor(name, 2);
  await paylink.app.work.sweep('webhooks');
  clock.advanceMs(1_000);
  const [newer, older] = await listDeliveries(paylink, credentials, hook);
  assert.deepEqual([newer?.state, older?.state, older?.lastStatus], ['delivered', 'delivered', 200]);
  const resent = await call(paylink, credentials, [
    'POST',
    `/v1/webhook-deliveries/${older?.deliveryId}/resend`,
  ]);
  assert.equal(resent.body.state, 'pending');
  await receiver.waitFor(name, 3);
  await paylink.app.work.sweep('webhooks');
  clock.advanceMs(1_000);
  assert.deepEqual(
    (await call(paylink, credentials, ['POST', `${endpointsPath}/${hook.id}/resend`], { since })).body,
    { count: 1 },
  );
  const arrived = (await receiver.waitFor(name, 4)).map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(arrived, [older?.eventId, newer?.eventId, older?.eventId, newer?.eventId]);
  await paylink.app.work.sweep('webhooks');
  const { history, tries } = await getDelivery(paylink, credentials, older ?? {});
  assert.deepEqual(
    [tries, history.map(({ status, answer }) => [status, answer])],
    [
      2,
      [
        [200, 'thanks'],
        [200, 'thanks'],
      ],
    ],
  );
  clock.advanceMs(-3_000);
});

test('resending all deliveries since a time resends each once, in any number of batches', async () => {
  const { credentials } = await openShop();
  const hook = await createTestEndpoint(paylink, credentials, {
    url: receiver.at('again-many'),
    events: ['payment.created'],
  });
  const since = clock.now();
  for (let link = 0; link < 5; link++) await createLinkAs(paylink, credentials);
  await receiver.waitFor('again-many', 5);
  await paylink.app.work.sweep('webhooks');
  clock.advanceMs(1_000);
  const { deps } = paylink.app;
  const [{ companyId } = {}] = await deps.db.asOwner.query(
    'select company_id as "companyId" from webhook_endpoints where endpoint_id = $1',
    [hook.id],
  );
  const wanted = { endpointId: hook.id, since, batchSize: 2 };
  const caller = { companyId: String(companyId), accountId: 'acc_x', mode: 'test' } as const;
  assert.equal(await resendSince(deps, caller, wanted), 5);
  await receiver.waitFor('again-many', 10);
  await paylink.app.work.sweep('webhooks');
  const ids = receiver.messages('again-many').map(({ headers }) => headers['webhook-id']);
  assert.deepEqual([ids.length, new Set(ids).size], [10, 5]);
  clock.advanceMs(-1_000);
});

test('the first opening of a link by a person causes one event; robots and HEAD requests cause none', async () => {
  const { credentials } = await openShop();
  await createTestEndpoint(paylink, credentials, { url: receiver.at('opened'), events: ['payment.opened'] });
  const { link } = await createLinkAs(paylink, credentials);
  await fetch(link, { method: 'HEAD' });
  await fetch(link, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } });
  await fetch(link, { headers: { 'sec-purpose': 'prefetch' } });
  await paylink.app.work.sweep('webhooks');
  assert.equal(receiver.messages('opened').length, 0);
  await Promise.all([openAsPerson(link), openAsPerson(link), openAsPerson(link)]);
  await openAsPerson(link);
  await receiver.waitFor('opened', 1);
  await paylink.app.work.sweep('webhooks');
  assert.equal(receiver.messages('opened').length, 1);
});
