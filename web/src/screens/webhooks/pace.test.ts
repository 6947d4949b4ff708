// What the pace of looking at deliveries promises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paceOf, type Waiting } from './pace.ts';

const now = new Date('2026-11-22T12:00:00Z');
const ended: Waiting = { state: 'delivered', nextTryAt: null };
const soon: Waiting = { state: 'pending', nextTryAt: '2026-11-22T12:00:05Z' };
const late: Waiting = { state: 'pending', nextTryAt: '2026-11-23T08:00:00Z' };

test('nothing is looked at again when nothing waits, or when nothing is sent', () => {
  assert.equal(paceOf([], true, now), false);
  assert.equal(paceOf([ended, { state: 'failed', nextTryAt: null }], true, now), false);
  assert.equal(paceOf([soon], false, now), false);
});

test('what is due soon is looked at often, and what is due tomorrow seldom', () => {
  const [often, seldom] = [paceOf([ended, late, soon], true, now), paceOf([late], true, now)];
  assert.ok(often !== false && seldom !== false);
  assert.ok(often <= 2_000);
  assert.ok(seldom >= 30_000);
});
