// Filling the words of payments, on the database: beside open transactions, by two processes, after a change, and as an
// upgrade. And the number of indexes that a new payment pays for.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { appendEvents } from '../src/events/append-event.ts';
import { fillPaymentWords } from '../src/search/fill-words.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines } from './harness/paylink.ts';
import { fillWordsOf, forgetWords } from './harness/payment-words.ts';
import { until } from './harness/process.ts';

const insertPayments = `
  insert into payments (company_id, payment_id, code, customer_order_id, state, amount_minor, currency, email, first_name,
                        country, success_url, failure_url, expires_at, created_by, created_at, updated_at)
  select $1, payment_id, $1 || payment_id, payment_id, 'open', 100, 'EUR', 'a@b.example', 'Ada', 'DE',
         'https://shop.example/paid', 'https://shop.example/failed', now() + interval '7 days', 'acc_x', now(), now()
  from unnest($2::text[]) payment_id`;

const created = (paymentId: string, type = 'payment.created') => ({
  ...{ type, isPublic: true, paymentId, actor: 'test', data: {}, at: new Date() },
});

for (const engine of engines) {
  describe(`filling the words of payments on the ${engine} database`, () => {
    let bare: DatabaseFixture;
    before(async () => {
      bare = await openDatabaseFixture(engine);
    });
    after(async () => await bare.stop());

    const add = async (companyId: string, ...paymentIds: string[]) =>
      await bare.inTenant(companyId, async (tx) => {
        await tx.query(insertPayments, [companyId, paymentIds]);
        await appendEvents(
          tx,
          paymentIds.map((paymentId) => created(paymentId)),
        );
      });
    const wordsOf = async (companyId: string, paymentId?: string) => {
      const rows = await bare.inTenant(
        companyId,
        async (tx) =>
          await tx.query<{ it: string }>(
            `select payment_id || ' ' || word as it from payment_words
             where company_id = $1 and ($2::text is null or payment_id = $2) order by 1`,
            [companyId, paymentId ?? null],
          ),
      );
      return rows.map(({ it }) => it);
    };

    test('a payment has each word once, and is filled again only after an event that may change them', async () => {
      const companyId = await bare.createCompany();
      await add(companyId, 'pay_1');
      await fillWordsOf(bare.db, companyId);
      const words = ['1', '1.00', 'a@b.example', 'ada', 'b.example', 'pay_1'].map((word) => `pay_1 ${word}`);
      assert.deepEqual(await wordsOf(companyId), words);
      const event = created('pay_1', 'payment.opened');
      await bare.inTenant(companyId, async (tx) => await appendEvents(tx, [event]));
      await fillWordsOf(bare.db, companyId);
      assert.deepEqual(await wordsOf(companyId), words);
    });

    test('words that a payment no longer has go, and no others', async () => {
      const companyId = await bare.createCompany();
      await add(companyId, 'pay_1', 'pay_2');
      await fillWordsOf(bare.db, companyId);
      const others = await wordsOf(companyId, 'pay_2');
      await bare.inTenant(companyId, async (tx) => {
        await tx.query(
          `update payments set first_name = 'Grace', description = 'new lamp' where company_id = $1 and payment_id = 'pay_1'`,
          [companyId],
        );
        await appendEvents(tx, [created('pay_1', 'payment.updated')]);
      });
      await fillWordsOf(bare.db, companyId);
      const words = ['1', '1.00', 'a@b.example', 'b.example', 'grace', 'lamp', 'new', 'pay_1'];
      assert.deepEqual(
        await wordsOf(companyId, 'pay_1'),
        words.map((word) => `pay_1 ${word}`),
      );
      assert.deepEqual(await wordsOf(companyId, 'pay_2'), others);
    });

    test('passes at once fill each payment, and none twice', async () => {
      const companyId = await bare.createCompany();
      const paymentIds = Array.from({ length: 700 }, (_, index) => `pay_${1_000 + index}`);
      for (let from = 0; from < 700; from += 100) await add(companyId, ...paymentIds.slice(from, from + 100));
      await forgetWords(bare.db, companyId);
      await Promise.all([1, 2, 3].map(async () => await fillPaymentWords(bare)));
      await fillWordsOf(bare.db, companyId);
      assert.equal((await wordsOf(companyId)).length, 700 * 6);
    });

    test('an upgrade goes on where the pass before ended', async () => {
      const companyId = await bare.createCompany();
      const paymentIds = Array.from({ length: 1_200 }, (_, index) => `pay_${1_000 + index}`);
      await add(companyId, ...paymentIds);
      await fillWordsOf(bare.db, companyId);
      const all = await wordsOf(companyId);
      await forgetWords(bare.db, companyId);
      // As if the process had died after its first transaction.
      const halfway = `(select event_id from events where company_id = $1 order by xact, event_id offset 499 limit 1)`;
      await bare.db.asOwner.query(
        `update payment_word_positions set event_id = ${halfway}, xact = (select xact from events where event_id = ${halfway})
         where company_id = $1`,
        [companyId],
      );
      await fillWordsOf(bare.db, companyId);
      assert.deepEqual(
        await wordsOf(companyId),
        all.filter((row) => row >= 'pay_1500'),
      );
    });

    test('at most eight indexes of payments make a new payment slower', async () => {
      const rows = await bare.db.asOwner.query<{ name: string }>(
        `select indexrelid::regclass::text as name from pg_index where indrelid = 'payments'::regclass order by 1`,
      );
      assert.ok(rows.length <= 8, rows.map(({ name }) => name).join(', '));
    });
  });
}

test('a payment whose transaction commits late is not passed over', async () => {
  const bare = await openDatabaseFixture('server');
  try {
    const companyId = await bare.createCompany();
    const count = async () => {
      const [row] = await bare.db.asOwner.query<{ count: number }>(
        `select count(distinct payment_id)::int as count from payment_words where company_id = $1`,
        [companyId],
      );
      return row?.count;
    };
    const add = async (paymentId: string, meanwhile?: () => Promise<void>) =>
      await bare.inTenant(companyId, async (tx) => {
        await tx.query(insertPayments, [companyId, [paymentId]]);
        await appendEvents(tx, [created(paymentId)]);
        await meanwhile?.();
      });
    const begun = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const late = add('pay_late', async () => {
      begun.resolve();
      await mayCommit.promise;
    });
    await begun.promise;
    await add('pay_early');
    for (let pass = 0; pass < 3; pass++) await fillPaymentWords(bare);
    assert.equal(await count(), 0, 'the early one waits for the order of events');
    mayCommit.resolve();
    await late;
    await until(async () => {
      await fillPaymentWords(bare);
      return (await count()) === 2;
    }, 'both payments');
  } finally {
    await bare.stop();
  }
});
