import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FeedRequest, followFeed, listPages, type Page } from '../../sdk/src/pages.ts';

/** A list with these pages; a cursor is the index of a page. Records which were fetched. */
function listOf(pages: number[][]) {
  const fetched: number[] = [];
  const list = listPages(async ({ cursor }): Promise<Page<number>> => {
    const at = Number(cursor ?? 0);
    fetched.push(at);
    return { data: pages[at] ?? [], nextCursor: at + 1 < pages.length ? String(at + 1) : null };
  });
  return { list, fetched };
}

test('iterating a list returns every item once, in order, for any size of pages', async () => {
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

test('a page is fetched when it is needed, and none after the loop has ended', async () => {
  const { list, fetched } = listOf([[1, 2], [], [3, 4], [5]]);
  assert.deepEqual(fetched, []);
  for await (const item of list) {
    if (item === 2) assert.deepEqual(fetched, [0]);
    if (item === 3) break;
  }
  assert.deepEqual(fetched, [0, 1, 2]);
});

test('a list can be iterated again, and its first page can be read alone', async () => {
  const { list, fetched } = listOf([[1], [2]]);
  assert.deepEqual(await list.page(), { data: [1], nextCursor: '1' });
  for await (const _item of list);
  for await (const _item of list);
  assert.deepEqual(fetched, [0, 0, 1, 0, 1]);
});

/** A feed with these pages, which fails after the last one. Records the queries. */
function feedOf(pages: number[][], start: Parameters<typeof followFeed>[0] = {}) {
  const looks: FeedRequest[] = [];
  const feed = followFeed(start, async (look) => {
    looks.push(look);
    const at = Number(look.after === 'latest' ? 0 : (look.after ?? 0));
    const data = pages[at];
    if (!data) throw new Error('the service is away');
    return { data, nextCursor: String(at + 1) };
  });
  return { feed, looks };
}

test('a feed continues after empty pages, and fails when a query fails, with the cursor after the last handled event', async () => {
  const { feed, looks } = feedOf([[1, 2], [], [3]], { limit: 7 });
  const seen: number[] = [];
  const ended = (async () => {
    for await (const item of feed) seen.push(item);
  })();
  await assert.rejects(ended, /the service is away/);
  assert.deepEqual(seen, [1, 2, 3]);
  assert.equal(feed.cursor, '3');
  assert.deepEqual(looks[0], { limit: 7, wait: 20 });
  assert.deepEqual(
    looks.slice(1).map(({ after }) => after),
    ['1', '2', '3'],
  );
});

test('a reader that leaves a feed within a page starts again with that page, and misses nothing', async () => {
  const { feed } = feedOf([[1], [2, 3], [4]]);
  for await (const item of feed) if (item === 2) break;
  assert.equal(feed.cursor, '1');
  const seen: number[] = [];
  for await (const item of feedOf([[1], [2, 3], [4]], { after: feed.cursor }).feed) {
    seen.push(item);
    if (item === 4) break;
  }
  assert.deepEqual(seen, [2, 3, 4]);
});

test('a feed from now on gets its first cursor without waiting, and then waits', async () => {
  const { feed, looks } = feedOf([[], [1]], { after: 'latest', waitSeconds: 5 });
  for await (const _item of feed) break;
  assert.deepEqual(
    looks.map(({ after, wait }) => [after, wait]),
    [
      ['latest', 0],
      ['1', 5],
    ],
  );
  for (const waitSeconds of [0, 31, Number.NaN])
    assert.throws(() => feedOf([], { waitSeconds }), { code: 'invalid_option' });
});
