// Guarantees about cancelling: a void attempt can never take money, and a paid one stays paid.

import assert from 'node:assert/strict';
import type { AttemptOutcome, AuthoriseRequest } from '../../../src/processors/processor.ts';
import { until } from '../../harness/process.ts';
import { linkLifeMs } from '../kit/rig.ts';
import { act, type Bench, type Guarantee, openAttempt, payWhole, type QueryResult } from './bench.ts';

/** The customer tries to pay anyway. A missing page or button counts as a refusal. */
async function tryToPay(bench: Bench, result: QueryResult): Promise<void> {
  await act(bench, 'pass', result).catch(() => undefined);
}

async function assertNeverTaken(bench: Bench, request: AuthoriseRequest): Promise<void> {
  assert.notEqual((await bench.query(request))?.kind, 'succeeded');
  assert.deepEqual(await bench.moneyOf(request.attemptId), []);
}

/** The allowed results of `cancel` for an attempt on which the customer has not acted. */
function assertGivenUp(bench: Bench, kind: AttemptOutcome['kind']): void {
  if (bench.features.cancelsOpen) assert.equal(kind, 'void');
  else assert.ok(kind === 'void' || kind === 'requires_action' || kind === 'processing', kind);
}

export const ending: readonly Guarantee[] = [
  {
    title: 'an attempt cancelled before its start can never charge, even if it starts late',
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
    title: 'an attempt cancelled while its start is in transit charges nothing',
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
    title: 'an attempt cancelled while it waits for the customer charges nothing',
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
    title: 'an attempt without a known reference can be cancelled by its key',
    applies: ({ cancelsOpen }) => cancelsOpen,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      assert.equal((await bench.cancel({ ...request, processorReference: null })).kind, 'void');
      await tryToPay(bench, outcome);
      await assertNeverTaken(bench, request);
    },
  },
  {
    title: 'an attempt cancelled after the customer approved charges nothing',
    applies: ({ capturesSeparately }) => capturesSeparately,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await act(bench, 'pass', outcome);
      assert.equal((await bench.cancel(request)).kind, 'void');
      assert.deepEqual(await bench.moneyOf(request.attemptId), []);
    },
  },
  {
    title: 'cancelling a paid attempt returns that it is paid, and refunds nothing',
    prove: async (bench) => {
      const paid = await payWhole(bench);
      const before = await bench.rig.money();
      const { amountMinor, currency } = paid;
      for (const request of [paid, { ...paid, processorReference: null }]) {
        const result = await bench.cancel(request);
        assert.deepEqual(
          { ...result, reference: '' },
          { kind: 'succeeded', amountMinor, currency, reference: '' },
        );
      }
      assert.deepEqual(await bench.rig.money(), before);
    },
  },
  {
    title: 'a session expires at the requested time, and can then no longer be paid',
    applies: ({ expires }) => expires,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await bench.rig.advanceMs(linkLifeMs / 2);
      assert.equal((await bench.query(request))?.kind, 'requires_action', 'not before its time');
      await bench.rig.advanceMs(linkLifeMs / 2 + 60_000);
      await tryToPay(bench, outcome);
      const result = await bench.query(request);
      assert.ok(result?.kind === 'void' || result?.kind === 'declined', `it is over, not ${result?.kind}`);
      assert.deepEqual(await bench.moneyOf(request.attemptId), []);
    },
  },
];
