import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApiKeyId, newCompanyId } from '../base/ids.ts';
import { openKeyring } from '../base/keyring.ts';
import { deriveApiKey, parseApiKey } from './api-keys.ts';

test('a key is derived the same every time, names its company, and is invalid under another master key', async () => {
  const keyring = await openKeyring(Buffer.alloc(32, 1));
  const stranger = await openKeyring(Buffer.alloc(32, 2));
  const companyId = newCompanyId();
  const keyId = newApiKeyId(companyId);
  const key = deriveApiKey(keyring, 'test', keyId);
  assert.equal(deriveApiKey(keyring, 'test', keyId), key);
  assert.deepEqual(parseApiKey(keyring, key), { mode: 'test', keyId, companyId });
  assert.equal(parseApiKey(stranger, key), null);
  assert.equal(
    parseApiKey(keyring, key.replace('plk_test_', 'plk_live_')),
    null,
    'a test key is no live key',
  );
  assert.equal(parseApiKey(keyring, `${key}0`), null);
  assert.equal(parseApiKey(keyring, ''), null);
});
