// Work on attempts without an outcome: queries the processor until the outcome is final. It throws while the attempt is
// live, and the worker repeats it after a growing pause.

import { createSharedBatcher, dedupe } from '../base/batcher.ts';
import { runInTestTime } from '../base/clock.ts';
import type { TenantScope, TenantTx } from '../db/database.ts';
import { batchOptions } from '../payments/batch-options.ts';
import { escalateAfterMs } from '../payments/case-store.ts';
import { isAttemptFinal } from '../payments/states.ts';
import { type Attempt, listAttemptsById } from '../payments/store.ts';
import { NotFinalError } from '../work/not-final-error.ts';
import { actionExpiryOf } from './attempt-request.ts';
import { escalateStuckAttempt } from './escalate-stuck-attempt.ts';
import { type RefreshDeps, refreshAttempt } from './refresh-attempt.ts';

/** Thrown while an attempt has no final outcome. */
export class AttemptNotFinalError extends NotFinalError {
  override readonly name = 'AttemptNotFinalError';
}

async function escalate(deps: RefreshDeps, scope: TenantScope, attempt: Attempt): Promise<void> {
  const at = deps.clock.now();
  const actor = 'job:reconcile-attempt';
  await deps.db.inTenant(scope, async (tx) => await escalateStuckAttempt(tx, attempt, { at, actor }));
}

type Job = { companyId: string; attemptId: string };

async function reconcile(deps: RefreshDeps, job: Job, attempt: Attempt): Promise<void> {
  if (isAttemptFinal(attempt.state)) return;
  const now = deps.clock.now();
  const end = actionExpiryOf(attempt);
  const recorded = await refreshAttempt(deps, {
    ...job,
    mode: attempt.mode,
    actor: 'job:reconcile-attempt',
    // Uses the status read under the lock: the processor may have begun to decide since this query.
    shouldCancel: ({ state }) => state === 'requires_action' && now > end,
  });
  if (isAttemptFinal(recorded.attempt.state)) return;
  if (now.getTime() - end.getTime() > escalateAfterMs)
    await escalate(deps, { companyId: job.companyId, mode: attempt.mode }, attempt);
  throw new AttemptNotFinalError(`the attempt is still ${recorded.attempt.state}`, recorded);
}

const readInBatch = createSharedBatcher<RefreshDeps, Job, Attempt | undefined>((deps) => ({
  ...batchOptions,
  runBatch: dedupe(
    ({ attemptId }) => attemptId,
    async (companyId, jobs) => {
      const ids = jobs.map(({ attemptId }) => attemptId);
      const find = async (tx: TenantTx) => await listAttemptsById(tx, ids);
      // Callers of both modes share the batch.
      const found = await runInTestTime(
        null,
        async () => await deps.db.inBothModes(companyId, find, { isBatch: true }),
      );
      return new Map(found.map((attempt) => [attempt.attemptId, attempt]));
    },
  ),
}));

/**
 * Queries the processor about an attempt without an outcome, and records the outcome. The attempts of a company's calls
 * are read in batches, because most of them ended long before. Throws AttemptNotFinalError while the attempt is live.
 */
export async function reconcileAttempt(deps: RefreshDeps, job: Job): Promise<void> {
  const attempt = await readInBatch(deps, job.companyId, job);
  if (attempt) await reconcile(deps, job, attempt);
}
