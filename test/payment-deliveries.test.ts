// The deliveries of one payment: the list, its pages and permissions, and the exact request. On both databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { payWith } from './harness/visitor.ts';
import {
  createTestEndpoint,
  endpointsPath,
  getDelivery,
  loopbackSettings,
  type TestEndpoint,
} from './harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';

for (const engine of engines)
  describe(`deliveries of a payment on the ${engine} database`, () => {
    let paylink: Paylink;
    let receiver: Receiver;
    let owner: Credentials;
    let code: string;
    let chosen: TestEndpoint;
    let gone: TestEndpoint;
    const urls = new Map<string, string>();

    const ask = async (of: string, query = '', who: Credentials = owner): Promise<Answer> =>
      await call(paylink, who, ['GET', `/v1/payments/${of}/deliveries${query}`]);
    const find = async (of: string, query = '?limit=100'): Promise<Json[]> => {
      const { status, body } = await ask(of, query);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data as Json[];
    };

    before(async () => {
      paylink = await startPaylink(engine, { settings: loopbackSettings });
      receiver = await startReceiver();
      owner = await logIn(paylink);
      const hookAt = async (name: string, events: string[]): Promise<TestEndpoint> => {
        const url = receiver.at(`${engine}-${name}`);
        const hook = await createTestEndpoint(paylink, owner, { url, events });
        urls.set(hook.id, url);
        return hook;
      };
      await hookAt('all', ['*']);
      chosen = await hookAt('paid', ['payment.paid']);
      gone = await hookAt('gone', ['payment.created']);
      await createLinkAs(paylink, owner);
      const made = await createLinkAs(paylink, owner);
      code = made.code;
      await payWith(made.link, { number: '4242424242424242' });
      await receiver.waitFor(`${engine}-paid`, 1);
      await paylink.app.work.sweep('webhooks');
      await call(paylink, owner, ['DELETE', `${endpointsPath}/${gone.id}`]);
    });
    after(async () => {
      await receiver.close();
      await paylink.stop();
    });

    test('the list contains every delivery of the payment once, newest first, with its URL', async () => {
      const { body: history } = await call(paylink, owner, ['GET', `/v1/payments/${code}/events?limit=100`]);
      const own = new Map((history.data as Json[]).map(({ id, type }) => [id, type]));
      const deliveries = await find(code);
      const listed = deliveries.map(({ type, endpointId }) => `${type} to ${endpointId}`);
      const [all] = urls.keys();
      const types = ['payment.created', 'payment.processing', 'payment.paid'];
      const expected = [
        ...types.map((type) => `${type} to ${all}`),
        `payment.paid to ${chosen.id}`,
        `payment.created to ${gone.id}`,
      ];
      assert.deepEqual(listed.toSorted(), expected.toSorted());
      for (const { eventId, type, endpointId, url } of deliveries) {
        assert.equal(own.get(eventId), type);
        assert.equal(url, urls.get(String(endpointId)));
      }
      const ids = deliveries.map(({ deliveryId }) => String(deliveryId));
      assert.deepEqual(ids, ids.toSorted().reverse());
    });

    test('a delivery has the same fields as in the list of its endpoint', async () => {
      const { body } = await call(paylink, owner, ['GET', `${endpointsPath}/${chosen.id}/deliveries`]);
      const listed = (await find(code)).filter(({ endpointId }) => endpointId === chosen.id);
      assert.deepEqual(listed, body.data);
    });

    test('consecutive pages contain each delivery once', async () => {
      const ids: unknown[] = [];
      let cursor: string | null = null;
      do {
        const { body } = await ask(code, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
        ids.push(...(body.data as Json[]).map(({ deliveryId }) => deliveryId));
        cursor = body.nextCursor as string | null;
      } while (cursor !== null);
      assert.deepEqual(
        ids,
        (await find(code)).map(({ deliveryId }) => deliveryId),
      );
      const { body } = await ask(code, '?limit=2');
      const other = await createLinkAs(paylink, owner);
      assert.equal((await ask(other.code, `?cursor=${body.nextCursor}`)).status, 422);
      assert.equal((await ask(code, '?state=failed')).status, 422);
    });

    test('another company’s payment gives 404, and a role without webhook rights is refused', async () => {
      const other = await logIn(paylink, await paylink.createMerchant());
      assert.equal((await ask(code, '', other)).status, 404);
      assert.equal((await ask(`${code.slice(0, -4)}${code.endsWith('0000') ? '1111' : '0000'}`)).status, 404);
      const support = await addMember(paylink, owner, ['support']);
      const refused = await ask(code, '', support.credentials);
      assert.deepEqual([refused.status, refused.body.code], [403, 'role_not_allowed']);
    });

    test('the request of a delivery is what the receiver got, except for headers of each attempt', async () => {
      const [delivery] = (await find(code)).filter(({ endpointId }) => endpointId === chosen.id);
      const { request } = await getDelivery(paylink, owner, delivery ?? {});
      const [got] = receiver.messages(`${engine}-paid`);
      assert.equal(request.method, 'POST');
      assert.equal(request.url, urls.get(chosen.id));
      assert.equal(request.body, got?.body);
      const shown = request.headers as Record<string, string>;
      assert.deepEqual(
        shown,
        Object.fromEntries(Object.keys(shown).map((name) => [name, got?.headers[name]])),
      );
      const own = Object.keys(got?.headers ?? {}).filter((name) => !(name in shown));
      assert.deepEqual(own.toSorted(), [
        ...['connection', 'content-length', 'host', 'webhook-signature', 'webhook-timestamp'],
      ]);
    });

    test('a delivery contains no secret or signature, and keeps the URL of a deleted endpoint', async () => {
      for (const delivery of await find(code)) {
        const text = JSON.stringify(await getDelivery(paylink, owner, delivery));
        for (const part of [chosen.secret, 'whsec_', 'v1,', 'v1a,']) assert.ok(!text.includes(part), part);
      }
      const [late] = (await find(code)).filter(({ endpointId }) => endpointId === gone.id);
      const { request } = await getDelivery(paylink, owner, late ?? {});
      assert.equal(request.url, urls.get(gone.id));
    });
  });
