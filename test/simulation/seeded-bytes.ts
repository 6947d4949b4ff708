// Makes the IDs of a walk repeatable: Node's random bytes come from a key stream of the seed, so that rows also sort the
// same in each run. Outside of a walk the bytes are random as usual.

import crypto, { type Cipheriv, createCipheriv, createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { maxTrackedMilliseconds, newId, randomBase32, randomBufferBytes } from '../../src/base/ids.ts';

const genuine = crypto.randomBytes;
let stream: Cipheriv | null = null;

// Replaced only once, because that takes milliseconds. Without a stream it calls the original.
crypto.randomBytes = ((size: number) =>
  stream ? stream.update(Buffer.alloc(size)) : genuine(size)) as typeof crypto.randomBytes;
syncBuiltinESMExports();

/** Uses up the random bytes that src/base/ids.ts has buffered. */
const useUpDrawn = () => void randomBase32(randomBufferBytes);

/** IDs of one millisecond count up. Creating enough others removes the counters of earlier walks. */
function forgetCounts(): void {
  for (let ms = 0; ms < maxTrackedMilliseconds; ms++) newId('evt', new Date(ms));
}

/** Runs work with all random bytes from the seed. */
export async function withSeededBytes<T>(seed: number, work: () => Promise<T>): Promise<T> {
  const key = createHash('sha256').update(`simulation ${seed}`).digest();
  stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  useUpDrawn();
  forgetCounts();
  try {
    return await work();
  } finally {
    stream = null;
    useUpDrawn();
  }
}
