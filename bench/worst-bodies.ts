// How long the service takes to parse or refuse the worst bodies of 64 KiB.

import { openRoutes, sendWorst } from '../test/harness/worst-bodies.ts';

export type SlowestBody = { ms: number; path: string; name: string; bodies: number };

/** The time of a body is the best of this many: the rest is noise of the machine. */
const runs = 15;

/** Sends every body, one after another; `code` belongs to an open link. */
export async function measureWorstBodies(baseUrl: string, code: string): Promise<SlowestBody> {
  let slowest: SlowestBody = { ms: 0, path: '', name: '', bodies: 0 };
  let bodies = 0;
  for (const route of await openRoutes(baseUrl, code))
    for (const body of route.bodies) {
      bodies += 1;
      let ms = Number.POSITIVE_INFINITY;
      for (let run = 0; run < runs && ms > slowest.ms; run++)
        ms = Math.min(ms, await sendWorst(baseUrl, route, body));
      if (ms > slowest.ms) slowest = { ms, path: route.path, name: body.name, bodies: 0 };
    }
  return { ...slowest, bodies };
}
