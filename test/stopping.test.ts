// Workers do not wait for requests before they stop: both times together would exceed the limit of a stop.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workersGoOnMs } from '../src/app.ts';
import { runningJobsMs } from '../src/jobs/queue.ts';
import type { Processor } from '../src/processors/processor.ts';
import { requestsWithinMs, stopWithinMs } from '../src/serve.ts';
import { onlyProcessor } from './acquirer/acquirer-processor.ts';
import { createLinkAs, logIn } from './harness/client.ts';
import { startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import { fillCard, visit } from './harness/visitor.ts';

test('workers begin to stop while a request is in progress, and it still gets its response', async () => {
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
  const { jobs, webhooks } = paylink.app.deps;
  const stopped: string[] = [];
  for (const [name, worker] of Object.entries({ jobs, webhooks })) {
    const { stop } = worker;
    worker.stop = async () => {
      await stop();
      stopped.push(name);
    };
  }
  const { link } = await createLinkAs(paylink, await logIn(paylink));
  const { action, body } = fillCard(await visit(link), { number: '4242424242424242' });
  const answer = fetch(action, { method: 'POST', body, redirect: 'manual' });
  await asked.promise;
  const stopping = paylink.stop();
  try {
    await until(() => stopped.length === 2, 'the workers to stop', 15_000);
  } finally {
    held.resolve();
    assert.equal((await answer).status, 303);
    await stopping;
  }
});

test('the steps of a stop fit into its time limit', () => {
  // The rest is for pg-boss to notice the last job, for the database and for the log.
  const spareMs = 4_000;
  assert.ok(Math.max(requestsWithinMs, workersGoOnMs + runningJobsMs) + spareMs <= stopWithinMs);
});
