// What every processor that is reached over a network owes to payments when the network or the processor
// fails: "unavailable" only when nothing was begun, else an exception, and the truth once it can be asked.

import assert from 'node:assert/strict';
import type { Fault } from '../kit/control.ts';
import { withReference } from '../kit/rig.ts';
import {
  act,
  type Bench,
  finish,
  type Guarantee,
  guardMs,
  loseAnswer,
  newRefund,
  openAttempt,
  payWhole,
} from './bench.ts';

const isRemote: Guarantee['applies'] = (features) => features.isRemote;

/** After these nobody knows. `isDone`: whether what was asked for has been done all the same. */
const unclear: readonly { what: string; fault: Fault; isDone: boolean }[] = [
  { what: 'a 500 that was done', fault: { kind: 'status', status: 500, does: true }, isDone: true },
  { what: 'a 503 that was done', fault: { kind: 'status', status: 503, does: true }, isDone: true },
  { what: 'a 500 that was not done', fault: { kind: 'status', status: 500, does: false }, isDone: false },
  { what: 'a connection lost before any answer', fault: { kind: 'reset', does: true }, isDone: true },
  { what: 'silence', fault: { kind: 'hang', does: true }, isDone: true },
  { what: 'half of an answer', fault: { kind: 'half' }, isDone: true },
  { what: 'nonsense that was done', fault: { kind: 'garbage', does: true }, isDone: true },
  { what: 'nonsense that was not done', fault: { kind: 'garbage', does: false }, isDone: false },
];

function authoriseRoute({ rig }: Bench): string {
  assert.ok(rig.routes, 'what is reached over a network has routes');
  return rig.routes.authorise;
}

/** Fails unless a call ends soon after its signal fires. */
async function assertStops(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const gaveUp = new AbortController();
  const hangGuard = AbortSignal.timeout(8_000);
  setTimeout(() => gaveUp.abort(new Error('waited long enough')), 150);
  const isLate = new Promise((_, reject) => {
    hangGuard.addEventListener('abort', () => reject(new Error('it went on after its signal')));
  });
  const ended = call(gaveUp.signal).then(
    () => 'answered',
    () => 'stopped',
  );
  assert.equal(await Promise.race([ended, isLate]), 'stopped');
}

/** The same attempt is asked about, and paid, once all is well again. */
async function assertTruthAfter(bench: Bench, fault: Fault, isDone: boolean): Promise<void> {
  const request = bench.newRequest();
  const route = authoriseRoute(bench);
  await bench.rig.control({ outage: { fault, route, times: 1 } });
  // Long enough for what is done in silence to be done, and short enough to wait for.
  const signal = AbortSignal.timeout(fault.kind === 'hang' ? 1_500 : guardMs);
  await assert.rejects(bench.authorise(request, signal), `${JSON.stringify(fault)} is no answer`);
  await bench.rig.control({ outage: null });
  const said = await bench.query(request);
  if (!isDone && bench.features.findsByKey) {
    assert.ok(said === null || said.kind === 'void');
    return;
  }
  assert.equal(said?.kind, 'requires_action', `after ${JSON.stringify(fault)} it is found by its key`);
  await act(bench, 'pay', said);
  const paid = await finish(bench, withReference(request, said));
  assert.equal(paid?.kind, 'succeeded');
  assert.equal((await bench.moneyOf(request.attemptId)).length, 1);
}

