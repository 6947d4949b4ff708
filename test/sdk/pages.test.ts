import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listPages, type Page } from '../../sdk/src/pages.ts';

/** A list whose pages are given; a cursor is the number of a page. Notes which were fetched. */
function listOf(pages: number[][]) {
  const fetched: number[] = [];
  const list = listPages(async ({ cursor }): Promise<Page<number>> => {
    const at = Number(cursor ?? 0);
    fetched.push(at);
    return { data: pages[at] ?? [], nextCursor: at + 1 < pages.length ? String(at + 1) : null };
  });
  return { list, fetched };
}

test('going over a list gives every item once, in order, however full its pages are', async () => {
  const anyPages = fc.array(fc.array(fc.integer(), { maxLength: 4 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(anyPages, async (pages) => {
      const { list } = listOf(pages);
      const seen: number[] = [];
      for await (const item of list) seen.push(item);
      assert.deepEqual(seen, pages.flat());
    }),
  );
});

test('a page is fetched when it is needed, and none after the loop was left', async () => {
  const { list, fetched } = listOf([[1, 2], [], [3, 4], [5]]);
  assert.deepEqual(fetched, []);
  for await (const item of list) {
    if (item === 2) assert.deepEqual(fetched, [0]);
    if (item === 3) break;
  }
  assert.deepEqual(fetched, [0, 1, 2]);
});

test('a list can be gone over again, and its first page taken by itself', async () => {
  const { list, fetched } = listOf([[1], [2]]);
  assert.deepEqual(await list.page(), { data: [1], nextCursor: '1' });
  for await (const _item of list);
  for await (const _item of list);
  assert.deepEqual(fetched, [0, 0, 1, 0, 1]);
});
