// Looks into the feed, and waits there for who asks to until there is something to tell. Waiting holds no
// transaction and no connection of the database between two looks. It must never hold up a stop, and so
// many wait at most that their looks cost the database little.

import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { createFeedCursors, type FeedCursors } from './feed-cursor.ts';
import { feedStart, latest, listEvents, type Place } from './list-events.ts';
import { type EventResponse, presentEvents } from './present-event.ts';

const lookEveryMs = 400;
/** How many may wait in one process, of one company and of all. */
export const mostWaiting = { ofCompany: 5, ofProcess: 50 } as const;

export type Look = TenantScope & {
  after: string | null;
  limit: number;
  waitMs: number;
  /** Whether who asked has gone. */
  isGone: () => boolean;
};
export type FeedAnswer = { data: EventResponse[]; nextCursor: string };

export type Feed = {
  /** Events that follow a cursor. Throws `invalid_fields`; `rate_limited` or `unavailable` when too many wait. */
  follow(look: Look): Promise<FeedAnswer>;
};

/** Throws `invalid_fields` for a cursor that the feed of this company did not give. */
function placeAfter(
  cursors: FeedCursors,
  companyId: string,
  after: string | null,
): Place | typeof latest | null {
  if (after === null || after === latest) return after;
  const place = cursors.read(companyId, after);
  if (place) return place;
  const detail = 'This must be a cursor that the feed gave, unchanged.';
  throw errors.invalidFields({ errors: [{ field: 'after', code: 'invalid_cursor', detail }] });
}

type FeedDeps = { db: Database; cursors: FeedCursors };

async function readFeed({ db, cursors }: FeedDeps, look: Look, cursor: string | null): Promise<FeedAnswer> {
  const after = placeAfter(cursors, look.companyId, cursor);
  return await db.inTenant(look, async (tx) => {
    const page = await listEvents(tx, { after, limit: look.limit });
    // At the end of the feed the cursor stays as it was sent: encrypted again, it would look like another one.
    const stays = cursor !== null && page.cursor === after;
    const nextCursor = stays ? cursor : cursors.write(look.companyId, page.cursor ?? feedStart);
    return { data: await presentEvents(tx, page.events), nextCursor };
  });
}

/** Seats for those who wait; `take` gives what frees the seat again. */
function createSeats() {
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
      if ((taken.get(companyId) ?? 0) >= mostWaiting.ofCompany)
        throw errors.rateLimited({
          detail: `At most ${mostWaiting.ofCompany} calls of a company wait here at once. Ask without wait, or later.`,
          headers,
        });
      if (all >= mostWaiting.ofProcess)
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
  const seats = createSeats();

  const wait = async (look: Look): Promise<FeedAnswer> => {
    const leave = seats.take(look.companyId);
    try {
      let { after } = look;
      for (let leftMs = look.waitMs; ; leftMs -= lookEveryMs) {
        const answer = await readFeed(deps, look, after);
        // Who asks while the process stops waits once, too: a client that asks again and again would be a flood.
        const isSentHome = isStopping() && leftMs < look.waitMs;
        if (answer.data.length > 0 || leftMs <= 0 || isSentHome || look.isGone()) return answer;
        after = answer.nextCursor;
        await pause(Math.min(lookEveryMs, leftMs));
      }
    } finally {
      leave();
    }
  };

  return {
    follow: async (look) => (look.waitMs > 0 ? await wait(look) : await readFeed(deps, look, look.after)),
  };
}
