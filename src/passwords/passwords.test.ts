import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openPasswordPool } from './password-pool.ts';
import { hashPassword, verifyPassword } from './passwords.ts';

const pool = openPasswordPool();
after(async () => await pool.close());
const hash = async (password: string) => await hashPassword(pool, [], password);
const verify = async (password: string, stored: string | null) =>
  await pool.run([], async (derive) => await verifyPassword(derive, password, stored));

test('a password matches its own hash and no other, and equal passwords have different hashes', async () => {
  const [one, two] = [await hash('correct horse'), await hash('correct horse')];
  assert.notEqual(one, two);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verify('correct horse', one), true);
  assert.equal(await verify('correct horsf', one), false);
  assert.equal(await verify('Åse', await hash('A\u030Ase')), true, 'one text, two encodings');
});

test('a hash from an earlier release still matches', async () => {
  const stored =
    '$argon2id$v=19$m=19456,t=2,p=1$AAECAwQFBgcICQoLDA0ODw$quyusfeeuAGbpiw09i+j4VKJ+I/5h3mugd4HghmS/x8';
  assert.equal(await verify('correct horse battery', stored), true);
});

test('without a hash nothing matches, and the check costs as much as with one', async () => {
  const costs: unknown[] = [];
  const verifyRecorded = async (stored: string | null) =>
    await pool.run([], async (derive) => {
      const recording: typeof derive = async ({ memory, passes, parallelism, ...request }) => {
        costs.push({ ...pool.cost, ...(memory && { memory, passes, parallelism }) });
        return await derive({ ...request, ...pool.cost });
      };
      return await verifyPassword(recording, '', stored);
    });
  assert.equal(await verifyRecorded(null), false);
  assert.equal(await verifyRecorded(await hash('correct horse')), false);
  assert.deepEqual(costs, [pool.cost, { memory: 19_456, passes: 2, parallelism: 1 }]);
});
