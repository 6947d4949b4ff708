// Tests the kit with the smallest fake: commands affect only the requests that they name, and the journal survives a
// power failure.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/process.ts';
import { type Receiver, startReceiver } from '../../receiver/receiver.ts';
import type { Fault, Outage } from './control.ts';
import { openPage, pageCustomer } from './customer.ts';
import { openLines, readLines } from './journal.ts';
import { type RunningFake, startFake } from './start-fake.ts';

let fake: RunningFake;
let keys = 0;

before(async () => {
  fake = await startFake(new URL('../sample/fake.ts', import.meta.url));
});
after(async () => {
  await fake?.stop();
});
beforeEach(async () => {
  await fake.control({ reset: true });
});

const headers = { authorization: 'Bearer test_one' };
const ask = async (path: string, init: RequestInit = {}) =>
  await fetch(`${fake.url}${path}`, { headers, signal: AbortSignal.timeout(10_000), ...init });

/** A receiver for the fake's webhooks from now on. */
async function receive(t: TestContext): Promise<Receiver> {
  const receiver = await startReceiver();
  t.after(receiver.close);
  await fake.control({ command: { webhookUrl: receiver.at('hook') } });
  return receiver;
}

/** Starts a session with a key. Fails as the outage requires. */
async function begin(key: string): Promise<{ id: string; url: string }> {
  const session = {
    ...{ key, connectionId: 'con_1', amountMinor: 5, currency: 'EUR', expiresAt: '2999-01-01T00:00:00Z' },
    ...{ returnUrl: 'http://shop.example/return', cancelUrl: 'http://shop.example/cancel' },
  };
  const response = await ask('/sessions', { method: 'POST', body: JSON.stringify(session) });
  assert.equal(response.status, 200);
  const { id } = (await response.json()) as { id: string };
  return { id, url: `${fake.url}/pay/${id}` };
}

const newKey = () => `key-${++keys}`;
const isKnown = async (key: string) => (await ask(`/sessions/${key}`)).status === 200;

const faults: { fault: Fault; isPerformed: boolean }[] = [
  { fault: { kind: 'status', status: 503, isPerformed: false }, isPerformed: false },
  { fault: { kind: 'status', status: 500, isPerformed: true }, isPerformed: true },
  { fault: { kind: 'reset', isPerformed: false }, isPerformed: false },
  { fault: { kind: 'reset', isPerformed: true }, isPerformed: true },
  { fault: { kind: 'half' }, isPerformed: true },
  { fault: { kind: 'garbage', isPerformed: false }, isPerformed: false },
];
for (const { fault, isPerformed } of faults) {
  test(`${JSON.stringify(fault)} hits one request, which is ${isPerformed ? 'done' : 'not done'}`, async () => {
    const key = newKey();
    await fake.control({ outage: { fault, times: 1 } });
    await assert.rejects(begin(key));
    assert.equal(await isKnown(key), isPerformed);
    await begin(key);
  });
}

test('a hanging request gets no response until the caller gives up', async () => {
  await fake.control({ outage: { fault: { kind: 'hang', isPerformed: true }, times: 1 } });
  const caller = new AbortController();
  const { signal } = caller;
  const asked = ask('/sessions', { method: 'POST', body: JSON.stringify({ key: newKey() }), signal });
  const refused = assert.rejects(asked, { name: 'AbortError' });
  await until(async () => (await fake.control({})).hits === 1, 'the request to hang');
  // Time in which a response would come.
  await sleep(300);
  caller.abort();
  await refused;
  assert.equal((await ask('/account')).status, 200);
});

test('connections are refused until the outage ends, and the address stays the same', async () => {
  await fake.control({ outage: { fault: { kind: 'refuse' } } });
  const refused = await ask('/account').catch((error: Error) => error.cause);
  assert.equal((refused as { code?: string }).code, 'ECONNREFUSED');
  await fake.control({ outage: null });
  assert.equal((await ask('/account')).status, 200);
});

test('an outage hits the requests that it names, and pages only on command', async () => {
  const { url } = await begin(newKey());
  const outage: Outage = {
    fault: { kind: 'status', status: 503, isPerformed: false },
    route: 'POST /refunds',
  };
  await fake.control({ outage });
  assert.equal((await ask('/account')).status, 200);
  assert.equal((await ask('/refunds', { method: 'POST', body: '{}' })).status, 503);
  await fake.control({ outage: { fault: outage.fault } });
  assert.equal((await openPage(url)).status, 200);
  await fake.control({ outage: { fault: outage.fault, on: 'pages' } });
  assert.equal((await openPage(url)).status, 503);
  assert.equal((await ask('/account')).status, 200);
});

