// The worker that reconciles attempts cancels only attempts that wait for a customer after their expiry, and escalates
// none earlier than three days after it.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { reconcileAttempt } from '../../src/attempts/reconcile-attempt.ts';
import { recordOutcome } from '../../src/attempts/record-outcome.ts';
import type { AttemptOutcome } from '../../src/processors/processor.ts';
import { captured, useFixture } from './fixture.ts';
import { guarantee } from './plant.ts';

const fixture = useFixture();

const file = 'src/attempts/reconcile-attempt.ts';
const settleFile = 'src/attempts/refresh-attempt.ts';
type Module = typeof import('../../src/attempts/reconcile-attempt.ts');

const hourMs = 60 * 60 * 1000;
const escalateMs = 3 * 24 * hourMs;
/** The lifetime of an attempt at the processor of the tests. */
const lifeMs = 15 * 60 * 1000;

const action = { kind: 'requires_action', reference: 'ch_1', url: 'https://bank.example/' } as const;
const processing = { kind: 'processing', reference: 'ch_1' } as const;
const states = {
  created: null,
  unknown: null,
  requires_action: action,
  processing,
} as const;
type State = keyof typeof states;

/** Replies that leave an attempt in progress. `null`: unknown to the processor; `undefined`: no response. */
const answers = { waits: action, decides: processing, unheard: null, silent: undefined } as const;
type Answer = keyof typeof answers;

async function attemptIn(state: State): Promise<string> {
  const said = states[state];
  const { attemptId } = await fixture.beginWith(...(said ? [said] : []));
  if (state === 'unknown') {
    const outcome = { kind: 'unknown', why: 'no_answer' } as const;
    const { deps, companyId } = fixture;
    await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
  }
  assert.equal((await fixture.snapshotOf(attemptId)).attempt.state, state);
  return attemptId;
}

/** Sets the expiry of an attempt to this long ago. */
const expireAgo = async (attemptId: string, agoMs: number) =>
  await fixture.query('update attempts set expires_at = $2 where attempt_id = $1', [
    attemptId,
    new Date(fixture.clock.now().getTime() - agoMs),
  ]);

function setReplies(answer: Answer, cancelled: AttemptOutcome): void {
  const { replies } = fixture;
  replies.cancel = () => cancelled;
  replies.query = () => {
    const said = answers[answer];
    if (said === undefined) throw new Error('no answer');
    return said;
  };
}

const cancelsOf = (attemptId: string) =>
  fixture.calls.filter((call) => call.method === 'cancel' && call.attemptId === attemptId).length;
const escalationsOf = async (attemptId: string) =>
  (await fixture.eventsOf(attemptId, 'attempt.escalated')).length;

/** Milliseconds since the expiry; negative before it. */
const sinceExpiry = fc.oneof(
  fc.integer({ min: -lifeMs, max: 6 * 24 * hourMs }),
  fc.constantFrom(-1, 0, 1, escalateMs - 1, escalateMs, escalateMs + 1, 30 * 24 * hourMs),
);

guarantee<Module>(
  'the worker cancels an expired attempt that waits for the customer, and no attempt that is processing',
  file,
  async ({ reconcileAttempt }) => {
    const { deps, companyId } = fixture;
    const check = async (state: State, answer: Answer, agoMs: number) => {
      const attemptId = await attemptIn(state);
      await expireAgo(attemptId, agoMs);
      setReplies(answer, { kind: 'void' });
      const work = reconcileAttempt(deps, { companyId, attemptId });
      const isExpired = state === 'requires_action' && agoMs > 0;
      // An attempt unknown to the processor must never start there later.
      const isUnknown = answer === 'unheard' && state !== 'processing';
      const what = `${state}, ${answer}, ${agoMs} ms after expiry`;
      if (isExpired || isUnknown) await work;
      else await assert.rejects(work, { name: 'AttemptNotFinalError' }, what);
      assert.equal(cancelsOf(attemptId), isExpired || isUnknown ? 1 : 0, what);
      const now = (await fixture.snapshotOf(attemptId)).attempt.state;
      if (state === 'processing') assert.equal(now, 'processing', what);
      else assert.equal(now === 'cancelled', isExpired || isUnknown, what);
    };
    for (const state of Object.keys(states) as State[])
      for (const answer of Object.keys(answers) as Answer[])
        for (const agoMs of [-lifeMs, 0, 1, escalateMs + 1, 40 * 24 * hourMs])
          await check(state, answer, agoMs);
    const proof = fc.asyncProperty(
      fc.constantFrom(...(Object.keys(states) as State[])),
      fc.constantFrom(...(Object.keys(answers) as Answer[])),
      sinceExpiry,
      check,
    );
    await fc.assert(proof, { numRuns: 15 });
  },
  {
    [file]: {
      "state === 'requires_action' && now > end": { 'every attempt in progress is cancelled': 'now > end' },
      "=== 'requires_action' && now > end": {
        'a waiting attempt is cancelled before its expiry': "=== 'requires_action'",
        'a waiting attempt is never cancelled': "=== 'requires_action' && now < end",
      },
      "state === 'requires_action'": { 'a processing attempt is cancelled': "state !== 'unknown'" },
    },
    [settleFile]: {
      "if (reported === null && attempt.state === 'processing')": {
        'a processing attempt that the processor does not know is cancelled':
          "if (reported === null && attempt.state === 'succeeded')",
      },
      'if (reported === null) return await processor.cancel(request, signal);': {
        'an attempt unknown to the processor is not cancelled': 'if (reported === null) return null;',
      },
    },
  },
);

