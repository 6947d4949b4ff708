// Finds circular imports, including types.

import path from 'node:path';
import type { Facts } from './tidy-source.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

function readGraph(facts: readonly Facts[]): Graph {
  const known = new Set(facts.map((file) => file.path));
  const targetsOf = (file: Facts) =>
    file.imports
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => path.posix.join(path.posix.dirname(file.path), specifier))
      .filter((target) => known.has(target));
  return new Map(facts.map((file) => [file.path, targetsOf(file)]));
}

/** The shortest import path from a file back to itself; null if there is none. */
function findWayBack(graph: Graph, start: string): string[] | null {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  return null;
}

/** Each circle once, from its alphabetically first file. */
export function findCircles(facts: readonly Facts[]): string[][] {
  const graph = readGraph(facts);
  const reported = new Set<string>();
  return [...graph.keys()].sort().flatMap((file) => {
    const way = reported.has(file) ? null : findWayBack(graph, file);
    if (!way) return [];
    for (const member of way) reported.add(member);
    return [way];
  });
}
