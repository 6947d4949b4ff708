// Makes the ids of a walk repeatable: node's random bytes come from a key stream of the seed, so that even
// what sorts by the random part of an id sorts the same in both runs. For the simulation's process only;
// the product has no such switch. It must never stay on after a walk.

import crypto, { createCipheriv, createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { newId } from '../../src/base/ids.ts';

/** Runs work while every random byte follows from the seed. */
export async function withSeededBytes<T>(seed: number, work: () => Promise<T>): Promise<T> {
  const genuine = crypto.randomBytes;
  const key = createHash('sha256').update(`simulation ${seed}`).digest();
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
  crypto.randomBytes = ((size: number) => stream.update(Buffer.alloc(size))) as typeof crypto.randomBytes;
  syncBuiltinESMExports();
  // Ids of one millisecond count up; one of another time ends whatever count an earlier walk left.
  newId('evt', new Date(0));
  try {
    return await work();
  } finally {
    crypto.randomBytes = genuine;
    syncBuiltinESMExports();
  }
}
