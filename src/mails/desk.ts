// What one process has of the outbox at this moment: mails that it has taken, and those of them that are on their
// way, a few at once, so that one which hangs holds up none but itself. Mails of a company are taken together. It must
// never begin a mail of which it can't be sure that its lease lasts until the end of it.

import { type Database, inModeOrCompany } from '../db/database.ts';
import { type Contents, type ContentsDeps, readContents } from './read-contents.ts';
import {
  type ClaimedMail,
  claimMails,
  type DueMail,
  listDueMails,
  type MailScope,
  releaseMails,
} from './store.ts';
import { lanes } from './transport.ts';

/** A mail with what it speaks of; null when that is gone. */
export type Work = MailScope & { mail: ClaimedMail; contents: Contents | null };

export type DeskDeps = ContentsDeps & {
  db: Database;
  clock: { now(): Date };
  log: { warn(fields: object, message: string): void };
  /** How long a process may take for a mail before another may send it; longer than any delivery lasts. */
  mailLeaseSeconds?: number;
};

/**
 * Does the work of one mail. Tells whether mails leave briskly, and what is to be done once its place is free for the
 * next. Never rejects.
 */
export type Deliver = (work: Work) => Promise<{ isBrisk: boolean; record(): Promise<void> }>;

export type Desk = {
  /** Looks for what is due, takes as much as there is room for, and sets it going. False when that was all. */
  fill(): Promise<boolean>;
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  /** Begins nothing more and gives back what was not begun. Resolves when nothing is under way. */
  close(): Promise<void>;
};

/** Held at once, as long as mails leave briskly; as many as there are lanes when they don't. */
const mostHeld = 64;

const usualLeaseSeconds = 180;
/** Of the lease this share may pass before a mail is begun: writing it and its delivery take a minute each at most. */
const waitingShare = 0.25;

function byScope<T extends MailScope>(all: readonly T[]): [MailScope, T[]][] {
  const groups = Map.groupBy(all, ({ companyId, mode }) => `${companyId} ${mode}`);
  return [...groups.values()].flatMap((own) => (own[0] ? [[own[0], own] as [MailScope, T[]]] : []));
}

/** Takes those that are still there, in the order in which they are due. */
async function take(
  deps: DeskDeps,
  { companyId, mode }: MailScope,
  due: readonly DueMail[],
): Promise<Work[]> {
  const ids = due.map(({ mailId }) => mailId);
  const claim = { now: deps.clock.now(), leaseSeconds: deps.mailLeaseSeconds ?? usualLeaseSeconds };
  return await inModeOrCompany(deps.db, { companyId, mode }, async (tx) => {
    const mails = await claimMails(tx, ids, claim);
    if (mails.length === 0) return [];
    const contents = await readContents(tx, deps, mails);
    return mails
      .sort((a, b) => ids.indexOf(a.mailId) - ids.indexOf(b.mailId))
      .map((mail) => ({ companyId, mode, mail, contents: contents.get(mail.mailId) ?? null }));
  });
}

/** Tells of a trouble with the database once, and not each second. */
function createGuard({ log }: DeskDeps) {
  let isTroubled = false;
  return async (work: () => Promise<void>) => {
    try {
      await work();
      isTroubled = false;
    } catch (err) {
      if (!isTroubled) log.warn({ err }, 'the outbox of mails could not be read or written');
      isTroubled = true;
    }
  };
}

type Held = Work & { beginBy: number };

/** All that a desk remembers. */
type Books = {
  deps: DeskDeps;
  deliver: Deliver;
  /** Taken and not begun, in the order in which they are to be begun. */
  waiting: Held[];
  /** Every mail that is taken and not ended. */
  held: Set<string>;
  underWay: Set<Promise<void>>;
  sending: number;
  /** Whether the last mail left, and soon. */
  isBrisk: boolean;
  isClosed: boolean;
  guard: (work: () => Promise<void>) => Promise<void>;
};

const mostNow = ({ isBrisk }: Books) => (isBrisk ? mostHeld : lanes);

function track(books: Books, work: () => Promise<void>): void {
  const tracked = books.guard(work).finally(() => books.underWay.delete(tracked));
  books.underWay.add(tracked);
}

async function giveBack({ deps, held }: Books, works: readonly Work[]): Promise<void> {
  try {
    for (const [scope, given] of byScope(works)) {
      const mails = given.map(({ mail }) => mail);
      await inModeOrCompany(deps.db, scope, async (tx) => await releaseMails(tx, mails));
    }
  } finally {
    for (const { mail } of works) held.delete(mail.mailId);
  }
}

/** Begins what there are lanes for, and gives back what may not be begun any more. */
function serve(books: Books): void {
  const { waiting } = books;
  const now = performance.now();
  const isLate = ({ beginBy }: Held) => books.isClosed || beginBy < now;
  const late = waiting.filter(isLate);
  if (late.length > 0) {
    waiting.splice(0, waiting.length, ...waiting.filter((work) => !isLate(work)));
    track(books, async () => await giveBack(books, late));
  }
  for (const work of waiting.splice(0, Math.max(0, lanes - books.sending))) {
    books.sending++;
    track(books, async () => await send(books, work));
  }
}

async function send(books: Books, work: Work): Promise<void> {
  try {
    const { isBrisk, record } = await books.deliver(work).finally(() => {
      books.sending--;
    });
    books.isBrisk = isBrisk;
    // The lane is free: what became of the mail is written down beside the next one.
    serve(books);
    await record();
  } finally {
    books.held.delete(work.mail.mailId);
  }
}

/** Takes mails, company by company, and sets them going. Gives how many it got. */
async function takeAll(books: Books, due: readonly DueMail[]): Promise<number> {
  const { deps, waiting, held } = books;
  const leaseMs = (deps.mailLeaseSeconds ?? usualLeaseSeconds) * 1_000;
  let taken = 0;
  for (const [scope, own] of byScope(due.filter(({ mailId }) => !held.has(mailId)))) {
    const beginBy = performance.now() + leaseMs * waitingShare;
    const works = await take(deps, scope, own);
    taken += works.length;
    for (const work of works) {
      held.add(work.mail.mailId);
      waiting.push({ ...work, beginBy });
    }
    serve(books);
  }
  return taken;
}

async function fill(books: Books): Promise<boolean> {
  const { deps, held } = books;
  const room = mostNow(books) - held.size;
  if (room <= 0 || books.isClosed) return true;
  const now = deps.clock.now();
  const due = await deps.db.inSystem(async (tx) => await listDueMails(tx, now, room));
  const taken = await takeAll(books, due);
  return taken > 0 && due.length === room;
}

/** Opens a desk that sends by `deliver`; nothing is looked for before `fill`. */
export function openDesk(deps: DeskDeps, deliver: Deliver): Desk {
  const books: Books = {
    ...{ deps, deliver, guard: createGuard(deps) },
    ...{ waiting: [], held: new Set(), underWay: new Set() },
    ...{ sending: 0, isBrisk: false, isClosed: false },
  };
  const { waiting, held, underWay, guard } = books;
  return {
    fill: async () => {
      let isMore = false;
      await guard(async () => {
        isMore = await fill(books);
      });
      return isMore;
    },
    room: async () => {
      const hasRoom = () => waiting.length < lanes && held.size < mostNow(books);
      while (!books.isClosed && !hasRoom() && underWay.size > 0) await Promise.race(underWay);
    },
    close: async () => {
      books.isClosed = true;
      serve(books);
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
