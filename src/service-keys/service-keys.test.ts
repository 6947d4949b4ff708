import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { newApiKeyId, newCompanyId } from '../base/ids.ts';
import { openKeyring } from '../base/keyring.ts';
import { deriveServiceKeys, digestServiceKey, hasDigest, parseServiceKey } from './service-keys.ts';

const at = new Date();
const companyId = newCompanyId();
const keyId = newApiKeyId(companyId);
const oldMasterKey = Buffer.alloc(32, 1);
const newMasterKey = Buffer.alloc(32, 2);

test('the same seed gives the same key; another seed, mode or ID gives another one', async () => {
  const keyring = await openKeyring(oldMasterKey);
  const seed = { seed: randomBytes(32), at };
  const [key] = deriveServiceKeys(keyring, seed, { mode: 'test', keyId });
  assert.deepEqual(deriveServiceKeys(keyring, seed, { mode: 'test', keyId }), [key]);
  const others = [
    deriveServiceKeys(keyring, { seed: randomBytes(32), at }, { mode: 'test', keyId }),
    deriveServiceKeys(keyring, seed, { mode: 'live', keyId }),
    deriveServiceKeys(keyring, seed, { mode: 'test', keyId: newApiKeyId(companyId) }),
  ].flat();
  const secretOf = (text: string) => text.slice(-64);
  assert.equal(new Set([key, ...others].map(secretOf)).size, 4);
});

test('during a rotation of the master key, a repeated run finds the key of the first one', async () => {
  const seed = { seed: randomBytes(32), at };
  const [first] = deriveServiceKeys(await openKeyring(oldMasterKey), seed, { mode: 'test', keyId });
  const both = await openKeyring(newMasterKey, oldMasterKey);
  assert.equal(deriveServiceKeys(both, seed, { mode: 'test', keyId })[1], first);
});

test('a key names its company and its mode, and a text of another form is none', async () => {
  const [key] = deriveServiceKeys(
    await openKeyring(oldMasterKey),
    { seed: randomBytes(32), at },
    { mode: 'test', keyId },
  );
  assert.deepEqual(parseServiceKey(key), { mode: 'test', keyId, companyId });
  for (const other of [
    '',
    'pls_test_',
    `${key}0`,
    key.slice(0, -1),
    key.toUpperCase(),
    `x${key}`,
    `${key}\n`,
    key.replace('pls_test_', 'pls_prod_'),
    key.replace('pls_', 'plk_'),
  ])
    assert.equal(parseServiceKey(other), null, JSON.stringify(other));
});

test('only the key itself has its digest: neither the digest, nor another key, nor anything without a digest', async () => {
  const keyring = await openKeyring(oldMasterKey);
  const newKey = () => deriveServiceKeys(keyring, { seed: randomBytes(32), at }, { mode: 'test', keyId })[0];
  const key = newKey();
  const digest = digestServiceKey(key);
  assert.equal(hasDigest(key, digest), true);
  assert.equal(hasDigest(newKey(), digest), false);
  assert.equal(hasDigest(`pls_test_${keyId}_${digest.toString('hex')}`, digest), false);
  assert.equal(hasDigest(key, undefined), false);
});

test('digests are compared only by a function that takes the same time for every digest', () => {
  for (const file of ['service-keys.ts', 'verify-service-key.ts', 'change-service-keys.ts']) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8');
    assert.doesNotMatch(text, /\.equals\(|[!=]==? ?\w*\.?secretDigest|secretDigest [!=]==?|compare\(/, file);
  }
  const own = readFileSync(new URL('service-keys.ts', import.meta.url), 'utf8');
  assert.match(own, /timingSafeEqual\(digestServiceKey\(key\), digest \?\? noDigest\)/);
});
