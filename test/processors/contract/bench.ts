// Calls a processor as payments do, and searches every response and error for credentials.

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
import type { LandingPage } from '../kit/customer.ts';
import { type Features, newRequest, type Rig, withReference } from '../kit/rig.ts';

/** The timeout of every call. */
export const guardMs = 60_000;
const maxPages = 1_000;

export type QueryResult = AttemptOutcome | ApprovedOutcome | null;

export type Bench = {
  rig: Rig;
  features: Features;
  connection: ProcessorConnection;
  /** The fields of secrets that a response or an error has contained so far. */
  leaks: readonly string[];
  check(connection: ProcessorConnection, signal?: AbortSignal): Promise<CredentialCheck>;
  newRequest(changes?: Partial<AuthoriseRequest>): AuthoriseRequest;
  authorise(request: AuthoriseRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  query(request: AuthoriseRequest, signal?: AbortSignal): Promise<QueryResult>;
  capture(request: AuthoriseRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  cancel(request: AuthoriseRequest, signal?: AbortSignal): Promise<AttemptOutcome>;
  refund(request: ProcessorRefundRequest, signal?: AbortSignal): Promise<RefundOutcome>;
  /** The complete list of a past period, and the number of its pages. */
  list(from: Date, until: Date): Promise<{ movements: BalanceTransaction[]; pages: number }>;
  /** The moved money of one of our keys, by the processor's journal. */
  moneyOf(key: string): Promise<MoneyLine[]>;
};

const callTimeout = () => AbortSignal.timeout(guardMs);

/** The result of a call, as a log would show it. */
const show = (result: unknown) => inspect(result, { depth: 8, maxStringLength: null });

/** Opens a processor for a connection of its rig. */
export function openBench(rig: Rig, features: Features, connection = rig.connection): Bench {
  const { kind } = rig;
  const processor = kind.connect(connection);
  const leaks: string[] = [];
  const watched = async <Result>(call: Promise<Result>, credentials = connection.credentials) => {
    const findLeaks = (result: unknown) => {
      for (const { name, isSecret } of kind.fields) {
        const isLeaked = credentials[name] && show(result).includes(credentials[name]);
        if (isSecret && isLeaked) leaks.push(name);
      }
    };
    return await call.then(
      (result) => {
        findLeaks(result);
        return result;
      },
      (error: unknown) => {
        findLeaks(error);
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
    check: async (asked, signal = callTimeout()) =>
      await watched(kind.check(asked, signal), asked.credentials),
    newRequest: (changes) => newRequest(rig, connection, changes),
    authorise: async (request, signal = callTimeout()) => await watched(processor.authorise(request, signal)),
    query: async (request, signal = callTimeout()) => await watched(processor.query(request, signal)),
    capture: async (request, signal = callTimeout()) => await watched(processor.capture(request, signal)),
    cancel: async (request, signal = callTimeout()) => await watched(processor.cancel(request, signal)),
    refund: async (request, signal = callTimeout()) => await watched(processor.refund(request, signal)),
    list: async (from, until) => {
      const movements: BalanceTransaction[] = [];
      let cursor: string | null = null;
      for (let pages = 1; pages < maxPages; pages++) {
        const page: BalanceTransactionPage = await watched(
          processor.list({ companyId, from, until, cursor }, callTimeout()),
        );
        movements.push(...page.movements);
        cursor = page.nextCursor;
        assert.ok((page.completeUntil ?? until) >= until, 'the list is complete by now');
        if (cursor === null) return { movements, pages };
      }
      throw new Error('the list does not end');
    },
    moneyOf: async (key) => (await rig.money()).filter((line) => line.key === key),
  };
}

/** Queries an attempt, and captures it if the customer approved, as payments do. */
export async function finish(bench: Bench, request: AuthoriseRequest): Promise<AttemptOutcome | null> {
  const result = await bench.query(request);
  return result?.kind === 'approved' ? await bench.capture(request) : result;
}

/** What a customer does on the processor's page. */
export type CustomerAction = 'pay' | 'decline' | 'pass' | 'fail';

const scenarioOf = { pay: 'pay', decline: 'decline', pass: 'challenge', fail: 'challenge' } as const;

/** Starts an attempt, with the card for an action if the processor takes cards. */
export async function begin(
  bench: Bench,
  action: CustomerAction = 'pay',
  changes: Partial<AuthoriseRequest> = {},
): Promise<{ request: AuthoriseRequest; outcome: AttemptOutcome }> {
  const initial = bench.newRequest({ card: bench.rig.cardFor(scenarioOf[action]), ...changes });
  const outcome = await bench.authorise(initial);
  return { request: withReference(initial, outcome), outcome };
}

/** Performs the customer's action at the address of an outcome; null if none is required. */
export async function act(
  { rig }: Bench,
  action: CustomerAction,
  outcome: QueryResult,
): Promise<LandingPage | null> {
  if (outcome?.kind !== 'requires_action') return null;
  if (action === 'pass' || action === 'fail') return await rig.customer.challenge(outcome.url, action);
  return await rig.customer[action](outcome.url);
}

/** An attempt from start to end. `result` is its last outcome. */
export async function completeAttempt(
  bench: Bench,
  action: CustomerAction,
  changes: Partial<AuthoriseRequest> = {},
): Promise<{ request: AuthoriseRequest; place: LandingPage | null; result: AttemptOutcome | null }> {
  const { request, outcome } = await begin(bench, action, changes);
  const place = await act(bench, action, outcome);
  const result = await finish(bench, request);
  return { request: result ? withReference(request, result) : request, place, result };
}

/** A paid attempt, with the processor's reference. */
export async function payWhole(
  bench: Bench,
  changes: Partial<AuthoriseRequest> = {},
): Promise<AuthoriseRequest & { processorReference: string }> {
  const { request, result } = await completeAttempt(bench, 'pay', changes);
  assert.equal(result?.kind, 'succeeded');
  const { processorReference } = request;
  assert.ok(processorReference, 'a succeeded attempt has a reference');
  return { ...request, processorReference };
}

/** An attempt that waits for the customer, with its outcome. */
export async function openAttempt(
  bench: Bench,
): Promise<{ request: AuthoriseRequest; outcome: Extract<AttemptOutcome, { kind: 'requires_action' }> }> {
  const { request, outcome } = await begin(bench, 'pass');
  assert.equal(outcome.kind, 'requires_action');
  return { request, outcome };
}

/** A new refund of a paid attempt. */
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

/** The final outcome of a refund; a pending one is settled first. */
export async function settledRefund(bench: Bench, request: ProcessorRefundRequest): Promise<RefundOutcome> {
  const result = await bench.refund(request);
  if (result.kind !== 'processing') return result;
  await bench.rig.settle();
  return await bench.refund(request);
}

/** The sum of moved amounts. */
export const sumOf = (lines: readonly MoneyLine[]) =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Loses the response to the next request on a route, after its action. */
export async function loseResponse(bench: Bench, route: string): Promise<void> {
  await bench.rig.control({ outage: { fault: { kind: 'half' }, route, times: 1 } });
}

/** A guarantee that every processor must give. */
export type Guarantee = {
  title: string;
  /** The processors that it applies to. Default: all. */
  applies?: (features: Features) => boolean;
  prove: (bench: Bench) => Promise<void>;
};

/** Proves a guarantee, and that no response or error contained a secret. */
export async function hold(bench: Bench, { prove }: Guarantee): Promise<void> {
  await bench.rig.control({ reset: true });
  await prove(bench);
  assert.deepEqual(bench.leaks, [], 'no response or error contains a secret');
}
