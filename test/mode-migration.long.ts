// The upgrade that gave every row its mode, from a database of the previous version with rows of both modes.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate, migrationsDir } from '../src/db/migrate.ts';
import {
  type Cleaner,
  createCleaner,
  createEmpty,
  createTemplate,
  type OpenOptions,
  runOnServer,
} from './harness/engines.ts';
import { listModeTables } from './harness/modes.ts';
import { fillWordsOf } from './harness/payment-words.ts';

const companyId = 'co_aaaaaaa1';
const log = () => undefined;

type Mode = 'test' | 'live';

const into = (table: string, columns: string, values: string) =>
  `insert into ${table} (company_id, ${columns}) values ('${companyId}', ${values})`;
const connectionOf = (n: number) => `con_${String(n).repeat(24)}`;

/** Rows of one mode about payments, by IDs that end in the mode. `n` distinguishes IDs of fixed forms. */
function paymentRowsOf(mode: Mode, n: number): string[] {
  const connection = connectionOf(n);
  const event = (id: string, type: string, payment: string, data: string) =>
    into(
      'events',
      'event_id, type, is_public, payment_id, actor, data, at',
      `'evt_${id}_${mode}', '${type}', ${payment !== 'null'}, ${payment}, 'account:a', '${data}', now()`,
    );
  return [
    into(
      'payments',
      `payment_id, code, customer_order_id, state, mode, amount_minor, currency, email, country, success_url,
       failure_url, expires_at, created_by, created_at, updated_at`,
      `'pay_${mode}', 'code_${mode}', 'order-${mode}', 'paid', '${mode}', 100, 'EUR', 'a@b.example', 'DE',
       'https://a.example', 'https://a.example', now(), 'account:a', now(), now()`,
    ),
    into(
      'connections',
      'connection_id, processor, mode, name, currencies, position, created_by, created_at, updated_at',
      `'${connection}', 'sandbox', '${mode}', 'One', '{EUR}', 0, 'account:a', now(), now()`,
    ),
    into(
      'attempts',
      'attempt_id, payment_id, state, processor, connection_id, amount_minor, currency, created_at, updated_at',
      `'att_${mode}', 'pay_${mode}', 'succeeded', 'sandbox', '${connection}', 100, 'EUR', now(), now()`,
    ),
    into(
      'refunds',
      'refund_id, payment_id, attempt_id, kind, state, amount_minor, currency, created_by, created_at, updated_at',
      `'ref_${mode}', 'pay_${mode}', 'att_${mode}', 'merchant', 'succeeded', 10, 'EUR', 'account:a', now(), now()`,
    ),
    into(
      'ledger_entries',
      'entry_id, kind, debit_account, credit_account, amount_minor, currency, payment_id, source_id, at, mode',
      `'led_${mode}', 'capture', 'processor', 'merchant', ${100 * n}, 'EUR', 'pay_${mode}', 'att_${mode}', now(), '${mode}'`,
    ),
    into(
      'webhook_endpoints',
      'endpoint_id, mode, url, events, secret, secret_id, created_by, created_at, updated_at',
      `'whe_${mode}', '${mode}', 'https://a.example', '{*}', '\\x00', 'one', 'account:a', now(), now()`,
    ),
    event('paid', 'payment.paid', `'pay_${mode}'`, '{}'),
    event('endpoint', 'webhook_endpoint.created', 'null', `{"endpointId": "whe_${mode}"}`),
    // The only public event that is not about a payment.
    into(
      'events',
      'event_id, type, is_public, actor, data, at',
      `'evt_disabled_${mode}', 'webhook_endpoint.disabled', true, 'system',
       '{"endpoint": {"id": "whe_${mode}", "mode": "${mode}"}, "mode": "${mode}"}', now()`,
    ),
    event('connection', 'connection.created', 'null', `{"connectionId": "${connection}"}`),
    event('ordered', 'connection.ordered', 'null', `{"connectionIds": ["${connection}"]}`),
    event('imported', 'bank.imported', 'null', `{"mode": "${mode}"}`),
    event('key', 'key.created', 'null', `{"mode": "${mode}"}`),
    into(
      'webhook_tries',
      'delivery_id, try_id, at, duration_ms, fault',
      `(select delivery_id from webhook_deliveries where event_id = 'evt_paid_${mode}'), 'wht_${mode}', now(), 1, 'refused'`,
    ),
  ];
}

