// Looks into the feed, and waits there for who asks to until there is something to tell. Waiting holds no
// transaction and no connection of the database between two looks. It must never hold up a stop, and so
// many wait at most that their looks cost the database little.

import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { createFeedCursors, type FeedCursors } from './feed-cursor.ts';
import { type FeedPosition, feedStart, latest, listEvents } from './list-events.ts';
import { type EventResponse, presentEvents } from './present-event.ts';

const pollIntervalMs = 400;
/** How many may wait in one process, of one company and of all. */
export const maxWaiting = { ofCompany: 5, ofProcess: 50 } as const;

export type FeedRequest = TenantScope & {
  after: string | null;
  limit: number;
  waitMs: number;
  /** Whether who asked has gone. */
  isGone: () => boolean;
};
export type FeedResponse = { data: EventResponse[]; nextCursor: string };

export type Feed = {
  /** Events that follow a cursor. Throws `invalid_fields`; `rate_limited` or `unavailable` when too many wait. */
  follow(request: FeedRequest): Promise<FeedResponse>;
};

/** Throws `invalid_fields` for a cursor that the feed of this company did not give. */
function readPosition(
  cursors: FeedCursors,
  companyId: string,
  after: string | null,
): FeedPosition | typeof latest | null {
  if (after === null || after === latest) return after;
  const place = cursors.read(companyId, after);
  if (place) return place;
  const detail = 'This must be a cursor that the feed gave, unchanged.';
  throw errors.invalidFields({ errors: [{ field: 'after', code: 'invalid_cursor', detail }] });
}

type FeedDeps = { db: Database; cursors: FeedCursors };

async function readFeed(
  { db, cursors }: FeedDeps,
  request: FeedRequest,
  cursor: string | null,
): Promise<FeedResponse> {
  const after = readPosition(cursors, request.companyId, cursor);
  return await db.inTenant(request, async (tx) => {
    const page = await listEvents(tx, { after, limit: request.limit });
    // At the end of the feed the cursor stays as it was sent: encrypted again, it would look like another one.
    const isUnchanged = cursor !== null && page.cursor === after;
    const nextCursor = isUnchanged ? cursor : cursors.write(request.companyId, page.cursor ?? feedStart);
    return { data: await presentEvents(tx, page.events), nextCursor };
  });
}

/** Seats for those who wait; `take` gives what frees the seat again. */
function createWaitLimit() {
  const taken = new Map<string, number>();
  let all = 0;
  const change = (companyId: string, by: 1 | -1) => {
    const own = (taken.get(companyId) ?? 0) + by;
    all += by;
    if (own === 0) taken.delete(companyId);
    else taken.set(companyId, own);
  };
  return {
    take: (companyId: string) => {
      const headers = { 'retry-after': '1' };
      if ((taken.get(companyId) ?? 0) >= maxWaiting.ofCompany)
        throw errors.rateLimited({
          detail: `At most ${maxWaiting.ofCompany} calls of a company wait here at once. Ask without wait, or later.`,
          headers,
        });
      if (all >= maxWaiting.ofProcess)
        throw errors.unavailable({
          detail: 'Too many calls wait here. Ask without wait, or later.',
          headers,
        });
      change(companyId, 1);
      return () => change(companyId, -1);
    },
  };
}

/** Opens the feed of a process. When that is stopping, who waits is sent home with what there is. */
export function openFeed({
  db,
  keyring,
  isStopping,
}: {
  db: Database;
  keyring: Keyring;
  isStopping: () => boolean;
}): Feed {
  const deps = { db, cursors: createFeedCursors(keyring) };
  const waitLimit = createWaitLimit();

  const wait = async (request: FeedRequest): Promise<FeedResponse> => {
    const leave = waitLimit.take(request.companyId);
    try {
      let { after } = request;
      for (let leftMs = request.waitMs; ; leftMs -= pollIntervalMs) {
        const answer = await readFeed(deps, request, after);
        // Who asks while the process stops waits once, too: a client that asks again and again would be a flood.
        const isInterrupted = isStopping() && leftMs < request.waitMs;
        if (answer.data.length > 0 || leftMs <= 0 || isInterrupted || request.isGone()) return answer;
        after = answer.nextCursor;
        await pause(Math.min(pollIntervalMs, leftMs));
      }
    } finally {
      leave();
    }
  };

  return {
    follow: async (request) =>
      request.waitMs > 0 ? await wait(request) : await readFeed(deps, request, request.after),
  };
}
