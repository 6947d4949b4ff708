// Merchants and customers who know only the documents: they speak HTTP, send each request once, and note every answer.
// Must not: import code of the service, or repeat a request.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Link = { code: string; orderId: string; amountMinor: number; url: string };

/** What the service reported to its callers. */
export type Journal = {
  links: Link[];
  /** The last status of a link that a customer or a merchant saw. */
  ends: Map<string, string>;
  refunds: { refundId: string; code: string; amountMinor: number }[];
  /** One line for each request with another answer than expected, or without one. */
  failures: string[];
  requests: number;
  /** Completed journeys. */
  purchases: number;
  /** How long each request took, in milliseconds. */
  tookMs: number[];
};

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
type Ask = { method: 'GET' | 'POST'; url: string; headers?: Record<string, string>; body?: string };

export type Shop = { baseUrl: string; email: string; password: string; journal: Journal; agent: Agent };

type Merchant = Record<string, string>;

export function openShop(at: { baseUrl: string; email: string; password: string }): Shop {
  const journal: Journal = {
    ...{ links: [], ends: new Map(), refunds: [], failures: [] },
    ...{ requests: 0, purchases: 0, tookMs: [] },
  };
  return { ...at, journal, agent: new Agent({ keepAlive: true, maxSockets: 200 }) };
}

function exchange({ agent }: Shop, { method, url, headers = {}, body = '' }: Ask): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const sent = send(url, { method, agent, headers: { ...headers, ...length }, timeout: 60_000 }, (got) => {
    let text = '';
    got.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, text }));
    got.on('error', reject);
  });
  sent.on('timeout', () => sent.destroy(new Error('no answer within a minute')));
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** Sends a request once. Notes a failure and returns null unless the status is one of `expects`. */
async function ask(shop: Shop, wanted: Ask, expects: readonly number[]): Promise<Answer | null> {
  const { journal } = shop;
  const startedAt = performance.now();
  const answer = await exchange(shop, wanted).catch((error: Error) => error);
  journal.requests += 1;
  journal.tookMs.push(performance.now() - startedAt);
  if (!(answer instanceof Error) && expects.includes(answer.status)) return answer;
  const what = answer instanceof Error ? answer.message : `${answer.status} ${answer.text.slice(0, 200)}`;
  const path = new URL(wanted.url).pathname.replace(/[\w-]{20,}/, '…');
  journal.failures.push(`${new Date().toISOString()} ${wanted.method} ${path}: ${what}`);
  return null;
}

/** The headers of a logged-in merchant, or null. */
export async function logIn(shop: Shop): Promise<Merchant | null> {
  const { email, password } = shop;
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const answer = await ask(
    shop,
    { method: 'POST', url: `${shop.baseUrl}/v1/auth/login`, headers, body },
    [200],
  );
  if (!answer) return null;
  const { token } = JSON.parse(answer.text) as { token: string };
  const header = (name: string) => String(answer.headers[name]);
  return {
    authorization: `Bearer ${token}`,
    'x-api-key': header('x-api-key'),
    'x-company-id': header('x-company-id'),
  };
}

type Call = { body?: object; key?: string };

/** Calls the API as a merchant. Returns the body, or null. */
async function call(
  shop: Shop,
  merchant: Merchant,
  [method, path]: readonly ['GET' | 'POST', string],
  { body, key }: Call = {},
): Promise<Record<string, unknown> | null> {
  const headers: Record<string, string> = { ...merchant };
  if (body) headers['content-type'] = 'application/json';
  if (key) headers['idempotency-key'] = key;
  const sent = body ? { body: JSON.stringify(body) } : {};
  const answer = await ask(shop, { method, url: shop.baseUrl + path, headers, ...sent }, [200]);
  return answer && (JSON.parse(answer.text) as Record<string, unknown>);
}

