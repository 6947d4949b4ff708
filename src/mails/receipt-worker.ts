// The thread that draws receipts: takes one, returns its bytes or the error. Must not know anything else, and must
// not take CPU time from the threads that serve requests.

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { drawReceipt } from './draw-receipt.ts';
import type { Receipt } from './email-content.ts';

export type RenderRequest = { requestId: number; receipt: Receipt };
export type RenderResponse = { requestId: number; pdf: Uint8Array } | { requestId: number; fault: string };

// On Linux a thread has its own priority. Elsewhere this would slow down the whole process.
const lowPriority = 10;
if (process.platform === 'linux') setPriority(lowPriority);

parentPort?.on('message', ({ requestId, receipt }: RenderRequest) => {
  let response: RenderResponse;
  try {
    response = { requestId, pdf: drawReceipt(receipt) };
  } catch (error) {
    response = { requestId, fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(response);
});
