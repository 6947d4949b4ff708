// A million payments: no question that the API takes makes the database read a table through, sort more
// than a page's bound, or read more rows than that bound, whatever is asked and whether the database knows
// its own statistics or not; and an export of all of them stays within a few megabytes of memory.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { feedStart, listEvents, listPaymentEvents } from '../../src/events/list-events.ts';
import { listBalances } from '../../src/ledger/list-balances.ts';
import { listEntries, listEntriesOfPayment } from '../../src/ledger/list-entries.ts';
import { exportPayments } from '../../src/payments/export-payments.ts';
import { findPayments, scanRows } from '../../src/payments/find-payments.ts';
import { type PaymentListQuery, readPaymentQuery } from '../../src/payments/payment-query.ts';
import { explainInto, type Plan } from './explained.ts';
import { eventsOfLarge, idAt, type Million, momentOf, openMillion, sizes, totalsOfLarge } from './million.ts';

type Owner = 'large' | 'middle' | 'small';
type Asked = PaymentListQuery & { of?: Owner };

/** Questions that one index answers: a page, and one row more. */
const exact: readonly Asked[] = [
  {},
  { sort: 'CreatedOn' },
  { limit: '100' },
  { status: 'paid' },
  { status: 'failed' },
  { status: 'open' },
  { status: 'paid', of: 'middle' },
  { status: 'failed', of: 'middle', sort: 'CreatedOn' },
  { status: 'cancelled', of: 'small' },
  { status: 'failed', createdFrom: momentOf(600_000).toISOString() },
  { createdFrom: momentOf(300_000).toISOString(), createdTo: momentOf(400_000).toISOString() },
  { createdTo: momentOf(5_000).toISOString() },
  { email: 'ANNA7@example.com' },
  { email: 'nobody@example.com' },
  { email: 'anna*' },
  { customerOrderId: 'shop-1*' },
  { customerOrderId: 'none*' },
];

/** Questions with something to filter: as many rows as one look may go over. */
const filtered: readonly Asked[] = [
  { customerOrderId: 'Shop-1' },
  { minAmount: '900000' },
  { maxAmount: '1.01' },
  { currency: 'USD', minAmount: '1000.99', maxAmount: '1001' },
  { status: 'failed', currency: 'USD', minAmount: '900000', of: 'middle' },
  { status: 'open', email: 'anna*' },
  { status: 'failed', email: 'customer*' },
  { status: 'failed', customerOrderId: 'shop*' },
  { email: 'anna*', customerOrderId: 'web-9*' },
  { email: 'anna*', createdFrom: momentOf(699_990).toISOString() },
  { text: 'a' },
  { text: 'anna' },
  { text: 'Ada lovelace1' },
  { text: 'müller' },
  { text: 'nobody at all' },
  { text: 'a', status: 'failed' },
  { text: 'shop', minAmount: '900000' },
  { text: 'a', email: 'customer*', createdTo: momentOf(100).toISOString(), of: 'middle' },
];

const nameOf = (asked: object) => JSON.stringify(asked);