/** The same in the tables of banks and processors. */
function otherRowsOf(mode: Mode, n: number): string[] {
  const connection = connectionOf(n);
  return [
    into(
      'bank_statements',
      'statement_id, mode, sha256, kind, version, message_id, byte_count, line_count, duplicate_count, created_by, created_at',
      `'bst_${mode}', '${mode}', sha256('${mode}'), 'camt.053', '08', 'm', 1, 1, 0, 'account:a', now()`,
    ),
    into(
      'bank_transfers',
      `attempt_id, connection_id, mode, state, reference, due_minor, currency, holder, iban, link_code,
       customer_order_id, customer_name, expires_at, closes_at, created_at`,
      `'att_${mode}', '${connection}', '${mode}', 'open', 'RF0${n}A', 100, 'EUR', 'h', 'DE02120300000000202051', 'c', 'o',
       'n', now(), now(), now()`,
    ),
    into(
      'bank_refunds',
      'refund_id, attempt_id, state, reference, amount_minor, currency, created_at',
      `'ref_${mode}', 'att_${mode}', 'waiting', 'RF1${n}B', 10, 'EUR', now()`,
    ),
    into(
      'bank_lines',
      `line_id, statement_id, mode, position, fingerprint, direction, is_return, is_batch_unclear, is_booked, amount_text,
       currency, found_references, remittance, state, attempt_id, refund_id`,
      `'bln_${mode}', 'bst_${mode}', '${mode}', 1, sha256('line ${mode}'), 'credit', false, false, true, '1.00', 'EUR', '{}', '',
       'new', 'att_${mode}', 'ref_${mode}'`,
    ),
    into(
      'processor_cases',
      'mode, attempt_id, code, processor_reference, payment_id, amount_minor, currency, created_at',
      `'${mode}', 'att_${mode}', 'currency_mismatch', 'ch_1', 'pay_${mode}', 100, 'JPY', now()`,
    ),
    into('processor_notices', 'connection_id, notice_id, received_at', `'${connection}', 'one', now()`),
    into(
      'processor_notice_counts',
      'connection_id, verdict, count, last_at',
      `'${connection}', 'accepted', 1, now()`,
    ),
    into(
      'sandbox_charges',
      'idempotency_key, reference, state, amount_minor, currency, created_at',
      `'att_${mode}', 'sbx_${mode}', 'succeeded', 100, 'EUR', now()`,
    ),
    into(
      'sandbox_refunds',
      'idempotency_key, charge_reference, reference, state, amount_minor, currency, created_at',
      `'ref_${mode}', 'sbx_${mode}', 'sbr_${mode}', 'succeeded', 10, 'EUR', now()`,
    ),
  ];
}

/** Tables that a later migration creates, without rows. */
const laterTables = new Set(['api_requests']);

const rowsOf = (mode: Mode, n: number) => [...paymentRowsOf(mode, n), ...otherRowsOf(mode, n)];

/** Rows that both modes share. */
const sharedRows = [
  `insert into companies (company_id, name, country, notice_address, created_at) values ('${companyId}', 'Shop', 'DE', 'a@b.example', now())`,
  `insert into accounts (company_id, account_id, email, password_hash, roles, created_at) values ('${companyId}', 'a', 'a@b.example', 'x', '{owner}', now())`,
  `insert into ledger_totals (company_id, debit_account, credit_account, currency, shard, amount_minor) values ('${companyId}', 'processor', 'merchant', 'EUR', 0, 300)`,
  `insert into idempotency_keys (company_id, account_id, key, fingerprint, seed, subject_at, leased_until)
   values ('${companyId}', 'a', 'key-1', sha256('f'), sha256('s'), now(), now())`,
];

/** The migrations of the previous version, in a separate folder. */
async function copyOld(folder: string): Promise<string> {
  const dir = join(folder, 'migrations');
  await mkdir(dir);
  for (const file of await readdir(migrationsDir))
    if (file < '0022') await cp(join(migrationsDir, file), join(dir, file));
  return dir;
}

async function list(db: Database, text: string): Promise<string[]> {
  const rows = await db.asOwner.query<{ it: string }>(text);
  return rows.map(({ it }) => it);
}

/** The database, opened by its owner, who is bound by row-level security as in production. */
async function openAsOwner(name: string, options: OpenOptions, cleaner: Cleaner): Promise<Database> {
  const url = new URL(options.databaseUrl ?? '');
  await runOnServer(
    `create role ${name} login password 'secret' createrole;
     alter database ${url.pathname.slice(1)} owner to ${name};`,
  );
  // An earlier test may have created the roles. Since PostgreSQL 16, granting them requires the admin option.
  for (const role of ['paylink_tenant', 'paylink_system'])
    await runOnServer(
      `do $$ begin if exists (select from pg_roles where rolname = '${role}') then grant ${role} to ${name}; end if; end $$`,
    );
  Object.assign(url, { username: name, password: 'secret' });
  const db = await openDatabase({ ...options, databaseUrl: url.href });
  cleaner.add(() => db.close());
  return db;
}