guarantee<Module>(
  'an attempt that becomes processing while the worker runs is not cancelled',
  file,
  async ({ reconcileAttempt }) => {
    const { deps, companyId } = fixture;
    const attemptId = await attemptIn('requires_action');
    await expireAgo(attemptId, 1);
    setReplies('decides', { kind: 'void' });
    const { inBothModes } = deps.db;
    const db: typeof deps.db = {
      ...deps.db,
      // The report arrives just after the worker's first read.
      inBothModes: async (...call) => {
        const seen = await inBothModes(...call);
        const outcome = processing;
        await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
        return seen;
      },
    };
    const work = reconcileAttempt({ ...deps, db }, { companyId, attemptId });
    await assert.rejects(work, { name: 'AttemptNotFinalError' });
    assert.equal(cancelsOf(attemptId), 0);
  },
  {
    [file]: {
      'shouldCancel: ({ state }) => state': {
        'an outdated status decides': 'shouldCancel: () => attempt.state',
      },
    },
  },
);

guarantee<Module>(
  'the worker escalates an attempt once, and no earlier than three days after its expiry',
  file,
  async ({ reconcileAttempt }) => {
    const { deps, companyId } = fixture;
    const check = async (state: State, agoMs: number) => {
      const attemptId = await attemptIn(state);
      await expireAgo(attemptId, agoMs);
      setReplies(state === 'processing' ? 'decides' : 'silent', action);
      for (const _time of [1, 2])
        await assert.rejects(reconcileAttempt(deps, { companyId, attemptId }), {
          name: 'AttemptNotFinalError',
        });
      const isDue = agoMs > escalateMs;
      assert.equal(await escalationsOf(attemptId), isDue ? 1 : 0, `${state}, ${agoMs} ms after expiry`);
    };
    for (const state of Object.keys(states) as State[])
      for (const agoMs of [-1, 1, escalateMs - 1, escalateMs, escalateMs + 1]) await check(state, agoMs);
    // An attempt without a stored expiry has 15 minutes.
    for (const [ageMs, expected] of [
      [lifeMs + escalateMs - 1, 0],
      [lifeMs + escalateMs + 1, 1],
    ] as const) {
      const attemptId = await attemptIn('processing');
      await fixture.query('update attempts set expires_at = null, created_at = $2 where attempt_id = $1', [
        attemptId,
        new Date(fixture.clock.now().getTime() - ageMs),
      ]);
      setReplies('decides', { kind: 'void' });
      await assert.rejects(reconcileAttempt(deps, { companyId, attemptId }));
      assert.equal(await escalationsOf(attemptId), expected);
    }
    const proof = fc.asyncProperty(fc.constantFrom(...(Object.keys(states) as State[])), sinceExpiry, check);
    await fc.assert(proof, { numRuns: 20 });
  },
  {
    [file]: {
      'now.getTime() - end.getTime()': {
        'three days count from its creation': 'now.getTime() - attempt.createdAt.getTime() + 1',
      },
      '> escalateAfterMs': {
        'it escalates at its expiry': '> 0',
        'it escalates at three days': '>= escalateAfterMs',
        'it never escalates': '> escalateAfterMs * 1000',
      },
    },
    'src/payments/case-store.ts': {
      '3 * 24 * 60 * 60 * 1000': { 'a day is half a day': '3 * 12 * 60 * 60 * 1000' },
      'where company_id = $1 and attempt_id = $2 and escalated_at is null\n    and state in': {
        'it escalates at each run': 'where company_id = $1 and attempt_id = $2\n    and state in',
      },
    },
    'src/attempts/attempt-request.ts': {
      'return attempt.expiresAt ?? new Date(': { 'every processor has the same expiry': 'return new Date(' },
      'attempt.createdAt.getTime() + defaultActionTtlMs': {
        'an attempt without a stored expiry never expires':
          'attempt.createdAt.getTime() + defaultActionTtlMs * 99',
      },
    },
  },
);

guarantee<Module>(
  'the outcome of a cancellation counts: a charge that arrived meanwhile pays',
  file,
  async (module) => {
    const { deps, companyId } = fixture;
    for (const [cancelled, state, payment] of [
      [captured('ch_2'), 'succeeded', 'paid'],
      [{ kind: 'void' }, 'cancelled', 'open'],
      [{ kind: 'declined', reference: 'ch_2', code: 'generic_decline' }, 'declined', 'failed'],
      [processing, 'processing', 'processing'],
      [action, 'requires_action', 'processing'],
    ] as const) {
      const attemptId = await attemptIn('requires_action');
      await expireAgo(attemptId, 1);
      setReplies('waits', cancelled);
      const work = (module.reconcileAttempt ?? reconcileAttempt)(deps, { companyId, attemptId });
      await work.catch((error: Error) => assert.equal(error.name, 'AttemptNotFinalError'));
      const snapshot = await fixture.snapshotOf(attemptId);
      assert.deepEqual([snapshot.attempt.state, snapshot.payment.state], [state, payment]);
      assert.equal(snapshot.entries.length, state === 'succeeded' ? 1 : 0);
    }
    await fixture.checkLedger();
  },
  {
    [settleFile]: {
      'return await processor.cancel(request, signal);\n    const reported': {
        'every cancellation counts as final':
          "{ await processor.cancel(request, signal); return { kind: 'void' }; }\n    const reported",
        'the outcome of a cancellation is not recorded':
          '{ await processor.cancel(request, signal); return null; }\n    const reported',
      },
    },
  },
);
