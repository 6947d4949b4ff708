// The crash points at which a test kills the service with SIGKILL, as wrappers around the processor and the database.
// The product has no such switch.

import type { Database, TenantScope, TenantTx } from '../../src/db/database.ts';
import type { AttemptRequest, Processor } from '../../src/processors/processor.ts';

export const payCrashPoints = [
  'before_reserve',
  'in_reserve_before_commit',
  'after_reserve',
  'before_ask',
  'after_charge_before_answer',
  'after_answer_before_record',
  'in_record_before_commit',
  'after_record_commit',
] as const;
export const refundCrashPoints = [
  'before_refund_ask',
  'after_refund_answer_before_record',
  'in_refund_record_before_commit',
  'after_refund_record',
] as const;
/** Points of a refund with an Idempotency-Key, before its response is stored. */
export const keyedRefundCrashPoints = [
  'before_refund_ask',
  'in_refund_record_before_commit',
  'in_keeping_the_answer',
] as const;
/** Points of a payment on a processor's own page, before the customer is redirected. */
export const redirectCrashPoints = [
  'in_reserve_before_commit',
  'after_reserve',
  'before_ask',
  'after_answer_before_record',
  'in_record_before_commit',
  'after_record_commit',
] as const;
/** The same after the customer has paid there. */
export const returnCrashPoints = [
  'after_news_before_record',
  'in_paid_record_before_commit',
  'after_paid_record',
] as const;
/** Points of a processor that captures with a separate call. */
export const captureCrashPoints = ['before_capture', 'after_capture_before_record'] as const;
/** Points between the commit of an event and the record of its delivery. */
export const webhookCrashPoints = [
  'after_link_commit',
  'in_claim_before_commit',
  'after_claim_before_send',
  'after_send_before_record',
] as const;
export type CrashPoint =
  | (typeof webhookCrashPoints)[number]
  | (typeof payCrashPoints)[number]
  | (typeof refundCrashPoints)[number]
  | (typeof redirectCrashPoints)[number]
  | (typeof returnCrashPoints)[number]
  | (typeof captureCrashPoints)[number]
  | (typeof keyedRefundCrashPoints)[number];

/** Called at a point with the IDs of the attempts or refunds that reached it. Never resolves. */
export type CrashHandler = (keys: readonly string[]) => Promise<never>;

/** Ends this process like a power failure: nothing is flushed or closed. */
const crash: CrashHandler = () => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

/** Kills the process when `count` keys have reached the point. Earlier ones wait there. */
export function crashTogether(count: number): CrashHandler {
  const arrived = new Set<string>();
  return (keys) => {
    for (const key of keys) arrived.add(key);
    return arrived.size >= count ? crash(keys) : new Promise(() => undefined);
  };
}

/** Waits until the acquirer has the charge of an attempt. */
async function untilCharged(processor: Processor, key: AttemptRequest) {
  while ((await processor.query(key, AbortSignal.timeout(5_000))) === null);
}

/** A processor that calls `atPoint` at crash points around its calls. */
export function armProcessor(inner: Processor, point: CrashPoint, atPoint: CrashHandler = crash): Processor {
  return {
    ...inner,
    refuseCard: (card) => {
      if (point === 'before_reserve') void atPoint([]);
      return inner.refuseCard(card);
    },
    authorise: async (request, signal) => {
      if (point === 'before_ask') await atPoint([request.attemptId]);
      const answer = inner.authorise(request, signal);
      if (point === 'after_charge_before_answer') {
        answer.catch(() => undefined);
        await untilCharged(inner, request);
        await atPoint([request.attemptId]);
      }
      const outcome = await answer;
      if (point === 'after_answer_before_record') await atPoint([request.attemptId]);
      return outcome;
    },
    query: async (request, signal) => {
      const outcome = await inner.query(request, signal);
      const isCharged = outcome?.kind === 'succeeded' || outcome?.kind === 'approved';
      if (point === 'after_news_before_record' && isCharged) await atPoint([request.attemptId]);
      return outcome;
    },
    capture: async (request, signal) => {
      if (point === 'before_capture') await atPoint([request.attemptId]);
      const outcome = await inner.capture(request, signal);
      if (point === 'after_capture_before_record') await atPoint([request.attemptId]);
      return outcome;
    },
    refund: async (request, signal) => {
      if (point === 'before_refund_ask') await atPoint([request.refundId]);
      const outcome = await inner.refund(request, signal);
      if (point === 'after_refund_answer_before_record') await atPoint([request.refundId]);
      return outcome;
    },
  };
}

