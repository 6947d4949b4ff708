// The thread that hashes passwords: takes one order at a time, answers with the hash or with what went wrong. The
// synchronous form of argon2 is on purpose: the other one runs in libuv's threads, which sign tokens and read files, too.

import { argon2Sync } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** What argon2id (RFC 9106) is to hash. */
export type HashRequest = {
  message: Uint8Array;
  nonce: Uint8Array;
  memory: number;
  passes: number;
  parallelism: number;
  tagLength: number;
};
export type HashResponse = { tag: Uint8Array } | { fault: string };

// On Linux a thread has a priority of its own; elsewhere this would slow down the whole process.
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
