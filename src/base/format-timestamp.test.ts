// Times as customers read them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTimestamp } from './format-timestamp.ts';

test('a timestamp has its zone, and its month in the language of the page', () => {
  const at = new Date('2026-03-01T00:05:59Z');
  assert.equal(formatTimestamp(at, 'en'), 'March 1, 2026 at 00:05 UTC');
  assert.equal(formatTimestamp(at, 'de'), '1. März 2026 um 00:05 UTC');
});
