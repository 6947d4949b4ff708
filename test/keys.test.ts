// API keys over the API: create, list, roll, revoke, and the key that a login returns. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantTx } from '../src/db/database.ts';
import { wrapTransactions } from './faults/crash-points.ts';
import { type Answer, type Credentials, call, type Json, logIn } from './harness/client.ts';
import { createBarrier } from './harness/concurrency.ts';
import { manualClock } from './harness/manual-clock.ts';
import { dumpAllRows, type Paylink, startPaylink } from './harness/paylink.ts';

const hourMs = 60 * 60 * 1000;
const clock = manualClock();
let paylink: Paylink;
/** Removes the lock of changes to keys, and lets none of them continue before all have read. */
let meetWithoutLock: (() => Promise<void>) | null = null;

before(async () => {
  paylink = await startPaylink('server', { clock });
  wrapTransactions(
    paylink.app.deps.db,
    async (run, companyId, work) =>
      await run(companyId, async (tx) => {
        const query: TenantTx['query'] = async (text, values) => {
          // With the lock only one call gets here; the delay is enough for a second one that the lock must stop.
          if (text.startsWith('update api_keys set revoked_at')) await (meetWithoutLock?.() ?? sleep(100));
          return await tx.query(meetWithoutLock ? text.replace(' for no key update', '') : text, values);
        };
        return await work({ ...tx, query });
      }),
  );
});
after(async () => await paylink.stop());

