// The job that every attempt gets in the transaction that writes it: it asks until the processor has
// given its word. It throws while the attempt lives, and the queue runs it again, ever less often.

import { asked, createGather } from '../base/gather.ts';
import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { actionEndOf } from './attempt-request.ts';
import { escalateAfterMs, escalateAttempt } from './case-store.ts';
import { gathering } from './gathering.ts';
import { type SettleDeps, settleAttempt } from './settle-attempt.ts';
import { isAttemptOver } from './states.ts';
import { type Attempt, findAttempt, listAttemptsById } from './store.ts';

/** Thrown to be run again; no fault. */
export class NotSettledYet extends Error {
  override readonly name = 'NotSettledYet';
}

async function escalate(deps: SettleDeps, companyId: string, attempt: Attempt): Promise<void> {
  const at = deps.clock.now();
  const { paymentId, attemptId, createdAt } = attempt;
  await deps.db.inTenant(companyId, async (tx) => {
    // What ended it may have come since it was asked about: whoever has ended is nobody's case.
    const state = await escalateAttempt(tx, attemptId, at);
    if (!state) return;
    await appendEvent(tx, {
      type: 'attempt.escalated',
      isPublic: true,
      paymentId,
      attemptId,
      actor: 'job:reconcile-attempt',
      data: { state, since: createdAt.toISOString() },
      at,
    });
  });
}

type Job = { companyId: string; attemptId: string };

async function reconcile(deps: SettleDeps, job: Job, attempt: Attempt): Promise<void> {
  if (isAttemptOver(attempt.state)) return;
  const now = deps.clock.now();
  const end = actionEndOf(attempt);
  const recorded = await settleAttempt(deps, {
    ...job,
    actor: 'job:reconcile-attempt',
    giveUp: attempt.state === 'requires_action' && now > end,
  });
  if (isAttemptOver(recorded.attempt.state)) return;
  if (now.getTime() - end.getTime() > escalateAfterMs) await escalate(deps, job.companyId, attempt);
  throw new NotSettledYet(`the attempt is still ${recorded.attempt.state}`);
}

/** Settles an attempt, or throws NotSettledYet. An attempt that has ended is left alone. */
export async function reconcileAttempt(deps: SettleDeps, job: Job): Promise<void> {
  const attempt = await deps.db.inTenant(job.companyId, async (tx) => await findAttempt(tx, job.attemptId));
  if (attempt) await reconcile(deps, job, attempt);
}

/**
 * `reconcileAttempt` by which jobs of a company that come together look together at their attempts: most of them
 * have ended long before.
 */
export function gatherReconciliations(deps: SettleDeps): (job: Job) => Promise<void> {
  const look = createGather<Job, Attempt | undefined>({
    ...gathering,
    runBatch: asked(
      ({ attemptId }) => attemptId,
      async (companyId, jobs) => {
        const ids = jobs.map(({ attemptId }) => attemptId);
        const find = async (tx: TenantTx) => await listAttemptsById(tx, ids);
        const found = await deps.db.inTenant(companyId, find, { isBatch: true });
        return new Map(found.map((attempt) => [attempt.attemptId, attempt]));
      },
    ),
  });
  return async (job) => {
    const attempt = await look(job.companyId, job);
    if (attempt) await reconcile(deps, job, attempt);
  };
}