async function createLink(shop: Shop, merchant: Merchant): Promise<Link | null> {
  const orderId = randomUUID();
  const amountMinor = 100 + Math.floor(Math.random() * 50_000);
  const order = {
    ...{ firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', currency: 'EUR' },
    ...{ customerOrderId: orderId, amount: amountMinor / 100 },
    ...{ success_url: 'https://shop.example/thanks', failure_url: 'https://shop.example/sorry' },
  };
  const made = await call(shop, merchant, ['POST', '/v1/payment/process'], { body: order });
  if (!made) return null;
  const link = { code: String(made.PaymentLinkCode), url: String(made.PaymentLink), orderId, amountMinor };
  shop.journal.links.push(link);
  return link;
}

const attribute = (tag: string, name: string) =>
  (new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '').replaceAll('&amp;', '&');

/** The action and the filled fields of the page's card form, or null. */
function fillForm({ text }: Answer, pageUrl: string, card: string): { url: string; body: string } | null {
  for (const [, head = '', inside = ''] of text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    if (!inside.includes('autocomplete="cc-number"')) continue;
    const body = new URLSearchParams();
    const filled: Record<string, string> = {
      ...{ 'cc-name': 'Grace Hopper', 'cc-number': card, 'cc-exp': '11/35', 'cc-csc': '123' },
    };
    for (const [tag] of inside.matchAll(/<input\b[^>]*>/g))
      body.append(attribute(tag, 'name'), filled[attribute(tag, 'autocomplete')] ?? attribute(tag, 'value'));
    return { url: new URL(attribute(` ${head}`, 'action'), pageUrl).href, body: body.toString() };
  }
  return null;
}

/** The status with which the customer returned to the shop; null after a failure. */
async function payLink(shop: Shop, link: Link, card: string): Promise<string | null> {
  const page = await ask(shop, { method: 'GET', url: link.url }, [200]);
  const form = page && fillForm(page, link.url, card);
  if (!form) {
    if (page) shop.journal.failures.push(`the page of ${link.code} has no card form`);
    return null;
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answered: readonly number[] = [200, 303];
  let at = form.url;
  let answer = await ask(shop, { method: 'POST', ...form, headers }, answered);
  for (let round = 0; answer && round < 200; round++) {
    const location = answer.headers.location;
    if (location === undefined) await sleep(300);
    at = new URL(location ?? `${link.url}/wait`, at).href;
    const back = new URL(at);
    if (back.hostname === 'shop.example') return back.searchParams.get('status');
    answer = await ask(shop, { method: 'GET', url: at }, answered);
  }
  if (answer) shop.journal.failures.push(`the customer of ${link.code} never came back`);
  return null;
}

async function refund(shop: Shop, merchant: Merchant, { code, amountMinor }: Link): Promise<void> {
  const part = Math.random() < 0.5 ? amountMinor : Math.ceil(amountMinor / 3);
  const path = `/v1/payments/${code}/refunds`;
  const made = await call(shop, merchant, ['POST', path], {
    body: { amount: part / 100 },
    key: randomUUID(),
  });
  if (!made) return;
  shop.journal.refunds.push({ refundId: String(made.refundId), code, amountMinor: part });
}

/** One order: most are paid, some of these refunded; others are declined or cancelled. */
async function buyOnce(shop: Shop, merchant: Merchant): Promise<void> {
  const { journal } = shop;
  const link = await createLink(shop, merchant);
  if (!link) return;
  const choice = Math.random();
  const path = `/v1/payments/${link.code}`;
  if (choice < 0.05) {
    if (await call(shop, merchant, ['POST', `${path}/cancel`])) journal.ends.set(link.code, 'cancelled');
  } else {
    const isDeclined = choice < 0.15;
    const status = await payLink(shop, link, isDeclined ? '4000000000000002' : '4242424242424242');
    if (status === null) return;
    if (status !== (isDeclined ? 'failed' : 'paid'))
      journal.failures.push(`the customer of ${link.code} came back with ${status}`);
    journal.ends.set(link.code, status);
    if (status === 'paid' && Math.random() < 0.2) await refund(shop, merchant, link);
  }
  const shown = await call(shop, merchant, ['GET', path]);
  if (shown && shown.status !== journal.ends.get(link.code))
    journal.failures.push(`the merchant saw ${shown.status} of ${link.code}`);
  journal.purchases += 1;
}

export type Trade = { stop(): Promise<void> };

/** A token lasts 60 minutes. */
const loginEveryMs = 600_000;

/** Starts `perSecond` orders a second, whether or not the earlier ones have ended; or `buyers` who buy without a pause. */
export function trade(shop: Shop, pace: { perSecond: number } | { buyers: number }): Trade {
  let isOver = false;
  const open = new Set<Promise<void>>();
  const guard = async (work: Promise<void>) =>
    await work.catch((error: unknown) => void shop.journal.failures.push(`a client broke: ${error}`));
  const start = (merchant: Merchant) => {
    const work = guard(buyOnce(shop, merchant)).finally(() => open.delete(work));
    open.add(work);
    return work;
  };
  const runPaced = async (perSecond: number) => {
    let merchant = await logIn(shop);
    let loggedInAt = performance.now();
    for (let due = performance.now(); !isOver && merchant; due += 1_000 / perSecond) {
      await sleep(Math.max(0, due - performance.now()));
      void start(merchant);
      if (performance.now() - loggedInAt < loginEveryMs) continue;
      merchant = await logIn(shop);
      loggedInAt = performance.now();
    }
  };
  const runBuyers = async (count: number) => {
    // One login for all: concurrent ones of an account are limited, like guesses.
    const merchant = await logIn(shop);
    const runBuyer = async () => {
      while (!isOver && merchant) await start(merchant);
    };
    await Promise.all(Array.from({ length: count }, runBuyer));
  };
  const running = ['buyers' in pace ? runBuyers(pace.buyers) : runPaced(pace.perSecond)];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(running.map(guard));
      await Promise.all(open);
    },
  };
}

