// Connections in live mode, on PostgreSQL behind an address with https: apart from those of test mode, refused where the
// service cannot be live; and what many people do to the connections of one company at once.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newApiKeyId } from '../src/base/ids.ts';
import { deriveApiKey } from '../src/merchants/api-keys.ts';
import { createProcessors, listProcessors } from '../src/processors/registry.ts';
import { type Credentials, call, type Json, logIn } from './harness/client.ts';
import { createDesk, goodCredentials } from './harness/desk.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';

const path = '/v1/processor-connections';
const desk = createDesk();
const start = async (engine: 'embedded' | 'server', settings: Record<string, string> = {}) =>
  await startPaylink(engine, {
    settings,
    processors: (deps) => listProcessors(createProcessors(deps).builtIn, [desk.kind]),
  });

/** The same person with a live key, which stands also where the service could not make it. */
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

describe('a service that may be live', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await start('server', { BASE_URL: 'https://pay.example' });
  });
  after(async () => await paylink.stop());

  const create = async (who: Credentials, body: Json = {}): Promise<Json> => {
    const wanted = { processor: 'desk', credentials: goodCredentials, ...body };
    const answer = await call(paylink, who, ['POST', path], wanted);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const idsOf = async (who: Credentials): Promise<unknown[]> =>
    ((await call(paylink, who, ['GET', path])).body.data as Json[]).map(({ id }) => id);

  test('a connection is of the mode of the key that made it, and keys of the other mode do not see it', async () => {
    const who = await logIn(paylink, await paylink.createMerchant());
    const lively = await goLive(paylink, who);
    const [trial, live] = [await create(who), await create(lively)];
    assert.deepEqual([trial.mode, live.mode, live.position], ['test', 'live', 0]);
    assert.equal(desk.checked.at(-1)?.mode, 'live', 'the processor is told');
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
    assert.equal((await call(paylink, who, ['PUT', '/v1/processor-connection-order'], order)).status, 422);
  });

  test('a processor for trials alone is not connected in live mode', async () => {
    const lively = await goLive(paylink, await logIn(paylink, await paylink.createMerchant()));
    const refused = await call(paylink, lively, ['POST', path], { processor: 'sandbox' });
    assert.equal(refused.status, 422);
    assert.match(
      JSON.stringify(refused.body.errors),
      /no processor of this name in live mode.*Known: desk\./,
    );
  });

  test('orders and creations at once leave every connection in one place of its own', async () => {
    const who = await logIn(paylink, await paylink.createMerchant());
    for (let made = 0; made < 4; made++) await create(who);
    const first = await idsOf(who);
    const orders = [first, first.toReversed(), [...first.slice(1), first[0]]];
    const put = async (ids: unknown[]) =>
      (await call(paylink, who, ['PUT', '/v1/processor-connection-order'], { connectionIds: ids })).status;
    const at = [...orders, ...orders, ...orders].map(put);
    assert.deepEqual(new Set(await Promise.all(at)), new Set([200]));
    const after = await idsOf(who);
    assert.ok(
      orders.some((ids) => String(ids) === String(after)),
      'the order is one that somebody asked for, and no mixture',
    );
    const beside = await Promise.all([
      ...orders.map(put),
      ...Array.from({ length: 6 }, async () => (await create(who)) && 200),
    ]);
    assert.ok(
      beside.every((status) => status === 200 || status === 422),
      'an order that lacks a new one is refused',
    );
    const { body } = await call(paylink, who, ['GET', path]);
    const positions = (body.data as Json[]).map(({ position }) => position);
    assert.deepEqual(
      positions,
      positions.map((_, index) => index),
    );
    assert.equal(positions.length, 10);
  });
});

for (const engine of engines)
  test(`a service on http and the ${engine} database takes no live connection, and names every reason`, async () => {
    const paylink = await start(engine);
    try {
      const who = await logIn(paylink);
      const asked = desk.checked.length;
      const wanted = { processor: 'desk', credentials: goodCredentials };
      const refused = await call(paylink, await goLive(paylink, who), ['POST', path], wanted);
      assert.deepEqual([refused.status, refused.body.code], [409, 'live_not_possible']);
      assert.deepEqual(
        (refused.body.errors as Json[]).map(({ code }) => code),
        ['base_url_not_https', ...(engine === 'embedded' ? ['embedded_database'] : [])],
      );
      assert.equal(desk.checked.length, asked, 'live credentials went nowhere');
      assert.equal((await call(paylink, who, ['POST', path], wanted)).status, 200, 'a test connection may');
    } finally {
      await paylink.stop();
    }
  });
