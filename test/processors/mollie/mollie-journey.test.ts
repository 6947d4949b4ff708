// Journeys with Mollie over HTTP, with the service and the fake: connect, pay, decline, turn back, refund, webhooks.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMollie } from '../../../src/processors/mollie/mollie.ts';
import { createProcessors, listProcessors } from '../../../src/processors/registry.ts';
import { webhookProof } from '../../../src/processors/webhook-proof.ts';
import { call, createLink, type Json, logIn } from '../../harness/client.ts';
import { type Paylink, startPaylink } from '../../harness/paylink.ts';
import { press, visit } from '../../harness/visitor.ts';
import type { SentWebhook } from '../kit/control.ts';
import { pageCustomer } from '../kit/customer.ts';
import { type RunningFake, startFake } from '../kit/start-fake.ts';
import { accounts } from './records.ts';

let fake: RunningFake;
let paylink: Paylink;
let connectionId: string;

const hangGuardMs = 60_000;

/** Calls the API as the merchant. */
const ask = async (route: readonly [method: string, path: string], body?: Json) =>
  await call(paylink, await logIn(paylink), route, body);

const connect = async (apiKey: string) =>
  await ask(['POST', '/v1/processor-connections'], { processor: 'mollie', credentials: { apiKey } });

before(async () => {
  fake = await startFake(new URL('./fake.ts', import.meta.url));
  paylink = await startPaylink('server', {
    processors: (deps) => {
      const mollie = createMollie({
        ...deps,
        apiUrl: fake.url,
        proveAddress: (place) => webhookProof(deps.keyring, place),
      });
      return listProcessors(createProcessors(deps).builtIn, [mollie]);
    },
  });
  const connected = await connect(accounts[0].apiKey);
  assert.equal(connected.status, 200, JSON.stringify(connected.body));
  connectionId = String(connected.body.id);
});
after(async () => {
  await paylink?.stop();
  await fake?.stop();
});
beforeEach(async () => {
  await fake.control({ reset: true });
});

type Underway = { code: string; link: string; url: string };

/** A customer presses "Pay" on our page, which leads them to Mollie's. */
async function pressPay(link: string): Promise<string> {
  const { headers, text } = await press(await visit(link), { form: 0, extra: { method: connectionId } });
  const [, url] = /^0;url=(.+)$/.exec(headers.get('refresh') ?? '') ?? [];
  assert.ok(url, text);
  assert.ok(url.startsWith(`${fake.url}/checkout/`), url);
  return url;
}

async function goToMollie(): Promise<Underway> {
  const { code, link } = await createLink(paylink);
  return { code, link, url: await pressPay(link) };
}

const paymentOf = async (code: string) => (await ask(['GET', `/v1/payments/${code}`])).body;

/** Waits until a payment matches, which a webhook causes because the customer does not return. */
async function waitForPayment(code: string, isThere: (payment: Json) => boolean): Promise<void> {
  const guard = AbortSignal.timeout(hangGuardMs);
  while (!isThere(await paymentOf(code))) {
    assert.ok(!guard.aborted, JSON.stringify(await paymentOf(code)));
    await sleep(50);
  }
}

async function noticeOf(code: string): Promise<SentWebhook> {
  const { id } = (await fake.lines()).findLast(
    ({ type, metadata }) => type === 'payment' && (metadata as Json)?.linkCode === code,
  ) as { id: string };
  const notice = (await fake.webhooks()).findLast(({ body }) => body === `id=${id}`);
  assert.ok(notice);
  return notice;
}

async function ring(url: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(url, { method: 'POST', headers, body });
  await response.text();
  return response.status;
}

test('a key that Mollie rejects is not stored', async () => {
  const refused = await connect('test_nobodyHasThisKey0123456789ab');
  assert.equal(refused.status, 422);
  assert.match(JSON.stringify(refused.body), /apiKey/);
});

test('a customer pays at Mollie, returns, and is redirected to the shop as paid', async () => {
  await fake.control({ webhooks: { isOn: false } });
  const { code, url } = await goToMollie();
  const back = await pageCustomer.pay(url);
  const shop = await visit(back.url);
  assert.match(shop.url, /^https:\/\/shop\.example\/thanks.*status=paid/);
  assert.equal((await paymentOf(code)).status, 'paid');
});

test('Mollie gets the language of the payment, even if our page does not have it', async () => {
  for (const [locale, reported] of [
    ['fr', 'fr_FR'],
    ['de-AT', 'de_AT'],
    ['nb-NO', 'nb_NO'],
  ]) {
    const { link } = await createLink(paylink, { locale });
    const id = (await pressPay(link)).split('/').at(-1);
    const payment = (await fake.lines()).find((line) => line.type === 'payment' && line.id === id);
    assert.equal(payment?.locale, reported, locale);
  }
});

test('a customer closes the window after paying: the webhook completes the payment', async () => {
  const { code, url } = await goToMollie();
  await pageCustomer.challenge(url, 'pass');
  await waitForPayment(code, ({ status }) => status === 'paid');
});

test('a declined customer chooses another card at Mollie, and pays once', async () => {
  const { code, link, url } = await goToMollie();
  const ours = await visit((await pageCustomer.decline(url)).url);
  assert.equal(ours.url, link);
  assert.equal((await paymentOf(code)).status, 'open');
  await visit((await pageCustomer.pay(await pressPay(link))).url);
  assert.equal((await paymentOf(code)).status, 'paid');
});

test('a customer who turns back at Mollie can start again, and pays once', async () => {
  const { code, link, url } = await goToMollie();
  const ours = await visit((await pageCustomer.turnBack(url)).url);
  assert.equal(ours.status, 200);
  const again = await pressPay(link);
  assert.notEqual(again, url);
  await visit((await pageCustomer.pay(again)).url);
  assert.equal((await paymentOf(code)).status, 'paid');
});

test('a refund is processing until Mollie has sent it, and a webhook completes it', async () => {
  const { code, url } = await goToMollie();
  await visit((await pageCustomer.pay(url)).url);
  const asked = await ask(['POST', `/v1/payments/${code}/refunds`], { amount: 5 });
  assert.equal(asked.body.status, 'processing', JSON.stringify(asked.body));
  await fake.control({ command: { settleRefunds: 'refunded' } });
  await waitForPayment(code, ({ refundedAmount }) => refundedAmount === 5);
});

test('repeated, misdirected or forged webhooks change nothing', async () => {
  const { code, url } = await goToMollie();
  await visit((await pageCustomer.pay(url)).url);
  const before = await paymentOf(code);
  const { url: address, body } = await noticeOf(code);
  assert.ok(address);
  const expected = new RegExp(
    `/processors/mollie/webhook/${connectionId}\\?attempt=att_[^&]+&proof=[\\w-]{43}$`,
  );
  assert.match(address, expected);
  assert.equal(await ring(address, body), 200);
  assert.equal(await ring(address, body), 200);
  assert.equal(await ring(address, 'id=tr_0123456789'), 400);
  assert.equal(await ring(address, '{"status":"paid"}'), 400);
  const another = connectionId.slice(0, -1) + (connectionId.endsWith('0') ? '1' : '0');
  assert.equal(await ring(address.replace(connectionId, another), body), 404);
  assert.deepEqual(await paymentOf(code), before);
});
