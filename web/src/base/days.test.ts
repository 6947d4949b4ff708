// Days in the local time zone, across a change to summer time.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { endOfDay, expiryMoment, hoursAhead, startOfDay } from './days.ts';

describe('local days', () => {
  const { TZ } = process.env;
  before(() => {
    process.env.TZ = 'Europe/Berlin';
  });
  after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test('a day begins and ends at local midnight, also when it has 25 hours', () => {
    assert.equal(startOfDay('2026-10-25'), '2026-10-24T22:00:00.000Z');
    assert.equal(endOfDay('2026-10-25'), '2026-10-25T23:00:00.000Z');
    assert.equal(endOfDay('2026-12-31'), '2026-12-31T23:00:00.000Z');
  });

  test('an invalid day gives undefined', () => {
    for (const day of ['', '2026-02-30', '2026-13-01', '22.11.2026', '2026-1-1'])
      assert.deepEqual([startOfDay(day), endOfDay(day)], [undefined, undefined], day);
  });

  test('the hours ahead are those of the same day, also when it has 25 hours', () => {
    assert.deepEqual(hoursAhead(['2026-11-22T20:00:00.000Z']), [
      '2026-11-22T21:00:00.000Z',
      '2026-11-22T22:00:00.000Z',
    ]);
    assert.equal(hoursAhead(['2026-10-24T22:00:00.000Z']).length, 24);
    assert.deepEqual(hoursAhead(['2026-11-22T22:00:00.000Z']), []);
    assert.deepEqual(hoursAhead([]), []);
  });
});

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
