// Idempotency-Key over the API, on both engines. Two planted bugs make the tests fail.

import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TenantTx } from '../src/db/database.ts';
import { purgeIdempotencyKeys } from '../src/http/idempotency.ts';
import { wrapTransactions } from './faults/crash-points.ts';
import {
  type Answer,
  type Credentials,
  createLink,
  credentialHeaders,
  logIn,
  post,
  repeatRefused,
} from './harness/client.ts';
import { engines, password, startPaylink } from './harness/paylink.ts';
import { addMember, setRoles } from './harness/people.ts';
import { payWith } from './harness/visitor.ts';

async function openIdempotencyFixture(engine: (typeof engines)[number]) {
  const paylink = await startPaylink(engine);
  const owner = await logIn(paylink);
  const paidCode = async () => {
    const { link, code } = await createLink(paylink);
    await payWith(link, { number: '4242424242424242' });
    return code;
  };
  const send = async (path: string, body: unknown, key: string, credentials: Credentials = owner) =>
    await post(paylink.baseUrl + path, body, { ...credentialHeaders(credentials), 'idempotency-key': key });
  const refundsOf = async (code: string) =>
    await paylink.app.deps.db.asOwner.query<{ amount: number }>(
      `select r.amount_minor as amount from refunds r join payments p using (company_id, payment_id) where code = $1`,
      [code],
    );
  return { paylink, owner, paidCode, send, refundsOf };
}
type IdempotencyFixture = Awaited<ReturnType<typeof openIdempotencyFixture>>;

const isReplay = (answer: Answer) => answer.headers.get('idempotent-replayed') === 'true';

async function checkFiftyAtOnce({ paidCode, send, refundsOf }: IdempotencyFixture): Promise<void> {
  const code = await paidCode();
  const key = randomUUID();
  const refund = async () => await send(`/v1/payments/${code}/refunds`, { amount: 0.5 }, key);
  const answers = await Promise.all(Array.from({ length: 50 }, async () => await repeatRefused(refund)));
  const first = answers.filter((answer) => answer.status === 200 && !isReplay(answer));
  assert.equal(first.length, 1, 'one request is the first');
  for (const answer of answers) {
    if (answer.status === 200) assert.equal(answer.body.refundId, first[0]?.body.refundId);
    else assert.deepEqual([answer.status, answer.body.code], [409, 'idempotency_in_progress']);
    if (answer.status === 409) assert.equal(answer.headers.get('retry-after'), '1');
  }
  assert.equal((await refundsOf(code)).length, 1);
}

/** Sends a request whose run is interrupted at a statement. */
async function sendBroken(
  { paylink, send }: IdempotencyFixture,
  statement: string,
  ...request: Parameters<IdempotencyFixture['send']>
) {
  const { db } = paylink.app.deps;
  const whole = db.inTenant;
  wrapTransactions(db, async (run, companyId, work) => {
    return await run(companyId, async (tx) => {
      const query: TenantTx['query'] = async (text, values) => {
        if (text.startsWith(statement)) throw new Error('planted by the test');
        return await tx.query(text, values);
      };
      return await work({ ...tx, query });
    });
  });
  return await send(...request).finally(() => {
    db.inTenant = whole;
  });
}

/** The first run is interrupted between reserve and record; the second continues. */
async function checkBrokenRun(scene: IdempotencyFixture): Promise<void> {
  const { paidCode, send, refundsOf } = scene;
  const code = await paidCode();
  const key = randomUUID();
  const body = { amount: 5, expectedRemaining: 19.99 };
  const path = `/v1/payments/${code}/refunds`;
  const broken = await sendBroken(scene, 'update refunds set state', path, body, key);
  assert.equal(broken.status, 500);
  const answer = await send(path, body, key);
  assert.deepEqual([answer.status, isReplay(answer)], [200, false], JSON.stringify(answer.body));
  assert.deepEqual(await refundsOf(code), [{ amount: 500 }]);
}

/** The company's keys, invitations and their events. */
async function readMade({ paylink }: IdempotencyFixture): Promise<unknown[]> {
  return await paylink.app.deps.db.asOwner.query(
    `select 'key' as kind, key_id as id from api_keys where company_id = $1
     union all select 'service key', key_id from service_keys where company_id = $1
     union all select 'invitation', invitation_id from invitations where company_id = $1
     union all select type, event_id from events
       where company_id = $1
         and type in ('key.created', 'key.rolled', 'service_key.created', 'service_key.rolled', 'member.invited')
     order by kind, id`,
    [paylink.merchant.companyId],
  );
}

