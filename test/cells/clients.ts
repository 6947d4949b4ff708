// Merchants and customers of many companies who repeat what got no answer, as their documents tell them to, and note every
// answer. Must not: import code of the service.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Credentials, call, type Json, logIn, orderOf } from '../harness/client.ts';
import { payWith } from '../harness/visitor.ts';
import { isSigned } from '../outside/shop.ts';

/** What the service reported to one company and its customers. */
export type Journal = {
  companyId: string;
  links: { code: string; orderId: string; amountMinor: number }[];
  /** The last status that was seen of a link. */
  ends: Map<string, string>;
  refunds: { refundId: string; code: string; amountMinor: number }[];
  /** The feed, as one reader followed it from its beginning. */
  feed: string[];
  /** Answers that say that the service cannot work now, and requests without one: when, and what. */
  unanswered: { at: number; what: string }[];
  /** Answers that nobody expects. */
  faults: string[];
  requests: number;
};

export type Buyer = { email: string; companyId: string; journal: Journal };

export type Load = {
  buyers: Buyer[];
  hooks: Receiver;
  /** Returns the customers who still wait after a minute, with what they wait for. */
  stop(): Promise<string[]>;
};

type At = { urls: () => readonly string[] };

const expected = [200, 201, 204];

/** Calls until there is an answer that is not of an outage. */
async function insist(
  at: At,
  { journal }: Buyer,
  send: (baseUrl: string) => Promise<Pick<Answer, 'status' | 'body'>>,
): Promise<Json> {
  for (;;) {
    const urls = at.urls();
    const url = urls[Math.floor(Math.random() * urls.length)] ?? '';
    journal.requests += 1;
    const answer = await send(url).catch((error: Error) => error);
    if (!(answer instanceof Error) && expected.includes(answer.status)) return answer.body;
    const what = answer instanceof Error ? answer.message : `${answer.status} ${JSON.stringify(answer.body)}`;
    const isOutage = answer instanceof Error || [502, 503, 504].includes(answer.status);
    // A second copy of a request comes while the first is still under way.
    const isBusy = !(answer instanceof Error) && answer.body.code === 'idempotency_in_progress';
    if (isOutage) journal.unanswered.push({ at: performance.now(), what });
    else if (!isBusy) journal.faults.push(what);
    await sleep(200);
  }
}

const good = '4242424242424242';
const declined = '4000000000000002';

async function buyOnce(at: At, buyer: Buyer, credentials: Credentials): Promise<void> {
  const { journal } = buyer;
  const amountMinor = 100 + Math.floor(Math.random() * 50_000);
  const order = orderOf({ amount: amountMinor / 100 });
  const ask = async (what: readonly [string, string], body?: object) =>
    await insist(at, buyer, async (baseUrl) => await call({ baseUrl }, credentials, what, body));
  const made = await ask(['POST', '/v1/payment/process'], order);
  const code = String(made.PaymentLinkCode);
  journal.links.push({ code, orderId: String(order.customerOrderId), amountMinor });
  const path = `/v1/payments/${code}`;
  const card = Math.random() < 0.1 ? declined : good;
  for (;;) {
    const { status } = await ask(['GET', path]);
    journal.ends.set(code, String(status));
    if (status !== 'open' && status !== 'processing') break;
    if (status === 'processing') await sleep(300);
    // The next look tells what came of it.
    else await payAtSome(at, code, card);
  }
  if (journal.ends.get(code) !== 'paid' || Math.random() < 0.7) return;
  const minor = Math.random() < 0.5 ? amountMinor : Math.ceil(amountMinor / 3);
  const key = randomUUID();
  const refund = await insist(
    at,
    buyer,
    async (baseUrl) => await refundOnce({ baseUrl, credentials, path, minor, key }),
  );
  journal.refunds.push({ refundId: String(refund.refundId), code, amountMinor: minor });
}

async function payAtSome(at: At, code: string, card: string): Promise<void> {
  const url = at.urls()[Math.floor(Math.random() * at.urls().length)] ?? '';
  await payWith(`${url}/pay/${code}`, { number: card }).catch(async () => await sleep(200));
}

type Refund = { baseUrl: string; credentials: Credentials; path: string; minor: number; key: string };

