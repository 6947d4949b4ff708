// The thread that draws receipts: takes one, returns its bytes or the error. Must not know anything else, and must
// not take CPU time from the threads that serve requests.

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { drawReceipt } from './draw-receipt.ts';
import type { Receipt } from './email-content.ts';

export type RenderRequest = { orderId: number; receipt: Receipt };
export type RenderResponse = { orderId: number; pdf: Uint8Array } | { orderId: number; fault: string };

// On Linux a thread has its own priority. Elsewhere this would slow down the whole process.
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
