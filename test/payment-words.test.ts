// Finding payments by words, over the API: what finds them, in which order, page by page, for whom, and from when on.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { logInLive, moveToLive } from './harness/modes.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { fillWordsOf, forgetWords } from './harness/payment-words.ts';
import { until } from './harness/process.ts';
import { payWith } from './harness/visitor.ts';

for (const engine of engines) {
  describe(`words of payments on the ${engine} database`, () => {
    let paylink: Paylink;
    before(async () => {
      // The tests fill the words themselves.
      paylink = await startPaylink(engine, { isAtWork: false });
    });
    after(async () => await paylink.stop());

    const open = async () => {
      const merchant = await paylink.createMerchant();
      const who = await logIn(paylink, merchant);
      const fill = async () => await fillWordsOf(paylink.app.deps.db, merchant.companyId);
      return { ...merchant, who, fill };
    };
    const create = async (who: Credentials, orders: readonly string[], fields: Json = {}) => {
      const links: { link: string; code: string }[] = [];
      for (const customerOrderId of orders)
        links.push(await createLinkAs(paylink, who, { customerOrderId, ...fields }));
      return links;
    };
    const ask = async (who: Credentials, query: Record<string, string>): Promise<Answer> =>
      await call(paylink, who, ['GET', `/v1/payments?${new URLSearchParams(query)}`]);
    const ordersOf = ({ status, body }: Answer): unknown[] => {
      assert.equal(status, 200, JSON.stringify(body));
      return (body.data as Json[]).map(({ customerOrderId }) => customerOrderId);
    };
    const find = async (who: Credentials, text: string) => ordersOf(await ask(who, { text }));

    test('the beginning of a word of each field finds a payment, and the last four digits of the card once it is paid', async () => {
      const { who, fill } = await open();
      const fields = {
        ...{ firstName: 'Özlem', lastName: 'Müller', email: 'o.m@shop.example', amount: 249.9 },
        description: 'Two bicycles',
      };
      const [made] = await create(who, ['order-55'], fields);
      await create(who, ['other']);
      await fill();
      for (const text of [
        'muller',
        'MÜL',
        'ozlem',
        'o.m@',
        'shop.ex',
        'order-5',
        '55',
        'bicy',
        '249.90',
        '249,90',
      ])
        assert.deepEqual(await find(who, text), ['order-55'], text);
      assert.deepEqual(await find(who, 'muller two 249'), ['order-55']);
      assert.deepEqual(await find(who, 'muller three'), []);
      assert.deepEqual(await find(who, '4242'), []);
      await payWith(made?.link ?? '', { number: '4242424242424242' });
      await fill();
      assert.deepEqual(await find(who, '4242'), ['order-55']);
      const both = { text: 'muller', email: 'o.m@shop.example', status: 'paid' };
      assert.deepEqual(ordersOf(await ask(who, both)), ['order-55']);
      assert.deepEqual(ordersOf(await ask(who, { ...both, text: '4242' })), ['order-55']);
      assert.deepEqual(ordersOf(await ask(who, { ...both, text: '4000' })), []);
    });

    test('words are in their order, and for one word the newest payment is first, on pages of any size', async () => {
      const { who, fill } = await open();
      await create(who, ['1', '2', '3', '4', '5'], { lastName: 'Zimmer', email: 'a@b.example' });
      await create(who, ['6', '7'], { lastName: 'Zimmermann', email: 'zimmer@b.example' });
      await fill();
      // The address of the last two comes before their name.
      const expected = ['5', '4', '3', '2', '1', '7', '6'];
      for (const limit of ['1', '2', '3', '100']) {
        const seen: unknown[] = [];
        let cursor: string | null = null;
        do {
          const answer: Answer = await ask(who, { text: 'zim', limit, ...(cursor ? { cursor } : {}) });
          seen.push(...ordersOf(answer));
          cursor = answer.body.nextCursor as string | null;
        } while (cursor !== null);
        assert.deepEqual(seen, expected, limit);
      }
    });

    test('words find no payment of another company, or of the other mode', async () => {
      const { companyId, who, fill, ...merchant } = await open();
      const other = await open();
      const [made] = await create(who, ['ours'], { lastName: 'Shared' });
      await create(other.who, ['theirs'], { lastName: 'Shared' });
      await moveToLive(paylink, companyId);
      await create(who, ['in test'], { lastName: 'Shared' });
      await fill();
      await other.fill();
      const live = await logInLive(paylink, { companyId, ...merchant });
      // The move has given the order another ID.
      const [ours, ...others] = (await ask(live, { text: 'shared' })).body.data as Json[];
      assert.deepEqual([ours?.PaymentLinkCode, others], [made?.code, []]);
      assert.deepEqual(await find(who, 'shared'), ['in test']);
      assert.deepEqual(await find(other.who, 'shared'), ['theirs']);
    });

    test('a search has at most ten words', async () => {
      const { who } = await open();
      const answer = await ask(who, { text: 'a b c d e f g h i j k' });
      assert.deepEqual([answer.status, (answer.body.errors as Json[])[0]?.code], [422, 'too_many']);
      assert.deepEqual(await find(who, 'a b c d e f g h i j'), []);
    });

    test('payments from before the upgrade are found while their words are missing, then by their words; an old cursor is invalid', async () => {
      const { companyId, who, fill } = await open();
      const { db } = paylink.app.deps;
      await create(who, ['A-1', 'A-2', 'A-3'], { firstName: 'Ada', lastName: 'Löwe', description: 'lamp' });
      await fill();
      await forgetWords(db, companyId);
      const queries = [{ text: 'löwe' }, { text: 'ADA' }, { text: 'a-' }, { customerOrderId: 'a-*' }];
      for (const query of queries) {
        assert.deepEqual(
          ordersOf(await ask(who, query)).sort(),
          ['A-1', 'A-2', 'A-3'],
          JSON.stringify(query),
        );
        assert.deepEqual(ordersOf(await ask(who, { ...query, maxAmount: '0.50' })), []);
      }
      assert.deepEqual(await find(who, 'lamp'), [], 'there is no word to find it by');
      const old = await ask(who, { text: 'ada', limit: '2' });
      assert.equal(ordersOf(old).length, 2);
      await fill();
      const cursor = String(old.body.nextCursor);
      const again = await ask(who, { text: 'ada', limit: '2', cursor });
      assert.deepEqual([again.status, (again.body.errors as Json[])[0]?.code], [422, 'invalid_cursor']);
      assert.deepEqual(await find(who, 'lamp'), ['A-3', 'A-2', 'A-1']);
      for (const query of queries)
        assert.deepEqual(
          ordersOf(await ask(who, query)).sort(),
          ['A-1', 'A-2', 'A-3'],
          JSON.stringify(query),
        );
    });
  });
}

test('the service finds a payment by its words within a second of its creation', async () => {
  const paylink = await startPaylink('server');
  try {
    const who = await logIn(paylink);
    await createLinkAs(paylink, who, { customerOrderId: 'first' });
    await fillWordsOf(paylink.app.deps.db, paylink.merchant.companyId);
    let quickest = Number.POSITIVE_INFINITY;
    // A transaction of another test on the same server, or a busy machine, may delay some, but not all.
    for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
      await createLinkAs(paylink, who, { lastName: `Found${letter}` });
      const createdAt = performance.now();
      await until(async () => {
        const { body } = await call(paylink, who, ['GET', `/v1/payments?text=found${letter}`]);
        return (body.data as Json[]).length === 1;
      }, 'the payment to be found');
      quickest = Math.min(quickest, performance.now() - createdAt);
      if (quickest < 1_000) break;
    }
    assert.ok(quickest < 1_000, `${quickest} ms`);
  } finally {
    await paylink.stop();
  }
});
