// Pays a link in three acts. Reserve: one transaction writes the attempt, moves the link and enqueues
// the attempt's reconciliation. Ask: the processor, under the attempt's id, with no transaction open.
// Record: one transaction. A crash between two acts needs no code here: the job ends the story.

import { raceWithAbort } from '../base/abort.ts';
import { openProcessor } from '../connections/open-connection.ts';
import { recordHealth } from '../connections/record-health.ts';
import type { PayDeps } from '../payments/deps.ts';
import { describeUnknownOutcome } from '../processors/check-response.ts';
import type { AuthoriseRequest, Processor } from '../processors/processor.ts';
import { toAttemptRequest } from './attempt-request.ts';
import type { PayInput, PaymentWithAttempt } from './pay-order.ts';
import {
  createBatchedRecordOutcome,
  type Evidence,
  type RecordOutcome,
  recordOutcome,
} from './record-outcome.ts';
import { createBatchedReserve, type Reservation, reserveAttempt } from './reserve-attempt.ts';

/** Act three failed: the processor was asked, so money may have moved, and the attempt's job will find out. */
export class OutcomeNotRecordedError extends Error {
  override readonly name = 'OutcomeNotRecordedError';
  constructor(cause: unknown) {
    super('what came of an attempt could not be recorded', { cause });
  }
}

/** Act two. Whatever goes wrong, the money may have moved: that is `unknown`, never a decline. */
async function authorise(
  deps: PayDeps,
  open: () => Promise<Processor>,
  request: AuthoriseRequest,
): Promise<Evidence> {
  const signal = AbortSignal.timeout(deps.askTimeoutMs);
  const { attemptId } = request;
  let processor: Processor;
  try {
    processor = await open();
  } catch (err) {
    // It was deleted since the page was shown: nobody was asked.
    deps.log.warn({ attemptId, err }, 'a connection could not be opened');
    return { kind: 'unavailable', why: 'not_opened' };
  }
  try {
    return await raceWithAbort(processor.authorise(request, signal), signal);
  } catch (err) {
    deps.log.warn({ attemptId, processor: processor.name, err }, describeUnknownOutcome(err));
    return { kind: 'unknown', why: 'no_answer' };
  }
}

/** Notes whether the processor answered. What is known of the attempt does not hang on it. */
async function recordProcessorHealth(deps: PayDeps, order: PayInput, outcome: Evidence): Promise<void> {
  const { companyId, mode, method } = order;
  const { connectionId } = method;
  const isUp = outcome.kind === 'unavailable' ? outcome.isOfRequest === true : outcome.kind !== 'unknown';
  try {
    if (await recordHealth(deps, { companyId, mode, connectionId, isUp }))
      deps.log.warn({ companyId, processor: method.kind.name }, 'a processor counts as down for a while');
  } catch (err) {
    deps.log.warn({ companyId, err }, 'the health of a processor could not be noted');
  }
}

/** The first and the last act; each may be done together with those of other links. */
type PaySteps = {
  reserve: (order: PayInput) => Promise<Reservation | null>;
  record: RecordOutcome;
};

async function payInSteps(
  steps: PaySteps,
  deps: PayDeps,
  order: PayInput,
): Promise<PaymentWithAttempt | null> {
  const reservation = await steps.reserve(order);
  if (!reservation) return null;
  if (!reservation.reserved) return reservation.standing;
  const { reserved: attempt, payment, merchantName } = reservation;
  const { companyId, mode } = order;
  const { attemptId, processor } = attempt;
  const open = async () => await openProcessor(deps, { companyId, ...attempt });
  const request = toAttemptRequest(deps.baseUrl, { payment, attempt, merchantName });
  const outcome = await authorise(deps, open, { ...request, card: order.card });
  const actor = `processor:${processor}`;
  const recorded = await steps
    .record({ companyId, mode, attemptId, outcome, actor })
    .catch((cause: unknown) => {
      throw new OutcomeNotRecordedError(cause);
    });
  await recordProcessorHealth(deps, order, outcome);
  const { paymentId } = payment;
  const fields = { companyId, paymentId, attemptId, processor, outcome: outcome.kind };
  const { state } = recorded.payment;
  // Only so does anybody learn that a processor refuses to begin, and what it says.
  if (outcome.kind === 'unavailable')
    deps.log.warn({ ...fields, state, why: outcome.why }, 'a processor did not begin');
  else deps.log.info({ ...fields, state }, 'attempt recorded');
  return recorded;
}

/**
 * Tries to pay a link. Null when there is no such link; otherwise how the link stands afterwards. When
 * the link can't be paid now nobody is asked, and the standing says why. Throws `too_many_attempts`, and NotRecorded
 * once the processor was asked.
 */
export async function pay(deps: PayDeps, order: PayInput): Promise<PaymentWithAttempt | null> {
  const reserve = async () => await reserveAttempt(deps, order);
  const record: RecordOutcome = async (report) => await recordOutcome(deps, report);
  return await payInSteps({ reserve, record }, deps, order);
}

export type Pay = (order: PayInput) => Promise<PaymentWithAttempt | null>;

/** `pay` by which links of a company that are paid at once are written together; each has its own outcome. */
export function createBatchedPay(deps: PayDeps): Pay {
  const steps = { reserve: createBatchedReserve(deps), record: createBatchedRecordOutcome(deps) };
  return async (order) => await payInSteps(steps, deps, order);
}
