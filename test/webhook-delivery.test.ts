// Deliveries to failing, slow, redirecting and gone receivers, on a manual clock.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { deleteOldDeliveries } from '../src/webhooks/delivery-store.ts';
import { purgeOldDeliveries } from '../src/webhooks/purge.ts';
import { maxRetryDelayMs, retryDelaysMs } from '../src/webhooks/retry-schedule.ts';
import { jitter } from '../src/work/backoff.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import {
  createTestEndpoint,
  endpointsPath,
  getDelivery,
  listDeliveries,
  loopbackSettings,
  read,
  type TestEndpoint,
} from './harness/webhook-endpoints.ts';
import { type Behaviour, type Receiver, startReceiver } from './receiver/receiver.ts';

const clock = manualClock();
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const patientMs = 15_000;
/** Read at each attempt: receivers have enough time on a busy machine, unless a test waits for a time-out. */
const webhookTimings = { timeoutMs: patientMs };
let paylink: Paylink;
let receiver: Receiver;
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings, clock, webhookTimings });
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await paylink.stop();
});

type Shop = { merchant: Merchant; logIn(): Promise<Credentials> };
async function openShop(): Promise<Shop> {
  const merchant = await paylink.createMerchant();
  return { merchant, logIn: async () => await logIn(paylink, merchant) };
}
const sweep = async () => await paylink.app.work.sweep('webhooks');

type DeliveryRow = { state: string; tries: number; dueAt: Date };
/** The deliveries to an endpoint, oldest event first. */
async function deliveriesOf({ id }: Pick<TestEndpoint, 'id'>): Promise<DeliveryRow[]> {
  return await paylink.app.deps.db.asOwner.query<DeliveryRow>(
    'select state, tries, due_at as "dueAt" from webhook_deliveries where endpoint_id = $1 order by delivery_id',
    [id],
  );
}
const toMs = (until: Date) => until.getTime() - clock.now().getTime();

/** An endpoint for created payments with this behaviour, and one payment whose first attempt is done. */
async function tryOnce(name: string, behaviour: Behaviour): Promise<{ shop: Shop; hook: TestEndpoint }> {
  const shop = await openShop();
  const credentials = await shop.logIn();
  const hook = await createTestEndpoint(paylink, credentials, {
    url: receiver.at(name, behaviour),
    events: ['payment.created', 'webhook_endpoint.disabled'],
  });
  await createLinkAs(paylink, credentials);
  await receiver.waitFor(name, 1);
  await sweep();
  return { shop, hook };
}

test('a receiver that is down until the tenth attempt, after about three days, gets every event with one ID, on schedule', async () => {
  const name = 'down';
  const { shop, hook } = await tryOnce(name, { status: 503 });
  for (let tries = 1; tries < retryDelaysMs.length; tries++) {
    const [oldest] = await deliveriesOf(hook);
    assert.ok(oldest);
    assert.deepEqual([oldest.state, oldest.tries], ['pending', tries]);
    const pauseMs = retryDelaysMs[tries] ?? 0;
    const share = toMs(oldest.dueAt) / pauseMs;
    assert.ok(
      share >= 1 - jitter && share <= 1 + jitter,
      `after attempt ${tries} it waits ${share} of ${pauseMs} ms`,
    );
    clock.advanceMs(toMs(oldest.dueAt) - 1);
    const before = receiver.messages(name).length;
    if (tries === 1) {
      await sweep();
      assert.equal(receiver.messages(name).length, before, 'nothing is sent early');
    }
    // By the attempt and not by the time, because the delays are random.
    if (tries === retryDelaysMs.length - 1) receiver.at(name, { status: 200 });
    else await createLinkAs(paylink, await shop.logIn());
    clock.advanceMs(1);
    await sweep();
  }
  clock.advanceMs(4 * dayMs);
  await sweep();
  const deliveries = await deliveriesOf(hook);
  assert.ok(
    deliveries.length > 5 && deliveries.every(({ state }) => state === 'delivered'),
    JSON.stringify(deliveries),
  );
  const events = new Map(
    receiver.messages(name).map((message) => [read(message).id, read(message).data.payment]),
  );
  const codes = new Set([...events.values()].map((payment) => (payment as Json).PaymentLinkCode));
  assert.deepEqual([events.size, codes.size], [deliveries.length, deliveries.length]);
});

