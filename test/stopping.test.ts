// The worker does not wait for requests before it stops: both times together would exceed the limit of a stop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workersGoOnMs } from '../src/app.ts';
import type { Processor } from '../src/processors/processor.ts';
import { requestsWithinMs, stopWithinMs } from '../src/serve.ts';
import { stopLimitMs } from '../src/work/worker.ts';
import { onlyProcessor } from './acquirer/acquirer-processor.ts';
import { createLinkAs, logIn } from './harness/client.ts';
import { startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { fillCard, visit } from './harness/visitor.ts';

test('the worker stops while a request is in progress, and it still gets its response', async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const processor = {
    name: 'acquirer',
    refuseCard: () => null,
    authorise: async ({ attemptId, amountMinor, currency }) => {
      asked.resolve();
      await held.promise;
      return { kind: 'succeeded', reference: attemptId, amountMinor, currency, isLastOfIt: true };
    },
    query: async () => null,
  } as Partial<Processor> as Processor;
  const paylink = await startPaylink('server', {
    isSearched: false,
    processorTimeoutMs: 60_000,
    processors: () => onlyProcessor(processor),
  });
  const { work } = paylink.app;
  const { stop } = work;
  let hasStopped = false;
  work.stop = async () => {
    await stop();
    hasStopped = true;
  };
  const { link } = await createLinkAs(paylink, await logIn(paylink));
  const { action, body } = fillCard(await visit(link), { number: '4242424242424242' });
  const answer = fetch(action, { method: 'POST', body, redirect: 'manual' });
  await asked.promise;
  const stopping = paylink.stop();
  try {
    await until(() => hasStopped, 'the worker to stop', 15_000);
  } finally {
    held.resolve();
    assert.equal((await answer).status, 303);
    await stopping;
  }
});

test('the steps of a stop fit into its time limit', () => {
  // The rest is for the database and for the log.
  const spareMs = 4_000;
  assert.ok(Math.max(requestsWithinMs, workersGoOnMs + stopLimitMs) + spareMs <= stopWithinMs);
});
