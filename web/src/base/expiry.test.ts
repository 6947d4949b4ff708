// The chosen expiry of a link.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryMoment } from './expiry.ts';

test('a link expires after a duration, or at a chosen local time', () => {
  const now = new Date('2026-11-22T10:00:00Z');
  assert.equal(expiryMoment({ choice: 'hour', own: '' }, now), '2026-11-22T11:00:00.000Z');
  assert.equal(expiryMoment({ choice: 'month', own: 'x' }, now), '2026-12-22T10:00:00.000Z');
  const own = new Date(2026, 11, 24, 18, 30).toISOString();
  assert.equal(expiryMoment({ choice: 'own', own: '2026-12-24T18:30' }, now), own);
});

test('an invalid time gives null', () => {
  for (const own of ['', '2026-12-24', '2026-13-01T00:00', 'soon'])
    assert.equal(expiryMoment({ choice: 'own', own }, new Date()), null, own);
});
