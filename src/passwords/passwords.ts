// Passwords as argon2id hashes (RFC 9106) in the PHC format, with the parameters of each hash.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientNetwork } from '../http/client-network.ts';
import type { DeriveHash, HashCost, PasswordPool } from './password-pool.ts';

const tagLength = 32;

async function hashWith(
  derive: DeriveHash,
  password: string,
  salt: Buffer,
  cost?: HashCost,
): Promise<Uint8Array> {
  return await derive({
    message: Buffer.from(password.normalize('NFKC')),
    nonce: salt,
    ...cost,
    tagLength,
  });
}

const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** Throws as `PasswordPool.run` does. */
export async function hashPassword(
  pool: PasswordPool,
  networks: readonly ClientNetwork[],
  password: string,
): Promise<string> {
  const salt = randomBytes(16);
  const tag = await pool.run(networks, async (derive) => await hashWith(derive, password, salt));
  const { memory, passes, parallelism } = pool.cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Whether a password matches a hash. With null as hash it takes the same time and is false. */
export async function verifyPassword(
  derive: DeriveHash,
  password: string,
  hash: string | null,
): Promise<boolean> {
  if (hash === null) {
    // An unknown account takes as long as a known one.
    await hashWith(derive, password, Buffer.alloc(16));
    return false;
  }
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) throw new Error('a stored password hash has an unknown form');
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const actual = await hashWith(derive, password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected);
}
