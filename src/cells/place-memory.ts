// Remembers which cell each company is in. It need not be right: a cell refuses a company that has left it. Must not: keep
// for long that a company is unknown, because it may be created in another process.

/** How long a company counts as unknown. */
const unknownForMs = 5_000;
const maxEntries = 100_000;

export type PlaceMemory = {
  /** The name of a cell; null: the company was unknown a moment ago; undefined: ask the directory. */
  find(companyId: string): string | null | undefined;
  save(companyId: string, cell: string | null): void;
};

export function createPlaceMemory(now: () => number = () => performance.now()): PlaceMemory {
  const places = new Map<string, { cell: string | null; until: number }>();
  return {
    find: (companyId) => {
      const place = places.get(companyId);
      if (!place || place.until < now()) return undefined;
      return place.cell;
    },
    save: (companyId, cell) => {
      // A flood of invented companies must not fill the memory. Forgetting costs a lookup each.
      if (places.size >= maxEntries) places.clear();
      places.set(companyId, { cell, until: cell === null ? now() + unknownForMs : Number.POSITIVE_INFINITY });
    },
  };
}
