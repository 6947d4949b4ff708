// Service keys over the API: what they open, and where they end. On both engines.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../src/app.ts';
import { newApiKeyId } from '../src/base/ids.ts';
import { rights } from '../src/http/roles.ts';
import { createLogger } from '../src/telemetry.ts';
import { wrapTransactions } from './faults/crash-points.ts';
import { type Answer, call, credentialHeaders, type Json, logIn, orderOf } from './harness/client.ts';
import { signIn } from './harness/dashboard.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, freePort, type Paylink, startPaylink } from './harness/paylink.ts';
import { until } from './harness/process.ts';
import {
  callWithKey,
  codeOf,
  createServiceKey,
  faultsOf,
  secretOf,
  serviceKeyCalls,
  serviceKeysPath as serviceKeys,
} from './harness/service-keys.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

const process = ['POST', '/v1/payment/process'] as const;
const payments = ['GET', '/v1/payments'] as const;

for (const engine of engines)
  describe(engine, () => {
    const clock = manualClock();
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine, {
        clock,
        settings: { ...loopbackSettings, TRUSTED_PROXIES: 'loopback' },
      });
    });
    after(async () => await paylink.stop());
    const { newOwner, create, look, roll, revoke } = serviceKeyCalls(() => paylink, clock);

    test('a key alone makes a payment, with the same response as the three headers', async () => {
      const owner = await newOwner();
      const { key } = await create(owner);
      const order = orderOf();
      const byKey = await callWithKey(paylink, key, process, { body: order });
      assert.equal(byKey.status, 200, JSON.stringify(byKey.body));
      const byHeaders = await call(paylink, owner, process, { ...order, customerOrderId: randomUUID() });
      const own = ['customerOrderId', 'PaymentLink', 'PaymentLinkCode', 'paymentLinkCode'];
      const shared = ({ body }: Answer) => Object.entries(body).filter(([name]) => !own.includes(name));
      assert.deepEqual(shared(byKey), shared(byHeaders));
      const repeated = await callWithKey(paylink, key, process, { body: order });
      const { responseMessage: _, ...details } = byKey.body;
      assert.deepEqual({ ...details, responseMessage: repeated.body.responseMessage }, repeated.body);
      const names = (answer: Answer) => [...answer.headers.keys()].filter((name) => name !== 'date').sort();
      assert.deepEqual(names(byKey), names(byHeaders));
      const code = String(byKey.body.PaymentLinkCode);
      const { body } = await callWithKey(paylink, key, ['GET', `/v1/payments/${code}`]);
      assert.deepEqual([body.status, body.amount], ['open', 19.99]);
    });

    test('together with X-API-KEY or X-COMPANY-ID a key is refused with 400, which says what to do', async () => {
      const owner = await newOwner();
      const { key } = await create(owner);
      const { 'x-api-key': apiKey = '', 'x-company-id': companyId = '' } = credentialHeaders(owner);
      for (const [headers, fields] of [
        [{ 'x-api-key': apiKey, 'x-company-id': companyId }, ['X-API-KEY', 'X-COMPANY-ID']],
        [{ 'x-api-key': apiKey }, ['X-API-KEY']],
        [{ 'x-company-id': companyId }, ['X-COMPANY-ID']],
      ] as [Record<string, string>, string[]][]) {
        const answer = await callWithKey(paylink, key, process, { body: orderOf(), headers });
        assert.deepEqual(codeOf(answer), [400, 'service_key_not_alone']);
        assert.deepEqual(
          faultsOf(answer).map(([field]) => field),
          fields,
        );
        assert.match(String(answer.body.detail), /alone.*without X-API-KEY and X-COMPANY-ID/);
      }
      const misplaced = await call(paylink, { ...owner, apiKey: key }, process, orderOf());
      assert.deepEqual(codeOf(misplaced), [400, 'service_key_not_alone']);
    });

    test('with a cookie beside the key, the key decides', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const { key } = await create(owner);
      const { cookie } = await signIn(paylink, other.merchant);
      const made = await callWithKey(paylink, key, process, { body: orderOf(), headers: { cookie } });
      assert.equal(made.status, 200, 'no CSRF token is needed');
      const code = String(made.body.PaymentLinkCode);
      assert.equal((await call(paylink, owner, ['GET', `/v1/payments/${code}`])).status, 200);
    });

    test('a key sees nothing of another company', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const { key } = await create(owner);
      const foreign = await call(paylink, other, process, orderOf());
      const code = String(foreign.body.PaymentLinkCode);
      for (const at of [
        ['GET', `/v1/payments/${code}`],
        ['POST', `/v1/payments/${code}/cancel`],
        ['POST', `/v1/payments/${code}/refunds`],
      ] as const) {
        const body = at[0] === 'POST' ? {} : undefined;
        assert.deepEqual(codeOf(await callWithKey(paylink, key, at, { body })), [404, 'payment_not_found']);
      }
      assert.deepEqual((await look(key)).body.data, []);
      const foreignKey = await create(other);
      for (const answer of [await roll(owner, foreignKey.keyId), await revoke(owner, foreignKey.keyId)])
        assert.deepEqual(codeOf(answer), [404, 'not_found']);
    });

    test('a digest, an unknown ID, a wrong secret and another company in the key open nothing', async () => {
      const [owner, other] = [await newOwner(), await newOwner()];
      const { key, keyId } = await create(owner);
      const [row] = await paylink.app.deps.db.asOwner.query<{ digest: string }>(
        `select encode(secret_digest, 'hex') as digest from service_keys where key_id = $1`,
        [keyId],
      );
      const secret = randomBytes(32).toString('hex');
      for (const forged of [
        `pls_test_${keyId}_${row?.digest}`,
        `pls_test_${keyId}_${secret}`,
        `pls_test_${newApiKeyId(owner.companyId)}_${secretOf(key)}`,
        `pls_test_${newApiKeyId(other.companyId)}_${secretOf(key)}`,
        `pls_live_${keyId}_${secretOf(key)}`,
      ]) {
        const answer = await look(forged);
        assert.deepEqual(codeOf(answer), [401, 'invalid_service_key']);
        assert.match(String(answer.body.detail), /^This service key is unknown\./);
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer /);
      }
      for (const broken of ['pls_', 'pls_test_', `${key}0`])
        assert.deepEqual(codeOf(await look(broken)), [401, 'invalid_service_key']);
      assert.equal((await look(key)).status, 200);
    });

    test('an unknown ID and a wrong secret take the same statements', async () => {
      const owner = await newOwner();
      const { keyId } = await create(owner);
      const secret = randomBytes(32).toString('hex');
      const seen: string[][] = [];
      for (const id of [keyId, newApiKeyId(owner.companyId)]) {
        const texts: string[] = [];
        const unwrap = wrapTransactions(
          paylink.app.deps.db,
          async (run, companyId, work) =>
            await run(companyId, async (tx) => {
              const query: typeof tx.query = async (text, values) => {
                // The worker and the record of an earlier use run beside the call.
                if (/^select .*service_keys/s.test(text)) texts.push(text);
                return await tx.query(text, values);
              };
              return await work({ ...tx, query });
            }),
        );
        assert.equal((await look(`pls_test_${id}_${secret}`)).status, 401);
        unwrap();
        seen.push(texts);
      }
      assert.equal(seen[0]?.length, 1, 'one statement');
      assert.deepEqual(seen[0], seen[1]);
    });

    test('a revoked key is refused at its next call; revoking it again changes nothing', async () => {
      const owner = await newOwner();
      const { key, keyId } = await create(owner);
      assert.equal((await look(key)).status, 200);
      // The use is recorded after its response.
      const used = 'select from service_keys where key_id = $1 and last_used_at is not null';
      const findUse = async () => (await paylink.app.deps.db.asOwner.query(used, [keyId])).length === 1;
      await until(findUse, 'the use of the key is recorded');
      const first = await revoke(owner, keyId);
      assert.deepEqual([first.status, first.body.status], [200, 'revoked']);
      const refused = await look(key);
      assert.deepEqual(
        [...codeOf(refused), ...faultsOf(refused)],
        [401, 'invalid_service_key', ['Authorization', 'revoked']],
      );
      clock.advanceMs(1000);
      assert.deepEqual((await revoke(owner, keyId)).body, first.body);
      assert.deepEqual(codeOf(await roll(owner, keyId)), [409, 'key_not_active']);
    });

    test('a key with allowed addresses is refused from others, as the trusted proxies report the client', async () => {
      const owner = await newOwner();
      const { key, keyId } = await create(owner, { allowedAddresses: ['203.0.113.0/24', '2001:db8:7::/48'] });
      const from = async (ip: string) => await look(key, { 'x-forwarded-for': ip });
      for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:7::1'])
        assert.equal((await from(ip)).status, 200, ip);
      for (const ip of ['198.51.100.1', '2001:db8:8::1', 'unknown'])
        assert.deepEqual(codeOf(await from(ip)), [403, 'address_not_allowed'], ip);
      assert.deepEqual(codeOf(await look(key)), [403, 'address_not_allowed']);
      const path = ['PATCH', `${serviceKeys}/${keyId}`] as const;
      const changed = await call(paylink, owner, path, { allowedAddresses: [], name: 'Anywhere' });
      assert.deepEqual(
        [changed.status, changed.body.allowedAddresses, changed.body.name],
        [200, [], 'Anywhere'],
      );
      assert.equal((await look(key)).status, 200);
      assert.equal((await call(paylink, owner, path, { allowedAddresses: ['here'] })).status, 422);
    });

    test('the last use is recorded, at most once a minute, and a call does not wait for it', async () => {
      const owner = await newOwner();
      const { key, keyId } = await create(owner);
      const lastUse = async () => {
        const { body } = await call(paylink, owner, ['GET', `${serviceKeys}/${keyId}`]);
        return body.lastUsedAt;
      };
      // It is written after the call.
      const isRecorded = async (at: string) =>
        await until(async () => (await lastUse()) === at, 'the use to be recorded');
      const first = clock.now().toISOString();
      await look(key);
      await isRecorded(first);
      clock.advanceMs(59_000);
      await look(key);
      await sleep(50);
      assert.equal(await lastUse(), first);
      clock.advanceMs(1_000);
      const second = clock.now().toISOString();
      await look(key);
      await isRecorded(second);
    });

    test('what a key does has the key as its actor and creator', async () => {
      const owner = await newOwner();
      const { key, keyId } = await create(owner, { scopes: ['payments', 'webhooks:manage'] });
      const made = await callWithKey(paylink, key, process, { body: orderOf() });
      const code = String(made.body.PaymentLinkCode);
      await callWithKey(paylink, key, ['POST', `/v1/payments/${code}/cancel`], { body: {} });
      const { body } = await call(paylink, owner, ['GET', `/v1/payments/${code}/events`]);
      const actors = (body.data as Json[]).map(({ type, actor, actorEmail }) => [type, actor, actorEmail]);
      assert.deepEqual(actors, [
        ['payment.created', `key:${keyId}`, null],
        ['payment.cancelled', `key:${keyId}`, null],
      ]);
      const hook = { url: 'http://127.0.0.1:1029/', events: ['payment.paid'] };
      const endpoint = await callWithKey(paylink, key, ['POST', '/v1/webhook-endpoints'], { body: hook });
      assert.equal(endpoint.body.createdBy, `key:${keyId}`);
      const audit = await call(paylink, owner, ['GET', '/v1/audit-events?actor=key:*']);
      const types = (audit.body.data as Json[]).map(({ type }) => type);
      assert.deepEqual(types.sort(), ['payment.cancelled', 'payment.created', 'webhook_endpoint.created']);
    });

    test('a request that is repeated after a roll is not carried out again', async () => {
      const owner = await newOwner();
      const old = await create(owner);
      const headers = { 'idempotency-key': randomUUID() };
      const body = orderOf();
      const first = await callWithKey(paylink, old.key, process, { body, headers });
      const rolled = await roll(owner, old.keyId);
      const again = await callWithKey(paylink, String(rolled.body.key), process, { body, headers });
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(again.body, first.body);
      const another = { body: orderOf(), headers };
      const reused = await callWithKey(paylink, String(rolled.body.key), process, another);
      assert.deepEqual(codeOf(reused), [422, 'idempotency_key_reused']);
      const other = await create(owner);
      const own = await callWithKey(paylink, other.key, process, another);
      assert.equal(own.status, 200, 'another service key has its own idempotency keys');
    });

    test('a caller learns its mode and rights: a key its scopes, an account those of its roles', async () => {
      const owner = await newOwner();
      const scopes = ['payments:read', 'events:read'];
      const { key, keyId } = await create(owner, { scopes });
      const { companyId } = owner.merchant;
      const byKey = await callWithKey(paylink, key, ['GET', '/v1/access']);
      assert.deepEqual(byKey.body, {
        companyId,
        mode: 'test',
        accountId: null,
        serviceKeyId: keyId,
        rights: scopes,
      });
      const { accountId } = owner.merchant;
      const { body } = await call(paylink, owner, ['GET', '/v1/access']);
      assert.deepEqual([body.accountId, body.serviceKeyId, body.mode], [accountId, null, 'test']);
      assert.deepEqual(body.rights, Object.keys(rights));
      await revoke(owner, keyId);
      assert.deepEqual(codeOf(await callWithKey(paylink, key, ['GET', '/v1/access'])), [
        401,
        'invalid_service_key',
      ]);
    });

    test('a key cannot make keys, nor call what is about a person', async () => {
      const owner = await newOwner();
      const { key } = await create(owner, { scopes: ['payments', 'read'] });
      for (const [at, body] of [
        [['POST', serviceKeys], { scopes: ['read'] }],
        [['GET', serviceKeys], undefined],
        [['GET', '/v1/me'], undefined],
        [['POST', '/v1/auth/logout'], undefined],
        [['GET', '/v1/members'], undefined],
      ] as [[string, string], Json | undefined][])
        assert.deepEqual(codeOf(await callWithKey(paylink, key, at, { body })), [
          403,
          'service_key_not_allowed',
        ]);
    });
  });

test('a key that one process revokes is refused by another at its next call; each key has its own quota', async () => {
  const paylink = await startPaylink('server', { settings: { RATE_LIMIT_API_PER_SECOND: '5' } });
  const port = await freePort();
  const second = await createApp({
    config: { ...paylink.app.deps.config, port },
    log: createLogger({ level: 'silent' }),
  });
  try {
    await second.listen();
    const other = { baseUrl: `http://127.0.0.1:${port}` };
    const owner = await logIn(paylink);
    const [one, two] = [await createServiceKey(paylink, owner), await createServiceKey(paylink, owner)];
    const restOf = async (key: string) => {
      const { status, headers } = await callWithKey(other, key, payments);
      assert.equal(status, 200);
      return /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
    };
    assert.deepEqual([await restOf(one.key), await restOf(two.key)], ['4', '4']);
    assert.equal((await call(paylink, owner, ['DELETE', `${serviceKeys}/${one.keyId}`])).status, 200);
    const refused = await callWithKey(other, one.key, payments);
    assert.deepEqual([refused.status, ...faultsOf(refused)], [401, ['Authorization', 'revoked']]);
  } finally {
    await second.stop();
    await paylink.stop();
  }
});
