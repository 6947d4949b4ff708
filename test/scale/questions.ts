// No query of the API scans a table or reads more rows than its limit, with and without statistics, and exports
// use constant memory.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { TenantTx } from '../../src/db/database.ts';
import {
  type AuditFilters,
  type AuditSource,
  auditScanRows,
  listAudit,
} from '../../src/events/list-audit.ts';
import { feedStart, listEvents, listPaymentEvents } from '../../src/events/list-events.ts';
import { listBalances } from '../../src/ledger/list-balances.ts';
import { listEntries, listEntriesOfPayment } from '../../src/ledger/list-entries.ts';
import { sumEntries } from '../../src/ledger/sum-entries.ts';
import { countUnknown, listExpiringSoon, sumCreated } from '../../src/overview/store.ts';
import {
  listLivePaymentsByOrder,
  listPaymentsByCode,
  listPaymentsById,
} from '../../src/payments/presented-store.ts';
import { markReminded } from '../../src/payments/store.ts';
import { exportPayments } from '../../src/search/export-payments.ts';
import { findPayments, scanRows } from '../../src/search/find-payments.ts';
import { type PaymentListQuery, readPaymentQuery } from '../../src/search/payment-query.ts';
import { listPaymentDeliveries } from '../../src/webhooks/delivery-store.ts';
import { explainInto, type Plan, type PlanKind } from './explained.ts';
import {
  idAt,
  momentOf,
  openPaymentsFixture,
  type PaymentsFixture,
  type Sizes,
  sizesOf,
  totalsOfLarge,
} from './payments.ts';

type Owner = 'large' | 'middle' | 'small';
type Asked = PaymentListQuery & { of?: Owner };

/** A search for words reads a payment, and up to two other words, for each of the words that it examines. */
const isByWords = ({ text, email, customerOrderId }: Asked) =>
  text !== undefined || [email, customerOrderId].some((given) => given?.endsWith('*'));

const textOf = (n: number) => momentOf(n).toISOString();

/** Queries that one index answers: a page and one more row. */
const exactOf = ({ large }: Sizes): readonly Asked[] => [
  {},
  { sort: 'CreatedOn' },
  { limit: '100' },
  { status: 'paid' },
  { status: 'failed' },
  { status: 'open' },
  { status: 'paid', of: 'middle' },
  { status: 'failed', of: 'middle', sort: 'CreatedOn' },
  { status: 'cancelled', of: 'small' },
  { status: 'failed', createdFrom: textOf(large * 0.8) },
  { createdFrom: textOf(large * 0.4), createdTo: textOf(large * 0.6) },
  { createdTo: textOf(5_000) },
  { email: 'ANNA7@example.com' },
  { email: 'nobody@example.com' },
  { customerOrderId: 'none*' },
  { text: 'nobody at all' },
  { text: 'shop-7777' },
];

/** Queries with filters: the limit of one scan. */
const filteredOf = ({ large }: Sizes): readonly Asked[] => [
  { customerOrderId: 'Shop-1' },
  { email: 'anna*' },
  { customerOrderId: 'shop-1*' },
  { minAmount: '900000' },
  { maxAmount: '1.01' },
  { currency: 'USD', minAmount: '1000.99', maxAmount: '1001' },
  { status: 'failed', currency: 'USD', minAmount: '900000', of: 'middle' },
  { status: 'open', email: 'anna*' },
  { status: 'failed', email: 'customer*' },
  { status: 'failed', customerOrderId: 'shop*' },
  { email: 'anna*', customerOrderId: 'web-9*' },
  { email: 'anna*', createdFrom: textOf(large - 10) },
  { text: 'a' },
  { text: 'anna' },
  { text: 'Ada lovelace1' },
  { text: 'müller' },
  { text: '4.00' },
  { text: '9' },
  { text: 'example.com ada' },
  { text: 'ada example.com hopper1 shop 1' },
  { text: 'ada', email: 'anna7@example.com' },
  { text: 'a', status: 'failed' },
  { text: 'shop', minAmount: '900000' },
  { text: 'a', email: 'customer*', createdTo: textOf(100), of: 'middle' },
];

