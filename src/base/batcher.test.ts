import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  type BatchItemResult,
  createBatcher,
  createSharedBatcher,
  dedupe,
  serializeByKey,
} from './batcher.ts';

/** A batch function that the test releases, and the items it got. */
function createRecorder(
  response: (item: string) => BatchItemResult<string> = (item) => ({ value: item.toUpperCase() }),
) {
  const batches: { key: string; items: readonly string[]; go: (error?: Error) => void }[] = [];
  const runBatch = (key: string, items: readonly string[]) =>
    new Promise<BatchItemResult<string>[]>((resolve, reject) => {
      const go = (error?: Error) => (error ? reject(error) : resolve(items.map(response)));
      batches.push({ key, items, go });
    });
  return { batches, runBatch };
}

const never = () => false;
const always = () => true;

test('calls that arrive during a batch form the next batch, and each gets its own result', async () => {
  const { batches, runBatch } = createRecorder();
  const call = createBatcher({ runBatch, maxItems: 10, mayBeOfOne: never });
  const first = [call('k', 'a'), call('k', 'b')];
  await nextTurn();
  const second = [call('k', 'c'), call('k', 'd'), call('k', 'e')];
  await nextTurn();
  assert.deepEqual(
    batches.map(({ items }) => items),
    [['a', 'b']],
  );
  batches[0]?.go();
  assert.deepEqual(await Promise.all(first), ['A', 'B']);
  batches[1]?.go();
  assert.deepEqual(await Promise.all(second), ['C', 'D', 'E']);
  assert.equal(batches.length, 2);
});

test('calls of different keys do not wait for each other', async () => {
  const { batches, runBatch } = createRecorder();
  const call = createBatcher({ runBatch, maxItems: 10, mayBeOfOne: never });
  const slow = call('one', 'a');
  const quick = call('two', 'b');
  await nextTurn();
  batches.find(({ key }) => key === 'two')?.go();
  assert.equal(await quick, 'B');
  batches.find(({ key }) => key === 'one')?.go();
  assert.equal(await slow, 'A');
});

test('a batch never exceeds its limit, and every call is done', async () => {
  const sizes: number[] = [];
  const call = createBatcher<number, number>({
    runBatch: async (_key, items) => {
      sizes.push(items.length);
      return items.map((value) => ({ value }));
    },
    maxItems: 3,
    mayBeOfOne: never,
  });
  const numbers = Array.from({ length: 8 }, (_, index) => index);
  assert.deepEqual(await Promise.all(numbers.map((number) => call('k', number))), numbers);
  assert.deepEqual(sizes, [3, 3, 2]);
});

test('the error of one outcome reaches only its caller', async () => {
  const call = createBatcher<string, string>({
    runBatch: async (_key, items) =>
      items.map((item) => (item === 'bad' ? { error: new Error('bad') } : { value: item })),
    maxItems: 10,
    mayBeOfOne: never,
  });
  const [good, bad] = await Promise.allSettled([call('k', 'good'), call('k', 'bad')]);
  assert.equal(good.status, 'fulfilled');
  assert.equal(bad.status === 'rejected' && bad.reason.message, 'bad');
});

test('a batch that one item may have failed is repeated item by item, and the others succeed', async () => {
  const call = createBatcher<string, string>({
    runBatch: async (_key, items) => {
      if (items.includes('bad')) throw new Error('spoiled');
      return items.map((value) => ({ value }));
    },
    maxItems: 10,
    mayBeOfOne: always,
  });
  const settled = await Promise.allSettled(['a', 'bad', 'b'].map((item) => call('k', item)));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a batch that failed as a whole is not repeated, and the next call runs', async () => {
  const { batches, runBatch } = createRecorder();
  const call = createBatcher({ runBatch, maxItems: 10, mayBeOfOne: never });
  const both = Promise.allSettled([call('k', 'a'), call('k', 'b')]);
  await nextTurn();
  batches[0]?.go(new Error('no connection'));
  assert.ok((await both).every(({ status }) => status === 'rejected'));
  assert.equal(batches.length, 1);
  const next = call('k', 'c');
  await nextTurn();
  batches[1]?.go();
  assert.equal(await next, 'C');
});

test('an item without an outcome is rejected', async () => {
  const call = createBatcher<string, string>({
    runBatch: async () => [],
    maxItems: 10,
    mayBeOfOne: never,
  });
  await assert.rejects(call('k', 'a'), /no outcome/);
});

test('equal queries of a batch run once, and a query without a result gets none', async () => {
  const questions: (readonly string[])[] = [];
  const query = createBatcher({
    runBatch: dedupe<string, number>(
      (item) => item,
      async (_key, items) => {
        questions.push(items);
        return new Map(items.filter((item) => item !== 'unknown').map((item) => [item, item.length]));
      },
    ),
    maxItems: 10,
    mayBeOfOne: never,
  });
  const responses = await Promise.all(['aa', 'unknown', 'aa', 'b'].map((item) => query('k', item)));
  assert.deepEqual(responses, [2, undefined, 2, 1]);
  assert.deepEqual(questions, [['aa', 'unknown', 'b']]);
});

test('calls that wait behind a slow batch run beside it, and at most four batches run at once', async () => {
  const { batches, runBatch } = createRecorder();
  const call = createBatcher({ runBatch, maxItems: 10, mayBeOfOne: never, besideAfterMs: 1 });
  const responses: Promise<string>[] = [];
  for (const [index, item] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    responses.push(call('k', item));
    while (batches.length < Math.min(index + 1, 4)) await nextTurn();
  }
  await pause(20);
  assert.deepEqual(
    batches.map(({ items }) => items),
    [['a'], ['b'], ['c'], ['d']],
  );
  batches[2]?.go();
  assert.equal(await responses[2], 'C');
  while (batches.length < 5) await nextTurn();
  for (const index of [4, 3, 1, 0]) batches[index]?.go();
  assert.deepEqual(await Promise.all(responses), ['A', 'B', 'C', 'D', 'E']);
  const next = call('k', 'f');
  while (batches.length < 6) await nextTurn();
  batches[5]?.go();
  assert.equal(await next, 'F');
});

test('items of one ID run in order, and results keep their positions', async () => {
  const turns: string[][] = [];
  const results = await serializeByKey(
    ['a1', 'b1', 'a2', 'c1', 'a3', 'c2'],
    (item) => item.slice(0, 1),
    async (items) => {
      turns.push([...items]);
      return items.map((item) => item.toUpperCase());
    },
  );
  assert.deepEqual(turns, [['a1', 'b1', 'c1'], ['a2', 'c2'], ['a3']]);
  assert.deepEqual(results, ['A1', 'B1', 'A2', 'C1', 'A3', 'C2']);
});

test('calls with the same dependencies share batches, and others do not wait for them', async () => {
  const { batches, runBatch } = createRecorder();
  const call = createSharedBatcher(() => ({ runBatch, maxItems: 10, mayBeOfOne: never }));
  const deps = {};
  const responses = [call(deps, 'k', 'a'), call(deps, 'k', 'b'), call({}, 'k', 'c')];
  await nextTurn();
  assert.deepEqual(
    batches.map(({ items }) => items),
    [['a', 'b'], ['c']],
  );
  for (const { go } of batches) go();
  assert.deepEqual(await Promise.all(responses), ['A', 'B', 'C']);
});
