// Merchants and customers of a service during an upgrade: they create, read, pay, cancel and refund links, follow the
// feed, read lists, log in and roll keys. They use one address and don't know which version responds. Unexpected
// responses are recorded.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credentials, credentialHeaders, type Json, orderOf } from '../harness/client.ts';
import { kindOf } from '../harness/load-balancer.ts';
import { password } from '../harness/paylink.ts';
import { fillCard, type Page, press, visit } from '../harness/visitor.ts';
import { statusOf } from './fault-fixture.ts';
import { hasCardForm } from './fault-rig.ts';
import type { ClientReport } from './oracle.ts';
import { pick, type Random, seeded } from './seeded.ts';

export type Load = {
  reported: ClientReport[];
  /** Unexpected responses, with their counts. */
  faults(): string[];
  /** The event IDs of the feed, in its order. */
  followed: string[];
  /** How often each action succeeded. */
  done: Readonly<Record<string, number>>;
  /** Waits until all clients but the follower of the feed have finished. */
  end(): Promise<void>;
  /** Follows the feed until it has returned this many events, up to a time limit, and stops. */
  endFollowing(events: number): Promise<void>;
};

type LoadState = {
  baseUrl: string;
  email: string;
  reported: ClientReport[];
  followed: string[];
  done: Record<string, number>;
  isOver: boolean;
  isFollowing: boolean;
  note(fault: string): void;
};

/** Mostly approved; also declined, with 3-D Secure, with lost or repeated responses, and with refunds. */
const cards = [
  ...Array.from({ length: 6 }, () => '4242424242424242'),
  '4000000000000002',
  '4000000000000127',
  '4000002760003184',
  '4000000000009011',
  '4000000000009037',
  '4000000000009078',
] as const;

const amount = 19.99;
const patienceMs = 60_000;
const maxPolls = 300;
const followLimitMs = 60_000;

const count = (state: LoadState, what: string) => {
  state.done[what] = (state.done[what] ?? 0) + 1;
};

type Call = { body?: Json; key?: string; expects?: readonly number[] };

/** Calls the API, and repeats the call after 429, 5xx and broken connections. Null after an unexpected response. */
async function callApi(
  state: LoadState,
  credentials: Partial<Credentials>,
  [method, path]: readonly [string, string],
  { body, key, expects = [200] }: Call = {},
): Promise<{ status: number; headers: Headers; body: Json } | null> {
  const headers = {
    ...credentialHeaders(credentials),
    ...(body ? { 'content-type': 'application/json' } : {}),
    ...(key ? { 'idempotency-key': key } : {}),
  };
  const sent = body ? { body: JSON.stringify(body) } : {};
  const what = kindOf(method, path);
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(100)) {
    // The load balancer reports 5xx and broken connections.
    const response = await fetch(state.baseUrl + path, { method, headers, ...sent }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (!response || typeof text !== 'string' || response.status >= 500) continue;
    // Logins are limited for each client.
    if (response.status === 429) continue;
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : {},
    };
    if (expects.includes(answer.status)) {
      count(state, what);
      return answer;
    }
    state.note(`${what} answered ${answer.status} ${answer.body.code ?? ''}`);
    return null;
  }
  state.note(`${what} was not answered as expected within ${patienceMs} ms`);
  return null;
}

async function logIn(state: LoadState): Promise<Credentials> {
  const answer = await callApi(state, {}, ['POST', '/v1/auth/login'], {
    body: { email: state.email, password },
  });
  return {
    token: String(answer?.body.token),
    apiKey: answer?.headers.get('x-api-key') ?? '',
    companyId: answer?.headers.get('x-company-id') ?? '',
  };
}

type LoadLink = { link: string; code: string };

async function createLink(state: LoadState, merchant: Credentials): Promise<LoadLink | null> {
  const customerOrderId = randomUUID();
  const order = orderOf({ customerOrderId, amount, metadata: { cart: customerOrderId } });
  const answer = await callApi(state, merchant, ['POST', '/v1/payment/process'], { body: order });
  if (!answer) return null;
  const link = { link: String(answer.body.PaymentLink), code: String(answer.body.PaymentLinkCode) };
  const { code } = link;
  state.reported.push({ kind: 'link', code, orderId: customerOrderId, amountMinor: 1999, currency: 'EUR' });
  return link;
}

/** Approves on the bank's page, submits a card on ours, or waits. Returns the next page. */
async function submitPage(page: Page, link: LoadLink, random: Random): Promise<Page> {
  if (page.url.includes('/sandbox/3ds/'))
    return await press(page, { form: 0, extra: { decision: 'approve' } });
  if (hasCardForm(page)) {
    const { action, body } = fillCard(page, { number: pick(random, cards) });
    return await visit(action, { method: 'POST', body });
  }
  await sleep(200);
  return await visit(`${link.link}/wait`);
}

/** Pays until the customer is redirected to the shop. Returns the status in its address, or null. */
async function payThrough(state: LoadState, link: LoadLink, random: Random): Promise<string | null> {
  let page: Page | null = null;
  for (let round = 0; round < maxPolls; round++) {
    // Retry a page that failed. The load balancer reports responses that are not allowed.
    const next: Page | null = await (page ? submitPage(page, link, random) : visit(link.link)).catch(
      () => null,
    );
    page = next && next.status < 500 ? next : null;
    if (!page) await sleep(200);
    const status = page && statusOf(page);
    if (!status) continue;
    if (status === 'paid' || status === 'failed') state.reported.push({ kind: status, code: link.code });
    count(state, `customer: ${status}`);
    return status;
  }
  state.note(`a customer never came back from ${page ? `status ${page.status}` : 'no page'}`);
  return null;
}

