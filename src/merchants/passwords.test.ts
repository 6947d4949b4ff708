import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a password matches its own hash and no other, and equal passwords have different hashes', async () => {
  const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
  assert.notEqual(one, two);
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verifyPassword('correct horse', one), true);
  assert.equal(await verifyPassword('correct horsf', one), false);
  assert.equal(await verifyPassword('Åse', await hashPassword('A\u030Ase')), true, 'one text, two encodings');
});

test('without a hash nothing matches', async () => {
  assert.equal(await verifyPassword('', null), false);
});
