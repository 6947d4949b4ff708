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

test('a payment result is not an access token, and an expired or foreign token is rejected', async () => {
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

test('a token is valid only in its signed spelling', async () => {
  const keyring = await openKeyring(master);
  const token = await keyring.sign('payment-result+jwt', claims);
  // 64 bytes leave four unused bits in the last character.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(token.at(-1) ?? '');
  const respelled = [1, 2, 3].map((bit) => token.slice(0, -1) + alphabet[(last & 0b110000) | bit]);
  for (const text of [...respelled, `${token}=`, `${token}==`, ` ${token}`, token.replace('.', '=.')])
    await assert.rejects(keyring.verify('payment-result+jwt', text, expected), text);
});

test('each purpose has its own MAC', async () => {
  const keyring = await openKeyring(master);
  assert.notDeepEqual(keyring.mac('api-key', 'x'), keyring.mac('form', 'x'));
  assert.ok(isEqualSecret('abc', 'abc'));
  assert.ok(!isEqualSecret('abc', 'abd'));
  assert.ok(!isEqualSecret('abc', 'abcd'));
});

test('a sealed value opens only in its own place, with its own key, and unchanged', async () => {
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

test('during a rotation values of both master keys are valid, and new ones use the current key', async () => {
  const [oldMaster, newMaster] = [randomBytes(32), randomBytes(32)];
  const [before, during, afterwards] = await Promise.all([
    openKeyring(oldMaster),
    openKeyring(newMaster, oldMaster),
    openKeyring(newMaster),
  ]);
  assert.deepEqual(during.jwks.keys, [...afterwards.jwks.keys, ...before.jwks.keys]);
  assert.deepEqual([during.keyId, during.oldKeyId], [afterwards.keyId, before.keyId]);

  const [oldToken, newToken] = [await before.sign('at+jwt', claims), await during.sign('at+jwt', claims)];
  for (const token of [oldToken, newToken])
    assert.equal((await during.verify('at+jwt', token, expected)).sub, 'code');
  assert.equal((await afterwards.verify('at+jwt', newToken, expected)).sub, 'code');
  await assert.rejects(afterwards.verify('at+jwt', oldToken, expected));
  await assert.rejects(before.verify('at+jwt', newToken, expected));

  assert.deepEqual(during.mac('form', 'x'), afterwards.mac('form', 'x'));
  assert.deepEqual(during.acceptedMacs('form', 'x'), [afterwards.mac('form', 'x'), before.mac('form', 'x')]);
  assert.deepEqual(before.acceptedMacs('form', 'x'), [before.mac('form', 'x')]);

  const plain = Buffer.from('a secret');
  const [oldSealed, newSealed] = [before, during].map((keyring) =>
    keyring.seal('credentials', 'here', plain),
  );
  assert.ok(oldSealed && newSealed);
  for (const sealed of [oldSealed, newSealed])
    assert.deepEqual(during.open('credentials', 'here', sealed), plain);
  assert.deepEqual(afterwards.open('credentials', 'here', newSealed), plain);
  assert.throws(
    () => afterwards.open('credentials', 'here', oldSealed),
    /its master key is not in the settings/,
  );
  assert.deepEqual([oldSealed, newSealed].map(during.isSealedByCurrent), [false, true]);
});

test('with the keys swapped, all processes know the new key before any process uses it', async () => {
  const [oldMaster, newMaster] = [randomBytes(32), randomBytes(32)];
  const [notYet, already] = [
    await openKeyring(oldMaster, newMaster),
    await openKeyring(newMaster, oldMaster),
  ];
  const token = await already.sign('at+jwt', claims);
  assert.equal((await notYet.verify('at+jwt', token, expected)).sub, 'code');
  const sealed = already.seal('webhook-secret', 'here', Buffer.from('a secret'));
  assert.equal(notYet.open('webhook-secret', 'here', sealed).toString(), 'a secret');
  assert.deepEqual([notYet.keyId, notYet.oldKeyId], [already.oldKeyId, already.keyId]);
});

test('a master key given twice counts once', async () => {
  const keyring = await openKeyring(master, Buffer.from(master));
  assert.deepEqual([keyring.oldKeyId, keyring.jwks.keys.length], [null, 1]);
});

test('a value sealed without a key ID opens with the current or the old master key', async () => {
  // Created by the previous version, under a master key of 32 sevens.
  const sealed = Buffer.from(
    '7743b5b3fa7fc0bf0d61385bb9ad1c2396daf35be78026cb9410a2e3378ec08666d444e7b39cebbd48',
    'hex',
  );
  const [sevens, eights] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  for (const keyring of [await openKeyring(sevens), await openKeyring(eights, sevens)]) {
    assert.equal(keyring.open('webhook-secret', 'here', sealed).toString(), 'kept long ago');
    assert.equal(keyring.isSealedByCurrent(sealed), false, 'it names no key');
  }
  const stranger = await openKeyring(eights);
  assert.throws(() => stranger.open('webhook-secret', 'here', sealed));
});
