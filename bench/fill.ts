// Fills the tables with generated payments, as many as a merchant has after years. It bypasses the service's
// code, so it measures nothing of it. Must not: leave an index out or a setting changed at its end.
// Measurements need the normal database.

import type pg from 'pg';
import type { BenchDatabase } from './database.ts';

/** How many payments one customer has made. */
const paymentsOfCustomer = 20;

/** How far apart consecutive payments of one customer are. */
const customersAtOnce = 500;
const stride = 317;

const chunkRows = 100_000;

/** IDs count up in digits; their time is long before that of the service's IDs. */
const idOf = (prefix: string) => `'${prefix}_' || lpad(i::text, 10, '0') || repeat('0', 16)`;

/** The number of a payment's customer: equally many for each thousand payments, at any size. */
const blockRows = customersAtOnce * paymentsOfCustomer;
const customer = `lpad((i / ${blockRows} * ${customersAtOnce} + i % ${customersAtOnce} * ${stride} % ${customersAtOnce})::text, 7, '0')`;

/** Of 20 payments one is open, one failed, one cancelled, two are expired, and fifteen are paid. */
const stateOfFilled = `case when i % 20 < 5 then (array['open', 'failed', 'expired', 'cancelled', 'expired'])[1 + i % 20]
                        else 'paid' end`;

/** Codes are unordered like the service's: its tag, then arbitrary letters. */
const letters = `'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'`;
const letterOf = (number: string) => `substr(${letters}, 1 + ${number} % 62, 1)`;
const code = `substr($1, 4) || ${letterOf('i')} || ${letterOf('i / 62')} || substr(md5(i::text), 1, 20)`;

async function insertPayments(
  admin: pg.Client,
  companyId: string,
  [from, to]: readonly [from: number, to: number],
  state: string,
): Promise<void> {
  // safe: the expressions are literals of this file.
  await admin.query(
    `insert into payments (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email,
                           first_name, last_name, phone, phone_e164, country, success_url, failure_url, expires_at,
                           created_by, created_at, updated_at)
     select $1, ${idOf('pay')}, ${code},
            case when i % 10 = 0 then 'web-' else 'shop-' end || i, ${state}, 'test', 100 + i % 100000,
            case when i % 3 = 0 then 'USD' else 'EUR' end, 'anna' || ${customer} || '@example.com',
            (array['Ada', 'Grace', 'Anna', 'Alan'])[1 + i % 4],
            (array['Lovelace', 'Hopper', 'Turing'])[1 + i % 3] || ' ' || ${customer},
            '+44 20 7946 0018', '+442079460018', 'GB', 'https://shop.example/paid', 'https://shop.example/failed',
            now() + interval '7 days', 'acc_bench', now(), now()
     from generate_series($2::integer, $3::integer) i`,
    [companyId, from, to],
  );
}

/** An event for the creation of each payment, and its seal, whose hash is not valid. */
async function insertEvents(
  admin: pg.Client,
  companyId: string,
  [from, to]: readonly [from: number, to: number],
): Promise<void> {
  // safe: the expressions are literals of this file.
  await admin.query(
    `with made as (
       insert into events (company_id, mode, event_id, type, is_public, payment_id, actor, data, at)
       select $1, 'test', ${idOf('evt')}, 'payment.created', true, ${idOf('pay')}, 'account:acc_bench',
              jsonb_build_object('state', 'open', 'amountMinor', 100 + i % 100000, 'currency', 'EUR'), now()
       from generate_series($2::integer, $3::integer) i
       returning event_id, xact
     )
     insert into event_seals (company_id, position, event_id, xact, hash, sealed_at)
     select $1, (select coalesce(max(position), 0) from event_seals where company_id = $1) + row_number() over (),
            event_id, xact, sha256(event_id::bytea), now()
     from made`,
    [companyId, from, to],
  );
}

/** Session settings. The server's settings stay, except that the first two differ while filling. */
const ofSession = {
  // The generated rows are valid, and nobody needs notifications of them.
  session_replication_role: 'replica',
  synchronous_commit: 'off',
  maintenance_work_mem: '512MB',
} as const;
const ofServer = { max_wal_size: '16GB', checkpoint_timeout: '1h' } as const;

async function reload(admin: pg.Client): Promise<void> {
  await admin.query('select pg_reload_conf()');
}

async function withFastSettings(admin: pg.Client, work: () => Promise<void>): Promise<void> {
  // safe: names and values are literals of this file.
  for (const [name, value] of Object.entries(ofServer))
    await admin.query(`alter system set ${name} = '${value}'`);
  await reload(admin);
  for (const [name, value] of Object.entries(ofSession)) await admin.query(`set ${name} = '${value}'`);
  try {
    await work();
  } finally {
    for (const name of Object.keys(ofSession)) await admin.query(`reset ${name}`);
    for (const name of Object.keys(ofServer)) await admin.query(`alter system reset ${name}`);
    await reload(admin);
  }
}

/** Drops the indexes without a constraint. Returns the statements that create them again. */
async function dropIndexes(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid in ('payments'::regclass, 'events'::regclass, 'event_seals'::regclass)
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  );
  // safe: the names come from the catalogue, quoted by it.
  for (const { name } of rows) await admin.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/**
 * Fills the tables up to a number of payments; `from` of them exist. The service must not run during this: its
 * tables lack their indexes.
 */
export async function fillPayments(
  { admin }: BenchDatabase,
  companyId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await withFastSettings(admin, async () => {
    const definitions = await dropIndexes(admin);
    for (let done = from; done < to; done += chunkRows) {
      const range = [done + 1, Math.min(done + chunkRows, to)] as const;
      await insertPayments(admin, companyId, range, stateOfFilled);
      await insertEvents(admin, companyId, range);
    }
    // safe: the definitions come from the catalogue.
    for (const definition of definitions) await admin.query(definition);
    await admin.query('update seal_progress set sealed_below = next_event_number()');
    await admin.query('vacuum analyze payments, events, event_seals');
  });
  await admin.query('checkpoint');
}

/** Creates open links, numbered from `first`. Returns their codes. */
export async function makeLinks(
  { admin }: BenchDatabase,
  companyId: string,
  { first, count }: { first: number; count: number },
): Promise<string[]> {
  await insertPayments(admin, companyId, [first, first + count - 1], `'open'`);
  const { rows } = await admin.query<{ code: string }>(
    // safe: the expression is a literal of this file.
    `select ${code} as code from generate_series($2::integer, $3::integer) i`,
    [companyId, first, first + count - 1],
  );
  return rows.map((row) => row.code);
}