/** The statement that claims due deliveries. */
const claim = /^with due as[\s\S]*update webhook_deliveries\s+set lease_token/;

/** The statement that starts attempts, and the one that moves them. */
const start = /^with given as[\s\S]*insert into attempts/;
const move = /^with attempt_moves/;

/** The statement that identifies a point's transaction, by its text and values, and the side of the commit. */
const transactions: Partial<
  Record<CrashPoint, { mark: RegExp; value?: RegExp; dies: 'before commit' | 'after commit' }>
> = {
  in_reserve_before_commit: { mark: start, dies: 'before commit' },
  after_reserve: { mark: start, dies: 'after commit' },
  in_record_before_commit: { mark: move, value: /"attemptId":"att_/, dies: 'before commit' },
  after_record_commit: { mark: move, value: /"attemptId":"att_/, dies: 'after commit' },
  in_paid_record_before_commit: { mark: move, value: /"stateTo":"succeeded"/, dies: 'before commit' },
  after_paid_record: { mark: move, value: /"stateTo":"succeeded"/, dies: 'after commit' },
  in_refund_record_before_commit: { mark: /^update refunds set state/, dies: 'before commit' },
  after_refund_record: { mark: /^update refunds set state/, dies: 'after commit' },
  after_link_commit: { mark: /^insert into payments/, dies: 'after commit' },
  in_claim_before_commit: { mark: claim, dies: 'before commit' },
  after_claim_before_send: { mark: claim, dies: 'after commit' },
  after_send_before_record: { mark: /^update webhook_deliveries\s+set state/, dies: 'before commit' },
  in_keeping_the_answer: { mark: /^update idempotency_keys set state/, dies: 'before commit' },
};

type Scope = string | TenantScope;
type RunIn = <T>(scope: Scope, work: (tx: TenantTx) => Promise<T>) => Promise<T>;

/** Wraps every tenant transaction of a database. Returns a function that removes the wrapper. */
export function wrapTransactions(
  db: Database,
  wrap: <T>(run: RunIn, scope: Scope, work: (tx: TenantTx) => Promise<T>) => Promise<T>,
): () => void {
  const { inTenant, inCompany, inBothModes } = db;
  const around = (inner: unknown) => async (scope: Scope, work: (tx: TenantTx) => Promise<never>) =>
    await wrap(inner as RunIn, scope, work);
  Object.assign(db, {
    inTenant: around(inTenant),
    inCompany: around(inCompany),
    inBothModes: around(inBothModes),
  });
  return () => void Object.assign(db, { inTenant, inCompany, inBothModes });
}

/** The attempt and refund IDs among a statement's values. */
const keysOf = (values: readonly unknown[]): string[] => {
  const keys = values.flat().flatMap((value) => String(value).match(/(?<=^|")(att|ref)_[0-9a-z]+/g) ?? []);
  return [...new Set(keys)];
};

/** Makes a database call `atPoint` before or after the commit that the point names. */
export function armDatabase(db: Database, point: CrashPoint, atPoint: CrashHandler = crash): void {
  const at = transactions[point];
  if (!at) return;
  wrapTransactions(db, async (run, companyId, work) => {
    let marked: string[] | null = null;
    const result = await run(companyId, async (tx) => {
      const query: TenantTx['query'] = (text, values = []) => {
        const isValue = (value: unknown) => at.value?.test(String(value)) ?? true;
        if (at.mark.test(text) && values.some(isValue)) marked = keysOf(values);
        return tx.query(text, values);
      };
      const done = await work({ ...tx, query });
      if (marked !== null && at.dies === 'before commit') await atPoint(marked);
      return done;
    });
    if (marked !== null) await atPoint(marked);
    return result;
  });
}
