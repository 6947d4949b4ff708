// Lists that come in pages, and the feed of events, as things to iterate over. They hold one page at a time.

/** A page as the API answers it. `nextCursor` is null behind the last one; a page may be short before that. */
export type Page<Item> = { data: Item[]; nextCursor: string | null };

/** A list: iterate over all of it, or take its first page. Nothing is asked before that. */
export type List<Item> = AsyncIterable<Item> & { page(): Promise<Page<Item>> };

/** A list of which each page is fetched by its cursor; `undefined` asks for the first. */
export function listPages<Item>(fetchPage: (cursor: string | undefined) => Promise<Page<Item>>): List<Item> {
  return {
    page: async () => await fetchPage(undefined),
    async *[Symbol.asyncIterator]() {
      let cursor: string | undefined;
      do {
        const page = await fetchPage(cursor);
        yield* page.data;
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}
