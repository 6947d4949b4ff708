// The sizes in which a logo is tried.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallerSizes } from './logo-sizes.ts';

test('a picture is tried in ever smaller sizes that keep its shape and fit', () => {
  const sizes = smallerSizes({ width: 2_000, height: 500 }, 512);
  assert.deepEqual(sizes[0], { width: 512, height: 128 });
  for (const [index, { width, height }] of sizes.entries()) {
    const before = sizes[index - 1];
    if (before) assert.ok(width < before.width);
    assert.ok(Math.abs(width / height - 4) < 0.6, `${width} × ${height}`);
  }
  assert.ok((sizes.at(-1)?.width ?? 0) >= 16);
});

test('a picture that fits is tried as it is first, and a thin line stays one', () => {
  assert.deepEqual(smallerSizes({ width: 100, height: 50 }, 512)[0], { width: 100, height: 50 });
  assert.deepEqual(smallerSizes({ width: 9_000, height: 2 }, 512)[0], { width: 512, height: 1 });
});