describe('with a million payments', () => {
  let million: Million;
  before(
    async () => {
      million = await openMillion();
    },
    { timeout: 400_000 },
  );
  after(async () => await million.bare.stop());

  /** Asks for a page, and for two more by its cursor; gives the plans of all statements. */
  async function plansOf({ of = 'large', ...query }: Asked): Promise<Plan[]> {
    const plans: Plan[] = [];
    const db = explainInto(plans, million.db);
    let cursor: string | null = null;
    for (let page = 0; page < 3; page++) {
      const asked: PaymentListQuery = { ...query, ...(cursor === null ? {} : { cursor }) };
      ({ nextCursor: cursor } = await findPayments({ db }, million[of], asked));
      if (cursor === null) break;
    }
    return plans;
  }

  function assertBounded(plans: readonly Plan[], most: { rows: number; pages: number }, what: string): void {
    assert.ok(plans.length > 0);
    for (const plan of plans) {
      const seen = `${what}: ${JSON.stringify(plan)}`;
      assert.deepEqual(plan.sequential, [], seen);
      assert.ok(plan.rowsRead <= most.rows, seen);
      assert.ok(plan.rowsSorted <= most.rows, seen);
      assert.ok(plan.pagesRead <= most.pages, seen);
    }
  }

  async function assertAllBounded(): Promise<void> {
    for (const asked of exact) assertBounded(await plansOf(asked), { rows: 110, pages: 400 }, nameOf(asked));
    // Each row may lie on a page of its own, and takes a few pages of the index to find.
    for (const asked of filtered)
      assertBounded(await plansOf(asked), { rows: 2 * scanRows, pages: 4 * scanRows }, nameOf(asked));
  }

  /** The feed, the history of a payment, the ledger and the balances. */
  async function assertOthersBounded(): Promise<void> {
    const plans: Plan[] = [];
    const db = explainInto(plans, million.db);
    const ask = async <T>(work: Parameters<typeof db.inTenant<T>>[1]) =>
      await db.inTenant(million.large, work);
    let after = feedStart;
    for (let look = 0; look < 3; look++) {
      const page = await ask(async (tx) => await listEvents(tx, { after, limit: 25, isPublicOnly: true }));
      after = page.cursor ?? after;
    }
    const far = Buffer.from(`${eventsOfLarge - 10} ${idAt('evt', eventsOfLarge - 10)}`).toString('base64url');
    await ask(async (tx) => await listEvents(tx, { after: far, limit: 25, isPublicOnly: true }));
    assertBounded(plans.splice(0), { rows: scanRows, pages: 4 * scanRows }, 'the feed');
    const paymentId = idAt('pay', 77);
    await ask(async (tx) => await listPaymentEvents(tx, paymentId, { after: null, limit: 25 }));
    const range = { above: idAt('led', 150_000), below: 'lee', limit: 26 };
    await ask(async (tx) => await listEntries(tx, range));
    await ask(async (tx) => await listEntriesOfPayment(tx, paymentId, { ...range, above: '' }));
    assertBounded(plans.splice(0), { rows: 30, pages: 200 }, 'a page');
    await ask(listBalances);
    // So few rows that reading them in any order is right: from both sides, and a bitmap names each row of
    // the table in its index, too.
    assert.ok(
      plans.every(({ rowsRead }) => rowsRead <= 4 * totalsOfLarge),
      JSON.stringify(plans),
    );
  }

  test('no question reads more than its bound while the database has no statistics', async () => {
    // The database may have looked at them by itself meanwhile.
    const tables = ['payments', 'events', 'ledger_entries'];
    await million.db.asOwner.query('delete from pg_statistic where starelid = any($1::regclass[])', [tables]);
    await assertAllBounded();
    await assertOthersBounded();
  });

  test('no question reads more than its bound when it has', async () => {
    await million.db.asOwner.query('analyze payments, events, ledger_entries');
    await assertAllBounded();
    await assertOthersBounded();
  });

  test('pages that follow each other give all of a rare state, each payment once', async () => {
    const codes: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { status: 'failed', limit: '7', ...(cursor === null ? {} : { cursor }) };
      const page = await findPayments(million, million.large, query);
      codes.push(...page.payments.map(({ code }) => code));
      cursor = page.nextCursor;
    } while (cursor !== null);
    assert.equal(new Set(codes).size, 49);
    assert.equal(codes.length, 49);
  });

  test('an export of all of them has every one, in memory that does not grow', {
    timeout: 400_000,
  }, async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memoryMb = () => {
      collect();
      const { heapUsed, external, rss } = process.memoryUsage();
      return { heap: (heapUsed + external) / 2 ** 20, whole: rss / 2 ** 20 };
    };
    let rows = 0;
    const samples: ReturnType<typeof memoryMb>[] = [];
    for (const owner of ['small', 'middle', 'large'] as const) {
      const stream = exportPayments(million.db, {
        companyId: million[owner],
        question: readPaymentQuery({ sort: 'CreatedOn' }),
        format: 'ndjson',
        baseUrl: 'https://pay.example',
      });
      for await (const chunk of stream) {
        const before = rows;
        for (const byte of chunk as Buffer) if (byte === 10) rows += 1;
        if (Math.floor(rows / 50_000) > Math.floor(before / 50_000)) samples.push(memoryMb());
      }
    }
    assert.equal(rows, sizes.small + sizes.middle + sizes.large);
    // The first sample comes after 50,000 rows, when everything that is needed has been loaded.
    const [first] = samples;
    assert.ok(first && samples.length >= 20);
    for (const { heap, whole } of samples) {
      assert.ok(heap - first.heap < 20, `the heap grew by ${heap - first.heap} MB`);
      assert.ok(whole - first.whole < 60, `the process grew by ${whole - first.whole} MB`);
    }
  });
});
