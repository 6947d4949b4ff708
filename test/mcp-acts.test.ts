// `paylink mcp --allow`: which acts are offered, that a repeated act does nothing twice, exact amounts, and both modes.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Act, acts } from '../src/mcp/acts.ts';
import { tools } from '../src/mcp/tools.ts';
import { type Credentials, call, createLinkAs, type Json, logIn, orderOf } from './harness/client.ts';
import { connectMcp, type McpClient } from './harness/mcp.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { callWithKey, createServiceKey } from './harness/service-keys.ts';
import { payWith } from './harness/visitor.ts';

const card = { number: '4242424242424242' };
const actTools = tools.filter(({ act }) => act !== null);

/** The arguments of create_payment for an order. */
const orderFor = (fields: Json = {}): Json => ({ ...orderOf(), idempotencyKey: randomUUID(), ...fields });

for (const engine of engines)
  describe(engine, () => {
    let paylink: Paylink;
    let owner: Credentials;
    let mcp: McpClient;
    before(async () => {
      paylink = await startPaylink(engine);
      owner = await logIn(paylink);
      const { key } = await createServiceKey(paylink, owner, { scopes: ['payments'] });
      mcp = await connectMcp(paylink, key, { allowed: acts });
    });
    after(async () => {
      await paylink.stop();
      await mcp.close();
    });

    const paidCode = async (): Promise<string> => {
      const { code, link } = await createLinkAs(paylink, owner);
      await payWith(link, card);
      return code;
    };
    const paymentOf = async (code: string) =>
      (await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body;
    const refundsOf = async (code: string) =>
      (await call(paylink, owner, ['GET', `/v1/payments/${code}/refunds`])).body.data as Json[];

    test('an act is offered only if it is allowed and in the scopes of the key; else a call does nothing', async () => {
      const code = await paidCode();
      const given: Readonly<Record<string, Json>> = {
        create_payment: orderFor(),
        cancel_payment: { paymentLinkCode: code },
        refund_payment: { paymentLinkCode: code, amount: 5, idempotencyKey: randomUUID() },
      };
      const count = async () =>
        ((await call(paylink, owner, ['GET', '/v1/payments'])).body.data as Json[]).length;
      const before = await count();
      for (const scopes of [['payments:read'], ['payments:create'], ['payments:refund', 'payments:read']])
        for (const allowed of [[], ['payments:create'], ['payments:cancel', 'payments:refund']] as Act[][]) {
          const { key } = await createServiceKey(paylink, owner, { scopes });
          const client = await connectMcp(paylink, key, { allowed });
          const listed = (await client.list()).map(({ name }) => name);
          for (const { name, act } of actTools) {
            const isOffered = act !== null && allowed.includes(act) && scopes.includes(act);
            assert.equal(listed.includes(name), isOffered, `${name} ${scopes} ${allowed}`);
            if (isOffered) continue;
            const { code: reason, message } = await client.fail(name, given[name]);
            const isAllowed = act !== null && allowed.includes(act);
            assert.equal(reason, isAllowed ? 'scope_not_allowed' : 'act_not_allowed');
            assert.match(String(message), new RegExp(String(act)));
          }
          await client.close();
        }
      assert.equal(await count(), before);
      assert.deepEqual(await refundsOf(code), []);
    });

    test('acts say that they change something, and what cannot be undone', async () => {
      const hints = new Map((await mcp.list()).map(({ name, annotations }) => [name, annotations]));
      for (const [name, isDestructive] of [
        ['create_payment', false],
        ['cancel_payment', true],
        ['refund_payment', true],
      ] as const)
        assert.deepEqual(
          [hints.get(name)?.readOnlyHint, hints.get(name)?.destructiveHint, hints.get(name)?.idempotentHint],
          [false, isDestructive, true],
          name,
        );
    });

    test('a refund that is repeated with its key refunds once, also at the same time and after a new connection', async () => {
      const code = await paidCode();
      const refund = {
        paymentLinkCode: code,
        amount: 5,
        expectedRemaining: 19.99,
        idempotencyKey: randomUUID(),
      };
      const results = await Promise.all(
        Array.from({ length: 4 }, async () => await mcp.call('refund_payment', refund)),
      );
      const done = results.filter(({ isError }) => !isError);
      assert.ok(done.length > 0);
      for (const { json } of results.filter(({ isError }) => isError))
        assert.equal((json.error as Json).code, 'idempotency_in_progress');
      const { key } = await createServiceKey(paylink, owner, { scopes: ['payments:refund'] });
      const again = await mcp.call('refund_payment', refund);
      assert.equal(again.json.replayed, true);
      const [first] = done;
      assert.deepEqual(again.json.untrustedData, first?.json.untrustedData);
      assert.deepEqual(
        (await refundsOf(code)).map(({ amount }) => amount),
        [5],
      );
      const changed = await mcp.fail('refund_payment', { ...refund, amount: 6 });
      assert.deepEqual([changed.status, changed.code], [422, 'idempotency_key_reused']);
      // Another key of the company has its own idempotency keys: expectedRemaining stops the second refund.
      const other = await connectMcp(paylink, key, { allowed: ['payments:refund'] });
      const stale = await other.fail('refund_payment', refund);
      assert.deepEqual([stale.status, stale.code], [412, 'stale_remaining']);
      await other.close();
      assert.equal((await paymentOf(code)).refundedAmount, 5);
    });

    test('a refund needs its amount and its key, and never exceeds what is left', async () => {
      const code = await paidCode();
      const given = { paymentLinkCode: code, amount: 5, idempotencyKey: randomUUID() };
      for (const name of Object.keys(given)) {
        const { [name as keyof typeof given]: _, ...rest } = given;
        const { code: reason, fields } = await mcp.fail('refund_payment', rest);
        assert.equal(reason, 'invalid_arguments');
        assert.deepEqual(
          (fields as Json[]).map(({ field, code: fault }) => [field, fault]),
          [[name, 'missing']],
        );
      }
      for (const wrong of [{ amount: 0 }, { amount: -5 }, { amount: '5' }, { idempotencyKey: '1' }])
        assert.equal((await mcp.fail('refund_payment', { ...given, ...wrong })).code, 'invalid_arguments');
      const tooMuch = await mcp.fail('refund_payment', { ...given, amount: 20 });
      assert.equal(tooMuch.code, 'refund_too_large');
      assert.deepEqual(await refundsOf(code), []);
    });

    test('a payment is created once for a key, with the exact amount; more decimals are refused', async () => {
      const order = orderFor({ amount: 1_234.56 });
      const { json } = await mcp.call('create_payment', order);
      const created = json.untrustedData as Json;
      assert.deepEqual(
        [json.mode, json.replayed, created.amount, created.status],
        ['test', false, 1_234.56, 'open'],
      );
      const again = await mcp.call('create_payment', order);
      assert.equal(again.json.replayed, true);
      assert.equal((again.json.untrustedData as Json).PaymentLinkCode, created.PaymentLinkCode);
      const other = await mcp.fail('create_payment', { ...order, amount: 1_234.57 });
      assert.equal(other.code, 'idempotency_key_reused');
      const conflict = await mcp.fail('create_payment', {
        ...order,
        amount: 2,
        idempotencyKey: randomUUID(),
      });
      assert.deepEqual([conflict.status, conflict.code], [409, 'order_conflict']);
      for (const amount of [19.999, 0.1 + 0.2, 1e-7]) {
        const refused = await mcp.fail('create_payment', orderFor({ amount }));
        assert.deepEqual([refused.status, refused.code], [422, 'invalid_fields'], String(amount));
      }
      const { idempotencyKey: _, ...withoutKey } = orderFor();
      assert.equal((await mcp.fail('create_payment', withoutKey)).code, 'invalid_arguments');
    });

    test('a payment is created with items and metadata, and refused with a currency that the company does not take', async () => {
      const items = [{ name: 'Cup', quantity: 2, unitAmount: 10, taxRate: 19 }];
      const order = orderFor({ amount: 20, items, metadata: { cart: '7' } });
      const created = (await mcp.call('create_payment', order)).json.untrustedData as Json;
      assert.deepEqual(created.metadata, { cart: '7' });
      assert.equal((created.items as Json[]).length, 1);
      const refused = await mcp.fail('create_payment', orderFor({ currency: 'XXX' }));
      assert.deepEqual(
        (refused.fields as Json[]).map(({ field }) => field),
        ['currency'],
      );
    });

    test('an open payment is cancelled, again with the same result, and a paid one is refused', async () => {
      const { code } = await createLinkAs(paylink, owner);
      for (let time = 0; time < 2; time += 1) {
        const { json } = await mcp.call('cancel_payment', { paymentLinkCode: code });
        assert.deepEqual([json.mode, (json.untrustedData as Json).status], ['test', 'cancelled']);
      }
      const refused = await mcp.fail('cancel_payment', { paymentLinkCode: await paidCode() });
      assert.deepEqual([refused.status, refused.code], [409, 'payment_ended']);
    });
  });

test('a live key is named as live in the instructions and in every result, and acts on live payments only', async () => {
  const paylink = await startPaylink('server', { settings: { BASE_URL: 'https://pay.example' } });
  try {
    const owner = await logIn(paylink);
    const live = await createServiceKey(paylink, owner, { mode: 'live', scopes: ['payments'] });
    const mcp = await connectMcp(paylink, live.key, { allowed: acts });
    assert.match(mcp.client.getInstructions() ?? '', /LIVE mode: payments are real/);
    const { json } = await mcp.call('create_payment', orderFor());
    const created = json.untrustedData as Json;
    assert.deepEqual([json.mode, created.mode], ['live', 'live']);
    const code = String(created.PaymentLinkCode);
    assert.equal((await mcp.call('cancel_payment', { paymentLinkCode: code })).json.mode, 'live');
    const failed = await mcp.call('refund_payment', {
      ...{ paymentLinkCode: code, amount: 1, idempotencyKey: randomUUID() },
    });
    assert.deepEqual([failed.isError, failed.json.mode], [true, 'live']);
    const { code: ofTest } = await createLinkAs(paylink, owner);
    const foreign = await mcp.fail('cancel_payment', { paymentLinkCode: ofTest });
    assert.equal(foreign.code, 'payment_not_found');
    await mcp.close();
    const { key } = await createServiceKey(paylink, owner, { scopes: ['payments'] });
    const inTest = await connectMcp(paylink, key);
    assert.match(inTest.client.getInstructions() ?? '', /test mode: no real money moves/);
    assert.match(inTest.client.getInstructions() ?? '', /This server only reads/);
    assert.equal((await inTest.fail('get_payment', { paymentLinkCode: code })).code, 'payment_not_found');
    await inTest.close();
    assert.equal(
      (await callWithKey(paylink, live.key, ['GET', `/v1/payments/${code}`])).body.status,
      'cancelled',
    );
  } finally {
    await paylink.stop();
  }
});
