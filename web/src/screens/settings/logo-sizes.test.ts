// The sizes in which a logo is tried.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { smallerSizes } from './logo-sizes.ts';

test('the sizes of an image decrease, keep its shape and fit', () => {
  const sizes = smallerSizes({ width: 2_000, height: 500 }, 512);
  assert.deepEqual(sizes[0], { width: 512, height: 128 });
  for (const [index, { width, height }] of sizes.entries()) {
    const before = sizes[index - 1];
    if (before) assert.ok(width < before.width);
    assert.ok(Math.abs(width / height - 4) < 0.6, `${width} × ${height}`);
  }
  assert.ok((sizes.at(-1)?.width ?? 0) >= 16);
});

test('an image that fits comes first unscaled, and a thin line keeps a pixel', () => {
  assert.deepEqual(smallerSizes({ width: 100, height: 50 }, 512)[0], { width: 100, height: 50 });
  assert.deepEqual(smallerSizes({ width: 9_000, height: 2 }, 512)[0], { width: 512, height: 1 });
});
