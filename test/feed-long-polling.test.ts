// The event feed with long polling, the history of a payment, the ledger's pages, and the QR code of a link.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import jsQr from 'jsqr';
import { appendEvent } from '../src/events/append-event.ts';
import { maxWaiting } from '../src/events/follow-feed.ts';
import {
  type Answer,
  type Credentials,
  createLink,
  credentialHeaders,
  type Json,
  logIn,
  post,
  readAnswer,
} from './harness/client.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { readPng, readSvg } from './harness/qr-picture.ts';
import { payWith } from './harness/visitor.ts';

async function ask(paylink: Paylink, path: string, who: Credentials): Promise<Answer> {
  return await readAnswer(await fetch(`${paylink.baseUrl}/v1/${path}`, { headers: credentialHeaders(who) }));
}
const typesOf = ({ body }: Answer) => (body.data as Json[]).map(({ type }) => type);

/** Reads a feed until it has seen `count` events. Transactions of other tests may delay the horizon. */
async function readAll(paylink: Paylink, who: Credentials, count: number, limit = 2): Promise<Json[]> {
  const seen: Json[] = [];
  let after = '';
  const until = performance.now() + 100_000;
  while (seen.length < count && performance.now() < until) {
    const { body } = await ask(paylink, `events?limit=${limit}${after && `&after=${after}`}`, who);
    seen.push(...(body.data as Json[]));
    after = String(body.nextCursor);
    if ((body.data as Json[]).length === 0) await pause(50);
  }
  return seen;
}

