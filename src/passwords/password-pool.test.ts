import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { networksOf } from '../http/client-network.ts';
import { openPasswordPool, type PasswordPoolLimits } from './password-pool.ts';
import { verifyPassword } from './passwords.ts';

const pools: ReturnType<typeof openPasswordPool>[] = [];
const open = (limits: Partial<PasswordPoolLimits> = {}) => {
  const pool = openPasswordPool({ threads: 1, maxItems: 1000, maxPerClient: 1000, ...limits });
  pools.push(pool);
  return pool;
};
after(async () => await Promise.all(pools.map(async (pool) => await pool.close())));

test('signing and reading files do not wait for passwords', async () => {
  const pool = open({ threads: 2 });
  let pending = 0;
  const check = async (each: number) => {
    pending++;
    await pool.run(networksOf(`203.0.113.${each % 24}`), async (derive) => {
      await verifyPassword(derive, 'a wrong password', null);
    });
    pending--;
  };
  await check(0);
  const all = Array.from({ length: 48 }, (_, each) => check(each));
  const { privateKey } = generateKeyPairSync('ed25519');
  for (let count = 0; count < 5; count++) {
    await promisify(sign)(null, Buffer.from('a token'), privateKey);
    await stat('.');
  }
  assert.ok(pending > 24, `${pending} of 48 passwords were still to be checked`);
  await Promise.all(all);
  assert.equal(pending, 0);
});

test('with one thread, a later client waits for the current password and one of each other client', async () => {
  const pool = open();
  const ended: string[] = [];
  const check = async (ip: string) => {
    await pool.run(networksOf(ip), async (derive) => await verifyPassword(derive, 'word', null));
    ended.push(ip);
  };
  const busy = Array.from({ length: 10 }, async () => await check('203.0.113.1'));
  await Promise.all([...busy, check('203.0.113.2')]);
  assert.equal(ended.indexOf('203.0.113.2'), 2);
});

test('a refused client starts no work, and a failed hash releases its place', async () => {
  const pool = open({ maxPerClient: 1 });
  const ip = networksOf('203.0.113.1');
  let started = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = pool.run(ip, async () => await promise);
  const second = pool.run(ip, async () => {
    started++;
  });
  await assert.rejects(second, { code: 'rate_limited' });
  assert.equal(started, 0);
  resolve();
  await first;
  const broken = { message: Buffer.from('x'), nonce: Buffer.alloc(1), memory: 1, passes: 1, parallelism: 1 };
  const failing = pool.run(ip, async (derive) => await derive({ ...broken, tagLength: 1 }));
  await assert.rejects(failing, /could not be hashed/);
  assert.equal(await pool.run(ip, async (derive) => await verifyPassword(derive, 'word', null)), false);
});

test('closing the pool rejects waiting work, and new work', async () => {
  const pool = open();
  const checks = Array.from(
    { length: 4 },
    async () => await pool.run([], async (derive) => await verifyPassword(derive, 'word', null)),
  );
  const settled = Promise.allSettled(checks);
  await pool.close();
  assert.ok((await settled).every(({ status }) => status === 'rejected'));
  await assert.rejects(
    pool.run([], async (derive) => await verifyPassword(derive, 'word', null)),
    /closed/,
  );
});
