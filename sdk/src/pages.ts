// Lists that come in pages, and the feed of events, as things to iterate over. They hold one page at a time, and
// a feed must never be further on than what it has handed out.

import { PaylinkError } from './errors.ts';

/** A page as the API answers it. `nextCursor` is null behind the last one; a page may be short before that. */
export type Page<Item> = { data: Item[]; nextCursor: string | null };

/** A list: iterate over all of it, or take its first page. Nothing is asked before that. */
export type List<Item> = AsyncIterable<Item> & { page(): Promise<Page<Item>> };

/** Where a page begins: empty for where the caller wants to begin. */
export type PageStart = { cursor?: string };

/** A list of which each page is fetched by its place. */
export function listPages<Item>(fetchPage: (start: PageStart) => Promise<Page<Item>>): List<Item> {
  return {
    page: async () => await fetchPage({}),
    async *[Symbol.asyncIterator]() {
      let cursor: string | null = null;
      do {
        const page: Page<Item> = await fetchPage(cursor === null ? {} : { cursor });
        yield* page.data;
        cursor = page.nextCursor;
      } while (cursor !== null);
    },
  };
}

/** A page of a feed, which has no last one. */
export type FeedPage<Item> = { data: Item[]; nextCursor: string };

export type FeedStart = {
  /** Where to begin: the `cursor` of a feed before, or `latest` for now. Without it, with the first event. */
  after?: string | undefined;
  /** How many events to fetch at once, 1 to 100. */
  limit?: number | undefined;
  /** How long a look waits for an event, 1 to 30; 20 without it. */
  waitSeconds?: number | undefined;
};

/** What has no end: iterate over it, and keep `cursor`. */
export type Feed<Item> = AsyncIterable<Item> & {
  /**
   * Where to begin again so that nothing is missed, after a restart of your process, say: behind the last page
   * of which every item was handled. What follows it may have been handled in part, and comes again.
   */
  readonly cursor: string | undefined;
};

/** What one look asks for. */
export type FeedRequest = { after?: string; limit?: number | undefined; wait: number };

const usualWaitSeconds = 20;
/** Beyond the wait: for the service to answer at all. */
const responseTimeoutMs = 10_000;

/** A feed of which each page is fetched by the cursor of the one before, with a time-out that outlasts the wait. */
export function followFeed<Item>(
  { after, limit, waitSeconds = usualWaitSeconds }: FeedStart = {},
  fetchPage: (request: FeedRequest, timeoutMs: number) => Promise<FeedPage<Item>>,
): Feed<Item> {
  // Without a wait it would ask without pause.
  if (!(waitSeconds >= 1 && waitSeconds <= 30))
    throw new PaylinkError('invalid_option', 'waitSeconds is 1 to 30.');
  let cursor = after;
  return {
    get cursor() {
      return cursor;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        // Now is found without a wait: a look that is repeated would begin at another now.
        const wait = cursor === 'latest' ? 0 : waitSeconds;
        const request = { ...(cursor === undefined ? {} : { after: cursor }), limit, wait };
        const page = await fetchPage(request, wait * 1000 + responseTimeoutMs);
        yield* page.data;
        cursor = page.nextCursor;
      }
    },
  };
}
