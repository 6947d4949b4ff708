// The records of the fake Stripe: objects by account, and stored responses by idempotency key, on disk before each
// response. Must not: import code of the service.

import { createHmac } from 'node:crypto';
import type { MoneyLine } from '../kit/control.ts';
import type { FakeServer } from '../kit/fake-server.ts';
import type { WebhookToSend } from '../kit/webhook-sender.ts';
import { accounts, type FakeAccount } from './accounts.ts';
import { newId, type StripeObject } from './objects.ts';

/** The response to a request with a key, and the request. */
export type Kept = { key: string; asked: string; status: number; body: object; atSeconds: number };

/** One event: moved money if any, the changed objects, and the stored response. */
export type Line = (MoneyLine | { type: 'changed'; account: string }) & {
  objects?: readonly StripeObject[];
  kept?: Kept;
  endpointUrl?: string;
};

/** A change, before it is recorded. */
export type Change = {
  money?: Omit<MoneyLine, 'account'>;
  objects: readonly StripeObject[];
  events?: readonly { type: string; object: StripeObject }[];
};

const keysLiveSeconds = 24 * 60 * 60;

/** The events of the merchant's endpoint. */
const enabledEvents = new Set([
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
]);

export type Records = ReturnType<typeof openRecords>;

/** A webhook as Stripe sends it, signed for the account's endpoint. */
function noticeOf(
  account: FakeAccount,
  url: string | null,
  created: number,
  { type, object }: { type: string; object: StripeObject },
): WebhookToSend {
  const event = {
    ...{ id: newId('evt'), object: 'event', api_version: '2026-10-28.endive', created },
    ...{ livemode: account.isLive, pending_webhooks: 1, request: { id: null, idempotency_key: null } },
    ...{ type, data: { object } },
  };
  return {
    url,
    body: JSON.stringify(event, null, 2),
    contentType: 'application/json; charset=utf-8',
    sign: (body, at) => {
      const stamp = Math.floor(at.getTime() / 1000);
      const mac = createHmac('sha256', account.webhookSecret).update(`${stamp}.${body}`).digest('hex');
      return { 'Stripe-Signature': `t=${stamp},v1=${mac},v0=${'0'.repeat(64)}` };
    },
  };
}

/** Opens the records on the fake's journal. */
export function openRecords(server: FakeServer<Line>) {
  const objects = new Map<string, { account: string; object: StripeObject }>();
  const kept = new Map<string, Kept>();
  const endpoints = new Map<string, string>();
  const nowSeconds = () => Math.floor(server.now().getTime() / 1000);

  const take = (line: Line) => {
    const { account } = line;
    // A changed object keeps its place in the map, so the order is that of creation.
    for (const object of line.objects ?? []) objects.set(object.id, { account, object });
    if (line.kept) kept.set(`${account} ${line.kept.key}`, line.kept);
    if (line.endpointUrl !== undefined) endpoints.set(account, line.endpointUrl);
  };
  const write = (line: Line) => {
    server.journal.append(line);
    take(line);
  };
  for (const line of server.journal.lines) take(line);

  const sendWebhook = (account: FakeAccount, type: string, object: StripeObject) => {
    if (!enabledEvents.has(type)) return;
    server.notify(noticeOf(account, endpoints.get(account.id) ?? null, nowSeconds(), { type, object }));
  };

  return {
    nowSeconds,
    url: server.url,
    /** The account of an API key, and the paths that the key may not use. */
    accountOf: (secret: string): { account: FakeAccount; forbidden: RegExp } | null => {
      for (const account of Object.values(accounts)) {
        const forbiddenBy: Readonly<Record<string, RegExp>> = {
          [account.secretKey]: /^$/,
          [account.uselessKey]: /./,
          [account.refundlessKey]: /^\/v1\/refunds/,
        };
        const forbidden = forbiddenBy[secret];
        if (forbidden) return { account, forbidden };
      }
      return null;
    },
    /** An object of an account by its ID; null for another kind or account. */
    find: <Kind extends StripeObject['object']>(account: FakeAccount, kind: Kind, id: string | null) => {
      const found = objects.get(id ?? '');
      if (found?.account !== account.id || found.object.object !== kind) return null;
      return found.object as Extract<StripeObject, { object: Kind }>;
    },
    /** The account of an object, for its public page. */
    ownerOf: (id: string) =>
      Object.values(accounts).find((account) => account.id === objects.get(id)?.account) ?? null,
    /** All objects of a kind, newest first. */
    list: <Kind extends StripeObject['object']>(account: FakeAccount, kind: Kind) =>
      [...objects.values()]
        .filter((entry) => entry.account === account.id && entry.object.object === kind)
        .map((entry) => entry.object as Extract<StripeObject, { object: Kind }>)
        .reverse(),
    storedResponse: (account: FakeAccount, key: string): Kept | null => {
      const found = kept.get(`${account.id} ${key}`);
      return found && found.atSeconds + keysLiveSeconds > nowSeconds() ? found : null;
    },
    /** Records a change with its stored response, and sends its webhooks. */
    commit: (account: FakeAccount, change: Change, answer?: Kept) => {
      const base = change.money ?? ({ type: 'changed' } as const);
      write({ ...base, account: account.id, objects: change.objects, ...(answer ? { kept: answer } : {}) });
      for (const { type, object } of change.events ?? []) sendWebhook(account, type, object);
    },
    /** Sets where webhooks of an account go. */
    setEndpoint: (account: FakeAccount, endpointUrl: string) =>
      write({ type: 'changed', account: account.id, endpointUrl }),
  };
}
