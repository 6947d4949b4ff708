// Paylink as the campaigns of the integrations use it: a service with a service key and a webhook endpoint for the shop, a
// page of the storefront, and a customer with a real browser.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type { Payment, Refund } from '../../sdk/src/index.ts';
import type { ProcessorKind, ProcessorRegistry } from '../../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../../src/processors/registry.ts';
import { openBrowser, openWindow, payByKeyboard } from '../harness/browser.ts';
import { type Credentials, call, type Json, logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { until } from '../harness/process.ts';
import { createServiceKey } from '../harness/service-keys.ts';
import {
  createTestEndpoint,
  getDelivery,
  loopbackSettings,
  type TestEndpoint,
} from '../harness/webhook-endpoints.ts';

export type PaylinkSide = {
  paylink: Paylink;
  credentials: Credentials;
  serviceKey: string;
  hook: TestEndpoint;
  /** The page to which customers return. */
  returnUrl: string;
  /** Makes the sandbox answer no request for a refund. */
  processor: { isDown: boolean };
  browser: Browser;
  close(): Promise<void>;
};

/** The cards of the sandbox that the campaigns pay with. */
export const cards = { good: '4242424242424242', declined: '4000000000000002' };

/** `webhookUrl` is the address of the shop's server, which need not run yet. */
export async function openPaylinkSide(webhookUrl: string): Promise<PaylinkSide> {
  const processor = { isDown: false };
  const paylink = await startPaylink('server', {
    settings: loopbackSettings,
    processors: (deps) => withRefundFault(createProcessors(deps), processor),
  });
  const credentials = await logIn(paylink);
  const { key } = await createServiceKey(paylink, credentials, { scopes: ['payments'] });
  const hook = await createTestEndpoint(paylink, credentials, { url: webhookUrl });
  const page = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Shop</title><p>Back in the shop',
    );
  }).listen(0, '127.0.0.1');
  await once(page, 'listening');
  const browser = await openBrowser();
  return {
    ...{ paylink, credentials, serviceKey: key, hook, browser, processor },
    returnUrl: `http://127.0.0.1:${(page.address() as AddressInfo).port}/checkout/return`,
    close: async () => {
      await browser.close();
      page.closeAllConnections();
      page.close();
      await paylink.stop();
    },
  };
}

function withRefundFault(registry: ProcessorRegistry, fault: { isDown: boolean }): ProcessorRegistry {
  const { builtIn } = registry;
  const connect: ProcessorKind['connect'] = (connection) => {
    const processor = builtIn.connect(connection);
    return {
      ...processor,
      refund: async (request, signal) => {
        if (fault.isDown) throw new Error('the sandbox does not answer');
        return await processor.refund(request, signal);
      },
    };
  };
  return listProcessors(
    { ...builtIn, connect },
    registry.kinds.filter(({ name }) => name !== builtIn.name),
  );
}

/** The variables that the READMEs of the integrations use. */
export function environmentOf({ paylink, serviceKey, hook, returnUrl }: PaylinkSide): Record<string, string> {
  return {
    PAYLINK_BASE_URL: paylink.baseUrl,
    PAYLINK_SERVICE_KEY: serviceKey,
    PAYLINK_WEBHOOK_SECRET: hook.secret,
    PAYLINK_RETURN_URL: returnUrl,
  };
}

/** Opens a link in Chromium, does something there, and returns the address to which the browser was redirected. */
async function visitLink(
  { paylink, returnUrl, browser }: PaylinkSide,
  link: string,
  act: (page: Awaited<ReturnType<typeof openWindow>>['page']) => Promise<void>,
): Promise<URL> {
  const origins = [paylink.baseUrl, new URL(returnUrl).origin];
  const customer = await openWindow(browser, { origins });
  try {
    await customer.page.goto(link);
    await act(customer.page);
    await customer.page.waitForURL((url) => url.href.startsWith(returnUrl));
    assert.deepEqual(customer.troubles, []);
    return new URL(customer.page.url());
  } finally {
    await customer.leave();
  }
}

export async function payInBrowser(side: PaylinkSide, link: string, number = cards.good): Promise<URL> {
  return await visitLink(side, link, async (page) => await payByKeyboard(page, { number }));
}

/** Presses "Cancel and return". */
export async function leaveUnpaid(side: PaylinkSide, link: string): Promise<URL> {
  return await visitLink(
    side,
    link,
    async (page) => await page.getByRole('button', { name: /^Cancel and return/ }).click(),
  );
}

export async function getPayment({ paylink, credentials }: PaylinkSide, code: string): Promise<Payment> {
  const { status, body } = await call(paylink, credentials, ['GET', `/v1/payments/${code}`]);
  assert.equal(status, 200, JSON.stringify(body));
  return body as Payment;
}

export async function getRefunds({ paylink, credentials }: PaylinkSide, code: string): Promise<Refund[]> {
  const { body } = await call(paylink, credentials, ['GET', `/v1/payments/${code}/refunds`]);
  return body.data as Refund[];
}

/** Brings a payment into a state, see docs/testing.md. */
export async function bringAbout(
  { paylink, credentials }: PaylinkSide,
  code: string,
  act: string,
  body: Json = {},
): Promise<void> {
  const answer = await call(paylink, credentials, ['POST', `/v1/test/payments/${code}/${act}`], body);
  const errors = () => paylink.log().match(/^\{"level":(50|"error").*$/gm) ?? [];
  assert.equal(
    answer.status,
    200,
    `${act}: ${JSON.stringify(answer.body)}\n${errors().slice(-3).join('\n')}`,
  );
}

/** Waits until the shop has answered a webhook about a payment with 2xx. Returns the message. */
export async function awaitWebhook(side: PaylinkSide, code: string, type: string): Promise<Message> {
  const { paylink, credentials } = side;
  const find = async () => {
    const { body } = await call(paylink, credentials, ['GET', `/v1/payments/${code}/deliveries`]);
    return (body.data as Json[]).find((one) => one.type === type && one.status === 'delivered');
  };
  await until(async () => (await find()) !== undefined, `the webhook ${type} of ${code}`);
  const delivery = (await find()) ?? {};
  const { url, body } = (await getDelivery(paylink, credentials, delivery)).request;
  return { id: String(delivery.eventId), url: String(url), body: String(body) };
}

export type Message = { id: string; url: string; body: string };

/** Sends a message as Paylink does, all copies at once. Returns the statuses of the answers. */
export async function sendCopies(
  { id, url, body }: Message,
  secret: string,
  copies: number,
): Promise<number[]> {
  const sentAt = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
  const send = async () => (await fetch(url, { method: 'POST', headers, body })).status;
  return await Promise.all(Array.from({ length: copies }, send));
}