for (const [engine, as] of [
  ['embedded', 'superuser'],
  ['server', 'superuser'],
  ['server', 'owner'],
] as const)
  test(`${engine}, as ${as}: rows of both modes from the previous version have the right mode after the upgrade`, async () => {
    const cleaner = createCleaner();
    try {
      const name = `mode_owner_${randomBytes(6).toString('hex')}`;
      // Registered before the database, which the role owns: cleanup runs in reverse order.
      if (as === 'owner') cleaner.add(() => runOnServer(`drop role if exists ${name}`));
      const options = await createEmpty(engine, cleaner, createTemplate(cleaner));
      const db = await openDatabase(options);
      cleaner.add(() => db.close());
      const owner = as === 'owner' ? await openAsOwner(name, options, cleaner) : db;
      await migrate(owner, { dir: await copyOld(await cleaner.folder()), log });
      // As the connecting role, a superuser here, so row-level security does not apply.
      for (const text of [...sharedRows, ...rowsOf('test', 1), ...rowsOf('live', 2)])
        await db.asOwner.query(text);
      await migrate(owner, { dir: migrationsDir, log });

      assert.deepEqual(
        await list(db, `select company_id as it from payment_word_positions where not is_filled`),
        [companyId],
      );
      await fillWordsOf(db, companyId);
      for (const table of (await listModeTables(db)).filter((name) => !laterTables.has(name))) {
        // safe: names come from the catalogue.
        const rows = await db.asOwner.query<{ mode: string | null; row: string }>(
          `select mode, (to_jsonb(t) - 'mode')::text as row from ${table} t`,
        );
        assert.deepEqual(
          [...new Set(rows.map(({ mode }) => mode).filter((mode) => mode !== null))].sort(),
          ['live', 'test'],
          `${table} has rows of both modes`,
        );
        // IDs of these rows end in their mode; totals and keys are checked below.
        if (
          table === 'ledger_totals' ||
          table === 'idempotency_keys' ||
          /^(processor_notice|connections)/.test(table)
        )
          continue;
        for (const { mode, row } of rows)
          if (mode !== null) assert.match(row, new RegExp(`_${mode}\\b`), `${table} ${mode} ${row}`);
      }
      assert.deepEqual(await list(db, `select event_id as it from events where mode is null order by 1`), [
        'evt_key_live',
        'evt_key_test',
      ]);
      assert.deepEqual(
        await list(db, `select mode || ' ' || amount_minor as it from ledger_totals order by 1`),
        ['live 200', 'test 100'],
        'the total of both is split by the entries',
      );
      assert.deepEqual(
        await list(db, `select mode || ' ' || key as it from idempotency_keys order by 1`),
        ['live key-1', 'test key-1'],
        'a key of before stands in both modes, so that no request runs twice',
      );
      assert.deepEqual(
        await list(
          db,
          `select n.mode || ' ' || n.connection_id as it from processor_notices n
           union select mode || ' ' || connection_id from processor_notice_counts
           union select mode || ' ' || connection_id from connections order by 1`,
        ),
        [`live con_${'2'.repeat(24)}`, `test con_${'1'.repeat(24)}`],
      );
      // The database itself refuses an attempt of one mode on a payment of the other.
      await assert.rejects(
        db.asOwner.query(`update attempts set mode = 'live' where attempt_id = 'att_test'`),
        /violates foreign key/,
      );
    } finally {
      await cleaner.clean();
    }
  });

for (const engine of ['embedded', 'server'] as const)
  test(`${engine}: a process of the previous version, which sets no mode, reads and writes no event, so it cannot skip events in the chain`, async () => {
    const cleaner = createCleaner();
    try {
      const db = await openDatabase(await createEmpty(engine, cleaner, createTemplate(cleaner)));
      cleaner.add(() => db.close());
      await migrate(db, { dir: migrationsDir, log });
      for (const text of sharedRows.filter((row) => row.startsWith('insert into companies')))
        await db.asOwner.query(text);
      const insert = into(
        'events',
        'event_id, type, is_public, actor, data, at',
        `'evt_key', 'key.created', false, 'a', '{}', now()`,
      );
      await db.asOwner.query(insert);
      const look = 'select event_id from events';
      assert.equal((await db.inCompany(companyId, async (tx) => await tx.query(look))).length, 1);
      await db.withConnection(async (sql) => {
        await sql.query(
          `begin; set local role paylink_tenant; set local paylink.company_id = '${companyId}'`,
        );
        assert.deepEqual(await sql.query(look), []);
        await assert.rejects(sql.query(insert.replace('evt_key', 'evt_old')), /row-level security/);
        await sql.query('rollback');
      });
    } finally {
      await cleaner.clean();
    }
  });
