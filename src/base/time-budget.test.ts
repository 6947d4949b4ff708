import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { createBatcher } from './batcher.ts';
import {
  createTimeBudget,
  remainingBudgetMs,
  runOnAtLeast,
  runWithBudget,
  TimeBudgetExceededError,
  trackWait,
  waitWithinBudget,
} from './time-budget.ts';

let nowMs = 0;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  mock.method(performance, 'now', () => nowMs);
});
afterEach(() => {
  mock.reset();
  mock.timers.reset();
});

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    nowMs += 10;
    mock.timers.tick(10);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}

const nothing = () => undefined;
const forever = async () => await new Promise<never>(nothing);

test('waits share the time of their budget, and no wait begins after it is spent', async () => {
  await runWithBudget(createTimeBudget(1_000), async () => {
    const wait = Promise.withResolvers<void>();
    const first = trackWait(wait.promise);
    await pass(600);
    wait.resolve();
    await first;
    assert.equal(remainingBudgetMs(), 400);
    const second = assert.rejects(waitWithinBudget(forever, nothing), TimeBudgetExceededError);
    await pass(400);
    await second;
    let hasBegun = false;
    const work = async () => {
      hasBegun = true;
    };
    await assert.rejects(waitWithinBudget(work, nothing), TimeBudgetExceededError);
    assert.throws(remainingBudgetMs, TimeBudgetExceededError);
    assert.equal(hasBegun, false);
  });
});

test('waits that overlap count once', async () => {
  await runWithBudget(createTimeBudget(1_000), async () => {
    const wait = Promise.withResolvers<void>();
    const waits = [trackWait(wait.promise), trackWait(wait.promise), trackWait(wait.promise)];
    await pass(300);
    wait.resolve();
    await Promise.all(waits);
    assert.equal(remainingBudgetMs(), 700);
  });
});

test('time outside of waits refills a budget up to its limit', async () => {
  await runWithBudget(createTimeBudget(1_000), async () => {
    const wait = Promise.withResolvers<void>();
    const first = trackWait(wait.promise);
    await pass(800);
    wait.resolve();
    await first;
    await pass(300);
    assert.equal(remainingBudgetMs(), 500);
    await pass(9_000);
    assert.equal(remainingBudgetMs(), 1_000);
  });
});

test('work without a budget waits without a limit', async () => {
  assert.equal(remainingBudgetMs(), null);
  await runWithBudget(createTimeBudget(10), async () =>
    runWithBudget(null, async () => {
      assert.equal(remainingBudgetMs(), null);
    }),
  );
});

test('final work gets its own time only if the budget is nearly or fully spent', async () => {
  const spent: number[] = [];
  await runWithBudget(
    createTimeBudget(1_000, ({ limitMs }) => spent.push(limitMs)),
    async () => {
      runOnAtLeast(300, () => assert.equal(remainingBudgetMs(), 1_000));
      await assert.rejects(
        Promise.all([waitWithinBudget(forever, nothing), pass(1_000)]),
        TimeBudgetExceededError,
      );
      await runOnAtLeast(300, async () => {
        assert.equal(remainingBudgetMs(), 300);
        await assert.rejects(
          Promise.all([waitWithinBudget(forever, nothing), pass(300)]),
          TimeBudgetExceededError,
        );
      });
    },
  );
  assert.deepEqual(spent, [1_000, 300]);
  await runWithBudget(null, async () => runOnAtLeast(300, () => assert.equal(remainingBudgetMs(), null)));
});

test('a batched call ends with its own budget, and does not begin if it was still waiting', async () => {
  const batches: string[][] = [];
  const batched = createBatcher<string, void>({
    runBatch: async (_, items) => {
      batches.push([...items]);
      return await forever();
    },
    maxItems: 10,
    mayBeOfOne: () => false,
  });
  const ends: string[] = [];
  const call = (item: string) =>
    runWithBudget(createTimeBudget(1_000), async () => await batched('k', item)).catch((error: Error) => {
      ends.push(`${item} ${error.name}`);
    });
  void call('a');
  await pass(500);
  void call('b');
  await pass(500);
  assert.deepEqual(ends, ['a TimeBudgetExceededError']);
  await pass(500);
  assert.deepEqual(ends, ['a TimeBudgetExceededError', 'b TimeBudgetExceededError']);
  assert.deepEqual(batches, [['a']]);
});

test('a batch uses the budget of its latest call', async () => {
  const left: (number | null)[] = [];
  let release: () => void = nothing;
  const batched = createBatcher<string, void>({
    runBatch: async (_, items) => {
      left.push(remainingBudgetMs());
      if (items[0] === 'a') await new Promise<void>((resolve) => (release = resolve));
      return items.map(() => ({ value: undefined }));
    },
    maxItems: 10,
    mayBeOfOne: () => false,
  });
  const call = async (item: string) =>
    await runWithBudget(createTimeBudget(1_000), async () => await batched('k', item));
  const first = call('a');
  await pass(900);
  const others = [call('b'), call('c')];
  release();
  await pass(50);
  await Promise.all([first, ...others]);
  assert.equal(left.length, 2);
  assert.ok(
    left.every((leftMs) => Number(leftMs) >= 900),
    String(left),
  );
});
