// Passwords as argon2id hashes (RFC 9106) in the PHC string format. A hash contains its parameters, so that they can be
// raised while old hashes stay valid.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientNetwork } from '../http/client-network.ts';
import type { DeriveHash, PasswordPool } from './password-pool.ts';

type Parameters = { memoryKib: number; passes: number; parallelism: number };

// OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane.
const current: Parameters = { memoryKib: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

async function hashWith(
  derive: DeriveHash,
  password: string,
  salt: Buffer,
  parameters: Parameters,
): Promise<Uint8Array> {
  return await derive({
    message: Buffer.from(password.normalize('NFKC')),
    nonce: salt,
    memory: parameters.memoryKib,
    passes: parameters.passes,
    parallelism: parameters.parallelism,
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
  const tag = await pool.run(networks, async (derive) => await hashWith(derive, password, salt, current));
  const { memoryKib, passes, parallelism } = current;
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

// An unknown account is checked against this hash, so that it takes as long as a known one.
const dummyHash = `$argon2id$v=19$m=19456,t=2,p=1$${unpadded(Buffer.alloc(16))}$${unpadded(Buffer.alloc(32))}`;

/** Whether a password matches a hash. With null as hash it takes the same time and is false. */
export async function verifyPassword(
  derive: DeriveHash,
  password: string,
  hash: string | null,
): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash ?? dummyHash);
  if (!parts) throw new Error('a stored password hash has an unknown form');
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  const expected = Buffer.from(tag, 'base64');
  const actual = await hashWith(derive, password, Buffer.from(salt, 'base64'), {
    memoryKib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected) && hash !== null;
}
