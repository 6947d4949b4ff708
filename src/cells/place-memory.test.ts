import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaceMemory } from './place-memory.ts';

test('a place is remembered without an end, and an unknown company for five seconds', () => {
  let now = 0;
  const memory = createPlaceMemory(() => now);
  assert.equal(memory.find('co_1'), undefined);
  memory.save('co_1', 'eu1');
  memory.save('co_2', null);
  now = 4_999;
  assert.deepEqual([memory.find('co_1'), memory.find('co_2')], ['eu1', null]);
  now = 5_000;
  assert.deepEqual([memory.find('co_1'), memory.find('co_2')], ['eu1', undefined]);
});

test('a flood of invented companies leaves at most 10,000 in memory, and the known ones', () => {
  const memory = createPlaceMemory(() => 0);
  memory.save('co_known', 'eu1');
  for (let number = 0; number <= 10_000; number++) memory.save(`co_${number}`, null);
  assert.deepEqual(
    [memory.find('co_0'), memory.find('co_10000'), memory.find('co_known')],
    [undefined, null, 'eu1'],
  );
});
