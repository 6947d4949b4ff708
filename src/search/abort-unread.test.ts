import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { abortUnread } from './abort-unread.ts';

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

/** Whether a response is aborted, given per second how much was sent, and whether more waits. */
function isAborted(seconds: readonly (readonly [bytesWritten: number, needsDrain: boolean])[]): boolean {
  const stream = new Readable({ read: () => undefined }).on('error', () => undefined);
  const reading = { writableNeedDrain: false, socket: { bytesWritten: 0 } };
  abortUnread(stream, reading);
  for (const [bytesWritten, writableNeedDrain] of seconds) {
    Object.assign(reading, { writableNeedDrain, socket: { bytesWritten } });
    mock.timers.tick(1_000);
  }
  return stream.destroyed;
}

test('a response that is not read for seconds is aborted', () => {
  assert.equal(isAborted(Array.from({ length: 4 }, () => [5, true] as const)), true);
});

test('a response without data to read is not aborted', () => {
  assert.equal(isAborted(Array.from({ length: 60 }, () => [5, false] as const)), false);
});

test('a slowly read response is never aborted', () => {
  const slow = Array.from({ length: 60 }, (_, second) => [Math.floor(second / 3), true] as const);
  assert.equal(isAborted(slow), false);
});

test('a pause without data to read restarts the count', () => {
  const [silent, pause] = [[5, true] as const, [5, false] as const];
  assert.equal(isAborted([silent, silent, silent, pause, silent, silent]), false);
  assert.equal(isAborted([silent, silent, silent, pause, silent, silent, silent]), true);
});
