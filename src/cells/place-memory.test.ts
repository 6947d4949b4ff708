import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlaceMemory } from './place-memory.ts';

test('a place is remembered without an end, and an unknown company for five seconds', () => {
  let now = 0;
  const memory = createPlaceMemory(() => now);
  assert.equal(memory.find('co_1'), undefined);
  memory.save('co_1', 'eu1');
  memory.save('co_2', null);
  now = 5_000;
  assert.deepEqual([memory.find('co_1'), memory.find('co_2')], ['eu1', null]);
  now = 5_001;
  assert.deepEqual([memory.find('co_1'), memory.find('co_2')], ['eu1', undefined]);
});

test('a flood of invented companies leaves at most 100,000 in memory', () => {
  const memory = createPlaceMemory(() => 0);
  for (let number = 0; number <= 100_000; number++) memory.save(`co_${number}`, null);
  assert.equal(memory.find('co_0'), undefined);
  assert.equal(memory.find('co_100000'), null);
});
