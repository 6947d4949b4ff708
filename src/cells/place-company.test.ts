import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseByWeight } from './place-company.ts';

test('each cell is chosen as often as its weight, and never with the weight 0', () => {
  const cells = [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 0 },
    { name: 'c', weight: 3 },
  ];
  const chosen = Array.from({ length: 4 }, (_, number) => chooseByWeight(cells, () => number)?.name);
  assert.deepEqual(chosen, ['a', 'c', 'c', 'c']);
});

test('without a cell that takes companies, none is chosen', () => {
  assert.equal(chooseByWeight([{ weight: 0 }]), null);
  assert.equal(chooseByWeight([]), null);
});
