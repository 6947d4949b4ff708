// Makes the ids of a walk repeatable: node's random bytes come from a key stream of the seed, so that even
// what sorts by the random part of an id sorts the same in both runs. For the simulation's process only;
// the product has no such switch. It must never give seeded bytes outside of a walk.

import crypto, { type Cipheriv, createCipheriv, createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { maxTrackedMilliseconds, newId, randomBase32, randomBufferBytes } from '../../src/base/ids.ts';

const genuine = crypto.randomBytes;
let stream: Cipheriv | null = null;

// Put in place once, because that takes milliseconds; without a stream it is the genuine one.
crypto.randomBytes = ((size: number) =>
  stream ? stream.update(Buffer.alloc(size)) : genuine(size)) as typeof crypto.randomBytes;
syncBuiltinESMExports();

/** Bytes are drawn ahead of need: those that were drawn before are used up. */
const useUpDrawn = () => void randomBase32(randomBufferBytes);

/** Ids of one moment count up: enough others make the process forget whatever count an earlier walk left. */
function forgetCounts(): void {
  for (let ms = 0; ms < maxTrackedMilliseconds; ms++) newId('evt', new Date(ms));
}

/** Runs work while every random byte follows from the seed. */
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
