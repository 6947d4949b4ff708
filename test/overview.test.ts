// The overview over the API: slots across a clock change, exact sums, and isolation by company, mode and role. On both
// databases.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openDatabase } from '../src/db/database.ts';
import { migrate, migrationsDir } from '../src/db/migrate.ts';
import { remindPayments } from '../src/links/remind-payments.ts';
import { escalateAttempt } from '../src/payments/case-store.ts';
import { markEndpointDisabled, recordEndpointFailure } from '../src/webhooks/endpoint-store.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { createCleaner, createEmpty, createTemplate } from './harness/engines.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { fillCard, payWith, visit } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from './harness/webhook-endpoints.ts';

const hourMs = 60 * 60 * 1000;
const good = { number: '4242424242424242' };
const declined = { number: '4000000000000002' };
const answerLost = { number: '4000000000009011' };

type Sum = { count: number; amount: number };
type Slot = { at: string; createdCount: number; failedCount: number; paidCount: number; paidAmount: number };
type Currency = Record<
  'paid' | 'refunded' | 'created' | 'converted' | 'open' | 'failed' | 'expired' | 'cancelled',
  Sum
> & { currency: string; conversion: number | null; series: Slot[] };
type Attention = {
  cases: number;
  unknown: number;
  expiring: { count: number; payments: Json[] };
  failingEndpoints: number | null;
  disabledEndpoints: number | null;
};
type Overview = {
  from: string;
  to: string;
  timeZone: string;
  mode: string;
  currencies: Currency[];
  attention: Attention;
};

const sum = (count: number, amount: number): Sum => ({ count, amount });