test('a delivery fails after the tenth attempt, about 75 hours after the first', async () => {
  const { hook } = await tryOnce('never', { status: 500 });
  const began = clock.now().getTime();
  for (;;) {
    const [delivery] = await deliveriesOf(hook);
    assert.ok(delivery);
    if (delivery.state !== 'pending') break;
    clock.advanceMs(toMs(delivery.dueAt));
    await sweep();
  }
  const [given] = await deliveriesOf(hook);
  assert.deepEqual([given?.state, given?.tries], ['failed', 10]);
  const hours = (clock.now().getTime() - began) / hourMs;
  assert.ok(hours > 75.5 * (1 - jitter) && hours < 75.7 * (1 + jitter), `${hours} hours`);
});

test('only 2xx is a success, and failures are recorded with at most 4 kB of the response', async () => {
  const elsewhere = receiver.at('elsewhere');
  const cases: [name: string, behaviour: Behaviour, status: number | null, fault: string | null][] = [
    ['redirecting', { status: 302, headers: { location: elsewhere } }, 302, null],
    ['refusing', { status: 400, body: 'no' }, 400, null],
    ['huge', 'huge', 200, null],
    ['silent', 'silent', null, 'timed_out'],
    ['dripping', 'drip', null, 'timed_out'],
    ['resetting', 'reset', null, 'reset'],
    ['slow', { status: 200, after: async () => await pause(100) }, 200, null],
  ];
  for (const [name, behaviour, status, fault] of cases) {
    webhookTimings.timeoutMs = fault === 'timed_out' ? 1_500 : patientMs;
    const { shop, hook } = await tryOnce(name, behaviour).finally(() => {
      webhookTimings.timeoutMs = patientMs;
    });
    const credentials = await shop.logIn();
    const [delivery] = await listDeliveries(paylink, credentials, hook);
    const isGood = status === 200;
    assert.equal(delivery?.state, isGood ? 'delivered' : 'pending', name);
    const { history } = await getDelivery(paylink, credentials, delivery ?? {});
    assert.deepEqual(
      history.map((made) => [made.status, made.fault]),
      [[status, fault]],
      name,
    );
    const answer = history[0]?.answer as string | null;
    if (name === 'huge') assert.equal(answer?.length, 4096);
    if (name === 'refusing') assert.equal(answer, 'no');
  }
  assert.equal(receiver.messages('elsewhere').length, 0, 'no redirect is followed');
});

test('an endpoint that responds with 410 is disabled, other endpoints are notified, and it gets missed events when enabled', async () => {
  const shop = await openShop();
  const credentials = await shop.logIn();
  const gone = await createTestEndpoint(paylink, credentials, {
    url: receiver.at('gone', { status: 410 }),
    events: ['payment.created'],
  });
  await createTestEndpoint(paylink, credentials, {
    url: receiver.at('witness'),
    events: ['webhook_endpoint.disabled'],
  });
  await createLinkAs(paylink, credentials);
  const [message] = await receiver.waitFor('witness', 1);
  assert.ok(message);
  assert.deepEqual((read(message).data.endpoint as Json).reason, 'gone');
  await createLinkAs(paylink, credentials);
  await sweep();
  assert.equal(receiver.messages('gone').length, 1, 'nothing more is sent');
  receiver.at('gone');
  await call(paylink, credentials, ['PATCH', `${endpointsPath}/${gone.id}`], { status: 'enabled' });
  await receiver.waitFor('gone', 3);
  await sweep();
  assert.deepEqual(
    (await deliveriesOf(gone)).map(({ state }) => state),
    ['delivered', 'delivered'],
  );
});

test('a response from the previous URL does not affect the new one', async () => {
  const shop = await openShop();
  const credentials = await shop.logIn();
  const moved = Promise.withResolvers<void>();
  const moving = await createTestEndpoint(paylink, credentials, {
    url: receiver.at('moved-from', { status: 410, after: async () => await moved.promise }),
    events: ['payment.created'],
  });
  await createLinkAs(paylink, credentials);
  await receiver.waitFor('moved-from', 1);
  const path = `${endpointsPath}/${moving.id}`;
  await call(paylink, credentials, ['PATCH', path], { url: receiver.at('moved-to') });
  moved.resolve();
  await sweep();
  const { body } = await call(paylink, credentials, ['GET', path]);
  assert.deepEqual([body.status, body.failingSince], ['enabled', null]);
  await receiver.waitFor('moved-to', 1);
  await sweep();
  assert.deepEqual(
    (await deliveriesOf(moving)).map(({ state }) => state),
    ['delivered'],
  );
});