type Bound = { rows: number; pages: number };

function assertBounded(plans: readonly Plan[], most: Bound, what: string): void {
  assert.ok(plans.length > 0);
  for (const plan of plans) {
    const seen = `${what}: ${JSON.stringify(plan)}`;
    assert.deepEqual(plan.sequential, [], seen);
    assert.ok(plan.rowsRead <= most.rows, seen);
    assert.ok(plan.rowsSorted <= most.rows, seen);
    assert.ok(plan.pagesRead <= most.pages, seen);
  }
}

/** Requests three pages, and returns the plans of all statements. */
async function plansOf(
  fixture: PaymentsFixture,
  kind: PlanKind,
  { of = 'large', ...query }: Asked,
): Promise<Plan[]> {
  const plans: Plan[] = [];
  const db = explainInto(plans, fixture.db, kind);
  let cursor: string | null = null;
  for (let page = 0; page < 3; page++) {
    const asked: PaymentListQuery = { ...query, ...(cursor === null ? {} : { cursor }) };
    ({ nextCursor: cursor } = await findPayments({ db }, { companyId: fixture[of], mode: 'test' }, asked));
    if (cursor === null) break;
  }
  return plans;
}

async function assertListsBounded(fixture: PaymentsFixture, kind: PlanKind): Promise<void> {
  for (const asked of exactOf(fixture.sizes))
    assertBounded(await plansOf(fixture, kind, asked), { rows: 110, pages: 400 }, JSON.stringify(asked));
  // Each row may be on its own page, and needs a few index pages to find.
  const most = { rows: 2 * scanRows, pages: 4 * scanRows };
  const mostByWords = { rows: 4 * scanRows, pages: 12 * scanRows };
  for (const asked of filteredOf(fixture.sizes))
    assertBounded(
      await plansOf(fixture, kind, asked),
      isByWords(asked) ? mostByWords : most,
      JSON.stringify(asked),
    );
}

/** The feed, the history and the deliveries of a payment, the ledger and the balances. */
async function assertOthersBounded(fixture: PaymentsFixture, kind: PlanKind): Promise<void> {
  const plans: Plan[] = [];
  const db = explainInto(plans, fixture.db, kind);
  const ask = async <T>(work: Parameters<typeof db.inTenant<T>>[1]) =>
    await db.inTenant({ companyId: fixture.large, mode: 'test' }, work);
  let after = feedStart;
  for (let look = 0; look < 3; look++) {
    const page = await ask(async (tx) => await listEvents(tx, { after, limit: 25 }));
    after = page.cursor ?? after;
  }
  const last = fixture.sizes.eventsOfLarge - 10;
  const far = { xact: String(last), eventId: idAt('evt', last) };
  await ask(async (tx) => await listEvents(tx, { after: far, limit: 25 }));
  assertBounded(plans.splice(0), { rows: scanRows, pages: 4 * scanRows }, 'the feed');
  const paymentId = idAt('pay', 77);
  await ask(async (tx) => await listPaymentEvents(tx, paymentId, { after: null, limit: 25 }));
  const range = { afterId: idAt('led', fixture.sizes.eventsOfLarge * 0.75), beforeId: 'lee', limit: 26 };
  await ask(async (tx) => await listEntries(tx, range));
  await ask(async (tx) => await listEntries(tx, { ...range, isNewestFirst: true }));
  for (const isNewestFirst of [false, true])
    await ask(
      async (tx) => await listEntriesOfPayment(tx, paymentId, { ...range, afterId: '', isNewestFirst }),
    );
  assertBounded(plans.splice(0), { rows: 30, pages: 200 }, 'a page');
  await ask(async (tx) => await listPaymentDeliveries(tx, paymentId, { before: null, limit: 26 }));
  assertBounded(plans.splice(0), { rows: 100, pages: 400 }, 'the deliveries of a payment');
  await ask(listBalances);
  // So few rows that any plan is fine. Rows count in both joined tables, and a bitmap scan counts them in the index as
  // well.
  assert.ok(
    plans.every(({ rowsRead }) => rowsRead <= 4 * totalsOfLarge),
    JSON.stringify(plans),
  );
}

