// Remembers which cell each company is in. It need not be right: a cell refuses a company that has left it. Must not: keep
// for long that a company is unknown, because it may be created in another process.

/** How long a company counts as unknown. */
const unknownForMs = 5_000;
/** A flood of invented companies must not fill the memory. Forgetting costs a lookup each. */
const maxUnknown = 10_000;

export type PlaceMemory = {
  /** The name of a cell; null: the company was unknown a moment ago; undefined: ask the directory. */
  find(companyId: string): string | null | undefined;
  save(companyId: string, cell: string | null): void;
};

export function createPlaceMemory(now: () => number = () => performance.now()): PlaceMemory {
  const places = new Map<string, string>();
  const unknownUntil = new Map<string, number>();
  return {
    find: (companyId) => {
      const place = places.get(companyId);
      if (place !== undefined) return place;
      return (unknownUntil.get(companyId) ?? 0) > now() ? null : undefined;
    },
    save: (companyId, cell) => {
      if (cell !== null) {
        unknownUntil.delete(companyId);
        places.set(companyId, cell);
        return;
      }
      places.delete(companyId);
      if (unknownUntil.size >= maxUnknown) unknownUntil.clear();
      unknownUntil.set(companyId, now() + unknownForMs);
    },
  };
}
