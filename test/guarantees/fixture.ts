// The service on real PostgreSQL, with a processor that says what a test wants and notes what it was asked: for
// guarantees about use cases. Nothing works on jobs, so what a test runs is all that runs.

import assert from 'node:assert/strict';
import { recordOutcome } from '../../src/attempts/record-outcome.ts';
import { type Reservation, reserveAttempt } from '../../src/attempts/reserve-attempt.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { PayDeps } from '../../src/payments/deps.ts';
import type { Attempt } from '../../src/payments/store.ts';
import type {
  AttemptOutcome,
  AttemptRequest,
  Processor,
  ProcessorRefundRequest,
  RefundOutcome,
} from '../../src/processors/processor.ts';
import { builtInMethod, onlyProcessor } from '../acquirer/acquirer-processor.ts';
import { createLinkAs, logIn } from '../harness/client.ts';
import { manualClock } from '../harness/manual-clock.ts';
import { startPaylink } from '../harness/paylink.ts';

/** What the processor answers; what is not set gives no answer. */
export type Words = {
  query: (request: AttemptRequest) => Awaited<ReturnType<Processor['query']>>;
  cancel: (request: AttemptRequest) => AttemptOutcome;
  capture: (request: AttemptRequest) => AttemptOutcome;
  refund: (request: ProcessorRefundRequest) => RefundOutcome;
};

type Call = { what: keyof Words; attemptId: string; reference: string | null };
export type Entry = { kind: string; amount: number; currency: string; source: string };
export type RefundRow = { id: string; kind: string; state: string; amount: number; currency: string };
export type CurrentState = {
  payment: { state: string; refunded: number; refunding: number };
  attempt: { state: string; reference: string | null; code: string | null };
  entries: Entry[];
  refunds: RefundRow[];
};

export type Ground = {
  deps: PayDeps;
  clock: ReturnType<typeof manualClock>;
  companyId: string;
  words: Partial<Words>;
  calls: Call[];
  /** An attempt of 19.99 EUR on a new link, just reserved. */
  begin(): Promise<Attempt & { code: string }>;
  /** The same, and what its processor said so far. */
  beginWith(...outcomes: AttemptOutcome[]): Promise<Attempt & { code: string }>;
  statusOf(attemptId: string): Promise<CurrentState>;
  eventsOf(attemptId: string, type: string): Promise<Record<string, unknown>[]>;
  query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Fails unless ledger and payments agree. */
  checkLedger(): Promise<void>;
  stop(): Promise<void>;
};

function createProcessor(words: Partial<Words>, calls: Call[]): Processor {
  const say = <What extends keyof Words>(what: What, request: Parameters<Words[What]>[0]) => {
    calls.push({ what, attemptId: request.attemptId, reference: request.processorReference });
    const word = words[what];
    if (!word) throw new Error('no answer');
    return (word as (asked: typeof request) => ReturnType<Words[What]>)(request);
  };
  return {
    name: 'acquirer',
    refuseCard: () => null,
    authorise: async () => {
      throw new Error('no answer');
    },
    query: async (request) => say('query', request),
    cancel: async (request) => say('cancel', request),
    capture: async (request) => say('capture', request),
    refund: async (request) => say('refund', request),
    list: async () => ({ movements: [], nextCursor: null }),
    instruct: async () => null,
  };
}

const standings = `
  select json_build_object('state', p.state, 'refunded', p.refunded_minor, 'refunding', p.refunding_minor) as payment,
         json_build_object('state', a.state, 'reference', a.processor_reference, 'code', a.decline_code) as attempt,
         (select coalesce(json_agg(json_build_object('kind', l.kind, 'amount', l.amount_minor, 'currency', l.currency,
                                                     'source', l.source_id) order by l.entry_id), '[]')
          from ledger_entries l where l.payment_id = p.payment_id) as entries,
         (select coalesce(json_agg(json_build_object('id', r.refund_id, 'kind', r.kind, 'state', r.state,
                                   'amount', r.amount_minor, 'currency', r.currency) order by r.refund_id), '[]')
          from refunds r where r.attempt_id = a.attempt_id) as refunds
  from attempts a join payments p using (company_id, payment_id) where a.attempt_id = $1`;

export async function openGround(): Promise<Ground> {
  const clock = manualClock(new Date());
  const words: Partial<Words> = {};
  const calls: Call[] = [];
  const processors = onlyProcessor(createProcessor(words, calls));
  const options = { clock, isAtWork: false, isSearched: false, processors: () => processors };
  const paylink = await startPaylink('server', options);
  const owner = await logIn(paylink);
  const { deps } = paylink.app;
  const { companyId } = owner;
  const query = async (text: string, values: readonly unknown[]) =>
    await deps.db.asOwner.query<Record<string, unknown>>(text, values);
  const begin = async () => {
    const { code } = await createLinkAs(paylink, owner);
    const order = { companyId, mode: 'test', code, method: builtInMethod(processors) } as const;
    const reserved: Reservation | null = await reserveAttempt(deps, { ...order, card: null, locale: 'en' });
    assert.ok(reserved?.attempt);
    return { ...reserved.attempt, code };
  };
  return {
    ...{ deps, clock, companyId, words, calls, query, begin },
    beginWith: async (...outcomes) => {
      const begun = await begin();
      const { attemptId } = begun;
      for (const outcome of outcomes)
        await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
      return begun;
    },
    statusOf: async (attemptId) => {
      const [current] = await query(standings, [attemptId]);
      assert.ok(current);
      return current as CurrentState;
    },
    eventsOf: async (attemptId, type) => {
      const text = 'select data from events where attempt_id = $1 and type = $2 order by event_id';
      return (await query(text, [attemptId, type])).map(({ data }) => data as Record<string, unknown>);
    },
    checkLedger: async () =>
      assert.deepEqual(await deps.db.inTenant({ companyId, mode: 'test' }, verifyLedger), []),
    stop: async () => await paylink.stop(),
  };
}

/** That an attempt took its 19.99 EUR, or other money. */
export const taken = (reference: string, amountMinor = 1999, currency = 'EUR') =>
  ({ kind: 'succeeded', reference, amountMinor, currency }) as const;
