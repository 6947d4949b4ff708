// Lists that come in pages, and the feed of events, as things to iterate over. They hold one page at a time.

/** A page as the API answers it. `nextCursor` is null behind the last one; a page may be short before that. */
export type Page<Item> = { data: Item[]; nextCursor: string | null };

/** A list: iterate over all of it, or take its first page. Nothing is asked before that. */
export type List<Item> = AsyncIterable<Item> & { page(): Promise<Page<Item>> };

/** Where a page begins: empty for where the caller wants to begin. */
export type Place = { cursor?: string };

/** A list of which each page is fetched by its place. */
export function listPages<Item>(fetchPage: (place: Place) => Promise<Page<Item>>): List<Item> {
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
