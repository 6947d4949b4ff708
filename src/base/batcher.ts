// Batches calls: calls that come while a batch is under way form the next batch. This speeds up work with a
// high fixed cost, such as a commit. Each caller gets its own result. Must not: give a call the result of a
// batch that began before the call.

import { AsyncLocalStorage } from 'node:async_hooks';
import { activeSpan, runForCallers, type Span } from './spans.ts';
import { waitWithinBudget } from './time-budget.ts';

export type BatchItemResult<Result> = { value: Result } | { error: unknown };

export type Batcher<Item, Result> = (key: string, item: Item) => Promise<Result>;

type PendingCall<Item, Result> = {
  item: Item;
  resolve: (value: Result) => void;
  reject: (error: unknown) => void;
  inContext: <T>(work: () => T) => T;
  span: Span | null;
};

export type BatcherOptions<Item, Result> = {
  /** Runs a batch of one key. Returns a result for each item, in their order. */
  runBatch: (key: string, items: readonly Item[]) => Promise<readonly BatchItemResult<Result>[]>;
  maxItems: number;
  /** Whether one item may have made the whole batch fail. Then each is retried alone; otherwise all get the error. */
  mayBeOfOne: (error: unknown) => boolean;
  /** After this time waiting calls of the key run beside the batch, in up to 4 batches. Without it they wait. */
  besideAfterMs?: number;
};

const maxConcurrentBatches = 4;

/** The waiting calls of one key, and its batches under way. A slow batch does not block the others. */
type CallQueue<Item, Result> = { waiting: PendingCall<Item, Result>[]; underWay: Set<{ isLong: boolean }> };

function settle<Item, Result>(
  waiting: PendingCall<Item, Result>,
  outcome: BatchItemResult<Result> | undefined,
): void {
  if (outcome === undefined) waiting.reject(new Error('a batch gave no outcome for one of its items'));
  else if ('error' in outcome) waiting.reject(outcome.error);
  else waiting.resolve(outcome.value);
}

/** Calls with the same key are batched; others never wait for them. Rejects with the item's or its batch's error. */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { runBatch, maxItems, mayBeOfOne, besideAfterMs } = options;
  const lines = new Map<string, CallQueue<Item, Result>>();

  const run = async (key: string, batch: readonly PendingCall<Item, Result>[]): Promise<void> => {
    try {
      const items = batch.map(({ item }) => item);
      // Use the context of the last call: it may wait longest. The budget of a call outside the batch must not count.
      const last = batch.at(-1);
      const callers = batch.map(({ span }) => span);
      const outcomes = last
        ? await last.inContext(() => runForCallers(callers, () => runBatch(key, items)))
        : [];
      for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
    } catch (error) {
      if (batch.length > 1 && mayBeOfOne(error)) for (const waiting of batch) await run(key, [waiting]);
      else for (const waiting of batch) waiting.reject(error);
    }
  };

  const canStartBatch = ({ underWay }: CallQueue<Item, Result>) =>
    underWay.size < maxConcurrentBatches && [...underWay].every(({ isLong }) => isLong);

  const work = async (key: string, line: CallQueue<Item, Result>): Promise<void> => {
    while (line.waiting.length > 0 && canStartBatch(line)) {
      const batch = { isLong: false };
      line.underWay.add(batch);
      const tooLong = () => {
        batch.isLong = true;
        void work(key, line);
      };
      const timer = besideAfterMs === undefined ? undefined : setTimeout(tooLong, besideAfterMs);
      await run(key, line.waiting.splice(0, maxItems));
      clearTimeout(timer);
      line.underWay.delete(batch);
    }
    if (line.waiting.length === 0 && line.underWay.size === 0 && lines.get(key) === line) lines.delete(key);
  };

  return async (key, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const waiting = { item, resolve, reject, inContext: AsyncLocalStorage.snapshot(), span: activeSpan() };
    const join = () => {
      const line = lines.get(key) ?? { waiting: [], underWay: new Set() };
      lines.set(key, line);
      line.waiting.push(waiting);
      // Include the calls of the same turn.
      if (line.waiting.length === 1 && canStartBatch(line)) setImmediate(() => void work(key, line));
      return promise;
    };
    // Its caller no longer waits, so do not start it.
    const leave = () => {
      const line = lines.get(key);
      if (line) line.waiting = line.waiting.filter((one) => one !== waiting);
    };
    return await waitWithinBudget(join, leave);
  };
}

/**
 * A batcher behind the function of a use case: calls with the same `deps` object share one. The object must therefore be
 * the same for all calls of a process.
 */
export function createSharedBatcher<Deps extends object, Item, Result>(
  optionsOf: (deps: Deps) => BatcherOptions<Item, Result>,
): (deps: Deps, key: string, item: Item) => Promise<Result> {
  const batchers = new WeakMap<Deps, Batcher<Item, Result>>();
  return async (deps, key, item) => {
    const batch = batchers.get(deps) ?? createBatcher(optionsOf(deps));
    batchers.set(deps, batch);
    return await batch(key, item);
  };
}

/** Items with the same ID run one after another, others together. Returns the results in the order of the items. */
export async function serializeByKey<Item, Result>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  runSome: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  let left = [...items.entries()];
  while (left.length > 0) {
    const seen = new Set<string>();
    const isFirst = ([, item]: [number, Item]) => seen.size < seen.add(idOf(item)).size;
    const { turn = [], later = [] } = Object.groupBy(left, (entry) => (isFirst(entry) ? 'turn' : 'later'));
    const done = await runSome(turn.map(([, item]) => item));
    for (const [place, [index]] of turn.entries()) results[index] = done[place] as Result;
    left = later;
  }
  return results;
}

/** A `runBatch` for reads: equal items of a batch are read once. `idOf` returns the same ID for equal items. */
export function dedupe<Item, Result>(
  idOf: (item: Item) => string,
  ask: (key: string, items: readonly Item[]) => Promise<ReadonlyMap<string, Result>>,
): (key: string, items: readonly Item[]) => Promise<BatchItemResult<Result | undefined>[]> {
  return async (key, items) => {
    const distinct = new Map(items.map((item) => [idOf(item), item]));
    const resultsById = await ask(key, [...distinct.values()]);
    return items.map((item) => ({ value: resultsById.get(idOf(item)) }));
  };
}
