// The emails that one process has claimed and sends, a few at once, so that one that hangs blocks no other. Must not
// start an email unless its lease will outlast the delivery.

import { type Database, inTenantOrCompany } from '../db/database.ts';
import { type EmailContext, type EmailContextDeps, readEmailContexts } from './read-email-context.ts';
import {
  type ClaimedEmail,
  claimEmails,
  type DueEmail,
  type EmailScope,
  listDueEmails,
  releaseEmails,
} from './store.ts';
import { maxConnections } from './transport.ts';

/** An email with its context; null if its subject is gone. */
export type EmailTask = EmailScope & { mail: ClaimedEmail; context: EmailContext | null };

export type OutboxDeps = EmailContextDeps & {
  db: Database;
  clock: { now(): Date };
  log: { warn(fields: object, message: string): void };
  /** Lease of an email: longer than any delivery takes. */
  mailLeaseSeconds?: number;
};

/**
 * Delivers one email. Reports whether deliveries are fast, and what remains to do once the lane is free. Never
 * rejects.
 */
export type DeliverEmail = (task: EmailTask) => Promise<{ isFast: boolean; record(): Promise<void> }>;

export type OutboxWorker = {
  /** Claims due emails up to the free capacity, and starts them. False if there are no more. */
  fill(): Promise<boolean>;
  /** Resolves when there is capacity for more. */
  waitForCapacity(): Promise<void>;
  /** Starts nothing more and releases emails that were not started. Resolves when nothing is under way. */
  close(): Promise<void>;
};

/** Maximum of claimed emails while deliveries are fast. Otherwise the maximum is the number of lanes. */
const maxClaimed = 64;

const defaultLeaseSeconds = 180;
/**
 * The share of the lease that may pass before an email is started: composing and delivering take a minute each at
 * most.
 */
const maxWaitShare = 0.25;

function groupByScope<T extends EmailScope>(all: readonly T[]): [EmailScope, T[]][] {
  const groups = Map.groupBy(all, ({ companyId, mode }) => `${companyId} ${mode}`);
  return [...groups.values()].flatMap((own) => (own[0] ? [[own[0], own] as [EmailScope, T[]]] : []));
}

/** Claims those that are still available, in the order in which they are due. */
async function claimForScope(
  deps: OutboxDeps,
  { companyId, mode }: EmailScope,
  due: readonly DueEmail[],
): Promise<EmailTask[]> {
  const ids = due.map(({ mailId }) => mailId);
  const claim = { now: deps.clock.now(), leaseSeconds: deps.mailLeaseSeconds ?? defaultLeaseSeconds };
  return await inTenantOrCompany(deps.db, { companyId, mode }, async (tx) => {
    const mails = await claimEmails(tx, ids, claim);
    if (mails.length === 0) return [];
    const context = await readEmailContexts(tx, deps, mails);
    return mails
      .sort((a, b) => ids.indexOf(a.mailId) - ids.indexOf(b.mailId))
      .map((mail) => ({ companyId, mode, mail, context: context.get(mail.mailId) ?? null }));
  });
}

/** Logs an error of the database once, and not each second. */
function createErrorReporter({ log }: OutboxDeps) {
  let hasFailed = false;
  return async (work: () => Promise<void>) => {
    try {
      await work();
      hasFailed = false;
    } catch (err) {
      if (!hasFailed) log.warn({ err }, 'the email outbox could not be read or written');
      hasFailed = true;
    }
  };
}

type ClaimedTask = EmailTask & { beginBy: number };

/** The state of a worker. */
type WorkerState = {
  deps: OutboxDeps;
  deliver: DeliverEmail;
  /** Claimed and not started, in starting order. */
  waiting: ClaimedTask[];
  /** Every email that is claimed and not ended. */
  claimed: Set<string>;
  running: Set<Promise<void>>;
  sendingCount: number;
  /** Whether the last email was delivered fast. */
  isFast: boolean;
  isClosed: boolean;
  guard: (work: () => Promise<void>) => Promise<void>;
};

