// The service on real PostgreSQL, with a processor whose replies a test sets and whose calls are recorded. No worker runs
// jobs, so only what a test calls is executed.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
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
import { testMerchant } from '../harness/test-merchant.ts';

/** The replies of the processor. A call without one fails. */
export type Replies = {
  query: (request: AttemptRequest) => Awaited<ReturnType<Processor['query']>>;
  cancel: (request: AttemptRequest) => AttemptOutcome;
  capture: (request: AttemptRequest) => AttemptOutcome;
  refund: (request: ProcessorRefundRequest) => RefundOutcome;
};

type Call = { method: keyof Replies; attemptId: string; reference: string | null };
export type Entry = { kind: string; amount: number; currency: string; source: string };
export type RefundRow = { id: string; kind: string; state: string; amount: number; currency: string };
export type Snapshot = {
  payment: { state: string; refunded: number; refunding: number };
  attempt: { state: string; reference: string | null; code: string | null };
  entries: Entry[];
  refunds: RefundRow[];
};

type Fixture = {
  deps: PayDeps;
  clock: ReturnType<typeof manualClock>;
  companyId: string;
  replies: Partial<Replies>;
  calls: Call[];
  /** An attempt of 19.99 EUR on a new link, just reserved. */
  begin(): Promise<Attempt & { code: string }>;
  /** The same, with these outcomes recorded. */
  beginWith(...outcomes: AttemptOutcome[]): Promise<Attempt & { code: string }>;
  snapshotOf(attemptId: string): Promise<Snapshot>;
  eventsOf(attemptId: string, type: string): Promise<Record<string, unknown>[]>;
  query(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Fails unless ledger and payments agree. */
  checkLedger(): Promise<void>;
  stop(): Promise<void>;
};

function createProcessor(replies: Partial<Replies>, calls: Call[]): Processor {
  const reply = <Method extends keyof Replies>(method: Method, request: Parameters<Replies[Method]>[0]) => {
    calls.push({ method, attemptId: request.attemptId, reference: request.processorReference });
    const replyTo = replies[method];
    if (!replyTo) throw new Error('no response');
    return (replyTo as (asked: typeof request) => ReturnType<Replies[Method]>)(request);
  };
  return {
    name: 'acquirer',
    refuseCard: () => null,
    authorise: async () => {
      throw new Error('no response');
    },
    query: async (request) => reply('query', request),
    cancel: async (request) => reply('cancel', request),
    capture: async (request) => reply('capture', request),
    refund: async (request) => reply('refund', request),
    list: async () => ({ movements: [], nextCursor: null }),
    instruct: async () => null,
  };
}

const snapshotQuery = `
  select json_build_object('state', p.state, 'refunded', p.refunded_minor, 'refunding', p.refunding_minor) as payment,
         json_build_object('state', a.state, 'reference', a.processor_reference, 'code', a.decline_code) as attempt,
         (select coalesce(json_agg(json_build_object('kind', l.kind, 'amount', l.amount_minor, 'currency', l.currency,
                                                     'source', l.source_id) order by l.entry_id), '[]')
          from ledger_entries l where l.payment_id = p.payment_id) as entries,
         (select coalesce(json_agg(json_build_object('id', r.refund_id, 'kind', r.kind, 'state', r.state,
                                   'amount', r.amount_minor, 'currency', r.currency) order by r.refund_id), '[]')
          from refunds r where r.attempt_id = a.attempt_id) as refunds
  from attempts a join payments p using (company_id, payment_id) where a.attempt_id = $1`;

async function openFixture(): Promise<Fixture> {
  const clock = manualClock();
  const replies: Partial<Replies> = {};
  const calls: Call[] = [];
  const processors = onlyProcessor(createProcessor(replies, calls));
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
    const reserved: Reservation | null = await reserveAttempt(deps, {
      ...order,
      card: null,
      merchant: testMerchant,
      locale: 'en',
      pageLocale: 'en',
    });
    assert.ok(reserved?.attempt);
    return { ...reserved.attempt, code };
  };
  return {
    ...{ deps, clock, companyId, replies, calls, query, begin },
    beginWith: async (...outcomes) => {
      const begun = await begin();
      const { attemptId } = begun;
      for (const outcome of outcomes)
        await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
      return begun;
    },
    snapshotOf: async (attemptId) => {
      const [snapshot] = await query(snapshotQuery, [attemptId]);
      assert.ok(snapshot);
      return snapshot as Snapshot;
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

/** The fixture of a test file, opened before its tests and stopped after them. */
export function useFixture(): Fixture {
  const fixture = {} as Fixture;
  before(async () => {
    Object.assign(fixture, await openFixture());
  });
  after(async () => await fixture.stop());
  return fixture;
}

/** The outcome of an attempt that captured its 19.99 EUR, or another amount. */
export const captured = (reference: string, amountMinor = 1999, currency = 'EUR') =>
  ({ kind: 'succeeded', reference, amountMinor, currency }) as const;
