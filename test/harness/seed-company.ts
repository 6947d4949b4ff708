// A company with a month of payments, written to the database directly.

import { newId, newLinkCode } from '../../src/base/ids.ts';
import type { Sql } from '../../src/db/engine.ts';

type OwnerConnection = { asOwner: Sql };

const dayMs = 24 * 60 * 60 * 1000;
/** Few enough for the 10 s limit of a statement on a busy machine. */
const chunk = 4_000;

/** Of 20 payments 14 are paid; the last ones are still open. */
const states = ['failed', 'expired', 'cancelled', 'expired', 'failed', 'open', ...Array(14).fill('paid')];

type SeededPayment = {
  id: string;
  code: string;
  state: string;
  amountMinor: number;
  currency: string;
  at: Date;
};

const hourMs = 60 * 60 * 1000;
const hours = 30 * 24;

/** A deterministic pseudo-random number below `most`. */
function pseudoRandom(i: number, most: number, salt: number): number {
  const mixed = Math.imul(i, 374_761_393) + Math.imul(salt, 668_265_263);
  const again = Math.imul(mixed ^ (mixed >>> 13), 1_274_126_177);
  return ((again ^ (again >>> 16)) >>> 0) % most;
}

/** The relative activity of an hour: low at night and on weekends. */
function activityAt(hour: number): number {
  const byNight = [1, 1, 1, 1, 1, 2, 4, 6, 9, 12, 14, 15, 14, 13, 13, 14, 15, 16, 17, 17, 14, 10, 6, 3];
  const day = Math.floor(hour / 24);
  return (byNight[hour % 24] as number) * (day % 7 < 2 ? 6 : 10) * (8 + pseudoRandom(day, 5, 7));
}

function makeMoments(count: number, now: Date): Date[] {
  const start = now.getTime() - hours * hourMs;
  const activity = Array.from({ length: hours }, (_, hour) => activityAt(hour + now.getUTCHours()));
  const whole = activity.reduce((sum, one) => sum + one, 0);
  const moments: Date[] = [];
  let passed = 0;
  for (const [hour, one] of activity.entries()) {
    const before = moments.length;
    passed += one;
    const inHour = Math.round((count * passed) / whole) - before;
    for (let i = 0; i < inHour; i++)
      moments.push(new Date(start + hour * hourMs + Math.floor((i * hourMs) / inHour)));
  }
  return moments;
}

function makePayments(companyId: string, count: number, now: Date): SeededPayment[] {
  return makeMoments(count, now).map((at, i) => {
    const state = states[pseudoRandom(i, states.length, 1)] as string;
    // An open link that is older than a week would have expired.
    const isOld = state === 'open' && now.getTime() - at.getTime() > 6 * dayMs;
    return {
      id: newId('pay', at),
      code: newLinkCode(companyId),
      state: isOld ? 'expired' : state,
      amountMinor: 390 + pseudoRandom(i, 120, 2) * 50 + (pseudoRandom(i, 15, 3) === 0 ? 9_500 : 0),
      currency: pseudoRandom(i, 6, 4) === 0 ? 'USD' : 'EUR',
      at,
    };
  });
}

const columnsOf = (rows: readonly SeededPayment[]) => [
  rows.map(({ id }) => id),
  rows.map(({ code }) => code),
  rows.map(({ state }) => state),
  rows.map(({ amountMinor }) => amountMinor),
  rows.map(({ currency }) => currency),
  rows.map(({ at }) => at.toISOString()),
];

async function insertRows(
  db: OwnerConnection,
  companyId: string,
  { from, orderPrefix }: { from: number; orderPrefix: string },
  rows: readonly SeededPayment[],
): Promise<void> {
  await db.asOwner.query(
    `insert into payments (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email,
                           first_name, last_name, country, success_url, failure_url, description, expires_at,
                           created_by, created_at, updated_at)
     select $1, id, code, $9 || ($8::integer + i), state, 'test', amount, currency,
            'anna' || ($8::integer + i) % 20000 || '@example.com',
            (array['Ada', 'Grace', 'Anna', 'Özlem', 'Alan'])[1 + i % 5],
            (array['Lovelace', 'Hopper', 'Müller', 'Turing'])[1 + i % 4], 'DE',
            'https://shop.example/paid', 'https://shop.example/failed', 'Order ' || i,
            at + interval '7 days', 'acc_x', at, at
     from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::timestamptz[])
          with ordinality as row (id, code, state, amount, currency, at, i)`,
    [companyId, ...columnsOf(rows), from, orderPrefix],
  );
  await db.asOwner.query(
    `insert into events (company_id, mode, event_id, type, is_public, payment_id, actor, data, at)
     select $1, 'test', replace(id, 'pay_', 'evt_'), 'payment.created', true, id, 'account:acc_x', '{}', at
     from unnest($2::text[], $3::timestamptz[]) as row (id, at)`,
    [companyId, rows.map(({ id }) => id), rows.map(({ at }) => at.toISOString())],
  );
  const paid = rows.filter(({ state }) => state === 'paid');
  await db.asOwner.query(
    `insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency,
                                 payment_id, source_id, mode, at)
     select $1, replace(id, 'pay_', 'led_'), 'capture', 'processor', 'merchant', amount, currency, id,
            replace(id, 'pay_', 'att_'), 'test', at
     from unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::timestamptz[])
          as row (id, code, state, amount, currency, at)`,
    [companyId, ...columnsOf(paid)],
  );
}

/** Inserts payments of the last 30 days. Returns their link codes, oldest first. */
export async function seedCompany(
  db: OwnerConnection,
  companyId: string,
  { count, now, orderPrefix = 'shop-' }: { count: number; now: Date; orderPrefix?: string },
): Promise<string[]> {
  const payments = makePayments(companyId, count, now);
  for (let from = 0; from < count; from += chunk)
    await insertRows(db, companyId, { from, orderPrefix }, payments.slice(from, from + chunk));
  await db.asOwner.query('analyze payments, events, ledger_entries');
  return payments.map(({ code }) => code);
}
