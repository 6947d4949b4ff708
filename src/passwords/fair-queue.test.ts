import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../base/errors.ts';
import { networksOf } from '../http/client-network.ts';
import { createFairQueue } from './fair-queue.ts';

const refusalOf = (work: () => void) => {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return [error.status, error.headers['retry-after'] !== undefined];
  }
};

test('a client over its share gets 429, and every client gets 503 once the queue is full', () => {
  const queue = createFairQueue<string>({ maxItems: 5, maxPerClient: 2 });
  const tryReserve = (ip: string) => refusalOf(() => queue.reserve(networksOf(ip)));
  const release = queue.reserve(networksOf('203.0.113.1'));
  assert.equal(tryReserve('203.0.113.1'), null);
  assert.deepEqual(tryReserve('203.0.113.1'), [429, true]);
  for (const ip of ['203.0.113.2', '203.0.113.3', '203.0.113.4']) assert.equal(tryReserve(ip), null);
  assert.deepEqual(tryReserve('203.0.113.5'), [503, true]);
  release();
  assert.equal(tryReserve('203.0.113.1'), null, 'a released place can be reserved again');
});

test('a whole /48 has four shares, however many /64 it uses', () => {
  const queue = createFairQueue<string>({ maxItems: 1000, maxPerClient: 2 });
  const entered = Array.from({ length: 64 }, (_, each) =>
    refusalOf(() => queue.reserve(networksOf(`2001:db8:7:${(each * 257).toString(16)}::1`))),
  ).filter((refused) => refused === null);
  assert.equal(entered.length, 8);
});

test('clients take turns: a later one waits for one item of each other client', () => {
  const queue = createFairQueue<string>({ maxItems: 100, maxPerClient: 100 });
  for (let count = 0; count < 3; count++) queue.add(networksOf('203.0.113.1'), `busy ${count}`);
  for (const subnet of ['1', '2']) queue.add(networksOf(`2001:db8:7:${subnet}::1`), `v6 ${subnet}`);
  queue.add(networksOf('203.0.113.2'), 'late');
  const order = Array.from({ length: 7 }, () => queue.next());
  assert.deepEqual(order, ['busy 0', 'v6 1', 'late', 'busy 1', 'v6 2', 'busy 2', undefined]);
});
