// Emails as a kind of due work: a lane for each company and mode. A process claims many while the server is fast, and
// sends a few at once, so that one that hangs blocks no other. Must not start an email unless its lease will outlast the
// delivery.

import { movedTimeOf } from '../base/clock.ts';
import { inTenantOrCompany } from '../db/database.ts';
import type { Lane } from '../work/due-rows.ts';
import type { WorkKind } from '../work/work-kind.ts';
import { type EmailTask, readEmailContexts } from './read-email-context.ts';
import { createDeliver, type DeliverEmail, type DeliverEmailDeps } from './send-emails.ts';
import { claimEmails, dueEmails, releaseEmail } from './store.ts';
import { maxConnections } from './transport.ts';

export type EmailWorkDeps = DeliverEmailDeps & {
  /** Lease of an email: longer than any delivery takes. */
  mailLeaseSeconds?: number;
};

type ClaimedTask = EmailTask & { beginBy: number };

/** Maximum of claimed emails while deliveries are fast. Otherwise the maximum is the number of connections. */
const maxClaimed = 64;
const limits = {
  perNew: maxConnections,
  perLane: maxClaimed,
  total: maxClaimed,
  failingTotal: maxConnections,
  leastClaim: maxClaimed / 2,
};
/** The least time between polls, however many commits make emails due. */
const minPollMs = 200;
const defaultLeaseSeconds = 180;
/**
 * The share of the lease that may pass before an email is started: composing and delivering take a minute each at
 * most.
 */
const maxWaitShare = 0.25;

/** A fixed number of places. Entering waits for one; false once they are closed. */
function createPlaces(count: number) {
  const waiting: ((isEntered: boolean) => void)[] = [];
  let free = count;
  let isClosed = false;
  return {
    enter: async (): Promise<boolean> => {
      if (isClosed) return false;
      if (free > 0) {
        free -= 1;
        return true;
      }
      return await new Promise<boolean>((resolve) => waiting.push(resolve));
    },
    leave: () => {
      const next = waiting.shift();
      if (next) next(true);
      else free += 1;
    },
    close: () => {
      isClosed = true;
      for (const stop of waiting.splice(0)) stop(false);
    },
  };
}

/** Releases emails that were claimed and will not be sent now. */
async function releaseAll(
  { db }: EmailWorkDeps,
  tasks: readonly Omit<EmailTask, 'context'>[],
): Promise<void> {
  for (const task of tasks)
    await inTenantOrCompany(db, task, async (tx) => await releaseEmail(tx, task.mail), { isSingle: true });
}

async function claimTasks(deps: EmailWorkDeps, lane: Lane, limit: number): Promise<ClaimedTask[]> {
  const leaseSeconds = deps.mailLeaseSeconds ?? defaultLeaseSeconds;
  const beginBy = performance.now() + leaseSeconds * 1_000 * maxWaitShare;
  const claim = { lane: lane.lane, limit, leaseSeconds, at: movedTimeOf(deps.clock) };
  const { companyId, mode } = lane;
  const options = { isBatch: true, isSingle: true };
  const claimed = await inTenantOrCompany(deps.db, lane, async (tx) => await claimEmails(tx, claim), options);
  const contexts = await readEmailContexts(deps, lane, claimed).catch(async (error: unknown) => {
    await releaseAll(
      deps,
      claimed.map(({ mail }) => ({ companyId, mode, mail })),
    );
    throw error;
  });
  return claimed
    .map(({ mail }) => ({ companyId, mode, mail, context: contexts.get(mail.mailId) ?? null, beginBy }))
    .sort((a, b) => a.mail.createdAt.getTime() - b.mail.createdAt.getTime());
}

/** Sends what is due, at once after its event. */
export function createEmailWork(
  deps: EmailWorkDeps,
  deliver: DeliverEmail = createDeliver(deps),
): WorkKind<ClaimedTask> {
  const places = createPlaces(maxConnections);
  return {
    name: 'emails',
    limits,
    wakesOn: { notifications: ['public_event'], minPollMs },
    listLanes: async (tx, companyIds) => await dueEmails.listLanes(tx, companyIds, movedTimeOf(deps.clock)),
    findNextDue: dueEmails.findNextDue,
    claim: async (lane, limit) => await claimTasks(deps, lane, limit),
    run: async (task) => {
      const hasPlace = await places.enter();
      if (!hasPlace || task.beginBy < performance.now()) {
        if (hasPlace) places.leave();
        await releaseAll(deps, [task]);
        return false;
      }
      // The result is recorded while the next email takes the place.
      const { isFast, record } = await deliver(task).finally(places.leave);
      await record();
      return isFast;
    },
    // Releases emails that were not started, and gives deliveries under way a few seconds.
    close: () => {
      places.close();
      deps.transport.close();
    },
  };
}
