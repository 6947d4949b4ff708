import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { isEqualSecret, openKeyring } from './keyring.ts';

const master = randomBytes(32);
const now = new Date('2026-05-01T12:00:00Z');
const seconds = Math.floor(now.getTime() / 1000);
const claims = { iss: 'http://pay', aud: 'co_x', sub: 'code', iat: seconds, exp: seconds + 900 };
const expected = { issuer: 'http://pay', audience: 'co_x', now };

test('two processes with one master key verify each other, and another master key verifies nothing', async () => {
  const [one, two, stranger] = await Promise.all([
    openKeyring(master),
    openKeyring(master),
    openKeyring(randomBytes(32)),
  ]);
  const token = await one.sign('payment-result+jwt', claims);
  assert.equal((await two.verify('payment-result+jwt', token, expected)).sub, 'code');
  await assert.rejects(stranger.verify('payment-result+jwt', token, expected));
  assert.deepEqual(one.jwks, two.jwks);
});

test('any JWT library verifies a token with the published key set', async () => {
  const keyring = await openKeyring(master);
  const token = await keyring.sign('payment-result+jwt', claims);
  const keySet = createLocalJWKSet({ keys: keyring.jwks.keys });
  const { payload } = await jwtVerify(token, keySet, {
    issuer: 'http://pay',
    audience: 'co_x',
    currentDate: now,
  });
  assert.equal(payload.sub, 'code');
  assert.ok(!('d' in (keyring.jwks.keys[0] ?? {})), 'the private part is never published');
});

test('a payment result is no access token, and an expired or foreign token is refused', async () => {
  const keyring = await openKeyring(master);
  const token = await keyring.sign('payment-result+jwt', claims);
  await assert.rejects(keyring.verify('at+jwt', token, expected));
  await assert.rejects(keyring.verify('payment-result+jwt', token, { ...expected, audience: 'co_y' }));
  await assert.rejects(
    keyring.verify('payment-result+jwt', token, { ...expected, now: new Date(now.getTime() + 901_000) }),
  );
  const [head, body, signature = ''] = token.split('.');
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  await assert.rejects(keyring.verify('payment-result+jwt', `${head}.${body}.${other}`, expected));
});

test('each purpose has a code of its own', async () => {
  const keyring = await openKeyring(master);
  assert.notDeepEqual(keyring.mac('api-key', 'x'), keyring.mac('form', 'x'));
  assert.ok(isEqualSecret('abc', 'abc'));
  assert.ok(!isEqualSecret('abc', 'abd'));
  assert.ok(!isEqualSecret('abc', 'abcd'));
});

test('what is sealed for a place opens there, and nowhere else, with no other key, and not when it was changed', async () => {
  const [keyring, stranger] = [await openKeyring(master), await openKeyring(randomBytes(32))];
  const plain = Buffer.from('{"key":"plk_test_secret"}');
  const sealed = keyring.seal('answer', 'here', plain);
  assert.deepEqual(keyring.open('answer', 'here', sealed), plain);
  assert.ok(!sealed.includes('secret'));
  assert.notDeepEqual(keyring.seal('answer', 'here', plain), sealed);
  assert.throws(() => keyring.open('answer', 'there', sealed));
  assert.throws(() => stranger.open('answer', 'here', sealed));
  for (let at = 0; at < sealed.length; at += 5) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    assert.throws(() => keyring.open('answer', 'here', changed), `byte ${at}`);
  }
});
