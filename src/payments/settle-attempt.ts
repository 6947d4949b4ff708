// Asks the processor what became of an attempt and records it. The customer coming back from a 3-D
// Secure page, the waiting page and the reconciliation job all end here. Only evidence ends an attempt.

import { errors } from '../base/errors.ts';
import type { Processors } from '../processors/processor.ts';
import type { PayDeps } from './pay.ts';
import { type Evidence, type Recorded, recordOutcome } from './record-outcome.ts';
import { isAttemptOver } from './states.ts';
import { type Attempt, findAttempt } from './store.ts';

export type SettleDeps = Pick<PayDeps, 'db' | 'clock' | 'jobs' | 'askTimeoutMs' | 'log'> & {
  processors: Processors;
};

/** How long a customer may take over a challenge before the attempt is given up. */
export const challengeLifeMs = 15 * 60 * 1000;

async function askAgain(
  deps: SettleDeps,
  companyId: string,
  attempt: Attempt,
  giveUp: boolean,
): Promise<Evidence> {
  const key = { companyId, attemptId: attempt.attemptId };
  const signal = AbortSignal.timeout(deps.askTimeoutMs);
  try {
    // One that is not there any more gives no answer, either: the attempt waits for a person in the end.
    const processor = deps.processors.find(attempt.processor);
    if (giveUp) return await processor.cancel(key, signal);
    // A processor that never heard of an attempt may still hear of it: the request can be on its way.
    // Only `cancel`, which uses the key up, makes sure that it can't charge any more.
    return (await processor.query(key, signal)) ?? (await processor.cancel(key, signal));
  } catch (error) {
    deps.log.warn(
      { attemptId: attempt.attemptId, processor: attempt.processor, err: error },
      'no answer from the processor',
    );
    return { kind: 'unknown', why: 'no_answer' };
  }
}

/**
 * Brings an attempt up to date. With `giveUp` it is cancelled at the processor, unless it already
 * took the money. Throws `not_found` for an attempt that the company does not have.
 */
export async function settleAttempt(
  deps: SettleDeps,
  settle: { companyId: string; attemptId: string; actor: string; giveUp?: boolean },
): Promise<Recorded> {
  const { companyId, attemptId, actor } = settle;
  const attempt = await deps.db.inTenant(companyId, async (tx) => await findAttempt(tx, attemptId));
  if (!attempt) throw errors.notFound();
  const outcome = isAttemptOver(attempt.state)
    ? ({ kind: 'unknown', why: 'over' } as const)
    : await askAgain(deps, companyId, attempt, settle.giveUp ?? false);
  return await recordOutcome(deps, { companyId, attemptId, outcome, actor });
}
