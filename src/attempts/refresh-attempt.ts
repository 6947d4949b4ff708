// Asks the processor what became of an attempt and records it. The customer coming back from a page of the
// processor, the waiting page, its webhook and the reconciliation job all end here. Only evidence ends an attempt.

import { errors } from '../base/errors.ts';
import { findCompany } from '../companies/store.ts';
import { openProcessor } from '../connections/open-connection.ts';
import type { TenantScope } from '../db/database.ts';
import type { PayDeps } from '../payments/deps.ts';
import { isAttemptFinal } from '../payments/states.ts';
import { type Attempt, findAttempt, findPayment } from '../payments/store.ts';
import { describeUnknownOutcome } from '../processors/check-response.ts';
import type { AttemptRequest } from '../processors/processor.ts';
import { toAttemptRequest } from './attempt-request.ts';
import { type Evidence, type RecordedAttempt, recordOutcome } from './record-outcome.ts';

export type RefreshDeps = Pick<
  PayDeps,
  'db' | 'clock' | 'keyring' | 'jobs' | 'processors' | 'baseUrl' | 'askTimeoutMs' | 'log'
>;

const alreadyFinal: Evidence = { kind: 'unknown', why: 'over' };

/** What there is to know of an attempt; null when its processor gave no answer. */
async function queryProcessor(
  deps: RefreshDeps,
  attempt: Attempt,
  request: AttemptRequest,
  shouldCancel: boolean,
): Promise<Evidence | null> {
  const signal = AbortSignal.timeout(deps.askTimeoutMs);
  const { processor: name, connectionId, attemptId } = attempt;
  try {
    // One that is not there any more gives no answer, either: the attempt waits for a person in the end.
    const route = { companyId: request.companyId, mode: attempt.mode, processor: name, connectionId };
    const processor = await openProcessor(deps, route);
    if (shouldCancel && !isAttemptFinal(attempt.state)) return await processor.cancel(request, signal);
    const reported = await processor.query(request, signal);
    // It has told us of this attempt and decides about it: that it does not know it now is a riddle, and no answer.
    if (reported === null && attempt.state === 'processing')
      throw new Error('a processor does not know an attempt that it has taken on');
    // After the end nothing is ended or taken any more; that money came all the same is the one thing to know.
    if (isAttemptFinal(attempt.state)) return reported?.kind === 'succeeded' ? reported : alreadyFinal;
    // A processor that never heard of an attempt may still hear of it: the request can be on its way.
    // Only `cancel`, which uses the key up, makes sure that it can't charge any more.
    if (reported === null) return await processor.cancel(request, signal);
    return reported.kind === 'approved' ? await processor.capture(request, signal) : reported;
  } catch (err) {
    deps.log.warn({ attemptId, processor: name, err }, describeUnknownOutcome(err));
    return null;
  }
}

/** An attempt and how its processor is asked about it; null for one that the company does not have. */
export async function readAttempt(
  deps: Pick<RefreshDeps, 'db' | 'baseUrl'>,
  key: TenantScope & { attemptId: string },
): Promise<{ attempt: Attempt; request: AttemptRequest } | null> {
  return await deps.db.inTenant(key, async (tx) => {
    const attempt = await findAttempt(tx, key.attemptId);
    const payment = attempt && (await findPayment(tx, attempt.paymentId));
    if (!attempt || !payment) return null;
    const merchantName = (await findCompany(tx))?.name ?? '';
    return { attempt, request: toAttemptRequest(deps.baseUrl, { payment, attempt, merchantName }) };
  });
}

/** How an attempt and its payment stand after its processor was asked, if it gave an answer. */
export type RefreshedAttempt = RecordedAttempt & { isAnswered: boolean };

/**
 * Brings an attempt up to date; money that the customer has approved is taken. Where `giveUp` says so of the attempt as
 * it stands now, it is cancelled at the processor, unless it already took the money. Of one that ended without money it is only asked whether
 * money came after all. Throws `not_found` for an attempt that the company does not have.
 */
export async function refreshAttempt(
  deps: RefreshDeps,
  refresh: TenantScope & { attemptId: string; actor: string; giveUp?: (attempt: Attempt) => boolean },
): Promise<RefreshedAttempt> {
  const { companyId, mode, attemptId, actor } = refresh;
  const known = await readAttempt(deps, refresh);
  if (!known) throw errors.notFound();
  const { attempt, request } = known;
  const shouldCancel = refresh.giveUp?.(attempt) ?? false;
  const reported =
    attempt.state === 'succeeded' ? alreadyFinal : await queryProcessor(deps, attempt, request, shouldCancel);
  const outcome = reported ?? { kind: 'unknown', why: 'no_answer' };
  const recorded = await recordOutcome(deps, { companyId, mode, attemptId, outcome, actor });
  return { ...recorded, isAnswered: reported !== null };
}
