// Looks into the feed, and waits there for who asks to until there is something to tell. Waiting holds no
// transaction and no connection of the database between two looks. It must never hold up a stop, and so
// many wait at most that their looks cost the database little.

import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { feedStart, listEvents } from '../events/list-events.ts';
import { type EventResponse, presentEvents } from './present-event.ts';

const lookEveryMs = 400;
/** How many may wait in one process, of one company and of all. */
export const mostWaiting = { ofCompany: 5, ofProcess: 50 } as const;

export type Look = {
  companyId: string;
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
  /** Sends home all who wait, with what there is. */
  stop(): void;
};

async function readFeed(db: Database, look: Look, after: string | null): Promise<FeedAnswer> {
  return await db.inTenant(look.companyId, async (tx) => {
    const page = await listEvents(tx, { after, limit: look.limit, isPublicOnly: true });
    return { data: await presentEvents(tx, page.events), nextCursor: page.cursor ?? feedStart };
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

/** Opens the feed of a process. */
export function openFeed(db: Database): Feed {
  const seats = createSeats();
  let isStopping = false;

  const wait = async (look: Look): Promise<FeedAnswer> => {
    const leave = seats.take(look.companyId);
    try {
      let { after } = look;
      for (let leftMs = look.waitMs; ; leftMs -= lookEveryMs) {
        const answer = await readFeed(db, look, after);
        if (answer.data.length > 0 || leftMs <= 0 || isStopping || look.isGone()) return answer;
        after = answer.nextCursor;
        await pause(Math.min(lookEveryMs, leftMs));
      }
    } finally {
      leave();
    }
  };

  return {
    follow: async (look) => (look.waitMs > 0 ? await wait(look) : await readFeed(db, look, look.after)),
    stop: () => {
      isStopping = true;
    },
  };
}
