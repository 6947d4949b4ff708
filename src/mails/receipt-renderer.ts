// Draws receipts in a thread of its own, so that no request waits for one. The thread starts with the first
// receipt and ends after an idle time. A receipt that can't be drawn must not block others.

import { Worker } from 'node:worker_threads';
import type { Receipt } from './email-content.ts';
import type { RenderRequest, RenderResponse } from './receipt-worker.ts';

export type ReceiptRenderer = {
  /** The PDF of a receipt. Rejects if it can't be drawn, or takes longer than a minute. */
  render(receipt: Receipt): Promise<Uint8Array>;
  /** Ends the thread. Pending receipts reject. */
  close(): Promise<void>;
};

const renderTimeoutMs = 60_000;
/** Restarting the thread takes a fifth of a second. An idle one holds some 30 MB. */
const idleMs = 5_000;
/** In megabytes. A receipt takes a few. Without limits V8 lets a thread grow as large as the process. */
const threadLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 96 };

type PendingReceipt = { resolve(pdf: Uint8Array): void; reject(error: Error): void };

/** A renderer; it costs nothing until the first receipt. */
export function openReceiptRenderer(): ReceiptRenderer {
  const waiting = new Map<number, PendingReceipt>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = async (reason: string) => {
    const ending = worker;
    worker = null;
    clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
    await ending?.terminate();
  };

  const settle = (answer: RenderResponse) => {
    const request = waiting.get(answer.requestId);
    waiting.delete(answer.requestId);
    if ('pdf' in answer) request?.resolve(answer.pdf);
    else request?.reject(new Error(`a receipt could not be drawn: ${answer.fault}`));
    if (waiting.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => void end('the renderer was idle'), idleMs).unref();
  };

  const start = (): Worker => {
    const started = new Worker(new URL('./receipt-worker.ts', import.meta.url), {
      resourceLimits: threadLimits,
    });
    // The service may end while the thread is idle.
    started.unref();
    started.on('message', settle);
    started.on('error', (error) => {
      if (worker === started) void end(`the renderer failed: ${error.message}`);
    });
    return started;
  };

  return {
    render: async (receipt) => {
      clearTimeout(idle);
      worker ??= start();
      const requestId = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      waiting.set(requestId, { resolve, reject });
      const limit = setTimeout(() => void end('a receipt took too long to draw'), renderTimeoutMs);
      worker.postMessage({ requestId, receipt } satisfies RenderRequest);
      return await promise.finally(() => clearTimeout(limit));
    },
    close: async () => await end('the renderer is closed'),
  };
}
