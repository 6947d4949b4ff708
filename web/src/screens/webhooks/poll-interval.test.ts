// What holds for the polling of deliveries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PendingDelivery, pollIntervalOf } from './poll-interval.ts';

const now = new Date('2026-11-22T12:00:00Z');
const ended: PendingDelivery = { status: 'delivered', nextTryAt: null };
const soon: PendingDelivery = { status: 'pending', nextTryAt: '2026-11-22T12:00:05Z' };
const late: PendingDelivery = { status: 'pending', nextTryAt: '2026-11-23T08:00:00Z' };

test('nothing is polled if no delivery is pending or the endpoint is off', () => {
  assert.equal(pollIntervalOf([], true, now), false);
  assert.equal(pollIntervalOf([ended, { status: 'failed', nextTryAt: null }], true, now), false);
  assert.equal(pollIntervalOf([soon], false, now), false);
});

test('deliveries that are due soon are polled often, later ones rarely', () => {
  const [often, seldom] = [pollIntervalOf([ended, late, soon], true, now), pollIntervalOf([late], true, now)];
  assert.ok(often !== false && seldom !== false);
  assert.ok(often <= 2_000);
  assert.ok(seldom >= 30_000);
});
