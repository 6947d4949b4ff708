// Sends what the outbox holds. Any process may send any mail: it takes it for a while, asks nobody over a
// network inside a transaction, and writes down what became of it. A process that dies leaves the mail to the
// next one, so a mail goes out at least once, each time with the same Message-ID.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { appendEvent } from '../events/append-event.ts';
import { composeLetter } from './compose-letter.ts';
import type { Printer } from './printer.ts';
import { type Contents, type ContentsDeps, readContents } from './read-contents.ts';
import {
  type ClaimedMail,
  claimMail,
  type DueMail,
  deleteOldMails,
  endMail,
  listDueMails,
  type MailEnd,
  postponeMail,
} from './store.ts';
import { lanes, MailRefused, type Transport } from './transport.ts';
import { type Message, UnusableAddress, writeMessage } from './write-message.ts';

export type MailDeps = ContentsDeps & {
  db: Database;
  log: Logger;
  mailFrom: string;
  transport: Transport;
  printer: Printer;
  /** How long a process may take for a mail before another may send it; longer than any delivery lasts. */
  mailLeaseSeconds?: number;
  /** How long after a look the next one comes when nothing calls for it; 1 s unless a test says otherwise. */
  mailLookEveryMs?: number;
};

const usualLookEveryMs = 1_000;
/** Looks that are called for come no closer than this, however many events a busy moment has. */
const closestLooksMs = 50;
const usualLeaseSeconds = 180;
const firstDelayMs = 60_000;
const longestDelayMs = 6 * 60 * 60_000;
const giveUpAfterMs = 48 * 60 * 60_000;

/** How long after a try that failed the next one comes: 1, 3, 9, 27, 81 minutes, then every 4 to 6 hours. */
export function retryDelayMs(tries: number): number {
  return Math.min(firstDelayMs * 3 ** (tries - 1), longestDelayMs);
}

type Work = { companyId: string; mail: ClaimedMail; contents: Contents };

async function take(deps: MailDeps, due: DueMail): Promise<Work | null> {
  const { companyId, mailId } = due;
  const claim = { now: deps.clock.now(), leaseSeconds: deps.mailLeaseSeconds ?? usualLeaseSeconds };
  return await deps.db.inTenant(companyId, async (tx) => {
    const mail = await claimMail(tx, mailId, claim);
    return mail && { companyId, mail, contents: await readContents(tx, deps, mail) };
  });
}

/** A request to pay is out of place once nothing can be paid any more, and a link once it is not good any more. */
function isOutOfPlace({ mail, contents }: Work, now: Date): boolean {
  if ('link' in contents) return contents.link === null;
  if ('endpoint' in contents || (mail.kind !== 'link' && mail.kind !== 'reminder')) return false;
  return contents.payment.state !== 'open' || contents.payment.expiresAt <= now;
}

async function write(deps: MailDeps, { mail, contents }: Work): Promise<Message> {
  const letter = composeLetter(mail, contents, deps.baseUrl);
  const pdf = letter.receipt && (await deps.printer.print(letter.receipt.data));
  return writeMessage(deps, mail, { contents, letter, pdf, at: deps.clock.now() });
}

/**
 * Ends a mail; of one that failed the merchant is told in the same transaction. One about an endpoint or a
 * password failed on its way to the merchant: that is for the audit trail alone.
 */
async function end(deps: MailDeps, { companyId, mail }: Work, state: MailEnd, error: string | null) {
  const at = deps.clock.now();
  await deps.db.inTenant(companyId, async (tx) => {
    const isMine = await endMail(tx, mail, { state, error, at });
    if (!isMine || state !== 'failed') return;
    await appendEvent(tx, {
      type: 'mail.failed',
      isPublic: mail.paymentId !== null,
      ...(mail.paymentId === null ? {} : { paymentId: mail.paymentId }),
      actor: 'system',
      data: { kind: mail.kind, ...(mail.refundId ? { refundId: mail.refundId } : {}) },
      at,
    });
  });
}