type Making = { path: (scene: IdempotencyFixture) => Promise<string>; body: unknown };
const makings: Readonly<Record<string, Making>> = {
  'a key': { path: async () => '/v1/api-keys', body: { name: 'till' } },
  'a rolled key': {
    path: async ({ send }) => {
      const { body } = await send('/v1/api-keys', {}, randomUUID());
      return `/v1/api-keys/${body.keyId}/roll`;
    },
    body: { overlapHours: 1 },
  },
  'a service key': { path: async () => '/v1/service-keys', body: { scopes: ['payments'] } },
  'a rolled service key': {
    path: async ({ send }) => {
      const { body } = await send('/v1/service-keys', { scopes: ['read'] }, randomUUID());
      return `/v1/service-keys/${body.keyId}/roll`;
    },
    body: { overlapHours: 1 },
  },
  'an invitation': {
    path: async () => '/v1/members',
    body: { email: 'grace@example.com', roles: ['support'] },
  },
};

/** The first run is interrupted before its response is stored; the second runs after the lease. */
async function checkSecondRun(scene: IdempotencyFixture, making: Making): Promise<void> {
  const { paylink, send } = scene;
  const path = await making.path(scene);
  const key = randomUUID();
  const { db } = paylink.app.deps;
  const keeping = "update idempotency_keys set state = 'done'";
  const first = await sendBroken(scene, keeping, path, making.body, key);
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const made = await readMade(scene);
  assert.equal((await send(path, making.body, key)).body.code, 'idempotency_in_progress');
  await db.asOwner.query('update idempotency_keys set leased_until = now() where key = $1', [key]);
  const second = await send(path, making.body, key);
  assert.deepEqual([second.status, isReplay(second), second.body], [200, false, first.body]);
  assert.deepEqual(await readMade(scene), made);
}

/** The second run sends the old password, which the first run has changed. */
async function checkPasswordChange(scene: IdempotencyFixture): Promise<void> {
  const { paylink, owner, send } = scene;
  const member = await addMember(paylink, owner, ['viewer']);
  const body = { currentPassword: password, newPassword: 'the password after that one' };
  const path = '/v1/me/password';
  const key = randomUUID();
  const { db } = paylink.app.deps;
  const keeping = "update idempotency_keys set state = 'done'";
  const first = await sendBroken(scene, keeping, path, body, key, member.credentials);
  assert.equal(first.status, 204, JSON.stringify(first.body));
  const [kept] = await db.asOwner.query<{ fingerprint: Buffer }>(
    'update idempotency_keys set leased_until = now() where key = $1 returning fingerprint',
    [key],
  );
  const parts = ['POST', path, 'test', JSON.stringify(body)];
  const guessed = createHash('sha256').update(JSON.stringify(parts)).digest();
  assert.notDeepEqual(kept?.fingerprint, guessed, 'who has the database must not try passwords out on it');
  const second = await send(path, body, key, member.credentials);
  assert.deepEqual([second.status, isReplay(second)], [204, false], JSON.stringify(second.body));
  const third = await send(
    path,
    { ...body, newPassword: 'a third long password' },
    randomUUID(),
    member.credentials,
  );
  assert.equal(third.status, 422, 'a request of its own needs the password of now');
}

