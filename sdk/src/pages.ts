// Paginated lists and the event feed as iterables. They hold one page at a time. Must not: advance a feed's
// cursor beyond the items it has handed out.

import { PaylinkError } from './errors.ts';

/** A page of the API. `nextCursor` is null on the last one; earlier pages may also be short. */
export type Page<Item> = { data: Item[]; nextCursor: string | null };

/** A list: iterate over all of it, or get its first page. Sends nothing before that. */
export type List<Item> = AsyncIterable<Item> & { page(): Promise<Page<Item>> };

/** The start of a page; empty: where the caller starts. */
export type PageStart = { cursor?: string };

/** A list that fetches each page by its cursor. */
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
  /** The start: the `cursor` of an earlier feed, or `latest` for now. Default: the first event. */
  after?: string | undefined;
  /** How many events to fetch at once, 1 to 100. */
  limit?: number | undefined;
  /** How long a request waits for an event, 1 to 30 seconds; default 20. */
  waitSeconds?: number | undefined;
};

/** An endless iterable. Store its `cursor`. */
export type Feed<Item> = AsyncIterable<Item> & {
  /**
   * Where to restart without missing an item, such as after a restart of your process: after the last page of
   * which every item was handled. Items of the next page may come again.
   */
  readonly cursor: string | undefined;
};

/** The parameters of one request. */
export type FeedRequest = { after?: string; limit?: number | undefined; wait: number };

const usualWaitSeconds = 20;
/** Time for the response, in addition to the wait. */
const responseTimeoutMs = 10_000;

/** A feed that fetches each page by the previous cursor, with a time-out longer than the wait. */
export function followFeed<Item>(
  { after, limit, waitSeconds = usualWaitSeconds }: FeedStart = {},
  fetchPage: (request: FeedRequest, timeoutMs: number) => Promise<FeedPage<Item>>,
): Feed<Item> {
  // Without a wait it would send requests without pause.
  if (!(waitSeconds >= 1 && waitSeconds <= 30))
    throw new PaylinkError('invalid_option', 'waitSeconds is 1 to 30.');
  let cursor = after;
  return {
    get cursor() {
      return cursor;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        // Resolve `latest` without a wait: a retried request would start at a later position.
        const wait = cursor === 'latest' ? 0 : waitSeconds;
        const request = { ...(cursor === undefined ? {} : { after: cursor }), limit, wait };
        const page = await fetchPage(request, wait * 1000 + responseTimeoutMs);
        yield* page.data;
        cursor = page.nextCursor;
      }
    },
  };
}
