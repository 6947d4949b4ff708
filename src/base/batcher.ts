// Gathers calls: those that come while a batch is under way wait for it, and are the next batch together. So
// work that costs much once and little for each, such as a commit, is done at the pace that it can be.
// Each caller gets its own answer. Must never: answer a call from a batch that began before the call came.

import { AsyncLocalStorage } from 'node:async_hooks';
import { waitWithinBudget } from './time-budget.ts';

/** What one call of a batch comes to. */
export type BatchItemResult<Result> = { value: Result } | { error: unknown };

export type Batcher<Item, Result> = (key: string, item: Item) => Promise<Result>;

type PendingCall<Item, Result> = {
  item: Item;
  resolve: (value: Result) => void;
  reject: (error: unknown) => void;
  /** Runs work in the context of the call. */
  inContext: <T>(work: () => T) => T;
};

export type BatcherOptions<Item, Result> = {
  /** Does a batch of one key; an outcome for each item, in their order. */
  runBatch: (key: string, items: readonly Item[]) => Promise<readonly BatchItemResult<Result>[]>;
  /** The most that is done at once. */
  maxItems: number;
  /**
   * Whether a batch that failed as a whole may have failed because of one item, with nothing done: then each is
   * tried by itself. Otherwise all of it have the error.
   */
  mayBeOfOne: (error: unknown) => boolean;
  /**
   * After this long a batch holds nobody up any more: who waits is done beside it, up to `mostBeside` batches
   * of a key at once. Without it they wait for as long as it takes.
   */
  besideAfterMs?: number;
};

const maxConcurrentBatches = 4;

/** The calls of one key that wait, and the batches that are under way; one that takes long holds nobody up. */
type CallQueue<Item, Result> = { waiting: PendingCall<Item, Result>[]; underWay: Set<{ isLong: boolean }> };

function settle<Item, Result>(
  waiting: PendingCall<Item, Result>,
  outcome: BatchItemResult<Result> | undefined,
): void {
  if (outcome === undefined) waiting.reject(new Error('a batch gave no outcome for one of its items'));
  else if ('error' in outcome) waiting.reject(outcome.error);
  else waiting.resolve(outcome.value);
}

/**
 * A gatherer. Calls with the same key (a company, say) are gathered, and those of other keys never wait for
 * them. Rejects with the error of the item's own outcome, or with that of its batch.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { runBatch, maxItems, mayBeOfOne, besideAfterMs } = options;
  const lines = new Map<string, CallQueue<Item, Result>>();

  const run = async (key: string, batch: readonly PendingCall<Item, Result>[]): Promise<void> => {
    try {
      const items = batch.map(({ item }) => item);
      // Whoever came last may wait the longest. Without this a batch would wait on the budget of one that it does not do.
      const last = batch.at(-1);
      const outcomes = last ? await last.inContext(() => runBatch(key, items)) : [];
      for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
    } catch (error) {
      if (batch.length > 1 && mayBeOfOne(error)) for (const waiting of batch) await run(key, [waiting]);
      else for (const waiting of batch) waiting.reject(error);
    }
  };

  const canStartBatch = ({ underWay }: CallQueue<Item, Result>) =>
    underWay.size < maxConcurrentBatches && [...underWay].every(({ isLong }) => isLong);

  /** Does batch after batch until nobody waits. */
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
    const waiting = { item, resolve, reject, inContext: AsyncLocalStorage.snapshot() };
    const join = () => {
      const line = lines.get(key) ?? { waiting: [], underWay: new Set() };
      lines.set(key, line);
      line.waiting.push(waiting);
      // What has come in the same turn goes along.
      if (line.waiting.length === 1 && canStartBatch(line)) setImmediate(() => void work(key, line));
      return promise;
    };
    // Nobody is told of it any more, so it is not begun.
    const leave = () => {
      const line = lines.get(key);
      if (line) line.waiting = line.waiting.filter((one) => one !== waiting);
    };
    return await waitWithinBudget(join, leave);
  };
}

/**
 * Does items that have the same id one after another, in their order, and all others together: `runSome` is
 * given each id once at a time. Gives the results in the order of the items.
 */
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

/** A `runBatch` for looks: equal questions of a batch are asked once. `idOf` tells what makes them equal. */
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
