// Queries the processor about an attempt and records the outcome, for the checkout, processor webhooks and the
// reconciliation worker. Only evidence ends an attempt.

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
import { type Evidence, type KnownAttempt, type RecordedAttempt, recordOutcome } from './record-outcome.ts';

export type RefreshDeps = Pick<
  PayDeps,
  'db' | 'clock' | 'keyring' | 'processors' | 'baseUrl' | 'processorTimeoutMs' | 'log'
>;

const alreadyFinal: Evidence = { kind: 'unknown', why: 'over' };

/** Null if the processor did not respond. */
async function queryProcessor(
  deps: RefreshDeps,
  attempt: Attempt,
  request: AttemptRequest,
  shouldCancel: boolean,
): Promise<Evidence | null> {
  const signal = AbortSignal.timeout(deps.processorTimeoutMs);
  const { processor: name, connectionId, attemptId } = attempt;
  try {
    // If the connection was deleted, there is no response: the attempt is escalated in the end.
    const route = { companyId: request.companyId, mode: attempt.mode, processor: name, connectionId };
    const processor = await openProcessor(deps, route);
    if (shouldCancel && !isAttemptFinal(attempt.state)) return await processor.cancel(request, signal);
    const reported = await processor.query(request, signal);
    // The processor has reported this attempt before, so "not found" is no usable response.
    if (reported === null && attempt.state === 'processing')
      throw new Error('a processor does not know an attempt that it was processing');
    // A final attempt is neither cancelled nor captured. The query only shows whether money came after all.
    if (isAttemptFinal(attempt.state)) return reported?.kind === 'succeeded' ? reported : alreadyFinal;
    // The request may still be on its way. Only `cancel`, which uses up the key, prevents a later charge.
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
): Promise<(KnownAttempt & { request: AttemptRequest }) | null> {
  return await deps.db.inTenant(key, async (tx) => {
    const attempt = await findAttempt(tx, key.attemptId);
    const payment = attempt && (await findPayment(tx, attempt.paymentId));
    if (!attempt || !payment) return null;
    const company = await findCompany(tx);
    if (!company) return null;
    const request = toAttemptRequest(deps.baseUrl, { payment, attempt, merchant: company });
    return { attempt, retryPolicy: company.retryPolicy, request };
  });
}

/** An attempt and its payment after a query to the processor, and whether the processor responded. */
export type RefreshedAttempt = RecordedAttempt & { hasResponse: boolean };

/**
 * Updates an attempt from its processor, and captures money that the customer has approved. If `shouldCancel` returns
 * true for the current attempt, cancels it unless the money was already collected. For a final attempt, only checks
 * whether money came after all. Throws `not_found`.
 */
export async function refreshAttempt(
  deps: RefreshDeps,
  refresh: TenantScope & { attemptId: string; actor: string; shouldCancel?: (attempt: Attempt) => boolean },
): Promise<RefreshedAttempt> {
  const { companyId, mode, attemptId, actor } = refresh;
  const known = await readAttempt(deps, refresh);
  if (!known) throw errors.notFound();
  const { attempt, request } = known;
  const shouldCancel = refresh.shouldCancel?.(attempt) ?? false;
  const reported =
    attempt.state === 'succeeded' ? alreadyFinal : await queryProcessor(deps, attempt, request, shouldCancel);
  const outcome = reported ?? { kind: 'unknown', why: 'no_answer' };
  const recorded = await recordOutcome(deps, { companyId, mode, attemptId, outcome, actor, known });
  return { ...recorded, hasResponse: reported !== null };
}
