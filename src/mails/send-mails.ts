// Sends what the outbox holds. Any process may send any mail: it takes it for a while, asks nobody over a
// network inside a transaction, and writes down what became of it. A process that dies leaves the mail to the
// next one, so a mail goes out at least once, each time with the same Message-ID.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../base/clock.ts';
import { type Database, inModeOrCompany } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { composeLetter } from './compose-letter.ts';
import { type Deliver, openDesk, type Work } from './desk.ts';
import { type EndMail, gatherEnds } from './end-mails.ts';
import type { Printer } from './printer.ts';
import type { ContentsDeps } from './read-contents.ts';
import { deleteOldMails, postponeMail } from './store.ts';
import { MailRefused, type Transport } from './transport.ts';
import { type Message, UnusableAddress, writeMessage } from './write-message.ts';

export type MailDeps = ContentsDeps & {
  db: Database;
  clock: Clock;
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
const closestLooksMs = 200;
/** A server that takes a mail in less than this is worth taking many mails for. */
const briskMs = 1_000;
const firstDelayMs = 60_000;
const longestDelayMs = 6 * 60 * 60_000;
const giveUpAfterMs = 48 * 60 * 60_000;

/** How long after a try that failed the next one comes: 1, 3, 9, 27, 81 minutes, then every 4 to 6 hours. */
export function retryDelayMs(tries: number): number {
  return Math.min(firstDelayMs * 3 ** (tries - 1), longestDelayMs);
}

/** A request to pay is out of place once nothing can be paid any more, and a link once it is not good any more. */
function isOutOfPlace({ mail, contents }: Work, now: Date): boolean {
  if (contents && 'link' in contents) return contents.link === null || contents.link.expiresAt <= now;
  if (!contents || !('payment' in contents) || (mail.kind !== 'link' && mail.kind !== 'reminder'))
    return false;
  return contents.payment.state !== 'open' || contents.payment.expiresAt <= now;
}

async function write(deps: MailDeps, { mail, contents }: Work): Promise<Message> {
  if (!contents) throw new Error('what the mail speaks of does not exist');
  const letter = composeLetter(mail, contents, deps.baseUrl);
  const pdf = letter.receipt && (await deps.printer.print(letter.receipt.data));
  return writeMessage(deps, mail, { contents, letter, pdf, at: deps.clock.now() });
}

/** What a server says may name the recipient: it is kept with the mail, and the log gets a code alone. */
async function recordFault(deps: MailDeps, endMail: EndMail, work: Work, fault: unknown): Promise<void> {
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
    await endMail(work, { mail, state: 'failed', error: reason });
    deps.log.warn(noted, 'a mail could not be delivered and is given up');
    return;
  }
  const dueAt = new Date(now.getTime() + retryDelayMs(mail.tries));
  await inModeOrCompany(deps.db, work, async (tx) => await postponeMail(tx, mail, { dueAt, error: reason }));
  deps.log.warn(noted, 'a mail could not be delivered and is tried again');
}

/** Sends a mail, and gives how to write down what became of it. */
function createDeliver(deps: MailDeps): Deliver {
  const endMail = gatherEnds(deps);
  return async (work) => {
    const { companyId, mail } = work;
    if (isOutOfPlace(work, deps.clock.now())) {
      const record = async () => await endMail(work, { mail, state: 'dropped', error: null });
      return { isBrisk: true, record };
    }
    try {
      const message = await write(deps, work);
      // The writing does not count: where the processor is busy it may take long, and that is no server's fault.
      const startedAt = performance.now();
      await deps.transport.deliver(mail.mailId, message);
      const isBrisk = performance.now() - startedAt < briskMs;
      const record = async () => {
        await endMail(work, { mail, state: 'sent', error: null });
        deps.log.debug({ companyId, mailId: mail.mailId, kind: mail.kind }, 'mail sent');
      };
      return { isBrisk, record };
    } catch (fault) {
      return { isBrisk: false, record: async () => await recordFault(deps, endMail, work, fault) };
    }
  };
}

export type Mailing = { stop(): Promise<void> };

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
  const desk = openDesk(deps, createDeliver(deps));
  const bell = openBell();
  const run = async () => {
    while (!signal.aborted) {
      // With as much taken as there was room for, there may be more to do as soon as there is room again.
      if (await desk.fill()) {
        await desk.room();
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
      const closed = desk.close();
      // What is not begun is given back at once, deliveries under way get a few seconds.
      deps.transport.close();
      await deps.printer.close();
      await running;
      // A look that was under way may have taken more.
      await Promise.all([closed, desk.close()]);
    },
  };
}

/** So few that a statement ends long before the database's limit. */
const usualBatch = 5_000;

/** Forgets mails that ended a month ago. Returns how many. */
export async function purgeOldMails(db: Database, batchSize: number = usualBatch): Promise<number> {
  return await deleteInBatches(db, batchSize, deleteOldMails);
}