export const outages: readonly Guarantee[] = [
  {
    title: 'a processor that cannot be reached is unavailable, and nothing was begun there',
    applies: isRemote,
    prove: async (bench) => {
      const request = bench.newRequest();
      await bench.rig.control({ outage: { fault: { kind: 'refuse' } } });
      assert.equal((await bench.authorise(request)).kind, 'unavailable');
      await bench.rig.control({ outage: null });
      if (bench.features.findsByKey) assert.equal(await bench.query(request), null);
      assert.deepEqual(await bench.moneyOf(request.attemptId), []);
    },
  },
  ...unclear.map(({ what, fault, isDone }) => ({
    title: `${what}, where an attempt is begun, throws, and asked later it tells the truth`,
    applies: isRemote,
    prove: async (bench: Bench) => await assertTruthAfter(bench, fault, isDone),
  })),
  {
    title: 'an attempt that it was asked to begin twice, because the first answer was lost, is charged once',
    applies: isRemote,
    prove: async (bench) => {
      const request = bench.newRequest();
      await loseAnswer(bench, authoriseRoute(bench));
      await assert.rejects(bench.authorise(request));
      const outcome = await bench.authorise(request);
      await act(bench, 'pay', outcome);
      assert.equal((await finish(bench, withReference(request, outcome)))?.kind, 'succeeded');
      assert.equal((await bench.moneyOf(request.attemptId)).length, 1);
    },
  },
  {
    title: 'money whose taking was answered by nothing was taken once',
    applies: ({ capturesSeparately }) => capturesSeparately,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await act(bench, 'pass', outcome);
      assert.ok(bench.rig.routes?.capture);
      await loseAnswer(bench, bench.rig.routes.capture);
      await assert.rejects(bench.capture(request));
      assert.equal((await bench.query(request))?.kind, 'succeeded');
      assert.equal((await bench.capture(request)).kind, 'succeeded');
      assert.equal((await bench.moneyOf(request.attemptId)).length, 1);
    },
  },
  {
    title: 'giving up that was answered by nothing throws, and asked again says that it is void',
    applies: (features) => features.isRemote && features.cancelsOpen,
    prove: async (bench) => {
      const { request } = await openAttempt(bench);
      await bench.rig.control({ outage: { fault: { kind: 'half' }, times: 1 } });
      await assert.rejects(bench.cancel(request));
      assert.equal((await bench.cancel(request)).kind, 'void');
    },
  },
  {
    title: 'no question is answered by a processor that is down: each throws',
    applies: isRemote,
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const { request } = await openAttempt(bench);
      const moment = bench.rig.now();
      const from = new Date(moment.getTime() - 60_000);
      const faults: Fault[] = [
        { kind: 'refuse' },
        { kind: 'status', status: 500, does: false },
        { kind: 'status', status: 503, does: false },
        { kind: 'garbage', does: false },
        { kind: 'reset', does: false },
      ];
      for (const fault of faults) {
        await bench.rig.control({ outage: { fault } });
        const down = `${JSON.stringify(fault)} is no answer`;
        await assert.rejects(bench.query(request), down);
        await assert.rejects(bench.query({ ...request, processorReference: null }), down);
        await assert.rejects(bench.cancel(request), down);
        await assert.rejects(bench.refund(newRefund(bench, paid, 1)), down);
        await assert.rejects(bench.list(from, moment), down);
      }
      await bench.rig.control({ outage: null });
      assert.equal((await bench.query(request))?.kind, 'requires_action');
    },
  },
  {
    title: 'every call stops when its signal fires',
    applies: isRemote,
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const refund = newRefund(bench, paid, 1);
      await bench.rig.control({ outage: { fault: { kind: 'hang', does: false } } });
      await assertStops(async (signal) => await bench.authorise(bench.newRequest(), signal));
      await assertStops(async (signal) => await bench.query(paid, signal));
      await assertStops(async (signal) => await bench.cancel(bench.newRequest(), signal));
      await assertStops(async (signal) => await bench.refund(refund, signal));
      await assertStops(async (signal) => await bench.check(bench.connection, signal));
    },
  },
  {
    title: 'a charge that is waited for in vain stops when its signal fires',
    applies: (features) => !features.isRemote,
    prove: async (bench) => {
      const request = bench.newRequest({ card: bench.rig.cardFor('never_answer') });
      await assertStops(async (signal) => await bench.authorise(request, signal));
    },
  },
  {
    title: 'a charge whose answer is lost throws, and asked later it tells the truth',
    applies: (features) => !features.isRemote,
    prove: async (bench) => {
      const request = bench.newRequest({ card: bench.rig.cardFor('lose_answer') });
      await assert.rejects(bench.authorise(request));
      assert.equal((await bench.query(request))?.kind, 'succeeded');
      assert.equal((await bench.authorise(request)).kind, 'succeeded');
      assert.equal((await bench.moneyOf(request.attemptId)).length, 1);
    },
  },
];
