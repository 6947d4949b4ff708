import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKeyring } from '../base/keyring.ts';
import { isWebhookProof, webhookProof } from './webhook-proof.ts';

const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const place = { companyId: 'co_1', connectionId: 'con_1', attemptId: 'att_1' };

test('a proof stays valid during a rotation of the master key, and only for its own attempt', async () => {
  const [before, meanwhile, after] = [
    await openKeyring(oldKey),
    await openKeyring(newKey, oldKey),
    await openKeyring(newKey),
  ];
  const proof = webhookProof(before, place);
  assert.match(proof, /^[\w-]{43}$/);
  assert.deepEqual(
    [before, meanwhile, after].map((keyring) => isWebhookProof(keyring, place, proof)),
    [true, true, false],
  );
  assert.notEqual(webhookProof(meanwhile, place), proof, 'a new proof is made with the new key');
  for (const other of [{ companyId: 'co_2' }, { connectionId: 'con_2' }, { attemptId: 'att_2' }])
    assert.equal(isWebhookProof(before, { ...place, ...other }, proof), false);
  for (const spoiled of ['', `${proof}x`, proof.slice(1), proof.toUpperCase()])
    assert.equal(isWebhookProof(before, place, spoiled), false);
});