for (const engine of engines) {
  describe(`the overview on the ${engine} database`, () => {
    // 23:30 in Berlin, two days before the clocks go back.
    const clock = manualClock(new Date('2026-10-23T21:30:00Z'));
    let paylink: Paylink;
    const moveTo = (text: string) => clock.advanceMs(new Date(text).getTime() - clock.now().getTime());

    before(async () => {
      // No job may settle anything during the test.
      paylink = await startPaylink(engine, {
        clock,
        isAtWork: false,
        settings: loopbackSettings,
      });
    });
    after(async () => await paylink.stop());

    async function open(): Promise<{ merchant: Merchant; who: () => Promise<Credentials> }> {
      const merchant = await paylink.createMerchant();
      // A login for each call, because the clock jumps.
      return { merchant, who: async () => await logIn(paylink, merchant) };
    }
    async function look(who: Credentials, query: Record<string, string> = {}): Promise<Overview> {
      const path = `/v1/overview?${new URLSearchParams(query)}`;
      const { status, body } = await call(paylink, who, ['GET', path]);
      assert.equal(status, 200, JSON.stringify(body));
      return body as Overview;
    }
    const pay = async (link: string, card = good) => await payWith(link, card);
    const currencyOf = ({ currencies }: Overview, wanted: string): Currency => {
      const found = currencies.find(({ currency }) => currency === wanted);
      assert.ok(found, wanted);
      return found;
    };

    test('money counts on the day it moved, links on the day they were created, in the requested time zone', async () => {
      const { who } = await open();
      const first = await createLinkAs(paylink, await who(), { amount: 10.1 });
      await pay(first.link);
      moveTo('2026-10-24T12:00:00Z');
      const second = await createLinkAs(paylink, await who(), { amount: 20.2 });
      const third = await createLinkAs(paylink, await who(), { amount: 5 });
      await pay(third.link, declined);
      const dollars = await createLinkAs(paylink, await who(), { amount: 7, currency: 'USD' });
      await call(paylink, await who(), ['POST', `/v1/payments/${dollars.code}/cancel`], {});
      // The clocks in Berlin went back at 01:00 UTC.
      moveTo('2026-10-25T22:30:00Z');
      await pay(second.link);
      const owner = await who();
      const refund = { amount: 0.1 };
      await call(paylink, owner, ['POST', `/v1/payments/${first.code}/refunds`], refund);
      await createLinkAs(paylink, owner, { amount: 1 });

      const week = await look(owner, { days: '7', timeZone: 'Europe/Berlin' });
      assert.deepEqual(
        [week.from, week.to, week.timeZone, week.mode],
        ['2026-10-18T22:00:00.000Z', '2026-10-25T22:30:00.000Z', 'Europe/Berlin', 'test'],
      );
      assert.deepEqual(
        week.currencies.map(({ currency }) => currency),
        ['EUR', 'USD'],
      );
      const { series, currency: _, ...sums } = currencyOf(week, 'EUR');
      assert.deepEqual(sums, {
        paid: sum(2, 30.3),
        refunded: sum(1, 0.1),
        created: sum(4, 36.3),
        converted: sum(2, 30.3),
        open: sum(1, 1),
        failed: sum(1, 5),
        expired: sum(0, 0),
        cancelled: sum(0, 0),
        conversion: 0.5,
      });
      assert.equal(series.length, 7);
      assert.deepEqual(series.slice(4), [
        { at: '2026-10-22T22:00:00.000Z', createdCount: 1, failedCount: 0, paidCount: 1, paidAmount: 10.1 },
        { at: '2026-10-23T22:00:00.000Z', createdCount: 2, failedCount: 1, paidCount: 0, paidAmount: 0 },
        { at: '2026-10-24T22:00:00.000Z', createdCount: 1, failedCount: 0, paidCount: 1, paidAmount: 20.2 },
      ]);
      assert.ok(series.slice(0, 4).every(({ createdCount, paidCount }) => createdCount + paidCount === 0));
      assert.deepEqual(currencyOf(week, 'USD').cancelled, sum(1, 7));

      const today = await look(owner, { days: '1', timeZone: 'Europe/Berlin' });
      const euros = currencyOf(today, 'EUR');
      assert.equal(today.currencies.length, 1);
      assert.deepEqual([euros.paid, euros.created, euros.conversion], [sum(1, 20.2), sum(1, 1), 0]);
      // A day of 25 hours, in its last hour.
      assert.equal(euros.series.length, 25);
      assert.equal(euros.series[0]?.at, '2026-10-24T22:00:00.000Z');
      assert.deepEqual(euros.series.at(-1), {
        at: '2026-10-25T22:00:00.000Z',
        createdCount: 1,
        failedCount: 0,
        paidCount: 1,
        paidAmount: 20.2,
      });

      // In UTC the first payment is also of the 23rd; beyond the date line it is not.
      const utc = currencyOf(await look(owner), 'EUR').series;
      assert.deepEqual([utc.length, utc[4]?.at, utc[4]?.paidCount], [7, '2026-10-23T00:00:00.000Z', 1]);
      const far = currencyOf(await look(owner, { timeZone: 'Pacific/Kiritimati' }), 'EUR').series;
      assert.deepEqual([far[4]?.at, far[4]?.paidCount], ['2026-10-23T10:00:00.000Z', 1]);
    });

    test('an older link counts in no day, but its money counts on the day it moved', async () => {
      const { who } = await open();
      const { link } = await createLinkAs(paylink, await who(), { amount: 3 });
      clock.advanceMs(6 * 24 * hourMs);
      await pay(link);
      const [euros] = (await look(await who(), { days: '1' })).currencies;
      assert.deepEqual(
        [euros?.created, euros?.converted, euros?.paid, euros?.conversion],
        [sum(0, 0), sum(0, 0), sum(1, 3), null],
      );
      const month = currencyOf(await look(await who(), { days: '30' }), 'EUR');
      assert.deepEqual([month.series.length, month.converted, month.conversion], [30, sum(1, 3), 1]);
    });

    test('sums are exact for small and for the largest amounts', async () => {
      const { who } = await open();
      const owner = await who();
      for (const amount of [0.1, 0.2, 0.7, 10_000_000, 9_999_999.99, 1.01]) {
        const { link } = await createLinkAs(paylink, owner, { amount });
        await pay(link);
      }
      const euros = currencyOf(await look(owner), 'EUR');
      assert.deepEqual([euros.paid, euros.created], [sum(6, 20_000_002), sum(6, 20_000_002)]);
      assert.equal(euros.series.at(-1)?.paidAmount, 20_000_002);
    });

    test('a company sees only its own figures, of the mode of the call', async () => {
      const [{ who, merchant }, stranger] = [await open(), await open()];
      const owner = await who();
      for (const amount of [1, 2]) await pay((await createLinkAs(paylink, owner, { amount })).link);
      const other = await look(await stranger.who());
      assert.deepEqual([other.currencies, other.attention.expiring], [[], { count: 0, payments: [] }]);
      // As if one of the two had been created with a live key.
      const { db } = paylink.app.deps;
      // safe: one of two names.
      await db.withConnection(async (sql) => {
        // The foreign key would reject this, because its attempt keeps its mode.
        await sql.query(`set session_replication_role = 'replica'`);
        for (const table of ['payments', 'ledger_entries'])
          await sql.query(`update ${table} set mode = 'live' where company_id = $1 and amount_minor = 200`, [
            merchant.companyId,
          ]);
      });
      const euros = currencyOf(await look(owner), 'EUR');
      assert.deepEqual([euros.paid, euros.created], [sum(1, 1), sum(1, 1)]);
    });

    test('links that expire soon are counted, reminded or not, and the first five listed', async () => {
      const { who, merchant } = await open();
      const owner = await who();
      await call(paylink, owner, ['PATCH', '/v1/company'], { mail: { reminderHours: 3 } });
      const endIn = (hours: number) => new Date(clock.now().getTime() + hours * hourMs).toISOString();
      const codes: string[] = [];
      for (const hours of [23, 7, 8, 9, 10, 11, 25]) {
        const made = await createLinkAs(paylink, owner, { amount: hours, expiresAt: endIn(hours) });
        codes.push(made.code);
      }
      const paid = await createLinkAs(paylink, owner, { expiresAt: endIn(2) });
      await pay(paid.link);
      clock.advanceMs(5 * hourMs);
      assert.ok((await remindPayments(paylink.app.deps)) >= 2);
      const { expiring } = (await look(await who())).attention;
      assert.equal(expiring.count, 7);
      assert.deepEqual(
        expiring.payments.map(({ amount }) => amount),
        [7, 8, 9, 10, 11],
      );
      const [first] = expiring.payments;
      const alone = await call(paylink, await who(), ['GET', `/v1/payments/${first?.PaymentLinkCode}`]);
      assert.deepEqual(first, alone.body);
      const reminded = await paylink.app.deps.db.asOwner.query(
        'select 1 from payments where company_id = $1 and reminded_at is not null',
        [merchant.companyId],
      );
      assert.equal(reminded.length, 2, 'those that end within three hours');
    });

    const attentionOf = async (who: Credentials) => {
      const { cases, unknown } = (await look(who)).attention;
      return [cases, unknown];
    };

    test('unknown attempts and cases that need a person are counted', async () => {
      const { who, merchant } = await open();
      const owner = await who();
      const { action, body } = fillCard(await visit((await createLinkAs(paylink, owner)).link), answerLost);
      // The customer leaves before the waiting page queries the processor.
      await fetch(action, { method: 'POST', body, redirect: 'manual' });
      assert.deepEqual(await attentionOf(owner), [0, 1]);
      const { db } = paylink.app.deps;
      const [attempt] = await db.asOwner.query<{ id: string }>(
        "select attempt_id as id from attempts where company_id = $1 and state = 'unknown'",
        [merchant.companyId],
      );
      const at = clock.now();
      await db.inTenant(
        { companyId: merchant.companyId, mode: 'test' },
        async (tx) => await escalateAttempt(tx, attempt?.id ?? '', at),
      );
      assert.deepEqual(await attentionOf(owner), [1, 1]);
    });

    test('failing endpoints are counted only for roles that may see endpoints', async () => {
      const { who, merchant } = await open();
      const owner = await who();
      const hooks: string[] = [];
      for (const name of ['fine', 'failing', 'gone', 'off']) {
        const url = `http://127.0.0.1:9009/${name}`;
        hooks.push((await createTestEndpoint(paylink, owner, { url })).id);
      }
      const [, failing = '', gone = '', off = ''] = hooks;
      const at = clock.now();
      await paylink.app.deps.db.inTenant({ companyId: merchant.companyId, mode: 'test' }, async (tx) => {
        await recordEndpointFailure(tx, { endpointId: failing, url: 'http://127.0.0.1:9009/failing' }, at);
        await markEndpointDisabled(tx, gone, { reason: 'gone', at });
        await markEndpointDisabled(tx, off, { reason: 'switched_off', at });
      });
      const countsOf = async (credentials: Credentials) => {
        const { failingEndpoints, disabledEndpoints } = (await look(credentials)).attention;
        return [failingEndpoints, disabledEndpoints];
      };
      assert.deepEqual(await countsOf(owner), [1, 1]);
      for (const role of ['viewer', 'support'] as const)
        assert.deepEqual(await countsOf((await addMember(paylink, owner, [role])).credentials), [null, null]);
    });

    test('invalid parameters are rejected by name', async () => {
      const { who } = await open();
      const owner = await who();
      for (const [query, field] of [
        ['days=2', 'days'],
        ['days=', 'days'],
        ['timeZone=Mars/Base', 'timeZone'],
        ['timeZone=%2B02:00', 'timeZone'],
        ['timeZone=', 'timeZone'],
        [`timeZone=${'a'.repeat(65)}`, 'timeZone'],
        ['timezone=UTC', 'timezone'],
      ]) {
        const { status, body } = await call(paylink, owner, ['GET', `/v1/overview?${query}`]);
        assert.deepEqual([status, (body.errors as Json[])[0]?.field], [422, field], query);
      }
    });
  });

  test(`${engine}: entries from before modes get the mode of their payment`, async () => {
    const cleaner = createCleaner();
    const dir = await mkdtemp(join(tmpdir(), 'paylink-migrations-'));
    cleaner.add(async () => await rm(dir, { recursive: true, force: true }));
    try {
      const db = await openDatabase(await createEmpty(engine, cleaner, createTemplate(cleaner)));
      cleaner.add(async () => await db.close());
      for (const file of await readdir(migrationsDir))
        if (file < '0015') await cp(join(migrationsDir, file), join(dir, file));
      await migrate(db, { dir, log: () => undefined });
      await db.asOwner.query(`
        insert into companies (company_id, name, country, created_at)
          select 'co_aaaaaaa' || i, 'Old', 'DE', now() from generate_series(1, 2) i;
        insert into payments (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency,
                              email, country, success_url, failure_url, expires_at, created_by, created_at, updated_at)
          select 'co_aaaaaaa' || i, 'pay_' || mode, mode, mode, 'paid', mode, 100, 'EUR', 'a@example.com', 'DE',
                 'https://shop.example', 'https://shop.example', now(), 'acc_x', now(), now()
          from generate_series(1, 2) i, unnest(array['test', 'live']) mode;
        insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency,
                                    payment_id, source_id, at)
          select company_id, 'led_' || mode, 'capture', 'processor', 'merchant', 100, 'EUR', payment_id, mode, now()
          from payments;`);
      await migrate(db, { dir: migrationsDir, log: () => undefined });
      const rows = await db.asOwner.query(
        "select distinct entry_id = 'led_' || mode as is_right, count(*)::integer as count from ledger_entries group by 1",
      );
      assert.deepEqual(rows, [{ is_right: true, count: 4 }]);
      await assert.rejects(
        db.inTenant(
          { companyId: 'co_aaaaaaa1', mode: 'test' },
          async (tx) => await tx.query("update ledger_entries set mode = 'live'"),
        ),
        /permission denied/,
      );
    } finally {
      await cleaner.clean();
    }
  });
}
