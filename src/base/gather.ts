// Gathers calls: those that come while a batch is under way wait for it, and are the next batch together. So
// work that costs much once and little for each, such as a commit, is done at the pace that it can be.
// Each caller gets its own answer. Must never: answer a call from a batch that began before the call came.

/** What one call of a batch comes to. */
export type Outcome<Result> = { value: Result } | { error: unknown };

export type Gather<Item, Result> = (key: string, item: Item) => Promise<Result>;

type Waiting<Item, Result> = {
  item: Item;
  resolve: (value: Result) => void;
  reject: (error: unknown) => void;
};

export type GatherOptions<Item, Result> = {
  /** Does a batch of one key; an outcome for each item, in their order. */
  runBatch: (key: string, items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  /** The most that is done at once. */
  maxItems: number;
  /**
   * Whether a batch that failed as a whole may have failed because of one item, with nothing done: then each is
   * tried by itself. Otherwise all of it have the error.
   */
  mayBeOfOne: (error: unknown) => boolean;
};

function settle<Item, Result>(waiting: Waiting<Item, Result>, outcome: Outcome<Result> | undefined): void {
  if (outcome === undefined) waiting.reject(new Error('a batch gave no outcome for one of its items'));
  else if ('error' in outcome) waiting.reject(outcome.error);
  else waiting.resolve(outcome.value);
}

/**
 * A gatherer. Calls with the same key (a company, say) are gathered, and those of other keys never wait for
 * them. Rejects with the error of the item's own outcome, or with that of its batch.
 */
export function createGather<Item, Result>(options: GatherOptions<Item, Result>): Gather<Item, Result> {
  const { runBatch, maxItems, mayBeOfOne } = options;
  const queues = new Map<string, Waiting<Item, Result>[]>();

  const run = async (key: string, batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const outcomes = await runBatch(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
    } catch (error) {
      if (batch.length > 1 && mayBeOfOne(error)) for (const waiting of batch) await run(key, [waiting]);
      else for (const waiting of batch) waiting.reject(error);
    }
  };

  const work = async (key: string, queue: Waiting<Item, Result>[]): Promise<void> => {
    while (queue.length > 0) await run(key, queue.splice(0, maxItems));
    queues.delete(key);
  };

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      const waiting = { item, resolve, reject };
      if (queue) queue.push(waiting);
      else {
        const first = [waiting];
        queues.set(key, first);
        // What has come in the same turn goes along.
        setImmediate(() => void work(key, first));
      }
    });
}

/** A `runBatch` for looks: equal questions of a batch are asked once. `idOf` tells what makes them equal. */
export function asked<Item, Result>(
  idOf: (item: Item) => string,
  ask: (key: string, items: readonly Item[]) => Promise<ReadonlyMap<string, Result>>,
): (key: string, items: readonly Item[]) => Promise<Outcome<Result | undefined>[]> {
  return async (key, items) => {
    const distinct = new Map(items.map((item) => [idOf(item), item]));
    const answers = await ask(key, [...distinct.values()]);
    return items.map((item) => ({ value: answers.get(idOf(item)) }));
  };
}
