// Where a processor stands to be judged: it is asked here as payments ask it, and every answer and every
// error is searched for credentials. It must never make an answer look better than it was.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { newId } from '../../../src/base/ids.ts';
import type {
  ApprovedOutcome,
  AttemptOutcome,
  AuthoriseRequest,
  BalanceTransaction,
  BalanceTransactionPage,
  CredentialCheck,
  ProcessorConnection,
  ProcessorRefundRequest,
  RefundOutcome,
} from '../../../src/processors/processor.ts';
import type { MoneyLine } from '../kit/control.ts';
import type { Place } from '../kit/customer.ts';
import { type Features, newRequest, type Rig, withReference } from '../kit/rig.ts';

/** Guards against waiting for ever. */
export const guardMs = 60_000;
const mostPages = 1_000;

export type Said = AttemptOutcome | ApprovedOutcome | null;

export type Bench = {
  rig: Rig;
  features: Features;
  connection: ProcessorConnection;
  /** The secrets that an answer or an error has told so far, by their fields. */
  leaks: readonly string[];
  check(connection: ProcessorConnection, signal?: AbortSignal): Promise<CredentialCheck>;
  newRequest(changes?: Partial<AuthoriseRequest>): AuthoriseRequest;
  authorise(request: AuthoriseRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  query(request: AuthoriseRequest, signal?: AbortSignal): Promise<Said>;
  capture(request: AuthoriseRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  cancel(request: AuthoriseRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  refund(request: ProcessorRefundRequest, signal?: AbortSignal): Promise<RefundOutcome>;
  /** The whole list of a span that is long over, with the number of its pages. */
  list(from: Date, until: Date): Promise<{ movements: BalanceTransaction[]; pages: number }>;
  /** What moved under one of our keys, by the processor's journal. */
  moneyOf(key: string): Promise<MoneyLine[]>;
};

const patience = () => AbortSignal.timeout(guardMs);

/** What came of a call, as far as a log would show it. */
const show = (result: unknown) => inspect(result, { depth: 8, maxStringLength: null });

/** Sets a processor up for one connection of its rig. */
export function openBench(rig: Rig, features: Features, connection = rig.connection): Bench {
  const { kind } = rig;
  const processor = kind.connect(connection);
  const leaks: string[] = [];
  const watched = async <Result>(asked: Promise<Result>, credentials = connection.credentials) => {
    const look = (result: unknown) => {
      for (const { name, isSecret } of kind.fields) {
        const isTold = credentials[name] && show(result).includes(credentials[name]);
        if (isSecret && isTold) leaks.push(name);
      }
    };
    return await asked.then(
      (result) => {
        look(result);
        return result;
      },
      (error: unknown) => {
        look(error);
        throw error;
      },
    );
  };
  const { companyId } = connection;
  return {
    rig,
    features,
    connection,
    leaks,
    check: async (asked, signal = patience()) => await watched(kind.check(asked, signal), asked.credentials),
    newRequest: (changes) => newRequest(rig, connection, changes),
    authorise: async (request, signal = patience()) => await watched(processor.authorise(request, signal)),
    query: async (request, signal = patience()) => await watched(processor.query(request, signal)),
    capture: async (request, signal = patience()) => await watched(processor.capture(request, signal)),
    cancel: async (request, signal = patience()) => await watched(processor.cancel(request, signal)),
    refund: async (request, signal = patience()) => await watched(processor.refund(request, signal)),
    list: async (from, until) => {
      const movements: BalanceTransaction[] = [];
      let cursor: string | null = null;
      for (let pages = 1; pages < mostPages; pages++) {
        const page: BalanceTransactionPage = await watched(
          processor.list({ companyId, from, until, cursor }, patience()),
        );
        movements.push(...page.movements);
        cursor = page.nextCursor;
        assert.ok((page.completeUntil ?? until) >= until, 'the list is whole by now');
        if (cursor === null) return { movements, pages };
      }
      throw new Error('the list has no end');
    },
    moneyOf: async (key) => (await rig.money()).filter((line) => line.key === key),
  };
}

/** Asks what became of an attempt, and takes the money where the customer has agreed: as payments do. */
export async function finish(bench: Bench, request: AuthoriseRequest): Promise<AttemptOutcome | null> {
  const said = await bench.query(request);
  return said?.kind === 'approved' ? await bench.capture(request) : said;
}

/** What a customer does about an attempt. */
export type Walk = 'pay' | 'decline' | 'pass' | 'fail';

const wishOf = { pay: 'pay', decline: 'decline', pass: 'challenge', fail: 'challenge' } as const;

/** Begins an attempt for a walk: with the card that it needs, where the processor takes cards. */
export async function begin(
  bench: Bench,
  walk: Walk = 'pay',
  changes: Partial<AuthoriseRequest> = {},
): Promise<{ request: AuthoriseRequest; outcome: AttemptOutcome }> {
  const asked = bench.newRequest({ card: bench.rig.cardFor(wishOf[walk]), ...changes });
  const outcome = await bench.authorise(asked);
  return { request: withReference(asked, outcome), outcome };
}

/** The customer does it, at the address of an outcome; null when there is nothing for them to do. */
export async function act({ rig }: Bench, walk: Walk, outcome: Said): Promise<Place | null> {
  if (outcome?.kind !== 'requires_action') return null;
  if (walk === 'pass' || walk === 'fail') return await rig.customer.challenge(outcome.url, walk);
  return await rig.customer[walk](outcome.url);
}

/** A customer walks from beginning to end. `said` is what payments are left with. */
export async function walkThrough(
  bench: Bench,
  walk: Walk,
  changes: Partial<AuthoriseRequest> = {},
): Promise<{ request: AuthoriseRequest; place: Place | null; said: AttemptOutcome | null }> {
  const { request, outcome } = await begin(bench, walk, changes);
  const place = await act(bench, walk, outcome);
  const said = await finish(bench, request);
  return { request: said ? withReference(request, said) : request, place, said };
}

/** An attempt that was paid, with the processor's reference. */
export async function payWhole(
  bench: Bench,
  changes: Partial<AuthoriseRequest> = {},
): Promise<AuthoriseRequest & { processorReference: string }> {
  const { request, said } = await walkThrough(bench, 'pay', changes);
  assert.equal(said?.kind, 'succeeded');
  const { processorReference } = request;
  assert.ok(processorReference, 'what succeeded has a reference');
  return { ...request, processorReference };
}

/** An attempt that waits for the customer, and where it waits. */
export async function openAttempt(
  bench: Bench,
): Promise<{ request: AuthoriseRequest; outcome: Extract<AttemptOutcome, { kind: 'requires_action' }> }> {
  const { request, outcome } = await begin(bench, 'pass');
  assert.equal(outcome.kind, 'requires_action');
  return { request, outcome };
}

/** Asks for a refund of an attempt that was paid. */
export function newRefund(
  bench: Bench,
  paid: Pick<AuthoriseRequest, 'companyId' | 'attemptId' | 'processorReference' | 'currency'>,
  amountMinor: number,
): ProcessorRefundRequest {
  const { companyId, attemptId, processorReference, currency } = paid;
  const refundId = newId('ref', bench.rig.now());
  assert.ok(processorReference);
  return { companyId, refundId, attemptId, processorReference, amountMinor, currency };
}

/** What becomes of a refund. One that the processor takes its time over is asked for again when that is over. */
export async function settledRefund(bench: Bench, request: ProcessorRefundRequest): Promise<RefundOutcome> {
  const said = await bench.refund(request);
  if (said.kind !== 'processing') return said;
  await bench.rig.settle();
  return await bench.refund(request);
}

/** The sum of what moved, of one kind. */
export const sumOf = (lines: readonly MoneyLine[]) =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Makes the answer to the next request on a route get lost, when what it asks for has been done. */
export async function loseAnswer(bench: Bench, route: string): Promise<void> {
  await bench.rig.control({ outage: { fault: { kind: 'half' }, route, times: 1 } });
}

/** One thing that a processor owes to payments. It is proven on a processor that nothing ails. */
export type Guarantee = {
  title: string;
  /** Of which processors it is asked. Default: of all. */
  applies?: (features: Features) => boolean;
  prove: (bench: Bench) => Promise<void>;
};

/** Proves a guarantee, and that nothing that was said on the way told a secret. */
export async function hold(bench: Bench, { prove }: Guarantee): Promise<void> {
  await bench.rig.control({ reset: true });
  await prove(bench);
  assert.deepEqual(bench.leaks, [], 'no answer and no error tells a secret');
}