/** Changes the statement that claims a key. */
function plantInClaim(
  { paylink }: IdempotencyFixture,
  plant: (tx: TenantTx, text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>,
): void {
  wrapTransactions(paylink.app.deps.db, async (run, companyId, work) => {
    return await run(companyId, async (tx) => {
      const query = async (text: string, values?: readonly unknown[]) =>
        text.startsWith('insert into idempotency_keys')
          ? await plant(tx, text, values ?? [])
          : await tx.query(text, values);
      return await work({ ...tx, query: query as TenantTx['query'] });
    });
  });
}

for (const engine of engines) {
  describe(`an Idempotency-Key on the ${engine} database`, () => {
    let scene: IdempotencyFixture;
    before(async () => {
      scene = await openIdempotencyFixture(engine);
    });
    after(async () => await scene.paylink.stop());

    test('a repeated refund gets the first response and is made once', async () => {
      const { paidCode, send, refundsOf } = scene;
      const code = await paidCode();
      const key = randomUUID();
      const body = { amount: 5, expectedRemaining: 19.99, reason: 'broken' };
      const first = await send(`/v1/payments/${code}/refunds`, body, key);
      const again = await send(
        `/v1/payments/${code}/refunds`,
        { reason: 'broken', expectedRemaining: 19.99, amount: 5 },
        key,
      );
      assert.deepEqual([first.status, isReplay(first)], [200, false], JSON.stringify(first.body));
      assert.deepEqual([again.status, isReplay(again), again.body], [200, true, first.body]);
      assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
      assert.equal(again.headers.get('x-response-code'), '200');
      assert.deepEqual(await refundsOf(code), [{ amount: 500 }]);
    });

    test('two keys are two refunds', async () => {
      const { paidCode, send, refundsOf } = scene;
      const code = await paidCode();
      for (let i = 0; i < 2; i++) await send(`/v1/payments/${code}/refunds`, { amount: 5 }, randomUUID());
      assert.deepEqual(await refundsOf(code), [{ amount: 500 }, { amount: 500 }]);
    });

    test('the same key with another body or address is rejected without effect', async () => {
      const { paidCode, send, refundsOf } = scene;
      const code = await paidCode();
      const key = randomUUID();
      await send(`/v1/payments/${code}/refunds`, { amount: 5 }, key);
      for (const answer of [
        await send(`/v1/payments/${code}/refunds`, { amount: 6 }, key),
        await send(`/v1/payments/${code}/cancel`, { amount: 5 }, key),
      ])
        assert.deepEqual([answer.status, answer.body.code], [422, 'idempotency_key_reused']);
      assert.deepEqual(await refundsOf(code), [{ amount: 500 }]);
    });

    test('an error of the handler is stored, and an error of the body is not', async () => {
      const { paidCode, send } = scene;
      const code = await paidCode();
      const key = randomUUID();
      const tooMuch = await send(`/v1/payments/${code}/refunds`, { amount: 20 }, key);
      const again = await send(`/v1/payments/${code}/refunds`, { amount: 20 }, key);
      assert.deepEqual([tooMuch.status, tooMuch.body.code], [409, 'refund_too_large']);
      assert.deepEqual([again.status, again.body, isReplay(again)], [409, tooMuch.body, true]);
      assert.match(again.headers.get('content-type') ?? '', /^application\/problem\+json/);
      const other = randomUUID();
      for (const amount of ['5', 1.999])
        assert.equal((await send(`/v1/payments/${code}/refunds`, { amount }, other)).status, 422);
      const mended = await send(`/v1/payments/${code}/refunds`, { amount: 5 }, other);
      assert.deepEqual([mended.status, isReplay(mended)], [200, false]);
    });

    test('an empty, too long or unprintable key is rejected', async () => {
      const { paidCode, send } = scene;
      const code = await paidCode();
      for (const key of ['', 'x'.repeat(256), 'é', 'a\tb']) {
        const answer = await send(`/v1/payments/${code}/refunds`, { amount: 5 }, key);
        assert.deepEqual([answer.status, answer.body.code], [422, 'invalid_idempotency_key'], key);
      }
      const longest = await send(`/v1/payments/${code}/refunds`, { amount: 5 }, '~'.repeat(255));
      assert.equal(longest.status, 200);
    });

    test('a repeated payment link request gets the first response', async () => {
      const { send } = scene;
      const key = randomUUID();
      const order = { customerOrderId: randomUUID(), email: 'ada@example.com', amount: 1, currency: 'EUR' };
      const body = { ...order, success_url: 'https://shop.example/a', failure_url: 'https://shop.example/b' };
      const first = await send('/v1/payment/process', body, key);
      const again = await send('/v1/payment/process', body, key);
      assert.deepEqual([first.status, isReplay(first)], [200, false]);
      assert.deepEqual([again.body, isReplay(again)], [first.body, true]);
      for (const name of ['deprecation', 'link'])
        assert.equal(again.headers.get(name), first.headers.get(name));
    });

    test('another account and another company can use the same key', async () => {
      const { paylink, owner, paidCode, send, refundsOf } = scene;
      const code = await paidCode();
      const key = randomUUID();
      await send(`/v1/payments/${code}/refunds`, { amount: 5 }, key);
      const { credentials: admin } = await addMember(paylink, owner, ['admin']);
      const second = await send(`/v1/payments/${code}/refunds`, { amount: 5 }, key, admin);
      assert.deepEqual([second.status, isReplay(second)], [200, false]);
      assert.equal((await refundsOf(code)).length, 2);
      const stranger = await logIn(paylink, await paylink.createMerchant());
      const foreign = await send(`/v1/payments/${code}/refunds`, { amount: 5 }, key, stranger);
      assert.deepEqual([foreign.status, isReplay(foreign)], [404, false]);
    });

    test('an account that lost the right is rejected instead of getting the stored response', async () => {
      const { paylink, owner, paidCode, send } = scene;
      const code = await paidCode();
      const member = await addMember(paylink, owner, ['support']);
      const key = randomUUID();
      assert.equal(
        (await send(`/v1/payments/${code}/refunds`, { amount: 5 }, key, member.credentials)).status,
        200,
      );
      await setRoles(paylink, owner, member, ['viewer']);
      assert.equal(
        (await send(`/v1/payments/${code}/refunds`, { amount: 5 }, key, member.credentials)).status,
        403,
      );
    });

    test('50 concurrent refunds with one key are one refund', async () => await checkFiftyAtOnce(scene));

    test('the next run continues the refund of an interrupted one', async () => await checkBrokenRun(scene));

    for (const [name, making] of Object.entries(makings))
      test(`${name} is created once, and shown again, when its first run died before responding`, async () =>
        await checkSecondRun(scene, making));

    test('a password is changed once, and reported again, when its first run died before responding', async () =>
      await checkPasswordChange(scene));
    test('a stored response cannot be read in the database', async () => {
      const { paylink, send } = scene;
      const order = {
        customerOrderId: 'kept-order',
        email: 'hidden@example.com',
        amount: 1,
        currency: 'EUR',
      };
      const body = { ...order, success_url: 'https://shop.example/a', failure_url: 'https://shop.example/b' };
      await send('/v1/payment/process', body, 'kept');
      const [row] = await paylink.app.deps.db.asOwner.query<{ answer: Buffer; status: number }>(
        `select answer, status from idempotency_keys where key = 'kept'`,
      );
      assert.equal(row?.status, 200);
      assert.ok(row.answer.length > 300);
      for (const text of ['hidden@example.com', 'kept-order', 'PaymentLink'])
        assert.ok(!row.answer.includes(text), text);
    });

    test('a key is deleted after 48 hours', async () => {
      const { paylink, paidCode, send } = scene;
      const code = await paidCode();
      const keys = [randomUUID(), randomUUID(), randomUUID()];
      for (const key of keys) await send(`/v1/payments/${code}/refunds`, { amount: 1 }, key);
      const { db } = paylink.app.deps;
      for (const [index, hours] of [47, 49, 50].entries())
        await db.asOwner.query(
          `update idempotency_keys set created_at = now() - make_interval(hours => $2) where key = $1`,
          [keys[index], hours],
        );
      // Deletes one row at a time, and the result is the same. The service may delete old keys meanwhile, too.
      await purgeIdempotencyKeys(db, 1);
      const left = 'select key from idempotency_keys where key = any($1)';
      assert.deepEqual(await db.asOwner.query(left, [keys]), [{ key: keys[0] }]);
      const [kept, forgotten] = [
        await send(`/v1/payments/${code}/refunds`, { amount: 1 }, keys[0] ?? ''),
        await send(`/v1/payments/${code}/refunds`, { amount: 1 }, keys[1] ?? ''),
      ];
      assert.deepEqual([isReplay(kept), isReplay(forgotten)], [true, false]);
    });
  });
}

describe('a bug planted in the claim of a key is detected', () => {
  let scene: IdempotencyFixture;
  let whole: IdempotencyFixture['paylink']['app']['deps']['db']['inTenant'];
  before(async () => {
    scene = await openIdempotencyFixture('server');
    whole = scene.paylink.app.deps.db.inTenant;
  });
  after(async () => {
    scene.paylink.app.deps.db.inTenant = whole;
    await scene.paylink.stop();
  });

  test('a check before the claim lets two of 50 through', async () => {
    plantInClaim(scene, async (tx, text, values) => {
      const look =
        'select 1 as one from idempotency_keys where company_id = $1 and account_id = $2 and key = $3';
      if ((await tx.query(look, values.slice(0, 3))).length > 0) return [];
      await sleep(100);
      // Without this condition, a key is claimed even if it is in use.
      return await tx.query(text.replace(/ where k\.[\s\S]*(?=returning)/, ''), values);
    });
    await assert.rejects(checkFiftyAtOnce(scene), /one request is the first/);
    scene.paylink.app.deps.db.inTenant = whole;
  });

  test('a new seed per run creates a second refund, key or invitation after an interruption', async () => {
    plantInClaim(scene, async (tx, text, values) => {
      const rows = await tx.query<{ seed: Buffer }>(text, values);
      return rows.map((row) => ({ ...row, seed: values[4] }));
    });
    // The second run is refused like a new refund, because the expected remaining amount has changed.
    await assert.rejects(checkBrokenRun(scene), /stale_remaining/);
    for (const making of Object.values(makings))
      await assert.rejects(checkSecondRun(scene, making), assert.AssertionError);
    scene.paylink.app.deps.db.inTenant = whole;
  });
});
