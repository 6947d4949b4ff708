// Queries the processor about an attempt and records the outcome. The return from a hosted payment page, the waiting
// page, processor webhooks and the reconciliation job all use it. Only evidence ends an attempt.

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

/** The known outcome of an attempt; null if its processor did not respond. */
async function queryProcessor(
  deps: RefreshDeps,
  attempt: Attempt,
  request: AttemptRequest,
  shouldCancel: boolean,
): Promise<Evidence | null> {
  const signal = AbortSignal.timeout(deps.askTimeoutMs);
  const { processor: name, connectionId, attemptId } = attempt;
  try {
    // A deleted connection gives no response, either: the attempt is escalated in the end.
    const route = { companyId: request.companyId, mode: attempt.mode, processor: name, connectionId };
    const processor = await openProcessor(deps, route);
    if (shouldCancel && !isAttemptFinal(attempt.state)) return await processor.cancel(request, signal);
    const reported = await processor.query(request, signal);
    // The processor has reported this attempt and is deciding about it. If it does not find the attempt now, that is no
    // usable response.
    if (reported === null && attempt.state === 'processing')
      throw new Error('a processor does not know an attempt that it has taken on');
    // After the end, no attempt is cancelled or captured. The query only shows whether money came all the same.
    if (isAttemptFinal(attempt.state)) return reported?.kind === 'succeeded' ? reported : alreadyFinal;
    // A processor that does not know an attempt may still receive it: the request can be on its way. Only `cancel`,
    // which uses up the key, ensures that it can't charge any more.
    if (reported === null) return await processor.cancel(request, signal);
    return reported.kind === 'approved' ? await processor.capture(request, signal) : reported;
  } catch (err) {
    deps.log.warn({ attemptId, processor: name, err }, describeUnknownOutcome(err));
    return null;
  }
}

/** An attempt and how to query its processor; null if the company does not have the attempt. */
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

/** An attempt and its payment after a query to the processor, and whether the processor responded. */
export type RefreshedAttempt = RecordedAttempt & { isAnswered: boolean };

/**
 * Updates an attempt from its processor, and captures money that the customer has approved. If `giveUp` returns true
 * for the attempt as it is now, cancels it at the processor, unless the processor already collected the money. For an
 * attempt that ended without money, only checks whether money came after all. Throws `not_found` if the company does
 * not have the attempt.
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