/** The owner of a new company. */
const newOwner = async (): Promise<Credentials> => await logIn(paylink, await paylink.createMerchant());
// The clock does not move by itself, and keys of the same time have no order.
const create = async (owner: Credentials, body: Json = {}): Promise<Json> => {
  clock.advanceMs(1);
  const answer = await call(paylink, owner, ['POST', '/v1/api-keys'], body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const list = async (owner: Credentials, query = ''): Promise<Json[]> =>
  (await call(paylink, owner, ['GET', `/v1/api-keys${query}`])).body.data as Json[];
const roll = async (owner: Credentials, keyId: unknown, body: Json = {}): Promise<Answer> => {
  clock.advanceMs(1);
  return await call(paylink, owner, ['POST', `/v1/api-keys/${keyId}/roll`], body);
};
const revoke = async (owner: Credentials, keyId: unknown): Promise<Answer> =>
  await call(paylink, owner, ['DELETE', `/v1/api-keys/${keyId}`]);
const look = async (credentials: Credentials): Promise<Answer> =>
  await call(paylink, credentials, ['GET', '/v1/me']);
const faultOf = (answer: Answer) => (answer.body.errors as Json[])[0];

test('a new key is valid at once, has its name, and is shown only in the response that created it', async () => {
  const owner = await newOwner();
  const made = await create(owner, { name: 'Shop, production' });
  assert.match(String(made.key), /^plk_test_/);
  assert.equal((await look({ ...owner, apiKey: String(made.key) })).status, 200);
  const [newest, first, ...others] = await list(owner);
  const { key: _secret, ...shown } = made;
  assert.deepEqual(newest, shown);
  assert.deepEqual([newest?.name, newest?.status, newest?.expiresAt], ['Shop, production', 'active', null]);
  assert.deepEqual([first?.createdBy, others.length], ['system', 0]);
  const secret = String(made.key).split('_').at(-1) ?? '';
  assert.equal(secret.length, 48);
  assert.ok(!(await dumpAllRows(paylink.app)).includes(secret), 'the database holds no key');
});

test('a login returns the newest valid key, and prefers keys without an expiry', async () => {
  const merchant = await paylink.createMerchant();
  const first = await logIn(paylink, merchant);
  const second = await create(first);
  assert.equal((await logIn(paylink, merchant)).apiKey, second.key);
  const third = (await roll(first, second.keyId)).body;
  assert.equal((await logIn(paylink, merchant)).apiKey, third.key);
  assert.equal((await revoke(first, third.keyId)).status, 200);
  assert.equal((await logIn(paylink, merchant)).apiKey, first.apiKey, 'not the second, which ends');
});

test('a cursor is refused by another list and another company', async () => {
  const owner = await newOwner();
  await create(owner);
  const { body } = await call(paylink, owner, ['GET', '/v1/api-keys?limit=1']);
  const path = (name: string) => `/v1/${name}?cursor=${body.nextCursor}`;
  assert.equal((await call(paylink, owner, ['GET', path('api-keys')])).status, 200);
  for (const answer of [
    await call(paylink, owner, ['GET', path('members')]),
    await call(paylink, owner, ['GET', path('me/sessions')]),
    await call(paylink, await newOwner(), ['GET', path('api-keys')]),
  ])
    assert.deepEqual([answer.status, faultOf(answer)?.code], [422, 'invalid_cursor']);
});

test('a rolled key stays valid for its overlap, and is then refused with the reason', async () => {
  const merchant = await paylink.createMerchant();
  const owner = await logIn(paylink, merchant);
  const [old] = await list(owner);
  const rolled = await roll(owner, old?.keyId, { overlapHours: 2 });
  assert.equal(rolled.status, 200, JSON.stringify(rolled.body));
  assert.deepEqual([rolled.body.status, rolled.body.name], ['active', old?.name]);
  const [, ending] = await list(owner);
  assert.deepEqual(
    [ending?.status, ending?.expiresAt],
    ['expiring', new Date(clock.now().getTime() + 2 * hourMs).toISOString()],
  );
  clock.advanceMs(2 * hourMs - 1);
  const later = await logIn(paylink, merchant);
  assert.equal(later.apiKey, rolled.body.key);
  assert.equal((await look({ ...later, apiKey: owner.apiKey })).status, 200);
  clock.advanceMs(1);
  const refused = await look({ ...later, apiKey: owner.apiKey });
  assert.deepEqual([refused.status, refused.body.code], [401, 'invalid_api_key']);
  assert.deepEqual([faultOf(refused)?.field, faultOf(refused)?.code], ['X-API-KEY', 'expired']);
  assert.match(String(refused.body.detail), /rolled and has expired/);
  assert.equal((await list(later))[1]?.status, 'expired');
});

test('without an overlap a rolled key expires at once, and only an active key can be rolled', async () => {
  const owner = await newOwner();
  const [old] = await list(owner);
  const rolled = await roll(owner, old?.keyId, { overlapHours: 0 });
  assert.equal((await look(owner)).status, 401);
  const good = { ...owner, apiKey: String(rolled.body.key) };
  const again = await roll(good, old?.keyId);
  assert.deepEqual([again.status, again.body.code], [409, 'key_not_active']);
  const spare = await create(good);
  await revoke(good, spare.keyId);
  assert.equal((await roll(good, spare.keyId)).body.code, 'key_not_active');
});

test('the default overlap is a day, and numbers outside 0 to 168 are refused', async () => {
  const owner = await newOwner();
  const [key] = await list(owner);
  for (const overlapHours of [-1, 169, 1.5, '24']) {
    const answer = await roll(owner, key?.keyId, { overlapHours });
    assert.deepEqual([answer.status, faultOf(answer)?.field], [422, 'overlapHours'], String(overlapHours));
  }
  await roll(owner, key?.keyId);
  const [, old] = await list(owner);
  assert.equal(old?.expiresAt, new Date(clock.now().getTime() + 24 * hourMs).toISOString());
});

test('a revoked key is refused at once with the reason; revoking it again changes nothing', async () => {
  const owner = await newOwner();
  const spare = await create(owner);
  const first = await revoke(owner, spare.keyId);
  assert.deepEqual([first.status, first.body.status], [200, 'revoked']);
  clock.advanceMs(1000);
  assert.deepEqual((await revoke(owner, spare.keyId)).body, first.body);
  const refused = await look({ ...owner, apiKey: String(spare.key) });
  assert.deepEqual([refused.status, faultOf(refused)?.code], [401, 'revoked']);
});

test('the last key without an expiry cannot be revoked, even while another one is expiring', async () => {
  const owner = await newOwner();
  const [only] = await list(owner);
  const refused = await revoke(owner, only?.keyId);
  assert.deepEqual([refused.status, refused.body.code], [409, 'last_key']);
  const rolled = await roll(owner, only?.keyId);
  assert.equal((await revoke(owner, rolled.body.keyId)).body.code, 'last_key');
  assert.equal((await revoke(owner, only?.keyId)).status, 200, 'the one that ends can');
});

/** Two keys, both revoked concurrently. Returns how many of the responses are 200, and how many keys are left. */
async function revokeBothAtOnce(): Promise<{ revoked: number; left: number }> {
  const owner = await newOwner();
  const spare = await create(owner);
  const [, first] = await list(owner);
  const answers = await Promise.all([revoke(owner, first?.keyId), revoke(owner, spare.keyId)]);
  const [row] = await paylink.app.deps.db.asOwner.query<{ left: number }>(
    'select count(*)::int as left from api_keys where company_id = $1 and revoked_at is null',
    [owner.companyId],
  );
  return { revoked: answers.filter(({ status }) => status === 200).length, left: row?.left ?? -1 };
}

test('of two concurrent revocations of the last two keys, one is refused', async () => {
  assert.deepEqual(await revokeBothAtOnce(), { revoked: 1, left: 1 });
});

test('the test above fails without the lock', async () => {
  meetWithoutLock = createBarrier(2);
  try {
    assert.deepEqual(await revokeBothAtOnce(), { revoked: 2, left: 0 });
  } finally {
    meetWithoutLock = null;
  }
});

test('a key of another company gives 404', async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  const [foreign] = await list(other);
  for (const keyId of [foreign?.keyId, 'nothing'])
    for (const answer of [await roll(owner, keyId), await revoke(owner, keyId)])
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found']);
  assert.equal((await list(other))[0]?.status, 'active');
});

test('a list is paginated, with each key once', async () => {
  const owner = await newOwner();
  const made: unknown[] = [];
  for (let count = 0; count < 4; count++) made.unshift((await create(owner)).keyId);
  const seen: unknown[] = [];
  let cursor = '';
  for (let pages = 0; pages < 10; pages++) {
    const { body } = await call(paylink, owner, ['GET', `/v1/api-keys?limit=2${cursor}`]);
    seen.push(...(body.data as Json[]).map(({ keyId }) => keyId));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  assert.equal(seen.length, 5);
  assert.equal(new Set(seen).size, 5);
  for (const keyId of made) assert.ok(seen.includes(keyId));
});

for (const [query, field] of [
  ['?limit=0', 'limit'],
  ['?limit=101', 'limit'],
  ['?limit=2.0', 'limit'],
  ['?limit=', 'limit'],
  ['?limit=1&limit=2', 'limit'],
  ['?cursor=%27', 'cursor'],
  ['?page=2', 'page'],
])
  test(`the query ${query} is refused with an error for ${field}`, async () => {
    const answer = await call(paylink, await newOwner(), ['GET', `/v1/api-keys${query}`]);
    assert.deepEqual([answer.status, faultOf(answer)?.field], [422, field]);
  });

for (const name of ['', '   ', 'x'.repeat(101), 'a\nb', 7])
  test(`a key is not named ${JSON.stringify(name).slice(0, 20)}`, async () => {
    const answer = await call(paylink, await newOwner(), ['POST', '/v1/api-keys'], { name });
    assert.deepEqual([answer.status, faultOf(answer)?.field], [422, 'name']);
  });

test('changes of keys are in the audit log, with the account and without the key', async () => {
  const merchant = await paylink.createMerchant();
  const owner = await logIn(paylink, merchant);
  const made = await create(owner, { name: 'Till 4' });
  const rolled = (await roll(owner, made.keyId, { overlapHours: 1 })).body;
  await revoke(owner, made.keyId);
  const rows = await paylink.app.deps.db.asOwner.query<Json & { isPublic: boolean; actor: string }>(
    `select type, is_public as "isPublic", actor, data from events
     where company_id = $1 and type like 'key.%' order by event_id`,
    [merchant.companyId],
  );
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['key.created', 'key.rolled', 'key.revoked'],
  );
  for (const { isPublic, actor } of rows)
    assert.deepEqual([isPublic, actor], [false, `account:${merchant.accountId}`]);
  assert.deepEqual(rows[0]?.data, { keyId: made.keyId, name: 'Till 4', mode: 'test' });
  assert.equal((rows[1]?.data as Json).newKeyId, rolled.keyId);
});