async function refund(
  state: LoadState,
  merchant: Credentials,
  { code }: LoadLink,
  part: number | null,
): Promise<void> {
  const path = `/v1/payments/${code}/refunds`;
  const answer = await callApi(state, merchant, ['POST', path], {
    body: part === null ? {} : { amount: part },
    key: randomUUID(),
  });
  if (!answer) return;
  const { refundId, status } = answer.body;
  state.reported.push({ kind: 'refund', refundId: String(refundId), state: String(status) });
}

/** One order: the customer pays it, and the merchant may cancel or refund it. */
async function shopOnce(state: LoadState, merchant: Credentials, random: Random): Promise<void> {
  const link = await createLink(state, merchant);
  if (!link) return;
  const path = `/v1/payments/${link.code}`;
  if (random() < 0.15) {
    const cancelled = await callApi(state, merchant, ['POST', `${path}/cancel`]);
    if (cancelled && cancelled.body.status !== 'cancelled') state.note('a cancelled link is not cancelled');
    return;
  }
  const status = await payThrough(state, link, random);
  const shown = await callApi(state, merchant, ['GET', path]);
  if (status && shown && shown.body.status !== status)
    state.note(`the customer saw ${status}, and the merchant ${shown.body.status}`);
  if (status !== 'paid') return;
  if (random() < 0.5)
    for (const part of random() < 0.5 ? [null] : [5, 8]) await refund(state, merchant, link, part);
}

async function runCustomer(state: LoadState, seed: number): Promise<void> {
  const random = seeded(seed);
  let merchant = await logIn(state);
  while (!state.isOver) {
    // Log in rarely, so that a token of one version is mostly sent to the other.
    if (random() < 0.1) merchant = await logIn(state);
    await shopOnce(state, merchant, random);
  }
}

/** Follows the feed from its first event. */
async function follow(state: LoadState): Promise<void> {
  const reader = await logIn(state);
  let after = '';
  while (state.isFollowing) {
    const path = `/v1/events?limit=50${after && `&after=${after}`}`;
    const page = await callApi(state, reader, ['GET', path]);
    const events = (page?.body.data ?? []) as Json[];
    state.followed.push(...events.map(({ id }) => String(id)));
    if (page?.body.nextCursor) after = String(page.body.nextCursor);
    if (events.length === 0) await sleep(100);
  }
}

const lists = [
  '/v1/payments',
  '/v1/payments?status=paid&text=Lovelace',
  '/v1/overview',
  '/v1/cases',
  '/v1/balances',
  '/v1/ledger/entries',
  '/v1/audit-events',
  '/v1/exports/payments',
  '/v1/webhook-endpoints',
  '/v1/processors',
  '/v1/processor-connections',
  '/v1/company',
  '/v1/members',
  '/v1/me/sessions',
] as const;

async function readLists(state: LoadState): Promise<void> {
  const reader = await logIn(state);
  for (let turn = 0; !state.isOver; turn++) {
    await callApi(state, reader, ['GET', lists[turn % lists.length] ?? '']);
    await sleep(100);
  }
}

/** Rolls a key repeatedly. The old and the new key both work until the overlap ends. */
async function rollKeys(state: LoadState): Promise<void> {
  const owner = await logIn(state);
  const made = await callApi(state, owner, ['POST', '/v1/api-keys'], { body: { name: 'Rolled' } });
  let key = made?.body;
  while (!state.isOver && key) {
    const fresh = await logIn(state);
    await callApi(state, { ...fresh, apiKey: String(key.key) }, ['GET', '/v1/me']);
    const rolled = await callApi(state, owner, ['POST', `/v1/api-keys/${key.keyId}/roll`], {
      body: { overlapHours: 1 },
      key: randomUUID(),
    });
    for (const apiKey of [key.key, rolled?.body.key ?? key.key])
      await callApi(state, { ...fresh, apiKey: String(apiKey) }, ['GET', '/v1/api-keys']);
    key = rolled?.body;
    await sleep(1_000);
  }
}

/** Starts the load. The customers' choices follow from the seed. */
export function startLoad(options: {
  baseUrl: string;
  email: string;
  customers: number;
  seed: number;
}): Load {
  const { baseUrl, email, customers, seed } = options;
  const faults = new Map<string, number>();
  const note = (fault: string) => void faults.set(fault, (faults.get(fault) ?? 0) + 1);
  const state: LoadState = {
    baseUrl,
    email,
    reported: [],
    followed: [],
    done: {},
    isOver: false,
    isFollowing: true,
    note,
  };
  const guard = async (person: Promise<void>) =>
    await person.catch((error: unknown) => note(`a client broke: ${error}`));
  const follower = guard(follow(state));
  const people = [
    ...Array.from({ length: customers }, async (_, index) => await runCustomer(state, seed + index)),
    readLists(state),
    rollKeys(state),
  ].map(guard);
  return {
    reported: state.reported,
    faults: () => [...faults].map(([fault, times]) => `${fault}, ${times} times`),
    followed: state.followed,
    done: state.done,
    end: async () => {
      state.isOver = true;
      await Promise.all(people);
    },
    endFollowing: async (events) => {
      const until = performance.now() + followLimitMs;
      while (state.followed.length < events && performance.now() < until) await sleep(100);
      state.isFollowing = false;
      await follower;
    },
  };
}