const capacityOf = ({ isFast }: WorkerState) => (isFast ? maxClaimed : maxConnections);

function track(state: WorkerState, work: () => Promise<void>): void {
  const tracked = state.guard(work).finally(() => state.running.delete(tracked));
  state.running.add(tracked);
}

async function release({ deps, claimed }: WorkerState, tasks: readonly EmailTask[]): Promise<void> {
  try {
    for (const [scope, given] of groupByScope(tasks)) {
      const mails = given.map(({ mail }) => mail);
      await inTenantOrCompany(deps.db, scope, async (tx) => await releaseEmails(tx, mails));
    }
  } finally {
    for (const { mail } of tasks) claimed.delete(mail.mailId);
  }
}

/** Starts emails on free lanes, and releases those that may no longer be started. */
function startWaiting(state: WorkerState): void {
  const { waiting } = state;
  const now = performance.now();
  const isLate = ({ beginBy }: ClaimedTask) => state.isClosed || beginBy < now;
  const late = waiting.filter(isLate);
  if (late.length > 0) {
    waiting.splice(0, waiting.length, ...waiting.filter((task) => !isLate(task)));
    track(state, async () => await release(state, late));
  }
  for (const task of waiting.splice(0, Math.max(0, maxConnections - state.sendingCount))) {
    state.sendingCount++;
    track(state, async () => await send(state, task));
  }
}

async function send(state: WorkerState, task: EmailTask): Promise<void> {
  try {
    const { isFast, record } = await state.deliver(task).finally(() => {
      state.sendingCount--;
    });
    state.isFast = isFast;
    // The lane is free: the result of this email is recorded while the next one starts.
    startWaiting(state);
    await record();
  } finally {
    state.claimed.delete(task.mail.mailId);
  }
}

/** Claims emails, company by company, and starts them. Returns how many it claimed. */
async function claimAll(state: WorkerState, due: readonly DueEmail[]): Promise<number> {
  const { deps, waiting, claimed } = state;
  const leaseMs = (deps.mailLeaseSeconds ?? defaultLeaseSeconds) * 1_000;
  let count = 0;
  for (const [scope, own] of groupByScope(due.filter(({ mailId }) => !claimed.has(mailId)))) {
    const beginBy = performance.now() + leaseMs * maxWaitShare;
    const tasks = await claimForScope(deps, scope, own);
    count += tasks.length;
    for (const task of tasks) {
      claimed.add(task.mail.mailId);
      waiting.push({ ...task, beginBy });
    }
    startWaiting(state);
  }
  return count;
}

async function claimDue(state: WorkerState): Promise<boolean> {
  const { deps, claimed } = state;
  const free = capacityOf(state) - claimed.size;
  if (free <= 0 || state.isClosed) return true;
  const now = deps.clock.now();
  const due = await deps.db.inSystem(async (tx) => await listDueEmails(tx, now, free));
  const count = await claimAll(state, due);
  return count > 0 && due.length === free;
}

/** Opens a worker that sends with `deliver`. It reads nothing before `fill`. */
export function openOutboxWorker(deps: OutboxDeps, deliver: DeliverEmail): OutboxWorker {
  const state: WorkerState = {
    ...{ deps, deliver, guard: createErrorReporter(deps) },
    ...{ waiting: [], claimed: new Set(), running: new Set() },
    ...{ sendingCount: 0, isFast: false, isClosed: false },
  };
  const { waiting, claimed, running, guard } = state;
  return {
    fill: async () => {
      let isMore = false;
      await guard(async () => {
        isMore = await claimDue(state);
      });
      return isMore;
    },
    waitForCapacity: async () => {
      const hasCapacity = () => waiting.length < maxConnections && claimed.size < capacityOf(state);
      while (!state.isClosed && !hasCapacity() && running.size > 0) await Promise.race(running);
    },
    close: async () => {
      state.isClosed = true;
      startWaiting(state);
      while (running.size > 0) await Promise.all(running);
    },
  };
}
