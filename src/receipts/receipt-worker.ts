// The thread that draws receipts: takes one, returns its bytes or the error. Must not know anything else, and must
// not take CPU time from the threads that serve requests.

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Receipt } from './compose-receipt.ts';
import { drawReceipt } from './draw-receipt.ts';
import type { WorkerMessage } from './receipt-renderer.ts';

// On Linux a thread has its own priority. Elsewhere this would slow down the whole process.
const lowPriority = 10;
if (process.platform === 'linux') setPriority(lowPriority);

const send = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.on('message', (receipt: Receipt) => {
  drawReceipt(receipt).then(
    (pdf) => send({ pdf }),
    (error: unknown) => send({ fault: error instanceof Error ? error.message : String(error) }),
  );
});
send('ready');
