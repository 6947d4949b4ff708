// What a payment says about how it was paid or declined, refunds on their own, and `expand`: the same wherever a payment is
// shown. On both databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Credentials,
  call,
  createLink,
  type Json,
  logIn,
  orderOf,
  processPayment,
} from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

const success = { number: '4242424242424242' };
const wrongCode = { number: '4000000000000127' };

for (const engine of engines)
  describe(`models of payments on the ${engine} database`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    let credentials: Credentials;
    before(async () => {
      paylink = await startPaylink(engine, { clock, isAtWork: false });
      credentials = await logIn(paylink);
    });
    after(async () => await paylink.stop());

    const get = async (path: string) => await call(paylink, credentials, ['GET', path]);
    const post = async (path: string, body: Json = {}) =>
      await call(paylink, credentials, ['POST', path], body);
    const read = async (code: string, query = '') => (await get(`/v1/payments/${code}${query}`)).body;

    test('a new link has been neither paid nor declined, and has the names of all objects', async () => {
      const { body } = await processPayment(paylink, credentials, orderOf());
      const { paidAt, method, fee, lastDecline } = body;
      assert.deepEqual(
        { paidAt, method, fee, lastDecline },
        {
          paidAt: null,
          method: null,
          fee: null,
          lastDecline: null,
        },
      );
      assert.equal(body.createdAt, body.CreatedOn);
      assert.equal(body.paymentLinkCode, body.PaymentLinkCode);
      assert.ok(!('refunds' in body) && !('attempts' in body));
    });

    test('a declined attempt is shown after a later one has paid, with the card of each', async () => {
      const order = orderOf();
      const { body: made } = await processPayment(paylink, credentials, order);
      const link = String(made.PaymentLink);
      const code = String(made.PaymentLinkCode);
      await payWith(link, wrongCode);
      const declined = await read(code);
      assert.equal(declined.status, 'open');
      assert.equal(declined.method, null);
      const decline = declined.lastDecline as Json;
      assert.equal(decline.code, 'incorrect_csc');
      assert.equal(decline.message, 'The security code was wrong.');
      assert.match(String(decline.attemptId), /^att_/);
      assert.ok(!Number.isNaN(Date.parse(String(decline.declinedAt))));
      assert.deepEqual((decline.method as Json).card, { brand: 'visa', last4: '0127' });
      clock.advanceMs(60_000);
      await payWith(link, success);
      const paid = await read(code);
      const { status, paidAt, method } = paid;
      assert.equal(status, 'paid');
      assert.equal(paidAt, clock.now().toISOString());
      assert.deepEqual(method, {
        type: 'card',
        processor: 'sandbox',
        connectionId: null,
        card: { brand: 'visa', last4: '4242' },
      });
      assert.deepEqual(paid.lastDecline, decline);

      // The same in a list, in a search, in a repeated request and in a message.
      const parts = ({ paidAt, method, fee, lastDecline }: Json) => ({ paidAt, method, fee, lastDecline });
      const orderId = encodeURIComponent(String(order.customerOrderId));
      for (const query of [
        `customerOrderId=${orderId}`,
        `customerOrderId=${orderId}*`,
        'status=paid&limit=1',
      ]) {
        const { data } = (await get(`/v1/payments?${query}`)).body as { data: Json[] };
        const found = data.find(({ PaymentLinkCode }) => PaymentLinkCode === code);
        if (found) assert.deepEqual(parts(found), parts(paid), query);
        else assert.match(query, /\*$/);
      }
      const { body: repeated } = await processPayment(paylink, credentials, order);
      assert.deepEqual(parts(repeated), parts(paid));
      const { data: events } = (await get(`/v1/payments/${code}/events`)).body as { data: Json[] };
      const event = events.find(({ type }) => type === 'payment.paid');
      assert.equal(event?.eventId, event?.id);
      const { body: webhook } = await get(`/v1/events/${String(event?.eventId)}/webhook`);
      const message = JSON.parse(String(webhook.body)) as { data: { payment: Json } };
      assert.deepEqual(parts(message.data.payment), parts(paid));
    });

    test('a cancelled link keeps its decline', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, wrongCode);
      const { body } = await post(`/v1/payments/${code}/cancel`);
      assert.equal(body.status, 'cancelled');
      assert.equal((body.lastDecline as Json).code, 'incorrect_csc');
    });

    test('expand includes attempts and the newest refunds, and refuses other names', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, wrongCode);
      await payWith(link, success);
      const made: string[] = [];
      for (let count = 0; count < 27; count++) {
        clock.advanceMs(1);
        const { body } = await post(`/v1/payments/${code}/refunds`, { amount: 0.01 });
        made.push(String(body.refundId));
      }
      const { attempts, refunds } = (await read(code, '?expand=refunds,attempts')) as Record<string, Json[]>;
      assert.deepEqual(
        attempts?.map(({ status }) => status),
        ['declined', 'succeeded'],
      );
      assert.deepEqual(
        refunds?.map(({ refundId }) => refundId),
        made.toReversed().slice(0, 25),
      );
      assert.equal(refunds?.[0]?.paymentLinkCode, code);
      assert.ok(!('refunds' in (await read(code, '?expand=attempts'))));
      const list = (await get('/v1/payments?expand=refunds&limit=1')).body as { data: Json[] };
      assert.equal((list.data[0]?.refunds as Json[]).length, 25);
      for (const path of [`/v1/payments/${code}`, '/v1/payments'])
        for (const expand of [
          'payment',
          'refunds,',
          'refunds, attempts',
          '',
          'refunds.payment',
          'a'.repeat(300),
        ]) {
          const { status, body } = await get(`${path}?expand=${encodeURIComponent(expand)}`);
          assert.equal(status, 422, expand);
          if (expand === 'payment')
            assert.match(
              JSON.stringify(body.errors),
              /one or more of refunds, attempts, separated by commas/,
            );
        }
    });

    test('refunds are found by payment, status and time, page by page, and read alone', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, success);
      clock.advanceMs(1_000);
      const from = clock.now().toISOString();
      const made: string[] = [];
      for (let count = 0; count < 5; count++) {
        clock.advanceMs(1_000);
        const { body } = await post(`/v1/payments/${code}/refunds`, { amount: 1 });
        made.unshift(String(body.refundId));
      }
      const list = async (query: string) =>
        (await get(`/v1/refunds?${query}`)).body as { data: Json[]; nextCursor: string | null };
      const idsOf = ({ data }: { data: Json[] }) => data.map(({ refundId }) => refundId);
      assert.deepEqual(idsOf(await list(`paymentLinkCode=${code}`)), made);
      assert.deepEqual(idsOf(await list(`createdFrom=${from}`)), made);
      assert.deepEqual(idsOf(await list(`createdFrom=${from}&createdTo=${from}`)), []);
      const { data } = await list(`createdFrom=${from}&limit=1`);
      const status = String(data[0]?.status);
      assert.deepEqual(idsOf(await list(`createdFrom=${from}&status=${status}`)), made);
      assert.deepEqual(idsOf(await list(`paymentLinkCode=${code}&status=${status}`)), made);
      assert.deepEqual(idsOf(await list(`paymentLinkCode=${code}&status=unknown`)), []);
      for (const filter of [
        `paymentLinkCode=${code}`,
        `createdFrom=${from}`,
        `createdFrom=${from}&status=${status}`,
      ]) {
        const seen: unknown[] = [];
        let cursor: string | null = null;
        do {
          const page = await list(`${filter}&limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
          seen.push(...idsOf(page));
          cursor = page.nextCursor;
        } while (cursor !== null);
        assert.deepEqual(seen, made, filter);
      }
      const { body: one } = await get(`/v1/refunds/${made[0]}`);
      assert.equal(one.paymentLinkCode, code);
      assert.equal(one.createdAt, one.CreatedOn);
      assert.ok(!('payment' in one));
      const { body: whole } = await get(`/v1/refunds/${made[0]}?expand=payment`);
      assert.equal((whole.payment as Json).PaymentLinkCode, code);
      assert.equal((whole.payment as Json).status, 'paid');
      const expanded = await list(`paymentLinkCode=${code}&expand=payment`);
      assert.ok(expanded.data.every(({ payment }) => (payment as Json).PaymentLinkCode === code));
    });

    test('bad filters and foreign refunds are refused', async () => {
      for (const query of [
        'status=paid',
        'createdFrom=yesterday',
        'limit=0',
        'cursor=x',
        'expand=refunds',
        'order=1',
      ])
        assert.equal((await get(`/v1/refunds?${query}`)).status, 422, query);
      assert.equal((await get('/v1/refunds?paymentLinkCode=nothing')).status, 404);
      const { link, code } = await createLink(paylink);
      await payWith(link, success);
      const { body: refund } = await post(`/v1/payments/${code}/refunds`, { amount: 1 });
      const path = `/v1/refunds/${String(refund.refundId)}`;
      const stranger = await logIn(paylink, await paylink.createMerchant());
      assert.equal((await get(path)).status, 200);
      assert.equal((await call(paylink, stranger, ['GET', path])).status, 404);
      assert.deepEqual((await call(paylink, stranger, ['GET', '/v1/refunds'])).body.data, []);
      for (const unknown of [
        '/v1/refunds/ref_01m7wf3wswavyweszg1v4e9mnn',
        '/v1/refunds/%00',
        '/v1/refunds/x',
      ])
        assert.equal((await get(unknown)).status, 404, unknown);
    });

    test('a former name works, and both names together are refused', async () => {
      const day = '2020-01-01T00:00:00Z';
      for (const path of ['/v1/audit-events', '/v1/ledger/entries']) {
        const [now, before] = [await get(`${path}?createdFrom=${day}`), await get(`${path}?from=${day}`)];
        assert.equal(now.status, 200);
        assert.deepEqual(now.body.data, before.body.data);
        const both = await get(`${path}?createdFrom=${day}&from=${day}`);
        assert.equal(both.status, 422);
        assert.match(JSON.stringify(both.body.errors), /from is the former name of createdFrom/);
        const wrong = await get(`${path}?from=never`);
        assert.equal((wrong.body.errors as Json[])[0]?.field, 'from');
      }
      for (const sort of ['createdAt', '-createdAt']) {
        const old = sort.replace('createdAt', 'CreatedOn');
        const ids = async (wanted: string) =>
          ((await get(`/v1/payments?sort=${wanted}`)).body.data as Json[]).map(
            ({ PaymentLinkCode }) => PaymentLinkCode,
          );
        assert.deepEqual(await ids(sort), await ids(old));
      }
    });
  });
