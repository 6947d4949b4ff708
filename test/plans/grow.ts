// Fills the tables with copies of rows that the service wrote, without analysing them.

import assert from 'node:assert/strict';
import pg from 'pg';

/** The number of a copy as sortable text of ten characters. */
const number = `lpad(i::text, 10, '0')`;
const idOf = (prefix: string) => `'${prefix}_' || ${number} || repeat('0', 16)`;
/** Random letters, like those of a link code. */
const letters = `substr(md5(i::text), 1, 20)`;

/** The transaction ID of copied events. Events up to it count as sealed, so the service does not seal the copies. */
const lastSealed = `(select (sealed_below::text::bigint - 1)::text::xid8 from seal_progress)`;

/** The columns that differ between copies, by table. */
const changes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payments: {
    payment_id: idOf('pay'),
    code: `substr(t.company_id, 4) || ${letters}`,
    customer_order_id: `'shop-' || ${letters}`,
    email: `'anna' || i % 50000 || '@example.com'`,
    last_name: `'Lovelace ' || i % 50000`,
    state: `(array['failed', 'expired', 'cancelled', 'open', 'paid'])[1 + least(4, i % 50)]`,
    expires_at: `t.expires_at + interval '60 days'`,
    // Only a paid payment may have refunds.
    refunded_minor: `0`,
    refunding_minor: `0`,
  },
  payment_words: { payment_id: idOf('pay'), word: letters },
  attempts: { attempt_id: idOf('att'), payment_id: idOf('pay'), state: `'succeeded'` },
  events: {
    event_id: idOf('evt'),
    xact: lastSealed,
    payment_id: `case when t.payment_id is null then null else ${idOf('pay')} end`,
  },
  // The positions are far apart, because the service continues after the last one.
  event_seals: { position: `100000::bigint * i`, event_id: idOf('evt'), xact: lastSealed },
  ledger_entries: { entry_id: idOf('led'), payment_id: idOf('pay'), source_id: idOf('att') },
  mails: {
    mail_id: idOf('mail'),
    event_id: idOf('evt'),
    payment_id: idOf('pay'),
    state: `'sent'`,
    ended_at: `clock_timestamp()`,
  },
  refunds: {
    refund_id: idOf('ref'),
    payment_id: idOf('pay'),
    attempt_id: idOf('att'),
    outside_reference: `null`,
  },
  sandbox_charges: { idempotency_key: idOf('att'), reference: `'sbx_' || ${letters} || i` },
  sandbox_refunds: {
    idempotency_key: idOf('ref'),
    charge_reference: `'sbx_' || ${letters} || i`,
    reference: `'sbr_' || ${letters} || i`,
  },
  webhook_deliveries: {
    delivery_id: idOf('whd'),
    event_id: idOf('evt'),
    state: `'delivered'`,
    ended_at: `clock_timestamp()`,
  },
  webhook_tries: { delivery_id: idOf('whd'), try_id: idOf('wht') },
  idempotency_keys: { key: `'key-' || ${letters} || i` },
  sessions: { session_id: idOf('ses') },
  rate_limits: { bucket: `'bucket-' || ${letters} || i` },
  known_clients: { client_digest: `md5(i::text)` },
  login_failures: { account_digest: `md5(i::text)` },
};

async function columnsOf(admin: pg.Client, table: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The numbers of the copies: above the first one, up to the second. */
type Range = readonly [from: number, to: number];

/** Copies a row of each company. */
async function copyRows(admin: pg.Client, table: string, [from, to]: Range): Promise<void> {
  const own = changes[table] ?? {};
  const columns = await columnsOf(admin, table);
  const values = columns.map((name) => own[name] ?? `t.${pg.escapeIdentifier(name)}`);
  const byCompany = columns.includes('company_id') ? 'distinct on (company_id)' : '';
  // The same row in each run; for events one that belongs to a payment, as most do.
  const first = columns.includes('payment_id') ? 'payment_id, ctid' : 'ctid';
  const order = columns.includes('company_id')
    ? `order by company_id, ${first}`
    : `order by ${first} limit 1`;
  // safe: names come from the catalogue, expressions are literals of this file.
  const { rowCount } = await admin.query(
    `with t as (select ${byCompany} * from ${table} ${order}), numbered as (select *, row_number() over () - 1 as nth, count(*) over () as all_of_them from t)
     insert into ${table} (${columns.map(pg.escapeIdentifier).join(', ')})
     select ${values.join(', ')} from numbered t join generate_series($1::integer, $2::integer) i on i % all_of_them = nth`,
    [from + 1, to],
  );
  assert.equal(rowCount, to - from, `${table} has a row to copy`);
}

/**
 * The same, but builds the indexes afterwards, which is ten times as fast. Building them records the table's size, which
 * normal growth does not, so the earlier recorded size is restored.
 */
async function copyRowsAtOnce(
  admin: pg.Client,
  table: string,
  { leaves, range }: { leaves: readonly string[]; range: Range },
): Promise<void> {
  for (const leaf of leaves)
    await admin.query('update pg_index set indisready = false where indrelid = $1::regclass', [leaf]);
  const { rows: believed } = await admin.query(
    'select oid, relpages, reltuples from pg_class where oid = any($1::regclass[])',
    [leaves],
  );
  await copyRows(admin, table, range);
  // safe: the names come from the catalogue.
  for (const leaf of leaves) await admin.query(`reindex table ${leaf}`);
  for (const { oid, relpages, reltuples } of believed)
    await admin.query('update pg_class set relpages = $2, reltuples = $3 where oid = $1', [
      oid,
      relpages,
      reltuples,
    ]);
}

/** A table itself, or its partitions. */
async function leavesOf(admin: pg.Client, table: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and oid in (select $1::regclass union select relid from pg_partition_tree($1::regclass))`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** From this many rows, indexes are built afterwards. */
const many = 100_000;

/**
 * Grows a table under a lock. Without it, the service may analyse the table before the rows are committed, and analyses
 * it again only a minute later.
 */
async function growTable(admin: pg.Client, table: string, range: Range): Promise<void> {
  const leaves = await leavesOf(admin, table);
  const [from, to] = range;
  await admin.query('begin');
  // safe: the names come from the catalogue.
  for (const leaf of leaves) await admin.query(`lock table ${leaf} in access exclusive mode`);
  if (to - from < many) await copyRows(admin, table, range);
  else await copyRowsAtOnce(admin, table, { leaves, range });
  await admin.query('commit');
}

/** Grows all tables, with triggers and foreign keys disabled. */
export async function grow(admin: pg.Client, from: number, to: number): Promise<void> {
  await admin.query(
    `set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '256MB'`,
  );
  for (const table of Object.keys(changes)) await growTable(admin, table, [from, to]);
  await admin.query('reset session_replication_role');
}
