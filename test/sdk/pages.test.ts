import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FeedRequest, followFeed, listPages, type Page } from '../../sdk/src/pages.ts';

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

/** A feed of given pages; behind them it fails. Notes what was asked for. */
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

test('a feed goes on over empty pages, and fails as its look does, with the cursor behind what was handled', async () => {
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

test('who leaves a feed amid a page begins again with that page, and misses nothing', async () => {
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

test('a feed from now on finds now without a wait, and waits from there', async () => {
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
