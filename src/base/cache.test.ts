import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCache } from './cache.ts';

test('what is kept is found until it is forgotten, and the oldest goes when there are too many', () => {
  const keep = createCache<number>(2);
  keep.set('a', 1);
  keep.set('b', 2);
  assert.deepEqual([keep.get('a'), keep.get('b'), keep.get('c')], [1, 2, undefined]);
  keep.set('c', 3);
  assert.deepEqual([keep.get('a'), keep.get('b'), keep.get('c')], [undefined, 2, 3]);
  keep.forget('b');
  assert.equal(keep.get('b'), undefined);
  keep.set('d', 4);
  assert.equal(keep.get('c'), 3);
});
