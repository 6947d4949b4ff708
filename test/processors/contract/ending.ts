// What every processor owes to payments about an attempt that is given up: what is called void can take no
// money any more, and what was paid stays paid.

import assert from 'node:assert/strict';
import type { AttemptOutcome, AuthoriseRequest } from '../../../src/processors/processor.ts';
import { until } from '../../harness/process.ts';
import { linkLifeMs } from '../kit/rig.ts';
import { act, type Bench, type Guarantee, openAttempt, payWhole, type Said } from './bench.ts';

/** The customer tries to pay all the same. A page that is not there, or has no such button, is a refusal. */
async function tryToPay(bench: Bench, said: Said): Promise<void> {
  await act(bench, 'pass', said).catch(() => undefined);
}

async function assertNeverTaken(bench: Bench, request: AuthoriseRequest): Promise<void> {
  assert.notEqual((await bench.query(request))?.kind, 'succeeded');
  assert.deepEqual(await bench.moneyOf(request.attemptId), []);
}

/** What `cancel` may answer for an attempt that the customer has not acted on. */
function assertGivenUp(bench: Bench, kind: AttemptOutcome['kind']): void {
  if (bench.features.cancelsOpen) assert.equal(kind, 'void');
  else assert.ok(kind === 'void' || kind === 'requires_action' || kind === 'processing', kind);
}

export const ending: readonly Guarantee[] = [
  {
    title: 'an attempt that was given up before it was begun can never charge, even when it is begun late',
    prove: async (bench) => {
      const request = bench.newRequest();
      const cancelled = await bench.cancel(request);
      assertGivenUp(bench, cancelled.kind);
      if (cancelled.kind !== 'void') return await assertNeverTaken(bench, request);
      const late = await bench.authorise(request).catch(() => null);
      assert.notEqual(late?.kind, 'succeeded');
      await tryToPay(bench, late);
      await assertNeverTaken(bench, request);
    },
  },
  {
    title: 'an attempt that is given up while its beginning is still on its way takes no money afterwards',
    applies: ({ isRemote }) => isRemote,
    prove: async (bench) => {
      const request = bench.newRequest();
      const fault = { kind: 'slow', delayMs: 400, waits: 'before' } as const;
      const route = bench.rig.routes?.authorise;
      assert.ok(route);
      await bench.rig.control({ outage: { fault, route, times: 1 } });
      const beginning = bench.authorise(request).catch(() => null);
      await until(async () => (await bench.rig.control({})).hits === 1, 'the request to be on its way');
      const cancelled = await bench.cancel(request);
      const late = await beginning;
      if (cancelled.kind !== 'void') return assertGivenUp(bench, cancelled.kind);
      assert.notEqual(late?.kind, 'succeeded');
      await tryToPay(bench, late);
      await assertNeverTaken(bench, request);
    },
  },
  {
    title: 'an attempt that was given up while it waited for the customer takes no money afterwards',
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      const cancelled = await bench.cancel(request);
      assertGivenUp(bench, cancelled.kind);
      assert.deepEqual((await bench.cancel(request)).kind, cancelled.kind, 'a second time it says the same');
      if (cancelled.kind !== 'void') return;
      await tryToPay(bench, outcome);
      await assertNeverTaken(bench, request);
    },
  },
  {
    title: 'an attempt whose answer is not known is given up by its key alone',
    applies: ({ cancelsOpen }) => cancelsOpen,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      assert.equal((await bench.cancel({ ...request, processorReference: null })).kind, 'void');
      await tryToPay(bench, outcome);
      await assertNeverTaken(bench, request);
    },
  },
  {
    title: 'an attempt that the customer has agreed to and that is given up then takes no money',
    applies: ({ capturesSeparately }) => capturesSeparately,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await act(bench, 'pass', outcome);
      assert.equal((await bench.cancel(request)).kind, 'void');
      assert.deepEqual(await bench.moneyOf(request.attemptId), []);
    },
  },
  {
    title: 'giving up an attempt that was paid says that it was paid, and gives nothing back',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const before = await bench.rig.money();
      const { amountMinor, currency } = paid;
      for (const request of [paid, { ...paid, processorReference: null }]) {
        const said = await bench.cancel(request);
        assert.deepEqual(
          { ...said, reference: '' },
          { kind: 'succeeded', amountMinor, currency, reference: '' },
        );
      }
      assert.deepEqual(await bench.rig.money(), before);
    },
  },
  {
    title: 'a session ends at the moment that was asked for, and the customer can pay no more',
    applies: ({ expires }) => expires,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await bench.rig.advanceMs(linkLifeMs / 2);
      assert.equal((await bench.query(request))?.kind, 'requires_action', 'not before its time');
      await bench.rig.advanceMs(linkLifeMs / 2 + 60_000);
      await tryToPay(bench, outcome);
      const said = await bench.query(request);
      assert.ok(said?.kind === 'void' || said?.kind === 'declined', `it is over, not ${said?.kind}`);
      assert.deepEqual(await bench.moneyOf(request.attemptId), []);
    },
  },
];
