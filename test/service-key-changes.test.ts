// Creating, changing, rolling and revoking service keys, and who may. On both engines.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { call, credentialHeaders, type Json, logIn, orderOf } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { dumpAllRows, engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import {
  callWithKey,
  codeOf,
  faultsOf,
  secretOf,
  serviceKeyCalls,
  serviceKeysPath as serviceKeys,
} from './harness/service-keys.ts';

const hourMs = 60 * 60 * 1000;
const process = ['POST', '/v1/payment/process'] as const;

for (const engine of engines)
  describe(engine, () => {
    const clock = manualClock();
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine, { clock });
    });
    after(async () => await paylink.stop());
    const { newOwner, create, look, list, roll, revoke } = serviceKeyCalls(() => paylink, clock);

    test('a new key is shown only in the response that created it; database and log have its digest at most', async () => {
      const owner = await newOwner();
      const { key, ...shown } = await create(owner, {
        name: 'Shop, production',
        allowedAddresses: ['127.0.0.0/8', '::1'],
      });
      assert.match(key, /^pls_test_[0-9a-hjkmnp-tv-z]{16}_[0-9a-f]{64}$/);
      const [newest] = await list(owner);
      assert.deepEqual(newest, shown);
      assert.deepEqual((await call(paylink, owner, ['GET', `${serviceKeys}/${shown.keyId}`])).body, shown);
      assert.deepEqual(
        [shown.name, shown.status, shown.mode, shown.expiresAt, shown.lastUsedAt],
        ['Shop, production', 'active', 'test', null, null],
      );
      assert.ok(!(await dumpAllRows(paylink.app)).includes(secretOf(key)));
      assert.ok(!paylink.log().includes(secretOf(key)));
    });

    test('groups of scopes stand for their rights, each once, in the order of the table', async () => {
      const owner = await newOwner();
      const { scopes } = await create(owner, { scopes: ['webhooks:manage', 'payments', 'payments:read'] });
      assert.deepEqual(scopes, [
        'payments:create',
        'payments:read',
        'payments:update',
        'payments:cancel',
        'payments:refund',
        'webhooks:manage',
      ]);
      const reader = await create(owner, { scopes: ['read'] });
      assert.ok((reader.scopes as string[]).every((scope) => scope.endsWith(':read')));
    });

    for (const [title, body, fault] of [
      ['no scopes', {}, ['scopes', 'missing']],
      ['an empty list of scopes', { scopes: [] }, ['scopes', 'too_few']],
      ['an unknown scope', { scopes: ['payments:pay'] }, ['scopes.0', 'not_allowed']],
      ['a right that no key may have', { scopes: ['keys:manage'] }, ['scopes.0', 'not_allowed']],
      ['scopes that are no list', { scopes: 'payments' }, ['scopes', 'wrong_type']],
      [
        'a past expiry',
        { scopes: ['read'], expiresAt: '2020-01-01T00:00:00Z' },
        ['expiresAt', 'out_of_range'],
      ],
      ['an expiry that is no time', { scopes: ['read'], expiresAt: 'soon' }, ['expiresAt', 'wrong_format']],
      [
        'a name of an address',
        { scopes: ['read'], allowedAddresses: ['shop.example'] },
        ['allowedAddresses.0', 'wrong_format'],
      ],
      [
        'too many addresses',
        { scopes: ['read'], allowedAddresses: Array(33).fill('192.0.2.1') },
        ['allowedAddresses', 'too_many'],
      ],
      ['an empty name', { scopes: ['read'], name: ' ' }, ['name', 'wrong_format']],
    ] as [string, Json, string[]][])
      test(`a key with ${title} is refused with an error of the field`, async () => {
        const answer = await call(paylink, await newOwner(), ['POST', serviceKeys], body);
        assert.equal(answer.status, 422, JSON.stringify(answer.body));
        assert.deepEqual(faultsOf(answer), [fault]);
      });

    test('after its expiry a key is refused with the reason', async () => {
      const owner = await newOwner();
      const expiresAt = new Date(clock.now().getTime() + hourMs).toISOString();
      const { key, keyId } = await create(owner, { expiresAt });
      clock.advanceMs(hourMs - 2);
      assert.equal((await look(key)).status, 200);
      clock.advanceMs(1);
      const refused = await look(key);
      assert.deepEqual(
        [...codeOf(refused), ...faultsOf(refused)],
        [401, 'invalid_service_key', ['Authorization', 'expired']],
      );
      const again = await logIn(paylink, owner.merchant);
      assert.equal((await list(again)).find((one) => one.keyId === keyId)?.status, 'expired');
      assert.deepEqual(codeOf(await roll(again, keyId)), [409, 'key_not_active']);
    });

    test('a rolled key stays valid for its overlap; the new one has its scopes, addresses and lifetime', async () => {
      const owner = await newOwner();
      const wanted = { name: 'Till', scopes: ['read'], allowedAddresses: ['127.0.0.1'] };
      const lifetimeMs = 30 * 24 * hourMs;
      const expiresAt = new Date(clock.now().getTime() + 1 + lifetimeMs).toISOString();
      const old = await create(owner, { ...wanted, expiresAt });
      const rolled = await roll(owner, old.keyId, { overlapHours: 2 });
      assert.equal(rolled.status, 200, JSON.stringify(rolled.body));
      const { key, keyId, createdAt } = rolled.body;
      assert.deepEqual(
        [rolled.body.name, rolled.body.scopes, rolled.body.allowedAddresses, rolled.body.status],
        ['Till', old.scopes, ['127.0.0.1'], 'active'],
      );
      assert.equal(Date.parse(String(rolled.body.expiresAt)) - Date.parse(String(createdAt)), lifetimeMs);
      const [, ending] = await list(owner);
      assert.deepEqual([ending?.status, ending?.replacedByKeyId], ['expiring', keyId]);
      assert.deepEqual(codeOf(await roll(owner, old.keyId)), [409, 'key_not_active']);
      // The refused roll has taken a millisecond.
      clock.advanceMs(2 * hourMs - 2);
      assert.equal((await look(old.key)).status, 200);
      clock.advanceMs(1);
      const refused = await look(old.key);
      assert.match(String(refused.body.detail), /was rolled and has expired/);
      assert.equal((await look(String(key))).status, 200);
    });

    test('without an overlap a rolled key ends at once, and a roll can name another lifetime', async () => {
      const owner = await newOwner();
      const old = await create(owner, { expiresAt: new Date(clock.now().getTime() + hourMs).toISOString() });
      const rolled = await roll(owner, old.keyId, { overlapHours: 0, expiresAt: null });
      assert.equal(rolled.body.expiresAt, null);
      assert.equal((await look(old.key)).status, 401);
      assert.equal((await look(String(rolled.body.key))).status, 200);
    });

    test('of two concurrent rolls of one key, one is refused', async () => {
      const owner = await newOwner();
      const { keyId } = await create(owner);
      const answers = await Promise.all([roll(owner, keyId), roll(owner, keyId)]);
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    });

    test('creating, changing, rolling and revoking a key is in the audit log, without the key', async () => {
      const owner = await newOwner();
      const made = await create(owner, { name: 'Till 4', scopes: ['payments:create'] });
      await call(paylink, owner, ['PATCH', `${serviceKeys}/${made.keyId}`], { name: 'Till 5' });
      const rolled = (await roll(owner, made.keyId, { overlapHours: 1 })).body;
      await revoke(owner, made.keyId);
      const { body } = await call(paylink, owner, ['GET', '/v1/audit-events?type=service_key.*']);
      const entries = (body.data as Json[]).reverse();
      assert.deepEqual(
        entries.map(({ type, actor }) => [type, actor]),
        ['created', 'changed', 'rolled', 'revoked'].map((type) => [
          `service_key.${type}`,
          `account:${owner.merchant.accountId}`,
        ]),
      );
      const { keyId } = made;
      assert.deepEqual(entries[0]?.data, {
        ...{ keyId, name: 'Till 4', mode: 'test', scopes: ['payments:create'] },
        ...{ allowedAddresses: [], expiresAt: null },
      });
      assert.deepEqual(entries[1]?.data, { keyId, name: 'Till 5' });
      const expiresAt = new Date(clock.now().getTime() + hourMs).toISOString();
      assert.deepEqual(entries[2]?.data, { keyId, newKeyId: rolled.keyId, expiresAt });
      assert.deepEqual(entries[3]?.data, { keyId, name: 'Till 5' });
      assert.ok(!JSON.stringify(entries).includes(secretOf(made.key)));
    });

    test('a repeated request with the same Idempotency-Key creates one key and returns it again', async () => {
      const owner = await newOwner();
      const headers = {
        ...credentialHeaders(owner),
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      };
      const send = async () =>
        await fetch(paylink.baseUrl + serviceKeys, {
          method: 'POST',
          headers,
          body: JSON.stringify({ scopes: ['read'] }),
        });
      const [first, again] = [await send(), await send()];
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.equal(await again.text(), await first.text());
      assert.equal((await list(owner)).length, 1);
    });

    test('nobody gets a key with rights beyond their role: not by creating, rolling or changing one', async () => {
      const owner = await newOwner();
      const { credentials } = await addMember(paylink, owner, ['developer']);
      const ofOwner = await create(owner, { scopes: ['payments:refund'] });
      for (const answer of [
        await call(paylink, credentials, ['POST', serviceKeys], { scopes: ['payments'] }),
        await roll(credentials, ofOwner.keyId),
        await call(paylink, credentials, ['PATCH', `${serviceKeys}/${ofOwner.keyId}`], {
          allowedAddresses: [],
        }),
      ]) {
        assert.deepEqual(codeOf(answer), [403, 'role_not_allowed']);
        assert.match(String(answer.body.detail), /owner, admin, support/);
      }
      const own = await create(credentials, { scopes: ['payments:create', 'webhooks:manage'] });
      assert.equal((await roll(credentials, own.keyId)).status, 200);
      assert.equal(
        (await revoke(credentials, ofOwner.keyId)).status,
        200,
        'everybody with the right can revoke',
      );
    });

    test('a live key requires a role that holds live keys, and a service that may move real money', async () => {
      const owner = await newOwner();
      const wanted = { scopes: ['payments:read'], mode: 'live' };
      const { credentials } = await addMember(paylink, owner, ['developer']);
      const byDeveloper = await call(paylink, credentials, ['POST', serviceKeys], wanted);
      assert.deepEqual(codeOf(byDeveloper), [403, 'role_not_allowed']);
      const byOwner = await call(paylink, owner, ['POST', serviceKeys], wanted);
      assert.deepEqual(codeOf(byOwner), [409, 'live_not_possible']);
    });

    test('a key of the database’s live mode sees live payments only, and is hidden from other roles', async () => {
      const owner = await newOwner();
      const { key, keyId } = await create(owner);
      const made = await callWithKey(paylink, key, process, { body: orderOf() });
      const liveKey = key.replace('pls_test_', 'pls_live_');
      const digest = createHash('sha256').update(liveKey).digest();
      await paylink.app.deps.db.asOwner.query(
        `update service_keys set mode = 'live', secret_digest = $2 where key_id = $1`,
        [keyId, digest],
      );
      assert.equal((await look(key)).status, 401);
      assert.deepEqual((await look(liveKey)).body.data, []);
      const code = String(made.body.PaymentLinkCode);
      const seen = await callWithKey(paylink, liveKey, ['GET', `/v1/payments/${code}`]);
      assert.deepEqual(codeOf(seen), [404, 'payment_not_found']);
      assert.deepEqual(codeOf(await callWithKey(paylink, liveKey, ['GET', '/v1/payments?mode=test'])), [
        403,
        'mode_not_allowed',
      ]);
      const { credentials } = await addMember(paylink, owner, ['developer']);
      assert.deepEqual(await list(credentials), []);
      for (const answer of [
        await call(paylink, credentials, ['GET', `${serviceKeys}/${keyId}`]),
        await revoke(credentials, keyId),
        await roll(credentials, keyId),
      ])
        assert.deepEqual(codeOf(answer), [403, 'role_not_allowed']);
    });
  });
