// What the worker that reconciles attempts does, and when: it gives up only what waits for a customer whose time is
// over, and hands to a person nothing that is younger than three days past that.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { reconcileAttempt } from '../../src/attempts/reconcile-attempt.ts';
import { recordOutcome } from '../../src/attempts/record-outcome.ts';
import type { AttemptOutcome } from '../../src/processors/processor.ts';
import { type Ground, openGround, taken } from './fixture.ts';
import { guarantee } from './plant.ts';

let ground: Ground;
before(async () => {
  ground = await openGround();
});
after(async () => await ground.stop());

const file = 'src/attempts/reconcile-attempt.ts';
const settleFile = 'src/attempts/refresh-attempt.ts';
type Module = typeof import('../../src/attempts/reconcile-attempt.ts');

const hourMs = 60 * 60 * 1000;
const escalateMs = 3 * 24 * hourMs;
/** How long a customer of the tests' processor may take. */
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

/** Answers to a question that leave an attempt under way; `null`: it never heard of it, `silent`: no answer. */
const answers = { waits: action, decides: processing, unheard: null, silent: undefined } as const;
type Answer = keyof typeof answers;

async function attemptIn(state: State): Promise<string> {
  const said = states[state];
  const { attemptId } = await ground.beginWith(...(said ? [said] : []));
  if (state === 'unknown') {
    const outcome = { kind: 'unknown', why: 'no_answer' } as const;
    const { deps, companyId } = ground;
    await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
  }
  assert.equal((await ground.statusOf(attemptId)).attempt.state, state);
  return attemptId;
}

/** Sets the end of the customer's time of an attempt so long before now. */
const endAgo = async (attemptId: string, agoMs: number) =>
  await ground.query('update attempts set expires_at = $2 where attempt_id = $1', [
    attemptId,
    new Date(ground.clock.now().getTime() - agoMs),
  ]);

function say(answer: Answer, cancelled: AttemptOutcome): void {
  const { words } = ground;
  words.cancel = () => cancelled;
  words.query = () => {
    const said = answers[answer];
    if (said === undefined) throw new Error('no answer');
    return said;
  };
}

const cancelsOf = (attemptId: string) =>
  ground.calls.filter((call) => call.what === 'cancel' && call.attemptId === attemptId).length;
const escalationsOf = async (attemptId: string) =>
  (await ground.eventsOf(attemptId, 'attempt.escalated')).length;

/** Past the end of the customer's time; before it where it is negative. */
const pastEnd = fc.oneof(
  fc.integer({ min: -lifeMs, max: 6 * 24 * hourMs }),
  fc.constantFrom(-1, 0, 1, escalateMs - 1, escalateMs, escalateMs + 1, 30 * 24 * hourMs),
);

guarantee<Module>(
  'the worker gives up what waits for a customer whose time is over, and nothing that is being decided',
  file,
  async ({ reconcileAttempt }) => {
    const { deps, companyId } = ground;
    const check = async (state: State, answer: Answer, agoMs: number) => {
      const attemptId = await attemptIn(state);
      await endAgo(attemptId, agoMs);
      say(answer, { kind: 'void' });
      const work = reconcileAttempt(deps, { companyId, attemptId });
      const isOver = state === 'requires_action' && agoMs > 0;
      // Whoever never heard of an attempt that it has not taken on must never hear of it.
      const isUsedUp = answer === 'unheard' && state !== 'processing';
      const what = `${state}, ${answer}, ${agoMs} ms after the end`;
      if (isOver || isUsedUp) await work;
      else await assert.rejects(work, { name: 'AttemptNotFinalError' }, what);
      assert.equal(cancelsOf(attemptId), isOver || isUsedUp ? 1 : 0, what);
      const now = (await ground.statusOf(attemptId)).attempt.state;
      if (state === 'processing') assert.equal(now, 'processing', what);
      else assert.equal(now === 'cancelled', isOver || isUsedUp, what);
    };
    for (const state of Object.keys(states) as State[])
      for (const answer of Object.keys(answers) as Answer[])
        for (const agoMs of [-lifeMs, 0, 1, escalateMs + 1, 40 * 24 * hourMs])
          await check(state, answer, agoMs);
    const proof = fc.asyncProperty(
      fc.constantFrom(...(Object.keys(states) as State[])),
      fc.constantFrom(...(Object.keys(answers) as Answer[])),
      pastEnd,
      check,
    );
    await fc.assert(proof, { numRuns: 15 });
  },
  [
    ['whatever is under way is given up', file, "state === 'requires_action' && now > end", 'now > end'],
    [
      'what waits is given up before its time',
      file,
      "=== 'requires_action' && now > end",
      "=== 'requires_action'",
    ],
    [
      'what waits is never given up',
      file,
      "=== 'requires_action' && now > end",
      "=== 'requires_action' && now < end",
    ],
    ['what is being decided is given up too', file, "state === 'requires_action'", "state !== 'unknown'"],
    [
      'what a processor took on and does not know is given up',
      settleFile,
      "if (reported === null && attempt.state === 'processing')",
      "if (reported === null && attempt.state === 'succeeded')",
    ],
    [
      'what a processor never heard of is left to it',
      settleFile,
      'if (reported === null) return await processor.cancel(request, signal);',
      'if (reported === null) return null;',
    ],
  ].map(([fault = '', path = '', from = '', to = '']) => ({ fault, file: path, from, to })),
);

