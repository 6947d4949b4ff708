// Pays a link in three steps: reserve (one transaction), authorise (call the processor under the attempt's ID, without
// an open transaction), record (one transaction). After a crash between them, the worker completes it.

import { raceWithAbort } from '../base/abort.ts';
import { openProcessor } from '../connections/open-connection.ts';
import { recordHealth } from '../connections/record-health.ts';
import type { PayDeps } from '../payments/deps.ts';
import { describeUnknownOutcome } from '../processors/check-response.ts';
import type { AuthoriseRequest, Processor } from '../processors/processor.ts';
import { toAttemptRequest } from './attempt-request.ts';
import type { PayInput, PaymentWithAttempt } from './pay-order.ts';
import { type Evidence, recordOutcome } from './record-outcome.ts';
import { reserveAttempt } from './reserve-attempt.ts';

/**
 * Recording failed after the processor was called. Money may have moved. The worker will find the outcome. If a report has
 * ended the attempt meanwhile, the nightly comparison will, or a webhook before it.
 */
export class OutcomeNotRecordedError extends Error {
  override readonly name = 'OutcomeNotRecordedError';
  constructor(cause: unknown) {
    super('could not record the outcome of an attempt', { cause });
  }
}

/** After any error, money may have moved: the outcome is `unknown`, never a decline. */
async function authorise(
  deps: PayDeps,
  open: () => Promise<Processor>,
  request: AuthoriseRequest,
): Promise<Evidence> {
  const signal = AbortSignal.timeout(deps.processorTimeoutMs);
  const { attemptId } = request;
  let processor: Processor;
  try {
    processor = await open();
  } catch (err) {
    // The connection was deleted after the page was shown. No processor was called.
    deps.log.warn({ attemptId, err }, 'could not open a connection');
    return { kind: 'unavailable', why: 'not_opened' };
  }
  try {
    return await raceWithAbort(processor.authorise(request, signal), signal);
  } catch (err) {
    deps.log.warn({ attemptId, processor: processor.name, err }, describeUnknownOutcome(err));
    return { kind: 'unknown', why: 'no_answer' };
  }
}

async function recordProcessorHealth(deps: PayDeps, order: PayInput, outcome: Evidence): Promise<void> {
  const { companyId, mode, method } = order;
  const { connectionId } = method;
  const isUp = outcome.kind === 'unavailable' ? outcome.isOfRequest === true : outcome.kind !== 'unknown';
  try {
    if (await recordHealth(deps, { companyId, mode, connectionId, isUp }))
      deps.log.warn({ companyId, processor: method.kind.name }, 'a processor is considered down for a while');
  } catch (err) {
    deps.log.warn({ companyId, err }, 'could not record the health of a processor');
  }
}

/**
 * Pays a link. Null if the link does not exist; otherwise the payment and its attempt afterwards. If the
 * link can't be paid now, no processor is called, and the result shows why. Throws `too_many_attempts`, and
 * OutcomeNotRecordedError once the processor was called.
 */
export async function pay(deps: PayDeps, order: PayInput): Promise<PaymentWithAttempt | null> {
  const reservation = await reserveAttempt(deps, order);
  if (!reservation) return null;
  if (!reservation.attempt) return reservation.current;
  const { attempt, payment } = reservation;
  const { companyId, mode, merchant } = order;
  const { attemptId, processor } = attempt;
  const open = async () => await openProcessor(deps, { companyId, ...attempt });
  const request = toAttemptRequest(deps.baseUrl, { payment, attempt, merchant });
  const outcome = await authorise(deps, open, { ...request, card: order.card });
  const actor = `processor:${processor}`;
  const known = { attempt, retryPolicy: merchant.retryPolicy };
  const report = { companyId, mode, attemptId, outcome, actor, known };
  const recorded = await recordOutcome(deps, report).catch((cause: unknown) => {
    throw new OutcomeNotRecordedError(cause);
  });
  await recordProcessorHealth(deps, order, outcome);
  const { paymentId } = payment;
  const fields = { companyId, paymentId, attemptId, processor, outcome: outcome.kind };
  const { state } = recorded.payment;
  // Only this log line contains the processor's reason.
  if (outcome.kind === 'unavailable')
    deps.log.warn({ ...fields, state, why: outcome.why }, 'a processor did not start an attempt');
  else deps.log.info({ ...fields, state }, 'attempt recorded');
  return recorded;
}
