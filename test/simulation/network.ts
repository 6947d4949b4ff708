// The network between Paylink and the acquirer: requests and responses are lost, late, repeated or malformed, as the
// walk decides. A lost response rejects at once; no real time passes.

import type { AttemptOutcome, Processor, RefundOutcome } from '../../src/processors/processor.ts';
import type { FakeAcquirer } from './fake-acquirer.ts';
import type { Task } from './scheduler.ts';

/** Requests in transit. Remove a request when you deliver it. */
export type InFlight = { about: string; arrive: () => void }[];

// Thresholds for a fate of 0 to 99; low fates are harmless.
const fates = {
  requestOutlives: 25,
  requestArrives: 65,
  requestIsLate: 80,
  requestIsLost: 88,
  answerArrives: 75,
  answerIsLost: 92,
};

/** No response of the acquirer, or none that can be read. */
export class NoAcquirerResponseError extends Error {
  override readonly name = 'NoAcquirerResponseError';
}

const noResponse = () => new NoAcquirerResponseError('no answer in time');

/** Sends a request. Rejects without a response. */
async function send<T>(
  task: Task,
  inFlight: InFlight,
  call: { about: string; run: () => T; garble: (answer: T) => T },
): Promise<T> {
  const { about, run } = call;
  const sent = await task.wait({ kind: 'request', about });
  if (sent.death === 'before_commit') {
    if (sent.fate >= fates.requestOutlives) inFlight.push({ about, arrive: run });
    return await task.vanish();
  }
  const isLate = sent.fate >= fates.requestArrives && sent.fate < fates.requestIsLate;
  const isLost = sent.fate >= fates.requestIsLate && sent.fate < fates.requestIsLost;
  // A late or repeated request arrives after the process has stopped waiting.
  if (isLate || sent.fate >= fates.requestIsLost) inFlight.push({ about, arrive: run });
  if (isLate || isLost) throw noResponse();
  const answer = run();
  if (sent.death) return await task.vanish();
  const received = await task.wait({ kind: 'answer', about });
  if (received.death) return await task.vanish();
  if (received.fate < fates.answerArrives) return answer;
  if (received.fate < fates.answerIsLost) throw noResponse();
  return call.garble(answer);
}

function garbleCharge(): never {
  throw new NoAcquirerResponseError('the answer makes no sense');
}

/** A response with another amount than requested. */
function garbleRefund(answer: RefundOutcome): RefundOutcome {
  return answer.kind === 'succeeded' ? { ...answer, amountMinor: answer.amountMinor + 1 } : answer;
}

/** The acquirer as the tasks of a process see it. */
export function createProcessor(current: () => Task, acquirer: FakeAcquirer, inFlight: InFlight): Processor {
  const ask = async <T extends AttemptOutcome | null>(about: string, run: () => T) =>
    await send(current(), inFlight, { about, run, garble: garbleCharge });
  return {
    name: 'acquirer',
    refuseCard: () => null,
    authorise: async (request) =>
      await ask(`authorise ${request.attemptId}`, () => acquirer.authorise(request)),
    query: async (key) => await ask(`query ${key.attemptId}`, () => acquirer.query(key)),
    cancel: async (key) => await ask(`cancel ${key.attemptId}`, () => acquirer.cancel(key)),
    refund: async (request) =>
      await send(current(), inFlight, {
        about: `refund ${request.refundId}`,
        run: () => acquirer.refund(request),
        garble: garbleRefund,
      }),
    capture: async () => {
      throw new Error('the acquirer takes the money at once');
    },
    instruct: async () => null,
    list: async ({ companyId }) => ({
      movements: await send(current(), inFlight, {
        about: `list ${companyId}`,
        run: () => acquirer.list(companyId),
        garble: garbleCharge,
      }),
      nextCursor: null,
    }),
  };
}
