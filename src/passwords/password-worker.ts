// The thread that hashes passwords. It uses the synchronous argon2 on purpose: the other one runs in libuv's threads,
// which also sign tokens and read files.

import { argon2Sync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** The input of argon2id (RFC 9106). */
export type HashRequest = {
  message: Uint8Array;
  nonce: Uint8Array;
  memory: number;
  passes: number;
  parallelism: number;
  tagLength: number;
};
export type HashResponse = { tag: Uint8Array } | { fault: string };

// On Linux a thread has its own priority. Elsewhere this would slow down the whole process.
const lowPriority = 10;
if (process.platform === 'linux') setPriority(lowPriority);

parentPort?.on('message', (request: HashRequest) => {
  let response: HashResponse;
  try {
    response = { tag: argon2Sync('argon2id', request) };
  } catch (error) {
    response = { fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(response);
});