async function refundOnce({
  baseUrl,
  credentials,
  path,
  minor,
  key,
}: Refund): Promise<Pick<Answer, 'status' | 'body'>> {
  const response = await fetch(`${baseUrl}${path}/refunds`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      authorization: `Bearer ${credentials.token}`,
      'x-api-key': credentials.apiKey,
      'x-company-id': credentials.companyId,
    },
    body: JSON.stringify({ amount: minor / 100 }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** Reads the feed on from the last cursor. */
async function followOnce(at: At, buyer: Buyer, credentials: Credentials, cursor: string): Promise<string> {
  const query = new URLSearchParams({ limit: '50', ...(cursor && { after: cursor }) });
  const body = await insist(
    at,
    buyer,
    async (baseUrl) => await call({ baseUrl }, credentials, ['GET', `/v1/events?${query}`]),
  );
  for (const { id } of body.data as Json[]) buyer.journal.feed.push(String(id));
  return String(body.nextCursor ?? cursor);
}

export type Receiver = {
  url: string;
  /** How often each message of a company arrived, by its ID. */
  arrivals: ReadonlyMap<string, Map<string, number>>;
  faults: readonly string[];
  trust(companyId: string, secret: string): void;
  close(): void;
};

/** One receiver for all companies, with an address for each. */
export async function openReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, Map<string, number>>();
  const secrets = new Map<string, string>();
  const faults: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    const companyId = (request.url ?? '').slice(1);
    const id = String(request.headers['webhook-id']);
    const own = arrivals.get(companyId) ?? new Map<string, number>();
    arrivals.set(companyId, own.set(id, (own.get(id) ?? 0) + 1));
    if (!isSigned(secrets.get(companyId) ?? '', request.headers, body))
      faults.push(`crossed: message ${id} to ${companyId} has not its signature`);
    response.writeHead(204).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ arrivals, faults },
    trust: (companyId, secret) => void secrets.set(companyId, secret),
    close: () => void server.close().closeAllConnections(),
  };
}

async function enter(at: At, buyer: Buyer): Promise<Credentials> {
  for (;;) {
    const baseUrl = at.urls()[0] ?? '';
    const merchant = { email: buyer.email, companyId: buyer.companyId, accountId: '' };
    const found = await logIn({ baseUrl, merchant }, merchant).catch(() => null);
    if (found) return found;
    await sleep(200);
  }
}

const stopLimitMs = 60_000;

function describeWaiting({ companyId, journal: { links, ends, unanswered, faults } }: Buyer): string {
  const code = links.at(-1)?.code ?? '';
  const said = [unanswered.at(-1)?.what, faults.at(-1)].filter(Boolean).join('; ');
  return `a customer of ${companyId} still waits: the payment ${code} is ${ends.get(code)}, the last refusals are: ${said}`;
}

/** Starts the load: for each company one customer after another, a reader of the feed, and an endpoint for webhooks. */
export async function startLoad(
  at: At,
  companies: readonly { email: string; companyId: string }[],
): Promise<Load & { rest(): Promise<void> }> {
  const hooks = await openReceiver();
  let isOver = false;
  let isRead = false;
  const run = async (buyer: Buyer) => {
    const credentials = await enter(at, buyer);
    const body = { url: `${hooks.url}/${buyer.companyId}`, events: ['*'] };
    const made = await insist(
      at,
      buyer,
      async (baseUrl) => await call({ baseUrl }, credentials, ['POST', '/v1/webhook-endpoints'], body),
    );
    hooks.trust(buyer.companyId, String(made.secret));
    const buying = (async () => {
      while (!isOver) await buyOnce(at, buyer, credentials);
    })();
    let cursor = '';
    while (!isRead) {
      cursor = await followOnce(at, buyer, credentials, cursor);
      await sleep(150);
    }
    await buying;
  };
  const buyers = companies.map(
    ({ email, companyId }): Buyer => ({
      ...{ email, companyId },
      journal: {
        ...{ companyId, links: [], ends: new Map(), refunds: [], feed: [], unanswered: [], faults: [] },
        requests: 0,
      },
    }),
  );
  const waiting = new Set(buyers);
  const buyingEnds = buyers.map(async (buyer) => {
    await run(buyer);
    waiting.delete(buyer);
  });
  return {
    ...{ buyers, hooks },
    /** No new orders; the feeds are still read. */
    rest: async () => {
      isOver = true;
      await sleep(3_000);
    },
    stop: async () => {
      isOver = true;
      isRead = true;
      await Promise.race([Promise.all(buyingEnds), sleep(stopLimitMs, undefined, { ref: false })]);
      hooks.close();
      return [...waiting].map(describeWaiting);
    },
  };
}
