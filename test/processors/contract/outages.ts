// Network and processor failures: `unavailable` only when nothing was started, else an exception, and the
// actual outcome once the processor responds again.

import assert from 'node:assert/strict';
import type { Fault } from '../kit/control.ts';
import { withReference } from '../kit/rig.ts';
import {
  act,
  type Bench,
  finish,
  type Guarantee,
  guardMs,
  loseResponse,
  newRefund,
  openAttempt,
  payWhole,
} from './bench.ts';

const isRemote: Guarantee['applies'] = (features) => features.isRemote;

/** Faults after which the outcome is unknown. */
const unclear: readonly { what: string; fault: Fault }[] = [
  { what: 'a 500 after the action', fault: { kind: 'status', status: 500, isPerformed: true } },
  { what: 'a 503 after the action', fault: { kind: 'status', status: 503, isPerformed: true } },
  { what: 'a 500 without the action', fault: { kind: 'status', status: 500, isPerformed: false } },
  { what: 'a connection reset', fault: { kind: 'reset', isPerformed: true } },
  { what: 'no response', fault: { kind: 'hang', isPerformed: true } },
  { what: 'half a response', fault: { kind: 'half' } },
  { what: 'a malformed response after the action', fault: { kind: 'garbage', isPerformed: true } },
  { what: 'a malformed response without the action', fault: { kind: 'garbage', isPerformed: false } },
];

function authoriseRoute({ rig }: Bench): string {
  assert.ok(rig.routes, 'a remote processor has routes');
  return rig.routes.authorise;
}

/** Fails unless a call ends soon after its signal fires. */
async function assertStops(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const caller = new AbortController();
  const hangGuard = AbortSignal.timeout(8_000);
  setTimeout(() => caller.abort(new Error('waited long enough')), 150);
  const isLate = new Promise((_, reject) => {
    hangGuard.addEventListener('abort', () => reject(new Error('the call continued after its signal')));
  });
  const ended = call(caller.signal).then(
    () => 'completed',
    () => 'stopped',
  );
  assert.equal(await Promise.race([ended, isLate]), 'stopped');
}

/** Fails unless the attempt is found, and can be paid, once the processor works again. */
async function assertRecovers(bench: Bench, fault: Fault): Promise<void> {
  const request = bench.newRequest();
  const route = authoriseRoute(bench);
  await bench.rig.control({ outage: { fault, route, times: 1 } });
  // Long enough for the hanging action to complete.
  const signal = AbortSignal.timeout(fault.kind === 'hang' ? 1_500 : guardMs);
  await assert.rejects(bench.authorise(request, signal), `${JSON.stringify(fault)} must throw`);
  await bench.rig.control({ outage: null });
  const result = await bench.query(request);
  const isPerformed = fault.kind === 'half' || ('isPerformed' in fault && fault.isPerformed);
  if (!isPerformed && bench.features.findsByKey) return assert.ok(result === null || result.kind === 'void');
  assert.equal(
    result?.kind,
    'requires_action',
    `after ${JSON.stringify(fault)} the attempt is found by its key`,
  );
  await act(bench, 'pay', result);
  const paid = await finish(bench, withReference(request, result));
  assert.equal(paid?.kind, 'succeeded');
  assert.equal((await bench.moneyOf(request.attemptId)).length, 1);
}

export const outages: readonly Guarantee[] = [
  {
    title: 'an unreachable processor is unavailable, and nothing was started',
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
  ...unclear.map(({ what, fault }) => ({
    title: `${what} on creation throws, and a later query returns the outcome`,
    applies: isRemote,
    prove: async (bench: Bench) => await assertRecovers(bench, fault),
  })),
  {
    title: 'an attempt repeated after a lost response is charged once',
    applies: isRemote,
    prove: async (bench) => {
      const request = bench.newRequest();
      await loseResponse(bench, authoriseRoute(bench));
      await assert.rejects(bench.authorise(request));
      const outcome = await bench.authorise(request);
      await act(bench, 'pay', outcome);
      assert.equal((await finish(bench, withReference(request, outcome)))?.kind, 'succeeded');
      assert.equal((await bench.moneyOf(request.attemptId)).length, 1);
    },
  },
  {
    title: 'a capture whose response is lost captures once',
    applies: ({ capturesSeparately }) => capturesSeparately,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await act(bench, 'pass', outcome);
      assert.ok(bench.rig.routes?.capture);
      await loseResponse(bench, bench.rig.routes.capture);
      await assert.rejects(bench.capture(request));
      assert.equal((await bench.query(request))?.kind, 'succeeded');
      assert.equal((await bench.capture(request)).kind, 'succeeded');
      assert.equal((await bench.moneyOf(request.attemptId)).length, 1);
    },
  },
  {
    title: 'a cancel without a response throws, and a second one returns void',
    applies: (features) => features.isRemote && features.cancelsOpen,
    prove: async (bench) => {
      const { request } = await openAttempt(bench);
      await bench.rig.control({ outage: { fault: { kind: 'half' }, times: 1 } });
      await assert.rejects(bench.cancel(request));
      assert.equal((await bench.cancel(request)).kind, 'void');
    },
  },
  {
    title: 'every call throws while the processor is down',
    applies: isRemote,
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const { request } = await openAttempt(bench);
      const moment = bench.rig.now();
      const from = new Date(moment.getTime() - 60_000);
      const faults: Fault[] = [
        { kind: 'refuse' },
        { kind: 'status', status: 500, isPerformed: false },
        { kind: 'status', status: 503, isPerformed: false },
        { kind: 'garbage', isPerformed: false },
        { kind: 'reset', isPerformed: false },
      ];
      for (const fault of faults) {
        await bench.rig.control({ outage: { fault } });
        const down = `${JSON.stringify(fault)} must throw`;
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
      await bench.rig.control({ outage: { fault: { kind: 'hang', isPerformed: false } } });
      await assertStops(async (signal) => await bench.authorise(bench.newRequest(), signal));
      await assertStops(async (signal) => await bench.query(paid, signal));
      await assertStops(async (signal) => await bench.cancel(bench.newRequest(), signal));
      await assertStops(async (signal) => await bench.refund(refund, signal));
      await assertStops(async (signal) => await bench.check(bench.connection, signal));
    },
  },
  {
    title: 'a charge without a response stops when its signal fires',
    applies: (features) => !features.isRemote,
    prove: async (bench) => {
      const request = bench.newRequest({ card: bench.rig.cardFor('never_answer') });
      await assertStops(async (signal) => await bench.authorise(request, signal));
    },
  },
  {
    title: 'a charge whose response is lost throws, and a later query returns the outcome',
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
