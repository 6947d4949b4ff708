import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullAt, type PlacedCompany, relieve, simulatePlacement } from './place-companies.ts';

const plan = { companies: 1_000, cells: 16, exponent: 0.8, years: 10, seed: 7 };

test('the same seed simulates the same companies, and another seed others', () => {
  assert.deepEqual(simulatePlacement(plan), simulatePlacement(plan));
  assert.notDeepEqual(simulatePlacement(plan), simulatePlacement({ ...plan, seed: 8 }));
});

test('after the moves no cell is too full unless by its largest company, and few companies were moved', () => {
  for (let seed = 0; seed < 20; seed++) {
    const { unmoved, relieved, worstFilling, largest, moves } = simulatePlacement({ ...plan, seed });
    // Two companies that fit into no other cell may exceed it a little.
    assert.ok(worstFilling <= fullAt * 1.05, `seed ${seed}: a cell is ${worstFilling} full`);
    assert.ok(relieved.fullest <= fullAt * 1.05 * Math.max(1, largest), `seed ${seed}: ${relieved.fullest}`);
    assert.ok(relieved.fullest <= unmoved.fullest && relieved.emptiest >= unmoved.emptiest);
    assert.ok(moves > 0 && moves < plan.companies / 5, `seed ${seed}: ${moves} moves`);
  }
});

test('relieving moves no company that is as large as its cell, and loses none', () => {
  const companies: PlacedCompany[] = [
    { load: 100, cell: 0 },
    ...Array.from({ length: 60 }, () => ({ load: 1, cell: 0 })),
    { load: 1, cell: 1 },
  ];
  const moved = relieve(companies, 3);
  assert.deepEqual(companies[0], { load: 100, cell: 0 });
  assert.equal(companies.filter(({ cell }) => cell !== 0).length, moved.length + 1);
  assert.equal(moved.length, 35, 'the cell keeps a quarter beside its largest company');
});