/** The overview: it sums only the rows of its days, and its counts are limited. */
async function assertOverviewBounded(fixture: PaymentsFixture, kind: PlanKind): Promise<void> {
  const plans: Plan[] = [];
  const db = explainInto(plans, fixture.db, kind);
  const mode = 'test';
  const [payments, entries] = [fixture.sizes.large, fixture.sizes.eventsOfLarge];
  await db.inTenant(
    { companyId: fixture.large, mode: 'test' },
    async (tx) => await sumCreated(tx, [momentOf(payments - 900), momentOf(payments - 400)]),
  );
  await db.inTenant(
    { companyId: fixture.large, mode: 'test' },
    async (tx) => await sumEntries(tx, { starts: [momentOf(entries - 900), momentOf(entries - 400)] }),
  );
  // A bitmap scan counts each row in the index as well.
  assertBounded(plans.splice(0), { rows: 2 * 901, pages: 400 }, 'sums');
  const now = new Date();
  const hours = (count: number) => new Date(now.getTime() + count * 60 * 60 * 1000);
  await db.inTenant({ companyId: fixture.small, mode: 'test' }, async (tx) => {
    // All its open links expire in a week.
    await listExpiringSoon(tx, { mode, now, until: hours(24) });
    await markReminded(tx, { now, until: hours(24), hours: 24, limit: 200 });
  });
  assertBounded(plans.splice(0), { rows: 10, pages: 60 }, 'links that end');
  await db.inTenant({ companyId: fixture.small, mode: 'test' }, async (tx) => {
    await listExpiringSoon(tx, { mode, now, until: hours(24 * 8) });
    await countUnknown(tx);
  });
  assertBounded(plans.splice(0), { rows: 3 * scanRows, pages: 8 * scanRows }, 'counts');
}

/** The audit log: all events, those without a payment, and those of one payment; with filters that match nothing. */
async function assertAuditBounded(fixture: PaymentsFixture, kind: PlanKind): Promise<void> {
  const plans: Plan[] = [];
  const db = explainInto(plans, fixture.db, kind);
  const ask = async (source: AuditSource, beforeId: string, filters: AuditFilters) =>
    await db.inTenant({ companyId: fixture.large, mode: 'test' }, async (tx) => {
      const range = { source, fromId: '', beforeId };
      return await listAudit(tx, range, { filters, limit: 25 });
    });
  const ofPayment = { paymentId: idAt('pay', 77) };
  for (const below of ['evu', idAt('evt', fixture.sizes.eventsOfLarge / 2)])
    for (const source of ['all', 'company', ofPayment] as const) {
      await ask(source, below, {});
      assertBounded(plans.splice(0), { rows: 60, pages: 200 }, JSON.stringify({ source, below }));
      for (const filters of [
        { type: { text: 'key.', isPrefix: true } },
        { actor: { text: 'account:acc_none', isPrefix: false } },
      ]) {
        await ask(source, below, filters);
        const most = { rows: auditScanRows, pages: 4 * auditScanRows };
        assertBounded(plans.splice(0), most, JSON.stringify({ source, below, filters }));
      }
    }
}

function testBounds(here: () => PaymentsFixture): void {
  test('no query reads more than its limit while the database has no statistics', async () => {
    // Autovacuum may have analysed the tables meanwhile.
    const tables = ['payments', 'events', 'ledger_entries', 'webhook_deliveries'];
    await here().db.asOwner.query('delete from pg_statistic where starelid = any($1::regclass[])', [tables]);
    await assertListsBounded(here(), 'custom');
    await assertOthersBounded(here(), 'custom');
    await assertOverviewBounded(here(), 'custom');
    await assertAuditBounded(here(), 'custom');
  });

  test('no query reads more than its limit with statistics', async () => {
    await here().db.asOwner.query(
      'analyze payments, payment_words, events, ledger_entries, webhook_deliveries',
    );
    await assertListsBounded(here(), 'custom');
    await assertOthersBounded(here(), 'custom');
    await assertOverviewBounded(here(), 'custom');
    await assertAuditBounded(here(), 'custom');
  });

  for (const [name, ask] of batches)
    test(`a batch that ${name} reads only its rows with a generic plan`, async () => {
      const { db, large } = here();
      await db.asOwner.query('analyze payments, payment_words');
      const some = await db.asOwner.query<Some>(
        `select payment_id as "paymentId", code, customer_order_id as "orderId" from payments
         where company_id = $1 and payment_id > $2 order by payment_id limit 50`,
        [large, idAt('pay', 77)],
      );
      assert.equal(some.length, 50);
      const plans: Plan[] = [];
      await explainInto(plans, db, 'generic').inTenant(
        { companyId: large, mode: 'test' },
        async (tx) => await ask(tx, some),
      );
      // The 50 elements of the array count as rows as well.
      assertBounded(plans, { rows: 110, pages: 400 }, name);
    });
}