test('a customer pays, turns back, and passes a challenge', async () => {
  const walks = [
    { walk: pageCustomer.pay, ends: 'http://shop.example/return', state: 'approved' },
    { walk: pageCustomer.turnBack, ends: 'http://shop.example/cancel', state: 'open' },
    {
      walk: (url: string) => pageCustomer.challenge(url, 'pass'),
      ends: 'http://shop.example/return',
      state: 'approved',
    },
  ];
  for (const { walk, ends, state } of walks) {
    const { id, url } = await begin(newKey());
    assert.deepEqual(await walk(url), { url: ends, status: 0, text: '' });
    assert.equal(((await (await ask(`/sessions/${id}`)).json()) as { state: string }).state, state);
  }
});

test('a fake keeps its journal and address over a power failure', async () => {
  const key = newKey();
  const { id, url } = await begin(key);
  await pageCustomer.pay(url);
  await ask(`/sessions/${id}/capture`, { method: 'POST' });
  const moved = await fake.money();
  assert.equal(moved.filter((line) => line.key === key).length, 1);
  await fake.restart();
  assert.deepEqual(await fake.money(), moved);
  assert.ok(await isKnown(key));
});

const keysOf = (receiver: Receiver) =>
  receiver.messages('hook').map(({ body }) => (JSON.parse(body) as { key: string }).key);

test('a webhook is sent as often as commanded, and recorded', async (t) => {
  const receiver = await receive(t);
  await fake.control({ webhooks: { copies: 2 } });
  const earlier = (await fake.webhooks()).length;
  const key = newKey();
  await pageCustomer.pay((await begin(key)).url);
  const [received] = await receiver.waitFor('hook', 2);
  assert.deepEqual(keysOf(receiver), [key, key]);
  const sent = (await fake.webhooks()).slice(earlier);
  assert.deepEqual(
    sent.map(({ url, body, attempts }) => ({ url, body, attempts })),
    [1, 2].map(() => ({ url: receiver.at('hook'), body: received?.body, attempts: 1 })),
  );
  for (const name of ['x-sample-time', 'x-sample-signature'])
    assert.equal(sent[0]?.headers[name], received?.headers[name]);
});

test('a refused webhook is sent again, with a new signature, until it is accepted', async (t) => {
  const receiver = await receive(t);
  receiver.at('hook', { status: 500 });
  await fake.control({ webhooks: { retryDelaysMs: [50, 50, 50, 50, 50, 50, 50, 50] } });
  const key = newKey();
  await pageCustomer.pay((await begin(key)).url);
  await receiver.waitFor('hook', 2);
  receiver.at('hook');
  await until(async () => (await fake.webhooks()).at(-1)?.status === 204, 'the webhook to be taken');
  assert.equal(new Set(keysOf(receiver)).size, 1);
  const times = receiver.messages('hook').map(({ headers }) => headers['x-sample-time']);
  assert.equal(new Set(times).size, times.length);
});

test('held webhooks are sent together, reversed on command', async (t) => {
  const receiver = await receive(t);
  await fake.control({ webhooks: { isHeld: true } });
  const [first, second] = [newKey(), newKey()];
  for (const key of [first, second]) await pageCustomer.pay((await begin(key)).url);
  assert.deepEqual(keysOf(receiver), []);
  await fake.control({ webhooks: { isHeld: false, isReversed: true } });
  assert.deepEqual(keysOf(receiver), [second, first]);
});

test('disabled webhooks are recorded and never sent', async (t) => {
  const receiver = await receive(t);
  await fake.control({ webhooks: { isOn: false } });
  const off = newKey();
  await pageCustomer.pay((await begin(off)).url);
  await fake.control({ webhooks: { isOn: true } });
  const on = newKey();
  await pageCustomer.pay((await begin(on)).url);
  await receiver.waitFor('hook', 1);
  assert.deepEqual(keysOf(receiver), [on]);
  const noted = (await fake.webhooks()).map(({ body }) => (JSON.parse(body) as { key: string }).key);
  assert.ok(noted.includes(off));
});

test('a truncated journal line is removed, and the next one is complete', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-journal-'));
  t.after(async () => await rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.jsonl');
  await writeFile(file, '{"n":1}\n{"n":2,"text":"ä');
  const journal = openLines<{ n: number }>(file);
  assert.deepEqual(journal.lines, [{ n: 1 }]);
  journal.append({ n: 3 });
  journal.close();
  assert.deepEqual(readLines(file), [{ n: 1 }, { n: 3 }]);
});
