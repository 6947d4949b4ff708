import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { breakOffUnread } from './break-off-unread.ts';

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

/** Whether a response is aborted, given per second how much was sent, and whether more waits. */
function isBrokenOff(seconds: readonly (readonly [bytesWritten: number, needsDrain: boolean])[]): boolean {
  const stream = new Readable({ read: () => undefined }).on('error', () => undefined);
  const reading = { writableNeedDrain: false, socket: { bytesWritten: 0 } };
  breakOffUnread(stream, reading);
  for (const [bytesWritten, writableNeedDrain] of seconds) {
    Object.assign(reading, { writableNeedDrain, socket: { bytesWritten } });
    mock.timers.tick(1_000);
  }
  return stream.destroyed;
}

test('an answer of which nothing is taken for seconds is broken off', () => {
  assert.equal(isBrokenOff(Array.from({ length: 4 }, () => [5, true] as const)), true);
});

test('one for which there is nothing to take is not', () => {
  assert.equal(isBrokenOff(Array.from({ length: 60 }, () => [5, false] as const)), false);
});

test('one that is read slowly is not, however long it takes', () => {
  const slow = Array.from({ length: 60 }, (_, second) => [Math.floor(second / 3), true] as const);
  assert.equal(isBrokenOff(slow), false);
});

test('a pause in which there is nothing to take begins the count anew', () => {
  const [silent, pause] = [[5, true] as const, [5, false] as const];
  assert.equal(isBrokenOff([silent, silent, silent, pause, silent, silent]), false);
  assert.equal(isBrokenOff([silent, silent, silent, pause, silent, silent, silent]), true);
});
