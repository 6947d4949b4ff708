// The thread that draws receipts: takes one, returns its bytes or the error. Must not know anything else.

import { parentPort } from 'node:worker_threads';
import type { Receipt } from './compose-receipt.ts';
import { drawReceipt } from './draw-receipt.ts';
import type { WorkerMessage } from './receipt-renderer.ts';

const send = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.on('message', (receipt: Receipt) => {
  drawReceipt(receipt).then(
    (pdf) => send({ pdf }),
    (error: unknown) => send({ fault: error instanceof Error ? error.message : String(error) }),
  );
});
send('ready');
