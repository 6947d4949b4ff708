import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../db/database.ts';
import { createWaitForMove } from './wait-for-move.ts';

const moving = new Error('moving');

/** A cell that says so many times that the company is being moved. */
function cellThatMoves(times: number) {
  const asked = { count: 0 };
  const inCompany = async () => {
    asked.count += 1;
    if (asked.count <= times) throw moving;
  };
  return { asked, cell: { inCompany } as unknown as Database };
}

test('a hundred that wait for one company ask its cell as often as one', async () => {
  const wait = createWaitForMove((error) => error === moving);
  const { asked, cell } = cellThatMoves(3);
  await Promise.all(Array.from({ length: 100 }, async () => await wait('co_1', cell)));
  assert.equal(asked.count, 4);
});

test('any other error ends the wait: who waits meets it', async () => {
  const wait = createWaitForMove(() => false);
  const { asked, cell } = cellThatMoves(1);
  await wait('co_1', cell);
  assert.equal(asked.count, 1);
});
