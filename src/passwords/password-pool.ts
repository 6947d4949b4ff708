// Hashes passwords in its own threads, so that a flood of logins does not delay payments. The threads start with the
// first password and end when idle. Must not use libuv's threads.

import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ClientNetwork } from '../http/client-network.ts';
import { createFairQueue, type FairQueue, type QueueLimits } from './fair-queue.ts';
import type { HashRequest, HashResponse } from './password-worker.ts';

export type PasswordPoolLimits = QueueLimits & { threads: number };

/** What a hash costs: KiB of memory, passes over it, lanes. */
export type HashCost = Pick<HashRequest, 'memory' | 'passes' | 'parallelism'>;

/** OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. No setting of the service changes it. */
const owaspCost: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };

/** Hashes with argon2id, at the pool's cost unless the request has one. Rejects if the pool is closed. */
export type DeriveHash = (
  request: Omit<HashRequest, keyof HashCost> & Partial<HashCost>,
) => Promise<Uint8Array>;

export type PasswordPool = {
  cost: HashCost;
  /** Without networks, for the process itself. Throws `rate_limited` or `unavailable`, as `FairQueue.reserve` does. */
  run<T>(networks: readonly ClientNetwork[], work: (derive: DeriveHash) => Promise<T>): Promise<T>;
  /** Ends the threads. Pending hashes reject. */
  close(): Promise<void>;
};

/** Leaves one core for requests. A hash takes some 20 ms, so 256 of them wait some seconds. */
const defaultLimits = (): PasswordPoolLimits => ({
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  maxItems: 256,
  maxPerClient: 8,
});

/** Starting a thread takes some 50 ms. An idle one holds some megabytes. */
const idleMs = 10_000;
/** In megabytes, without the working memory of argon2. Without limits V8 lets a thread grow as large as the process. */
const threadLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 };

type Task = { request: HashRequest; resolve(tag: Uint8Array): void; reject(error: Error): void };
type Thread = { worker: Worker; task: Task | null; idle?: NodeJS.Timeout };
type Pool = { queue: FairQueue<Task>; threads: Set<Thread>; maxThreads: number; isClosed: boolean };

const closed = 'the password pool is closed';

async function end({ threads }: Pool, thread: Thread, reason: string): Promise<void> {
  threads.delete(thread);
  clearTimeout(thread.idle);
  thread.task?.reject(new Error(reason));
  thread.task = null;
  await thread.worker.terminate();
}

function assignTasks(pool: Pool, thread: Thread): void {
  const { worker } = thread;
  clearTimeout(thread.idle);
  thread.task = pool.queue.next() ?? null;
  if (thread.task) {
    // A process with a pending hash must not exit.
    worker.ref();
    worker.postMessage(thread.task.request);
    return;
  }
  worker.unref();
  thread.idle = setTimeout(() => void end(pool, thread, 'the thread was idle'), idleMs).unref();
}

function start(pool: Pool): void {
  const worker = new Worker(new URL('./password-worker.ts', import.meta.url), {
    resourceLimits: threadLimits,
  });
  const thread: Thread = { worker, task: null };
  pool.threads.add(thread);
  worker.on('message', (response: HashResponse) => {
    if ('tag' in response) thread.task?.resolve(response.tag);
    else thread.task?.reject(new Error(`a password could not be hashed: ${response.fault}`));
    assignTasks(pool, thread);
  });
  worker.on('error', (error) => {
    const wasBusy = thread.task !== null;
    void end(pool, thread, `a password thread failed: ${error.message}`);
    // Restarts only if the thread was busy: a thread that can't start must not restart forever.
    if (wasBusy && !pool.isClosed) wake(pool);
  });
  assignTasks(pool, thread);
}

function wake(pool: Pool): void {
  const free = [...pool.threads].find(({ task }) => task === null);
  if (free) assignTasks(pool, free);
  else if (pool.threads.size < pool.maxThreads) start(pool);
}

async function derive(
  pool: Pool,
  networks: readonly ClientNetwork[],
  request: HashRequest,
): Promise<Uint8Array> {
  if (pool.isClosed) throw new Error(closed);
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  pool.queue.add(networks, { request, resolve, reject });
  wake(pool);
  return await promise;
}

/** A pool; it starts no thread until the first password. Only tests pass a lower cost. */
export function openPasswordPool(
  limits: Partial<PasswordPoolLimits> = {},
  cost: HashCost = owaspCost,
): PasswordPool {
  const { threads: maxThreads, ...queueLimits } = { ...defaultLimits(), ...limits };
  const queue = createFairQueue<Task>(queueLimits);
  const pool: Pool = { queue, threads: new Set(), maxThreads, isClosed: false };
  return {
    cost,
    run: async (networks, work) => {
      const release = queue.reserve(networks);
      try {
        return await work(async (request) => await derive(pool, networks, { ...cost, ...request }));
      } finally {
        release();
      }
    },
    close: async () => {
      pool.isClosed = true;
      for (let task = queue.next(); task; task = queue.next()) task.reject(new Error(closed));
      await Promise.all([...pool.threads].map(async (thread) => await end(pool, thread, closed)));
    },
  };
}
