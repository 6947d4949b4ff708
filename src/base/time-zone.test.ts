import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, startsOfDays, startsOfHours } from './time-zone.ts';

const textOf = (moments: readonly Date[]) => moments.map((at) => at.toISOString().slice(0, 16));

test('only IANA names are time zones', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'])
    assert.ok(isTimeZone(name), name);
  for (const name of [
    '',
    'Mars/Base',
    '+02:00',
    '-01',
    "UTC'; drop",
    'Europe/Berlin ',
    '\u{202e}UTC',
    'Europe',
  ])
    assert.ok(!isTimeZone(name), name);
});

test('days begin at midnight of their zone, before and after clock changes, across months and years', () => {
  assert.deepEqual(textOf(startsOfDays('Europe/Berlin', new Date('2026-10-26T12:00:00Z'), 4)), [
    '2026-10-22T22:00',
    '2026-10-23T22:00',
    '2026-10-24T22:00',
    '2026-10-25T23:00',
  ]);
  assert.deepEqual(textOf(startsOfDays('Asia/Kolkata', new Date('2027-01-01T18:31:00Z'), 3)), [
    '2026-12-30T18:30',
    '2026-12-31T18:30',
    '2027-01-01T18:30',
  ]);
  assert.deepEqual(textOf(startsOfDays('UTC', new Date('2028-03-01T00:00:00Z'), 2)), [
    '2028-02-29T00:00',
    '2028-03-01T00:00',
  ]);
});

test('a day whose midnight is skipped or repeated begins at its first moment', () => {
  assert.deepEqual(textOf(startsOfDays('Africa/Cairo', new Date('2026-04-24T12:00:00Z'), 2)), [
    '2026-04-22T22:00',
    '2026-04-23T22:00',
  ]);
  // At 24:00 the clock goes back to 23:00: the previous day is an hour longer.
  assert.deepEqual(textOf(startsOfDays('Africa/Cairo', new Date('2026-10-30T12:00:00Z'), 2)), [
    '2026-10-28T21:00',
    '2026-10-29T22:00',
  ]);
  // At 1:00 the clock goes back to 0:00: the day begins with the first 0:00.
  assert.deepEqual(textOf(startsOfDays('America/Havana', new Date('2026-11-01T12:00:00Z'), 2)), [
    '2026-10-31T04:00',
    '2026-11-01T04:00',
  ]);
});

test('a day has 25 hours in autumn and 23 in spring at the clock change', () => {
  const hoursAt = (text: string) => startsOfHours('Europe/Berlin', new Date(text));
  assert.equal(hoursAt('2026-10-25T22:59:59Z').length, 25);
  assert.equal(hoursAt('2026-03-29T21:59:59Z').length, 23);
  assert.deepEqual(textOf(hoursAt('2026-10-25T23:00:00Z')), ['2026-10-25T23:00']);
  assert.deepEqual(textOf(hoursAt('2026-10-26T00:30:00Z')), ['2026-10-25T23:00', '2026-10-26T00:00']);
});