guarantee<Module>(
  'an attempt that turns processing while the worker looks at it is not given up',
  file,
  async ({ createBatchedReconcile }) => {
    const { deps, companyId } = ground;
    const attemptId = await attemptIn('requires_action');
    await endAgo(attemptId, 1);
    say('decides', { kind: 'void' });
    const { inBothModes } = deps.db;
    const db: typeof deps.db = {
      ...deps.db,
      // The news comes just after the worker's first look.
      inBothModes: async (...call) => {
        const seen = await inBothModes(...call);
        const outcome = processing;
        await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
        return seen;
      },
    };
    const work = createBatchedReconcile({ ...deps, db })({ companyId, attemptId });
    await assert.rejects(work, { name: 'AttemptNotFinalError' });
    assert.equal(cancelsOf(attemptId), 0);
  },
  [
    {
      fault: 'the state of an older look decides',
      file,
      from: 'shouldCancel: ({ state }) => state',
      to: 'shouldCancel: () => attempt.state',
    },
  ],
);

guarantee<Module>(
  'the worker hands an attempt to a person once, and no earlier than three days after the customer’s time has ended',
  file,
  async ({ reconcileAttempt }) => {
    const { deps, companyId } = ground;
    const check = async (state: State, agoMs: number) => {
      const attemptId = await attemptIn(state);
      await endAgo(attemptId, agoMs);
      say(state === 'processing' ? 'decides' : 'silent', action);
      for (const _time of [1, 2])
        await assert.rejects(reconcileAttempt(deps, { companyId, attemptId }), {
          name: 'AttemptNotFinalError',
        });
      const isDue = agoMs > escalateMs;
      assert.equal(await escalationsOf(attemptId), isDue ? 1 : 0, `${state}, ${agoMs} ms after the end`);
    };
    for (const state of Object.keys(states) as State[])
      for (const agoMs of [-1, 1, escalateMs - 1, escalateMs, escalateMs + 1]) await check(state, agoMs);
    // An attempt of before its end was noted has 15 minutes.
    for (const [ageMs, expected] of [
      [lifeMs + escalateMs - 1, 0],
      [lifeMs + escalateMs + 1, 1],
    ] as const) {
      const attemptId = await attemptIn('processing');
      await ground.query('update attempts set expires_at = null, created_at = $2 where attempt_id = $1', [
        attemptId,
        new Date(ground.clock.now().getTime() - ageMs),
      ]);
      say('decides', { kind: 'void' });
      await assert.rejects(reconcileAttempt(deps, { companyId, attemptId }));
      assert.equal(await escalationsOf(attemptId), expected);
    }
    const proof = fc.asyncProperty(fc.constantFrom(...(Object.keys(states) as State[])), pastEnd, check);
    await fc.assert(proof, { numRuns: 20 });
  },
  [
    [
      'three days count from when it began',
      file,
      'now.getTime() - end.getTime()',
      'now.getTime() - attempt.createdAt.getTime() + 1',
    ],
    ['it escalates as soon as the time is over', file, '> escalateAfterMs', '> 0'],
    ['it escalates at three days', file, '> escalateAfterMs', '>= escalateAfterMs'],
    ['it never escalates', file, '> escalateAfterMs', '> escalateAfterMs * 1000'],
    [
      'a day is half a day',
      'src/payments/case-store.ts',
      '3 * 24 * 60 * 60 * 1000',
      '3 * 12 * 60 * 60 * 1000',
    ],
    [
      'it escalates at each look',
      'src/payments/case-store.ts',
      'where company_id = $1 and attempt_id = $2 and escalated_at is null\n    and state in',
      'where company_id = $1 and attempt_id = $2\n       and state in',
    ],
    [
      'the end is that of all processors',
      'src/attempts/attempt-request.ts',
      'return attempt.expiresAt ?? new Date(',
      'return new Date(',
    ],
    [
      'an attempt without an end has none',
      'src/attempts/attempt-request.ts',
      'attempt.createdAt.getTime() + defaultActionTtlMs',
      'attempt.createdAt.getTime() + defaultActionTtlMs * 99',
    ],
  ].map(([fault = '', path = '', from = '', to = '']) => ({ fault, file: path, from, to })),
);

guarantee<Module>(
  'what the worker learns while it gives an attempt up counts: money that came meanwhile pays',
  file,
  async (module) => {
    const { deps, companyId } = ground;
    for (const [cancelled, state, payment] of [
      [taken('ch_2'), 'succeeded', 'paid'],
      [{ kind: 'void' }, 'cancelled', 'open'],
      [{ kind: 'declined', reference: 'ch_2', code: 'generic_decline' }, 'declined', 'failed'],
      [processing, 'processing', 'processing'],
      [action, 'requires_action', 'processing'],
    ] as const) {
      const attemptId = await attemptIn('requires_action');
      await endAgo(attemptId, 1);
      say('waits', cancelled);
      const work = (module.reconcileAttempt ?? reconcileAttempt)(deps, { companyId, attemptId });
      await work.catch((error: Error) => assert.equal(error.name, 'AttemptNotFinalError'));
      const current = await ground.statusOf(attemptId);
      assert.deepEqual([current.attempt.state, current.payment.state], [state, payment]);
      assert.equal(current.entries.length, state === 'succeeded' ? 1 : 0);
    }
    await ground.checkLedger();
  },
  [
    [
      'giving up is taken for the end, whatever the processor says',
      settleFile,
      'return await processor.cancel(request, signal);\n    const reported',
      "{ await processor.cancel(request, signal); return { kind: 'void' }; }\n    const reported",
    ],
    [
      'what the processor says when asked to give up is not recorded',
      settleFile,
      'return await processor.cancel(request, signal);\n    const reported',
      '{ await processor.cancel(request, signal); return null; }\n    const reported',
    ],
  ].map(([fault = '', path = '', from = '', to = '']) => ({ fault, file: path, from, to })),
);
