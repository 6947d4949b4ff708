// Connections in live mode, on PostgreSQL behind https: separate from test mode, and refused where live mode is not
// possible; and concurrent changes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deriveApiKey } from '../src/api-keys/api-keys.ts';
import { newApiKeyId } from '../src/base/ids.ts';
import { type Credentials, call, type Json, logIn } from './harness/client.ts';
import {
  type ConnectionFixture,
  orderPath,
  connectionsPath as path,
  startConnectionFixture,
} from './harness/connection-fixture.ts';
import { engines, type Paylink } from './harness/paylink.ts';
import { goodCredentials } from './harness/stub-processor.ts';

/** The same person with a live key, inserted directly so that it exists even where the service cannot create it. */
async function goLive(paylink: Paylink, who: Credentials): Promise<Credentials> {
  const { keyring, db } = paylink.app.deps;
  const keyId = newApiKeyId(who.companyId);
  await db.asOwner.query(
    `insert into api_keys (company_id, key_id, name, mode, created_at, created_by)
     values ($1, $2, 'Live', 'live', now(), 'system')`,
    [who.companyId, keyId],
  );
  return { ...who, apiKey: deriveApiKey(keyring, 'live', keyId) };
}

describe('a service that allows live mode', () => {
  let paylink: Paylink;
  let x: ConnectionFixture;
  before(async () => {
    x = await startConnectionFixture('server', { BASE_URL: 'https://pay.example' });
    paylink = x.paylink;
  });
  after(async () => await paylink.stop());

  const idsOf = async (who: Credentials): Promise<unknown[]> => (await x.listed(who)).map(({ id }) => id);

  test('a connection has the mode of the key that created it, and keys of the other mode do not see it', async () => {
    const who = await x.openShop();
    const lively = await goLive(paylink, who);
    const [trial, live] = [await x.connect(who), await x.connect(lively)];
    assert.deepEqual([trial.mode, live.mode, live.position], ['test', 'live', 0]);
    assert.equal(x.stubProcessor.checked.at(-1)?.mode, 'live', 'the processor gets the mode');
    assert.match(String(live.webhookUrl), /^https:\/\/pay\.example\/processors\/desk\/webhook\/con_/);
    assert.deepEqual([await idsOf(who), await idsOf(lively)], [[trial.id], [live.id]]);
    for (const [caller, id] of [
      [who, live.id],
      [lively, trial.id],
    ] as const)
      for (const [method, at, body] of [
        ['GET', `${path}/${id}`],
        ['PATCH', `${path}/${id}`, { enabled: false }],
        ['POST', `${path}/${id}/check`],
        ['DELETE', `${path}/${id}`],
      ] as const)
        assert.equal((await call(paylink, caller, [method, at], body)).status, 404, method);
    const order = { connectionIds: [live.id] };
    assert.equal((await call(paylink, who, ['PUT', orderPath], order)).status, 422);
  });

  test('a test-only processor cannot be connected in live mode', async () => {
    const lively = await goLive(paylink, await x.openShop());
    const refused = await call(paylink, lively, ['POST', path], { processor: 'sandbox' });
    assert.equal(refused.status, 422);
    assert.match(
      JSON.stringify(refused.body.errors),
      /No processor has this name in live mode.*Known: desk\./,
    );
  });

  test('concurrent reordering and creation leave each connection with its own position', async () => {
    const who = await x.openShop();
    for (let made = 0; made < 4; made++) await x.connect(who);
    const first = await idsOf(who);
    const orders = [first, first.toReversed(), [...first.slice(1), first[0]]];
    const put = async (ids: unknown[]) =>
      (await call(paylink, who, ['PUT', orderPath], { connectionIds: ids })).status;
    const at = [...orders, ...orders, ...orders].map(put);
    assert.deepEqual(new Set(await Promise.all(at)), new Set([200]));
    const after = await idsOf(who);
    assert.ok(
      orders.some((ids) => String(ids) === String(after)),
      'the order is one that somebody asked for, and no mixture',
    );
    const beside = await Promise.all([
      ...orders.map(put),
      ...Array.from({ length: 6 }, async () => (await x.create(who)).status),
    ]);
    assert.ok(
      beside.every((status) => status === 200 || status === 422),
      'an order that lacks a new one is refused',
    );
    const positions = (await x.listed(who)).map(({ position }) => position);
    assert.deepEqual(
      positions,
      positions.map((_, index) => index),
    );
    assert.equal(positions.length, 10);
  });
});

for (const engine of engines)
  test(`a service on http and the ${engine} database refuses live connections, with every reason`, async () => {
    const { paylink, stubProcessor } = await startConnectionFixture(engine);
    try {
      const who = await logIn(paylink);
      const asked = stubProcessor.checked.length;
      const wanted = { processor: 'desk', credentials: goodCredentials };
      const refused = await call(paylink, await goLive(paylink, who), ['POST', path], wanted);
      assert.deepEqual([refused.status, refused.body.code], [409, 'live_not_possible']);
      assert.deepEqual(
        (refused.body.errors as Json[]).map(({ code }) => code),
        ['base_url_not_https', ...(engine === 'embedded' ? ['embedded_database'] : [])],
      );
      assert.equal(stubProcessor.checked.length, asked, 'live credentials went nowhere');
      assert.equal((await call(paylink, who, ['POST', path], wanted)).status, 200, 'a test connection may');
    } finally {
      await paylink.stop();
    }
  });