test('a new URL resets the failures of an endpoint', async () => {
  const { shop, hook } = await tryOnce('record', { status: 500 });
  const path = `${endpointsPath}/${hook.id}`;
  const readEndpoint = async () => (await call(paylink, await shop.logIn(), ['GET', path])).body;
  const failingSince = clock.now().toISOString();
  // An attempt before the change would disable the endpoint.
  const setDue = async (at: number) =>
    await paylink.app.deps.db.asOwner.query(
      'update webhook_deliveries set due_at = $2 where endpoint_id = $1',
      [hook.id, new Date(at)],
    );
  await setDue(clock.now().getTime() + 6 * dayMs);
  clock.advanceMs(5 * dayMs);
  await call(paylink, await shop.logIn(), ['PATCH', path], { description: 'the same address' });
  assert.equal((await readEndpoint()).failingSince, failingSince);
  const url = receiver.at('record-2', { status: 500 });
  await call(paylink, await shop.logIn(), ['PATCH', path], { url });
  assert.equal((await readEndpoint()).failingSince, null);
  await setDue(clock.now().getTime());
  await sweep();
  assert.equal(receiver.messages('record-2').length, 1);
  assert.equal((await readEndpoint()).status, 'enabled');
});

test('Retry-After delays a retry, never below the schedule and never above a day', async () => {
  const busy = async (name: string, retryAfter: string) => {
    const { hook } = await tryOnce(name, { status: 429, headers: { 'retry-after': retryAfter } });
    const [delivery] = await deliveriesOf(hook);
    return delivery ? toMs(delivery.dueAt) : 0;
  };
  assert.equal(await busy('busy-hour', '3600'), hourMs);
  assert.equal(await busy('busy-years', '999999999'), maxRetryDelayMs);
  const soonMs = await busy('busy-soon', '1');
  assert.ok(soonMs >= 5_000 * (1 - jitter), `${soonMs} ms`);
  const at = new Date(Math.ceil(clock.now().getTime() / 1000) * 1000 + 2 * hourMs);
  assert.equal(await busy('busy-until', at.toUTCString()), toMs(at));
});

test('an endpoint that fails for five days without a success is disabled, and a success restarts the period', async () => {
  const { shop, hook } = await tryOnce('failing', { status: 500 });
  const state = async () => {
    const { body } = await call(paylink, await shop.logIn(), ['GET', `${endpointsPath}/${hook.id}`]);
    return [body.status, body.disabledReason, body.failingSince !== null];
  };
  assert.deepEqual(await state(), ['enabled', null, true]);
  clock.advanceMs(4 * dayMs);
  await sweep();
  receiver.at('failing', { status: 200 });
  clock.advanceMs(dayMs);
  await sweep();
  assert.deepEqual(await state(), ['enabled', null, false]);
  receiver.at('failing', { status: 500 });
  await createLinkAs(paylink, await shop.logIn());
  await receiver.waitFor('failing', 4);
  await sweep();
  clock.advanceMs(5 * dayMs);
  await sweep();
  assert.deepEqual(await state(), ['disabled', 'failing', true]);
  const lines = paylink.log().split('\n');
  const named = lines.filter((line) => line.includes(hook.id) && line.includes('a webhook endpoint fails'));
  assert.equal(named.length, 2, 'each time when it began to fail');
  assert.deepEqual(
    named.map((line) => (JSON.parse(line) as Json).companyId),
    [shop.merchant.companyId, shop.merchant.companyId],
  );
});

test('deliveries older than 30 days are deleted in small batches', async () => {
  const { shop, hook } = await tryOnce('old-many', { status: 200 });
  for (let link = 0; link < 4; link++) await createLinkAs(paylink, await shop.logIn());
  await receiver.waitFor('old-many', 5);
  await sweep();
  const { db } = paylink.app.deps;
  await db.asOwner.query(
    `update webhook_deliveries set created_at = created_at - interval '30 days' where endpoint_id = $1`,
    [hook.id],
  );
  assert.equal(await db.inSystem(async (tx) => await deleteOldDeliveries(tx, 2)), 2);
  assert.equal(await purgeOldDeliveries(db, 2), 3);
  assert.deepEqual(await deliveriesOf(hook), []);
});

test('pending deliveries of a disabled endpoint are also deleted after 30 days', async () => {
  const { shop, hook } = await tryOnce('old', { status: 500 });
  await call(paylink, await shop.logIn(), ['PATCH', `${endpointsPath}/${hook.id}`], { status: 'disabled' });
  const { db } = paylink.app.deps;
  assert.equal(await purgeOldDeliveries(db), 0);
  // The database's clock cannot be changed, so the row is.
  await db.asOwner.query(
    `update webhook_deliveries set created_at = created_at - interval '30 days' where endpoint_id = $1`,
    [hook.id],
  );
  assert.equal(await purgeOldDeliveries(db), 1);
  assert.deepEqual(await deliveriesOf(hook), []);
});
