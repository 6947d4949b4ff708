// A queue that serves its clients round-robin. Its length is limited, in total and for each network.

import { errors } from '../base/errors.ts';
import type { ClientNetwork } from '../http/client-network.ts';

export type QueueLimits = {
  maxItems: number;
  /** A network of `times` n may have n times as many. */
  maxPerClient: number;
};

export type FairQueue<T> = {
  /** Throws `rate_limited` if a network has used its share, `unavailable` if the queue is full. Returns the release. */
  reserve(networks: readonly ClientNetwork[]): () => void;
  add(networks: readonly ClientNetwork[], item: T): void;
  /** The next item of the client whose turn it is; undefined if nothing waits. */
  next(): T | undefined;
};

const retryAfter = { 'retry-after': '5' };

export function createFairQueue<T>({ maxItems, maxPerClient }: QueueLimits): FairQueue<T> {
  const held = new Map<string, number>();
  // A map preserves the order of its keys: the first client is next.
  const waiting = new Map<string, T[]>();
  let entered = 0;

  const release = (networks: readonly ClientNetwork[]) => {
    entered--;
    for (const { name } of networks) {
      const left = (held.get(name) ?? 1) - 1;
      if (left > 0) held.set(name, left);
      else held.delete(name);
    }
  };

  return {
    reserve: (networks) => {
      if (networks.some(({ name, times }) => (held.get(name) ?? 0) >= maxPerClient * times))
        throw errors.rateLimited({
          detail: 'Too many logins from your network are in progress. Wait 5 s, then try again.',
          headers: retryAfter,
          limit: 'logins_in_progress',
        });
      if (entered >= maxItems) throw errors.unavailable({ headers: retryAfter });
      entered++;
      for (const { name } of networks) held.set(name, (held.get(name) ?? 0) + 1);
      return () => release(networks);
    },
    // By the widest network, so that many narrow ones do not get more turns.
    add: (networks, item) => {
      const name = networks.at(-1)?.name ?? '';
      const own = waiting.get(name);
      if (own) own.push(item);
      else waiting.set(name, [item]);
    },
    next: () => {
      for (const [name, [item, ...rest]] of waiting) {
        waiting.delete(name);
        if (rest.length > 0) waiting.set(name, rest);
        return item;
      }
      return undefined;
    },
  };
}
