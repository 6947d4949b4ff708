// Finding payments over the API: filters, pages, hostile texts and cursors. On both databases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Answer,
  type Credentials,
  credentialHeaders,
  type Json,
  logIn,
  orderOf,
  post,
  processPayment,
  readAnswer,
} from './harness/client.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { fillWordsOf } from './harness/payment-words.ts';
import { payWith } from './harness/visitor.ts';

type Query = Record<string, string>;

/** The payments, in order of creation. */
const customers: readonly Json[] = [
  { customerOrderId: 'A-1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', amount: 10 },
  { customerOrderId: 'A-2', email: 'Ada@Example.com', firstName: 'ADA', lastName: 'Byron', amount: 20 },
  { customerOrderId: 'B-1', email: 'grace@example.com', firstName: 'Grace', lastName: 'Hopper', amount: 30 },
  { customerOrderId: 'ada', email: 'x%_\\@example.com', firstName: 'Jörg', lastName: "O'Hara", amount: 40 },
  { customerOrderId: 'סדר-7', email: 'rtl@example.com', firstName: 'שרה', amount: 50, currency: 'USD' },
  { customerOrderId: '🎈 100%', email: 'b@example.com', lastName: 'Ada-Marie', amount: 60 },
];

for (const engine of engines) {
  describe(`finding payments on the ${engine} database`, () => {
    let paylink: Paylink;
    let owner: Credentials;
    const codes: string[] = [];
    const ask = async (query: Query | string, who: Credentials = owner): Promise<Answer> => {
      const text = typeof query === 'string' ? query : new URLSearchParams(query).toString();
      const url = `${paylink.baseUrl}/v1/payments?${text}`;
      return await readAnswer(await fetch(url, { headers: credentialHeaders(who) }));
    };
    /** The order IDs of a result that must fit on one page. */
    const find = async (query: Query): Promise<unknown[]> => {
      const { status, body } = await ask(query);
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.nextCursor, null);
      return (body.data as Json[]).map((payment) => payment.customerOrderId);
    };
    const fieldOf = ({ body }: Answer) => (body.errors as Json[] | undefined)?.[0]?.field;

    before(async () => {
      paylink = await startPaylink(engine);
      owner = await logIn(paylink);
      for (const fields of customers) {
        const { firstName, lastName, ...rest } = orderOf();
        const answer = await processPayment(paylink, owner, { ...rest, ...fields });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        codes.push(String(answer.body.PaymentLinkCode));
      }
      await payWith(`${paylink.baseUrl}/pay/${codes[0]}`, { number: '4242424242424242' });
      await post(`${paylink.baseUrl}/v1/payments/${codes[1]}/cancel`, {}, credentialHeaders(owner));
      await fillWordsOf(paylink.app.deps.db, paylink.merchant.companyId);
    });
    after(async () => await paylink.stop());

    test('payments are listed newest or oldest first, in the form of a single payment', async () => {
      const all = customers.map(({ customerOrderId }) => customerOrderId);
      assert.deepEqual(await find({}), [...all].reverse());
      assert.deepEqual(await find({ sort: 'CreatedOn' }), all);
      const [first] = (await ask({ sort: 'CreatedOn', limit: '1' })).body.data as Json[];
      const url = `${paylink.baseUrl}/v1/payments/${codes[0]}`;
      const alone = await readAnswer(await fetch(url, { headers: credentialHeaders(owner) }));
      assert.deepEqual(first, alone.body);
      assert.equal(first?.version, 3);
    });

    test('each filter works alone and combined with others', async () => {
      assert.deepEqual(await find({ status: 'paid' }), ['A-1']);
      assert.deepEqual(await find({ status: 'cancelled' }), ['A-2']);
      assert.deepEqual(await find({ status: 'failed' }), []);
      assert.deepEqual(await find({ customerOrderId: 'A-1' }), ['A-1']);
      assert.deepEqual(await find({ customerOrderId: 'a-1' }), []);
      assert.deepEqual(await find({ customerOrderId: 'a-*' }), ['A-1', 'A-2']);
      assert.deepEqual(await find({ email: 'ADA@example.com' }), ['A-2', 'A-1']);
      assert.deepEqual(await find({ email: 'ada@example.com', sort: 'CreatedOn' }), ['A-1', 'A-2']);
      assert.deepEqual(await find({ email: 'g*' }), ['B-1']);
      assert.deepEqual(await find({ minAmount: '20', maxAmount: '40.00' }), ['ada', 'B-1', 'A-2']);
      assert.deepEqual(await find({ currency: 'USD' }), ['סדר-7']);
      assert.deepEqual(await find({ mode: 'test' }), await find({}));
      assert.deepEqual(await find({ email: 'ada@example.com', status: 'paid', maxAmount: '15' }), ['A-1']);
      assert.deepEqual(await find({ status: 'open', text: 'ada' }), ['ada', '🎈 100%']);
    });

    test('a text finds order IDs, email addresses, names and last names by prefix, each payment once', async () => {
      const found = await find({ text: 'ADA' });
      assert.deepEqual(found.toSorted(), ['A-1', 'A-2', 'ada', '🎈 100%'].toSorted());
      assert.deepEqual(await find({ text: 'ada lov' }), ['A-1']);
      assert.deepEqual(await find({ text: 'hop' }), ['B-1']);
      assert.deepEqual(await find({ text: 'jörg o' }), ['ada']);
    });

    test('special characters in texts are data', async () => {
      assert.deepEqual(await find({ text: '%' }), []);
      assert.deepEqual(await find({ text: '_' }), []);
      assert.deepEqual(await find({ text: 'x%_\\' }), ['ada']);
      assert.deepEqual(await find({ text: "o'h" }), ['ada']);
      assert.deepEqual(await find({ text: "' or 1=1 --" }), []);
      assert.deepEqual(await find({ text: '🎈' }), ['🎈 100%']);
      assert.deepEqual(await find({ text: 'שרה' }), ['סדר-7']);
      assert.deepEqual(await find({ customerOrderId: 'סדר*' }), ['סדר-7']);
      assert.deepEqual(await find({ customerOrderId: '🎈 100%' }), ['🎈 100%']);
      for (const field of ['text', 'email', 'customerOrderId']) {
        const long = await ask({ [field]: 'a'.repeat(10_000) });
        assert.deepEqual([long.status, fieldOf(long)], [422, field]);
        const zero = await ask({ [field]: 'a\0b' });
        assert.deepEqual([zero.status, fieldOf(zero)], [422, field]);
      }
      assert.equal((await ask('text=%ff%fe')).status, 200);
    });

    test('the period includes its start and excludes its end', async () => {
      const [newest] = (await ask({ limit: '1' })).body.data as Json[];
      const createdFrom = String(newest?.CreatedOn);
      assert.deepEqual(await find({ createdFrom }), ['🎈 100%']);
      assert.equal((await find({ createdTo: createdFrom })).length, customers.length - 1);
      assert.deepEqual(await find({ status: 'open', createdFrom, email: 'b@example.com' }), ['🎈 100%']);
      assert.deepEqual(await find({ email: 'b*', createdTo: createdFrom }), []);
      assert.equal((await find({ createdFrom: '0000-01-01T00:00:00Z', text: 'ada' })).length, 4);
    });

    test('pages of any size return every payment once, in every order', async () => {
      for (const query of [{}, { sort: 'CreatedOn' }, { status: 'open' }, { text: 'a' }, { email: '*' }])
        for (const limit of ['1', '2', '5']) {
          const whole = await find({ ...query });
          const seen: unknown[] = [];
          let cursor: string | null = null;
          do {
            const { body }: Answer = await ask({ ...query, limit, ...(cursor ? { cursor } : {}) });
            seen.push(...(body.data as Json[]).map((payment) => payment.customerOrderId));
            cursor = body.nextCursor as string | null;
          } while (cursor !== null);
          assert.deepEqual(seen, whole, JSON.stringify({ query, limit }));
        }
    });

    test('a cursor is rejected for another query, for another company, and if changed', async () => {
      const first = await ask({ limit: '2', status: 'open' });
      const cursor = String(first.body.nextCursor);
      assert.equal((await ask({ cursor, status: 'open' })).status, 200);
      const other = await logIn(paylink, await paylink.createMerchant());
      for (const answer of [
        await ask({ cursor }),
        await ask({ cursor, status: 'paid' }),
        await ask({ cursor, status: 'open', sort: 'CreatedOn' }),
        await ask({ cursor, status: 'open' }, other),
        await ask({ cursor: `${cursor}A`, status: 'open' }),
        await ask({ cursor: 'bm90IG91cnM', status: 'open' }),
        await ask({ cursor: '%', status: 'open' }),
      ])
        assert.deepEqual([answer.status, fieldOf(answer)], [422, 'cursor']);
    });

    test('invalid parameters are rejected by name', async () => {
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=101', 'limit'],
        ['limit=1e1', 'limit'],
        ['limit=2&limit=3', 'limit'],
        ['sort=amount', 'sort'],
        ['status=gone', 'status'],
        ['currency=eur', 'currency'],
        ['mode=real', 'mode'],
        ['minAmount=0', 'minAmount'],
        ['minAmount=1.001', 'minAmount'],
        ['maxAmount=-1', 'maxAmount'],
        ['maxAmount=99999999', 'maxAmount'],
        ['createdFrom=yesterday', 'createdFrom'],
        ['createdTo=2026-02-30T00:00:00Z', 'createdTo'],
        ['createdTo=2026-02-03T00:00:00+01:00', 'createdTo'],
        ['text=', 'text'],
        ['text=a&sort=CreatedOn', 'sort'],
        ['mail=a', 'mail'],
      ] as const) {
        const answer = await ask(query);
        assert.deepEqual([answer.status, fieldOf(answer)], [422, field], query);
      }
    });

    test('a company does not find another company’s payments', async () => {
      const other = await logIn(paylink, await paylink.createMerchant());
      for (const query of [{}, { text: 'ada' }, { email: 'ada@example.com' }, { status: 'paid' }])
        assert.deepEqual((await ask(query, other)).body.data, []);
    });
  });
}