type Some = { paymentId: string; code: string; orderId: string };

const batches: readonly [name: string, ask: (tx: TenantTx, some: readonly Some[]) => Promise<unknown>][] = [
  [
    'looks at links',
    async (tx, some) =>
      await listPaymentsByCode(
        tx,
        some.map(({ code }) => code),
      ),
  ],
  [
    'looks for the links of orders',
    async (tx, some) =>
      await listLivePaymentsByOrder(
        tx,
        some.map(({ orderId }) => orderId),
      ),
  ],
  [
    'looks at payments',
    async (tx, some) =>
      await listPaymentsById(
        tx,
        some.map(({ paymentId }) => paymentId),
      ),
  ],
];

function testPages(here: () => PaymentsFixture): void {
  test('following the cursors returns every payment of a rare state once', async () => {
    const codes: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { status: 'failed', limit: '7', ...(cursor === null ? {} : { cursor }) };
      const page = await findPayments(here(), { companyId: here().large, mode: 'test' }, query);
      codes.push(...page.payments.map(({ code }) => code));
      cursor = page.nextCursor;
    } while (cursor !== null);
    assert.equal(new Set(codes).size, 49);
    assert.equal(codes.length, 49);
  });
}

/** The memory of this process after garbage collection, in megabytes. */
function watchMemory(): () => { heap: number; whole: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return () => {
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heap: (heapUsed + external) / 2 ** 20, whole: rss / 2 ** 20 };
  };
}

function testExport(here: () => PaymentsFixture, payments: number): void {
  test('an export contains every payment, in constant memory', {
    timeout: 400_000,
  }, async () => {
    const readMemory = watchMemory();
    const sampledRows = payments / 20;
    let rows = 0;
    const samples: ReturnType<typeof readMemory>[] = [];
    for (const owner of ['small', 'middle', 'large'] as const) {
      const stream = exportPayments(here().db, {
        mode: 'test',
        companyId: here()[owner],
        query: readPaymentQuery({ sort: 'CreatedOn' }),
        format: 'ndjson',
        baseUrl: 'https://pay.example',
      });
      for await (const chunk of stream) {
        const before = rows;
        for (const byte of chunk as Buffer) if (byte === 10) rows += 1;
        if (Math.floor(rows / sampledRows) > Math.floor(before / sampledRows)) samples.push(readMemory());
      }
    }
    assert.equal(rows, payments);
    // Sample only after everything has been loaded.
    const [first] = samples;
    assert.ok(first && samples.length >= 20);
    for (const { heap, whole } of samples) {
      assert.ok(heap - first.heap < 20, `the heap grew by ${heap - first.heap} MB`);
      // V8 and malloc keep tens of megabytes of pages that are free; an export of a million is many times this.
      assert.ok(whole - first.whole < 160, `the process grew by ${whole - first.whole} MB`);
    }
  });
}

/** Declares the tests for a number of payments. */
export function testQuestions(payments: number): void {
  describe(`with ${payments.toLocaleString('en')} payments`, () => {
    let fixture: PaymentsFixture;
    before(
      async () => {
        fixture = await openPaymentsFixture(sizesOf(payments));
      },
      { timeout: 400_000 },
    );
    after(async () => await fixture.bare.stop());
    testBounds(() => fixture);
    testPages(() => fixture);
    testExport(() => fixture, payments);
  });
}
