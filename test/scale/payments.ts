// A database with many payments in three companies of very different size, written directly.

import type { Database } from '../../src/db/database.ts';
import { type DatabaseFixture, openDatabaseFixture } from '../harness/database-fixture.ts';

export type Sizes = Readonly<Record<'large' | 'middle' | 'small' | 'eventsOfLarge', number>>;

/** The number of payments of each company, and of events of the largest. */
export function sizesOf(payments: number): Sizes {
  const [large, middle, eventsOfLarge] = [payments * 0.7, payments * 0.2, payments * 0.2];
  return { large, middle, small: payments * 0.1, eventsOfLarge };
}

export type PaymentsFixture = {
  bare: DatabaseFixture;
  db: Database;
  sizes: Sizes;
  /** Nearly all paid; a few failed, and all of those are among the oldest. */
  large: string;
  /** Nearly all failed, so that this status is common in the whole table. */
  middle: string;
  small: string;
};

/** 32 shards of three account pairs in two currencies. */
export const totalsOfLarge = 32 * 3 * 2;

/** IDs with a decimal counter, whose digits are valid characters of an ID: number 12 is `pay_0000000012…`. */
export function idAt(prefix: 'pay' | 'led' | 'evt', n: number): string {
  return `${prefix}_${String(n).padStart(10, '0')}${'0'.repeat(16)}`;
}

/** The time in the ID of a number. */
export function momentOf(n: number): Date {
  return new Date(Number.parseInt(String(n).padStart(10, '0'), 32));
}

async function fillPayments(db: Database, companyId: string, count: number, states: string): Promise<void> {
  // safe: the expression is a literal of this file.
  await db.asOwner.query(
    `insert into payments (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email,
                           first_name, last_name, country, success_url, failure_url, expires_at, created_by, created_at, updated_at)
     select $1, 'pay_' || lpad(i::text, 10, '0') || repeat('0', 16), substr($1, 4) || lpad(i::text, 22, '0'),
            case when i % 10 = 0 then 'WEB-' else 'Shop-' end || i, ${states}, 'test', 100 + i % 100000,
            case when i % 3 = 0 then 'USD' else 'EUR' end,
            case when i % 2 = 0 then 'anna' else 'Customer' end || i % 50000 || '@example.com',
            (array['Ada', 'Grace', 'Anna', 'Özlem', 'Alan'])[1 + i % 5],
            case when i % 7 = 0 then null else (array['Lovelace', 'Hopper', 'Müller', 'Turing'])[1 + i % 4] || i % 1000 end,
            'DE', 'https://shop.example/paid', 'https://shop.example/failed', now() + interval '7 days', 'acc_x', now(), now()
     from generate_series(1, $2::integer) i`,
    [companyId, count],
  );
}

/** The words that the service would have filled, but of payments alone. */
async function fillWords(db: Database, companyId: string): Promise<void> {
  await db.asOwner.query(
    `insert into payment_words (company_id, mode, payment_id, word)
     select distinct company_id, mode, payment_id, word from payments p cross join lateral unnest(array[
       fold_case(customer_order_id), split_part(customer_order_id, '-', 2), fold_case(email), 'example.com',
       amount_minor / 100 || '.' || lpad((amount_minor % 100)::text, 2, '0'), translate(fold_case(first_name), 'ö', 'o'),
       translate(fold_case(last_name), 'ü', 'u')]) as word
     where company_id = $1 and word is not null`,
    [companyId],
  );
  await db.asOwner.query('insert into payment_word_positions (company_id, is_filled) values ($1, true)', [
    companyId,
  ]);
}