export type Hooks = {
  url: string;
  /** How often each message arrived, by its ID. */
  arrivals: ReadonlyMap<string, number>;
  faults: readonly string[];
  /** The secret of the endpoint, once it is known. */
  trust(secret: string): void;
  close(): void;
};

/** Whether a message has a valid signature, by the Standard Webhooks specification. */
export function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice(3), 'base64'))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted));
}

/** Starts a receiver of webhooks. */
export async function receiveHooks(): Promise<Hooks> {
  const arrivals = new Map<string, number>();
  const faults: string[] = [];
  let secret = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const id = String(request.headers['webhook-id']);
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
    if (!isSigned(secret, request.headers, body)) faults.push(`message ${id} has no valid signature`);
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}/hooks`, arrivals, faults },
    trust: (own) => {
      secret = own;
    },
    close: () => void server.close().closeAllConnections(),
  };
}

/** Notes the links that exist, such as that of the first start, and creates a webhook endpoint for all events. */
export async function enterShop(shop: Shop, hooks: Hooks): Promise<void> {
  const merchant = await logIn(shop);
  const listed = merchant && (await call(shop, merchant, ['GET', '/v1/payments?limit=100']));
  for (const payment of (listed?.data ?? []) as Record<string, unknown>[])
    shop.journal.links.push({
      ...{ code: String(payment.PaymentLinkCode), url: String(payment.PaymentLink) },
      ...{ orderId: String(payment.customerOrderId), amountMinor: Math.round(Number(payment.amount) * 100) },
    });
  const body = { url: hooks.url, events: ['*'] };
  const made = merchant && (await call(shop, merchant, ['POST', '/v1/webhook-endpoints'], { body }));
  if (!made) throw new Error(`no webhook endpoint: ${shop.journal.failures.join('\n')}`);
  hooks.trust(String(made.secret));
}
