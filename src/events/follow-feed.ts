// Queries the feed, and waits for new events if the client asks for it. Between two queries a waiting request
// holds no transaction and no connection. Must not: delay a stop. The number of waiting requests is limited,
// so their queries cost the database little.

import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { createFeedCursors, type FeedCursors } from './feed-cursor.ts';
import { type FeedPosition, feedStart, latest, listEvents } from './list-events.ts';
import { type EventResponse, presentEvents } from './present-event.ts';

const pollIntervalMs = 400;
/** How many requests may wait in one process, of one company and in total. */
export const maxWaiting = { ofCompany: 5, ofProcess: 50 } as const;

export type FeedRequest = TenantScope & {
  after: string | null;
  limit: number;
  waitMs: number;
  /** Whether the client has disconnected. */
  isGone: () => boolean;
};
export type FeedResponse = { data: EventResponse[]; nextCursor: string };

export type Feed = {
  /** Events after a cursor. Throws `invalid_fields`; `rate_limited` or `unavailable` when too many wait. */
  follow(request: FeedRequest): Promise<FeedResponse>;
};

/** Throws `invalid_fields` for a cursor that this company's feed did not issue. */
function readPosition(
  cursors: FeedCursors,
  companyId: string,
  after: string | null,
): FeedPosition | typeof latest | null {
  if (after === null || after === latest) return after;
  const position = cursors.decode(companyId, after);
  if (position) return position;
  const detail = 'This must be an unchanged cursor from the feed.';
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
    // At the end of the feed the cursor stays as sent. Encrypted again, it would look different.
    const isUnchanged = cursor !== null && page.cursor === after;
    const nextCursor = isUnchanged ? cursor : cursors.encode(request.companyId, page.cursor ?? feedStart);
    return { data: await presentEvents(tx, page.events), nextCursor };
  });
}

/** Limits waiting requests; `take` returns a function that frees the place. */
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
          detail: `At most ${maxWaiting.ofCompany} calls of a company can wait at the same time. Retry later, or without wait.`,
          headers,
          limit: 'waiting_calls',
        });
      if (all >= maxWaiting.ofProcess)
        throw errors.unavailable({
          detail: 'Too many calls are waiting. Retry later, or without wait.',
          headers,
        });
      change(companyId, 1);
      return () => change(companyId, -1);
    },
  };
}

/** Opens the feed of a process. When the process stops, waiting requests get what there is. */
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
    const release = waitLimit.take(request.companyId);
    try {
      let { after } = request;
      for (let leftMs = request.waitMs; ; leftMs -= pollIntervalMs) {
        const page = await readFeed(deps, request, after);
        // During a stop a request also waits once: a client that repeats it at once would cause a flood.
        const isInterrupted = isStopping() && leftMs < request.waitMs;
        if (page.data.length > 0 || leftMs <= 0 || isInterrupted || request.isGone()) return page;
        after = page.nextCursor;
        await pause(Math.min(pollIntervalMs, leftMs));
      }
    } finally {
      release();
    }
  };

  return {
    follow: async (request) =>
      request.waitMs > 0 ? await wait(request) : await readFeed(deps, request, request.after),
  };
}