async function fillLedger(db: Database, companyId: string, count: number): Promise<void> {
  await db.asOwner.query(
    `insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency,
                                 payment_id, source_id, at, mode)
     select $1, 'led_' || lpad(i::text, 10, '0') || repeat('0', 16), 'capture', 'processor', 'merchant', 100 + i, 'EUR',
            'pay_' || lpad(i::text, 10, '0') || repeat('0', 16), 'att_' || i, now(), 'test'
     from generate_series(1, $2::integer) i`,
    [companyId, count],
  );
  await db.asOwner.query(
    `insert into ledger_totals (company_id, mode, debit_account, credit_account, currency, shard, amount_minor)
     select $1, 'test', debit, 'processor', currency, shard, 100
     from generate_series(0, 31) shard, unnest(array['merchant', 'refunds', 'suspense']) debit,
          unnest(array['EUR', 'USD']) currency`,
    [companyId],
  );
  // Nearly all events are not public, so a reader of the feed skips long ranges. Few events have no payment, and each
  // payment has ten events.
  await db.asOwner.query(
    `insert into events (company_id, mode, event_id, type, is_public, payment_id, actor, data, at, xact)
     select $1, 'test', 'evt_' || lpad(i::text, 10, '0') || repeat('0', 16), 'attempt.created', i % 5000 = 0,
            case when i % 2000 > 0 then 'pay_' || lpad((1 + i % ($2 / 10))::text, 10, '0') || repeat('0', 16) end,
            'system', '{}', now(), i::text::xid8
     from generate_series(1, $2::integer) i`,
    [companyId, count],
  );
}

async function fillDeliveries(db: Database, companyId: string, count: number): Promise<void> {
  await db.asOwner.query(
    `insert into webhook_endpoints (company_id, endpoint_id, mode, url, events, secret, secret_id, created_by, created_at,
                                    updated_at)
     values ($1, 'whe_one', 'test', 'https://shop.example/', '{*}', '', 'whe_one', 'acc_x', now(), now())`,
    [companyId],
  );
  await db.asOwner.query(
    `insert into webhook_deliveries (company_id, mode, delivery_id, endpoint_id, event_id, event_at, due_at, state, ended_at)
     select $1, 'test', 'whd_' || lpad(i::text, 10, '0') || repeat('0', 16), 'whe_one',
            'evt_' || lpad(i::text, 10, '0') || repeat('0', 16), now(), now(), 'delivered', now()
     from generate_series(1, $2::integer) i`,
    [companyId, count],
  );
}

/** Drops the indexes for speed, and returns a function that restores them. */
async function dropIndexes(db: Database): Promise<() => Promise<void>> {
  const indexes = await db.asOwner.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where indexname similar to 'payment(s|\\_words)\\_by\\_%'`,
  );
  // safe: names and definitions come from the catalogue.
  for (const { name } of indexes) await db.asOwner.query(`drop index ${name}`);
  return async () => {
    for (const { definition } of indexes)
      await db.withConnection(async (sql) => {
        await sql.query("set statement_timeout = 0; set maintenance_work_mem = '256MB'");
        await sql.query(definition);
      });
  };
}

/** Creates the database, without statistics. Run `analyze payments, payment_words, events, ledger_entries, webhook_deliveries` for them. */
export async function openPaymentsFixture(sizes: Sizes): Promise<PaymentsFixture> {
  const bare = await openDatabaseFixture('server');
  const { db } = bare;
  const companies = {
    large: await bare.createCompany(),
    middle: await bare.createCompany(),
    small: await bare.createCompany(),
  };
  const restoreIndexes = await dropIndexes(db);
  await db.withConnection(async (sql) => {
    const alone = { ...db, asOwner: sql };
    // Foreign keys hold by construction; checking them would take a minute.
    await sql.query('set statement_timeout = 0; set session_replication_role = replica');
    await fillPayments(alone, companies.large, sizes.large, `case when i < 50 then 'failed' else 'paid' end`);
    await fillPayments(
      alone,
      companies.middle,
      sizes.middle,
      `case when i < 50 then 'paid' else 'failed' end`,
    );
    await fillPayments(
      alone,
      companies.small,
      sizes.small,
      `(array['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'])[1 + i % 6]`,
    );
    for (const companyId of Object.values(companies)) await fillWords(alone, companyId);
    await fillLedger(alone, companies.large, sizes.eventsOfLarge);
    await fillDeliveries(alone, companies.large, sizes.eventsOfLarge);
  });
  await restoreIndexes();
  return { bare, db, sizes, ...companies };
}