for (const engine of engines) {
  describe(`following on the ${engine} database`, () => {
    let paylink: Paylink;
    let owner: Credentials;
    let code: string;
    let refundId: unknown;
    before(async () => {
      paylink = await startPaylink(engine);
      owner = await logIn(paylink);
      ({ code } = await createLink(paylink));
      await payWith(`${paylink.baseUrl}/pay/${code}`, { number: '4242424242424242' });
      const refunds = `${paylink.baseUrl}/v1/payments/${code}/refunds`;
      ({ refundId } = (await post(refunds, { amount: 5 }, credentialHeaders(owner))).body);
    });
    after(async () => await paylink.stop());

    test('the feed returns the public events in order, with a cursor even at its end', async () => {
      const events = await readAll(paylink, owner, 5);
      assert.deepEqual(
        events.map(({ type, version }) => [type, version]),
        [
          ['payment.created', null],
          ['payment.processing', 2],
          ['payment.paid', 3],
          ['refund.created', null],
          ['refund.succeeded', null],
        ],
      );
      assert.ok(events.every((event) => event.PaymentLinkCode === code));
      const [created, , , refunded] = events;
      assert.deepEqual(created?.data, { to: 'open', amount: 19.99, currency: 'EUR' });
      assert.equal(created?.actor, `account:${paylink.merchant.accountId}`);
      assert.deepEqual(
        [refunded?.refundId, refunded?.data],
        [refundId, { amount: 5, currency: 'EUR', kind: 'merchant' }],
      );
      const quiet = await logIn(paylink, await paylink.createMerchant());
      const { body } = await ask(paylink, 'events', quiet);
      assert.deepEqual(body.data, []);
      assert.deepEqual((await ask(paylink, `events?after=${body.nextCursor}`, quiet)).body, body);
    });

    test('the history of a payment has all its events with their actors', async () => {
      const whole = await ask(paylink, `payments/${code}/events?limit=100`, owner);
      assert.equal(whole.body.nextCursor, null);
      const history = whole.body.data as Json[];
      const types = typesOf(whole);
      assert.deepEqual([types[0], types.at(-1)], ['payment.created', 'refund.succeeded']);
      assert.ok(types.includes('attempt.succeeded'));
      assert.ok(history.some(({ type, attemptId }) => type === 'attempt.succeeded' && attemptId !== null));
      const actors = new Set(history.map(({ actor }) => actor));
      assert.ok(
        actors.has('customer') && actors.has(`account:${paylink.merchant.accountId}`),
        [...actors].join(),
      );
      const seen: Json[] = [];
      let cursor: unknown = null;
      do {
        const path = `payments/${code}/events?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
        const page = await ask(paylink, path, owner);
        seen.push(...(page.body.data as Json[]));
        cursor = page.body.nextCursor;
      } while (cursor !== null);
      assert.deepEqual(seen, history);
      const foreign = await logIn(paylink, await paylink.createMerchant());
      assert.equal((await ask(paylink, `payments/${code}/events`, foreign)).status, 404);
    });

    test('balances and entries agree and are in major units; entries can be filtered by payment', async () => {
      const second = await createLink(paylink, { amount: 0.3 });
      await payWith(second.link, { number: '4242424242424242' });
      const { body } = await ask(paylink, 'balances', owner);
      assert.deepEqual(body.data, [
        { account: 'merchant', currency: 'EUR', balance: -20.29 },
        { account: 'processor', currency: 'EUR', balance: 15.29 },
        { account: 'refunds', currency: 'EUR', balance: 5 },
      ]);
      const first = await ask(paylink, 'ledger/entries?limit=1', owner);
      const rest = await ask(paylink, `ledger/entries?cursor=${first.body.nextCursor}`, owner);
      const entries = [...(first.body.data as Json[]), ...(rest.body.data as Json[])];
      assert.deepEqual(
        entries.map(({ kind, amount, PaymentLinkCode }) => [kind, amount, PaymentLinkCode]),
        [
          ['capture', 19.99, code],
          ['refund', 5, code],
          ['capture', 0.3, second.code],
        ],
      );
      assert.equal(entries[1]?.sourceId, refundId);
      const own = await ask(paylink, `ledger/entries?PaymentLinkCode=${second.code}`, owner);
      assert.deepEqual(own.body.data, [entries[2]]);
      const from = String(entries[1]?.CreatedOn);
      const later = await ask(paylink, `ledger/entries?from=${from}`, owner);
      assert.deepEqual(later.body.data, entries.slice(1));
      const earlier = await ask(paylink, `ledger/entries?to=${from}`, owner);
      assert.deepEqual(earlier.body.data, entries.slice(0, 1));
      const turned = await ask(paylink, 'ledger/entries?sort=-CreatedOn&limit=2', owner);
      const end = await ask(
        paylink,
        `ledger/entries?sort=-CreatedOn&cursor=${turned.body.nextCursor}`,
        owner,
      );
      assert.deepEqual([...(turned.body.data as Json[]), ...(end.body.data as Json[])], entries.toReversed());
      assert.equal(end.body.nextCursor, null);
      const ofFirst = await ask(
        paylink,
        `ledger/entries?PaymentLinkCode=${code}&sort=-CreatedOn&from=${from}`,
        owner,
      );
      assert.deepEqual(ofFirst.body.data, [entries[1]]);
      for (const [query, status] of [
        ['from=now', 422],
        ['sort=amount', 422],
        [`cursor=${first.body.nextCursor}&sort=-CreatedOn`, 422],
        [`PaymentLinkCode=${code.slice(0, -1)}~`, 404],
        [`cursor=${first.body.nextCursor}&from=${from}`, 422],
      ] as const)
        assert.equal((await ask(paylink, `ledger/entries?${query}`, owner)).status, status, query);
    });

    test('a scanner reads the link from its QR code, as SVG and PNG of any size', async () => {
      const link = `${paylink.baseUrl}/pay/${code}`;
      for (const [query, size] of [
        ['', 256],
        ['format=png&size=64', 64],
        ['format=png&size=1024', 1024],
        ['format=svg&size=300', 300],
      ] as const) {
        const url = `${paylink.baseUrl}/v1/payments/${code}/qr?${query}`;
        const response = await fetch(url, { headers: credentialHeaders(owner) });
        const bytes = Buffer.from(await response.arrayBuffer());
        const isPng = response.headers.get('content-type') === 'image/png';
        assert.equal(isPng, query.includes('png'));
        const picture = isPng ? readPng(bytes) : readSvg(bytes.toString());
        assert.equal(picture.size, size);
        assert.equal(jsQr.default(picture.pixels, picture.side, picture.side)?.data, link, query);
      }
      for (const size of ['63', '1025', '1e2'])
        assert.equal((await ask(paylink, `payments/${code}/qr?size=${size}`, owner)).status, 422);
    });
  });
}

describe('long polling', () => {
  let paylink: Paylink;
  let merchant: Merchant;
  let owner: Credentials;
  before(async () => {
    paylink = await startPaylink('server');
    merchant = await paylink.createMerchant();
    owner = await logIn(paylink, merchant);
  });

  const append = async (type: string, beforeCommit: () => Promise<void> = async () => undefined) =>
    await paylink.app.deps.db.inTenant({ companyId: merchant.companyId, mode: 'test' }, async (tx) => {
      await appendEvent(tx, { type, isPublic: true, actor: 'test', data: {}, at: new Date() });
      await beforeCommit();
    });

  /** Appends an event in a transaction that stays open. Returns the function that commits it. */
  const appendHeld = async (type: string): Promise<() => Promise<void>> => {
    const written = Promise.withResolvers<void>();
    const reported = Promise.withResolvers<void>();
    const done = append(type, async () => {
      written.resolve();
      await reported.promise;
    });
    await Promise.race([written.promise, done]);
    return async () => {
      reported.resolve();
      await done;
    };
  };

  /** The types of events after a cursor up to the expected one, and the next cursor. */
  const readUntil = async (type: string, after = ''): Promise<{ types: unknown[]; cursor: string }> => {
    const types: unknown[] = [];
    let cursor = after;
    while (!types.includes(type)) {
      const page = await ask(paylink, `events?wait=5${cursor && `&after=${cursor}`}`, owner);
      types.push(...typesOf(page));
      cursor = String(page.body.nextCursor);
    }
    return { types, cursor };
  };

  /** A cursor after all events. Transactions of other tests may delay events. */
  const cursorBehindAll = async (): Promise<string> => {
    const mark = `mark ${randomUUID()}`;
    await append(mark);
    return (await readUntil(mark)).cursor;
  };

  /** Repeats a waiting call with new events, if a transaction of another test hid them for the whole wait. */
  const untilNotHidden = async (wait: () => Promise<unknown[]>): Promise<unknown[]> => {
    let types = await wait();
    while (types.length === 0) types = await wait();
    return types;
  };

  test('a waiting call returns as soon as there is an event, or with a cursor after its time', async () => {
    const vain = await ask(paylink, 'events?wait=1', owner);
    assert.deepEqual([vain.status, vain.body.data], [200, []]);
    const types = await untilNotHidden(async () => {
      const waiting = ask(paylink, `events?wait=30&after=${await cursorBehindAll()}`, owner);
      await append('first');
      return typesOf(await waiting);
    });
    assert.deepEqual(types, ['first']);
    for (const wait of ['31', '-1', '1.5', 'x'])
      assert.equal((await ask(paylink, `events?wait=${wait}`, owner)).status, 422);
  });

  test('after=latest returns at once, with a cursor after all shown events and before all others', async () => {
    await append('long ago');
    await readUntil('long ago');
    const commit = await appendHeld('begun before');
    await append('held back');
    const now = await ask(paylink, 'events?after=latest', owner);
    assert.deepEqual([now.status, now.body.data], [200, []]);
    await commit();
    await append('begun after');
    const { types } = await readUntil('begun after', String(now.body.nextCursor));
    assert.deepEqual(types, ['begun before', 'held back', 'begun after']);
    const found = await untilNotHidden(async () => {
      const waiting = ask(paylink, 'events?wait=30&after=latest', owner);
      const answered = waiting.then(() => true);
      // The start of the wait is not visible, so events are appended until the call returns.
      do await append('waited for');
      while (!(await Promise.race([answered, pause(200, false)])));
      return typesOf(await waiting);
    });
    assert.deepEqual([...new Set(found)], ['waited for']);
  });

  test('a reader gets every event once while transactions commit out of order', async () => {
    const before = await cursorBehindAll();
    const commit = await appendHeld('slow');
    await append('quick');
    const early = await ask(paylink, `events?wait=1&after=${before}`, owner);
    assert.deepEqual(early.body.data, [], 'events that an open transaction could precede are not returned');
    await commit();
    const seen: unknown[] = [];
    let after = early.body.nextCursor;
    while (seen.length < 2) {
      const page = await ask(paylink, `events?wait=30&limit=1&after=${after}`, owner);
      seen.push(...typesOf(page));
      after = page.body.nextCursor;
    }
    assert.deepEqual(seen, ['slow', 'quick']);
    assert.deepEqual((await ask(paylink, `events?after=${after}`, owner)).body.data, []);
  });

  test('the number of waiting calls of a company is limited; a disconnected caller frees its place', async () => {
    const path = `events?wait=30&after=${await cursorBehindAll()}`;
    const leaving = new AbortController();
    // One more than allowed: the rejected call returns first.
    const waiting = Array.from({ length: maxWaiting.ofCompany + 1 }, () =>
      fetch(`${paylink.baseUrl}/v1/${path}`, { headers: credentialHeaders(owner), signal: leaving.signal }),
    );
    const outcomes = Promise.allSettled(waiting);
    const refused = await Promise.race(waiting);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.equal((await ask(paylink, 'events', owner)).status, 200, 'a call that does not wait is answered');
    const other = await logIn(paylink);
    assert.equal((await ask(paylink, 'events?wait=1', other)).status, 200);
    leaving.abort();
    const gone = (await outcomes).filter(({ status }) => status === 'rejected');
    assert.equal(gone.length, maxWaiting.ofCompany, 'all others were waiting');
    let again = await ask(paylink, path.replace('30', '1'), owner);
    for (let polls = 0; polls < 100 && again.status === 429; polls++) {
      await pause(50);
      again = await ask(paylink, path.replace('30', '1'), owner);
    }
    assert.equal(again.status, 200);
  });

  test('a stop ends waiting calls with a response', async () => {
    const waiting = ask(paylink, `events?wait=30&after=${await cursorBehindAll()}`, owner);
    await pause(600);
    const before = performance.now();
    await paylink.stop();
    const answer = await waiting;
    assert.deepEqual([answer.status, answer.body.data], [200, []]);
    // Only detects a hang: the full wait would have taken 30 s.
    assert.ok(performance.now() - before < 25_000);
  });
});
