// Draws receipts in a thread of its own, one after the other, so that no request waits for one of another customer's
// making. The thread has limits on time and memory. It starts with the first receipt and ends after an idle time. A
// receipt that can't be drawn must not end the process or block others.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Receipt } from './compose-receipt.ts';

/** What the thread sends: once that it is ready, then one result for each receipt. */
export type WorkerMessage = 'ready' | { pdf: Uint8Array } | { fault: string };

export type ReceiptRenderer = {
  /** The PDF of a receipt. Rejects if it can't be drawn, takes too long, or too many are waiting. */
  render(receipt: Receipt): Promise<Uint8Array>;
  /** Ends the thread. Pending receipts reject. */
  close(): Promise<void>;
};

const renderTimeoutMs = 2_000;
/** Loading the library takes a fraction of a second on an idle CPU. It does not depend on the receipt. */
const startTimeoutMs = 20_000;
/** Starting the thread takes a fifth of a second. An idle one holds some 30 MB. */
const idleMs = 5_000;
/** 128 MB in all. */
const resourceLimits = { maxOldGenerationSizeMb: 112, maxYoungGenerationSizeMb: 16 };
/** At 2 s each, the last one waits 16 s. */
const maxPending = 8;

/** The next message of a thread. Rejects if it ends, or takes longer than `timeoutMs`. */
async function nextMessage(worker: Worker, timeoutMs: number, signal: AbortSignal): Promise<WorkerMessage> {
  const answered = new AbortController();
  const limit = AbortSignal.any([signal, answered.signal, AbortSignal.timeout(timeoutMs)]);
  const exit = once(worker, 'exit', { signal: limit }).then(() => {
    throw new Error('the thread ended');
  });
  try {
    // Rejects with an 'error' event of the thread, such as the end of its memory.
    const [message] = await Promise.race([once(worker, 'message', { signal: limit }), exit]);
    return message as WorkerMessage;
  } finally {
    answered.abort();
  }
}

/**
 * A renderer; it costs nothing until the first receipt. The options are for tests: another thread, or more time on a
 * busy machine.
 */
export function openReceiptRenderer({
  workerFile = new URL('./receipt-worker.ts', import.meta.url),
  timeoutMs = renderTimeoutMs,
}: {
  workerFile?: URL;
  timeoutMs?: number;
} = {}): ReceiptRenderer {
  const closing = new AbortController();
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let pending = 0;
  let last: Promise<unknown> = Promise.resolve();

  const end = async () => {
    const ending = thread;
    thread = null;
    clearTimeout(idle);
    await ending?.terminate();
  };

  const start = async (): Promise<Worker> => {
    const started = new Worker(workerFile, { resourceLimits });
    // An error without a listener would end the process.
    started.on('error', () => {
      if (thread === started) thread = null;
    });
    // The service may end while the thread is idle.
    started.unref();
    thread = started;
    await nextMessage(started, startTimeoutMs, closing.signal);
    return started;
  };

  const draw = async (receipt: Receipt): Promise<Uint8Array> => {
    closing.signal.throwIfAborted();
    clearTimeout(idle);
    try {
      const worker = thread ?? (await start());
      const answered = nextMessage(worker, timeoutMs, closing.signal);
      worker.postMessage(receipt);
      const answer = await answered;
      if (typeof answer === 'string') throw new Error('the thread sent an unexpected message');
      if ('fault' in answer) throw new Error(answer.fault);
      idle = setTimeout(() => void end(), idleMs).unref();
      return answer.pdf;
    } catch (cause) {
      await end();
      throw new Error('a receipt could not be drawn', { cause });
    }
  };

  return {
    render: async (receipt) => {
      if (pending >= maxPending) throw new Error('too many receipts are waiting');
      pending += 1;
      const drawn = last.then(async () => await draw(receipt));
      last = drawn.catch(() => undefined);
      return await drawn.finally(() => {
        pending -= 1;
      });
    },
    close: async () => {
      closing.abort(new Error('the renderer is closed'));
      await last;
      await end();
    },
  };
}