/** What a server says may name the recipient: it is kept with the mail, and the log gets a code alone. */
async function recordFault(deps: MailDeps, work: Work, fault: unknown): Promise<void> {
  const { companyId, mail } = work;
  const now = deps.clock.now();
  const reason = (fault instanceof Error ? fault.message : String(fault)).slice(0, 500);
  const { code, responseCode } = fault as { code?: string; responseCode?: number };
  const isFinal = fault instanceof MailRefused || fault instanceof UnusableAddress;
  const noted = {
    companyId,
    mailId: mail.mailId,
    kind: mail.kind,
    tries: mail.tries,
    code,
    status: responseCode,
  };
  if (isFinal || now.getTime() - mail.createdAt.getTime() >= giveUpAfterMs) {
    await end(deps, work, 'failed', reason);
    deps.log.warn(noted, 'a mail could not be delivered and is given up');
    return;
  }
  const dueAt = new Date(now.getTime() + retryDelayMs(mail.tries));
  await deps.db.inTenant(companyId, async (tx) => await postponeMail(tx, mail, { dueAt, error: reason }));
  deps.log.warn(noted, 'a mail could not be delivered and is tried again');
}

async function sendMail(deps: MailDeps, due: DueMail): Promise<void> {
  const work = await take(deps, due);
  if (!work) return;
  if (isOutOfPlace(work, deps.clock.now())) {
    await end(deps, work, 'dropped', null);
    return;
  }
  const { companyId, mail } = work;
  try {
    await deps.transport.deliver(mail.mailId, await write(deps, work));
  } catch (fault) {
    await recordFault(deps, work, fault);
    return;
  }
  await end(deps, work, 'sent', null);
  deps.log.debug({ companyId, mailId: mail.mailId, kind: mail.kind }, 'mail sent');
}

export type Mailing = { stop(): Promise<void> };

/** What one process sends at this moment: a few mails, so that one which hangs holds up none but itself. */
function openDesk(deps: MailDeps) {
  const underWay = new Map<string, Promise<void>>();
  let isTroubled = false;
  /** Tells of a trouble with the database once, and not each second. */
  const guard = async (work: () => Promise<void>) => {
    try {
      await work();
      isTroubled = false;
    } catch (err) {
      if (!isTroubled) deps.log.warn({ err }, 'the outbox of mails could not be read or written');
      isTroubled = true;
    }
  };
  const begin = (due: DueMail) => {
    if (underWay.size >= lanes || underWay.has(due.mailId)) return;
    const work = guard(async () => await sendMail(deps, due)).finally(() => underWay.delete(due.mailId));
    underWay.set(due.mailId, work);
  };
  return {
    isFull: () => underWay.size >= lanes,
    look: async () =>
      await guard(async () => {
        const now = deps.clock.now();
        const due = await deps.db.inSystem(async (tx) => await listDueMails(tx, now, lanes));
        for (const mail of due) begin(mail);
      }),
    oneDone: async () => await Promise.race(underWay.values()),
    allDone: async () => await Promise.all(underWay.values()),
  };
}

/** A bell that ends a wait. One that rings while nobody waits ends the next wait at once. */
function openBell() {
  let hasRung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    /** Waits for the bell, at most so long. */
    wait: async (limitMs: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, hasRung ? 0 : limitMs).unref();
      await promise;
      clearTimeout(timer);
      wake = null;
      hasRung = false;
    },
  };
}

/** Looks for due mails and sends them, until it is stopped: at once after an event of this process, else by the clock. */
export function startMailing(deps: MailDeps): Mailing {
  const stopping = new AbortController();
  const { signal } = stopping;
  const desk = openDesk(deps);
  const bell = openBell();
  const run = async () => {
    while (!signal.aborted) {
      await desk.look();
      // With every lane taken there may be more to do as soon as one is free.
      if (desk.isFull()) {
        await desk.oneDone();
        continue;
      }
      await pause(closestLooksMs, undefined, { signal, ref: false }).catch(() => undefined);
      await bell.wait(deps.mailLookEveryMs ?? usualLookEveryMs);
    }
  };
  deps.db.onSignal((_companyId, told) => {
    if (told === 'public_event') bell.ring();
  });
  const running = run();
  deps.log.info(deps.transport.sentence);
  return {
    stop: async () => {
      stopping.abort();
      bell.ring();
      // Deliveries under way get a few seconds; what has not ended then is put back.
      deps.transport.close();
      await deps.printer.close();
      await running;
      await desk.allDone();
    },
  };
}

/** So few that a statement ends long before the database's limit. */
const usualBatch = 5_000;

/** Forgets mails that ended a month ago. Returns how many. */
export async function purgeOldMails(db: Database, batchSize: number = usualBatch): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldMails);
}
