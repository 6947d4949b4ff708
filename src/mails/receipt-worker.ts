// The thread that draws receipts: takes one, gives its bytes or what went wrong. It must know nothing else, and must
// never take the processor from whoever answers requests.

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { drawReceipt } from './draw-receipt.ts';
import type { Receipt } from './email-content.ts';

export type RenderRequest = { orderId: number; receipt: Receipt };
export type RenderResponse = { orderId: number; pdf: Uint8Array } | { orderId: number; fault: string };

// On Linux a thread has a priority of its own; elsewhere this would slow down the whole process.
const lowPriority = 10;
if (process.platform === 'linux') setPriority(lowPriority);

parentPort?.on('message', ({ orderId, receipt }: RenderRequest) => {
  let response: RenderResponse;
  try {
    response = { orderId, pdf: drawReceipt(receipt) };
  } catch (error) {
    response = { orderId, fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(response);
});
