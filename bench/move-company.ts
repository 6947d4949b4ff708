// `node bench/move-company.ts [payments]`: moves a company of so many payments between two PostgreSQL servers of this machine
// while links are created and paid, and prints the copy rate, the freeze and the refused requests. TEST_POSTGRES_BIN names the
// folder of PostgreSQL's programs. Must not: count on commits that are not flushed.

import pg from 'pg';
import { say } from '../scripts/toolchain.mjs';
import { openCellsRig } from '../test/cells/cells-rig.ts';
import { openReader, startLoad } from '../test/cells/move-journeys.ts';
import { openMover } from '../test/cells/move-rig.ts';
import { logIn } from '../test/harness/client.ts';
import { createTestEndpoint, loopbackSettings } from '../test/harness/webhook-endpoints.ts';
import { startReceiver } from '../test/receiver/receiver.ts';

const serverSettings = [
  ...['wal_level=logical', 'max_replication_slots=20', 'max_wal_senders=20'],
  ...['shared_buffers=256MB', 'max_wal_size=8GB', 'checkpoint_timeout=15min'],
];
const chunk = 50_000;
const idOf = (prefix: string, salt = "''") =>
  `'${prefix}_' || lpad(i::text, 10, '0') || ${salt} || repeat('0', 15)`;

/** The rows that a paid payment leaves: itself, 3 events and their seals, an attempt, an entry, 3 deliveries. The service fills the words. */
const seeds = [
  `insert into payments (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email, first_name,
                         last_name, country, success_url, failure_url, expires_at, created_by, created_at, updated_at)
   select $1, ${idOf('pay')}, substr($1, 4) || md5(i::text), 'shop-' || i, 'paid', 'test', 100 + i % 100000, 'EUR',
          'anna' || i || '@example.com', 'Ada', 'Lovelace', 'GB', 'https://shop.example/paid', 'https://shop.example/failed',
          now() + interval '7 days', 'acc_bench', now(), now()
   from generate_series($2::int, $3::int) i`,
  `insert into events (company_id, mode, event_id, type, is_public, payment_id, actor, data, at)
   select $1, 'test', ${idOf('evt', 'n')}, (array['payment.created', 'payment.processing', 'payment.paid'])[n::int], true,
          ${idOf('pay')}, 'customer', jsonb_build_object('state', 'paid', 'amountMinor', 100 + i % 100000, 'version', n::int), now()
   from generate_series($2::int, $3::int) i, unnest(array['1', '2', '3']) n`,
  `insert into event_seals (company_id, position, event_id, xact, hash, sealed_at)
   select $1, 1000 + i::bigint * 3 + n::int, ${idOf('evt', 'n')}, e.xact, sha256(e.event_id::bytea), now()
   from generate_series($2::int, $3::int) i, unnest(array['1', '2', '3']) n, events e
   where e.company_id = $1 and e.event_id = ${idOf('evt', 'n')}`,
  `insert into attempts (company_id, attempt_id, payment_id, state, processor, amount_minor, currency, card_brand, card_last4,
                         processor_reference, created_at, updated_at, mode)
   select $1, ${idOf('att')}, ${idOf('pay')}, 'succeeded', 'sandbox', 100 + i % 100000, 'EUR', 'visa', '4242', 'sbx_' || i,
          now(), now(), 'test'
   from generate_series($2::int, $3::int) i`,
  `insert into ledger_entries (company_id, entry_id, kind, debit_account, credit_account, amount_minor, currency, payment_id,
                               source_id, at, mode)
   select $1, ${idOf('led')}, 'capture', 'processor', 'merchant', 100 + i % 100000, 'EUR', ${idOf('pay')}, ${idOf('att')},
          now(), 'test'
   from generate_series($2::int, $3::int) i`,
  `insert into webhook_deliveries (company_id, delivery_id, endpoint_id, event_id, event_at, state, tries, due_at, ended_at, mode)
   select $1, ${idOf('whd', 'n')}, $4, ${idOf('evt', 'n')}, now(), 'delivered', 1, now(), now(), 'test'
   from generate_series($2::int, $3::int) i, unnest(array['1', '2', '3']) n`,
];
const rowsOfPayment = 12;

async function seed(
  url: string,
  payments: number,
  ids: { companyId: string; endpointId: string },
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // The rows are valid, and nobody is notified of them.
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    for (let from = 1; from <= payments; from += chunk) {
      const range = [ids.companyId, from, Math.min(from + chunk - 1, payments)];
      // At once: the service seals events that it finds without seals.
      await client.query('begin');
      for (const text of seeds)
        await client.query(text, text.includes('$4') ? [...range, ids.endpointId] : range);
      await client.query('commit');
    }
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

const payments = Number(process.argv[2] ?? 10_000);
process.env.TEST_POSTGRES_BIN ??= '/usr/lib/postgresql/15/bin';
const rig = await openCellsRig({ eu1: 'one', eu2: 'two' }, serverSettings);
const receiver = await startReceiver();
const paylink = await rig.start({ settings: loopbackSettings, isSearched: false });
try {
  const mover = await openMover(rig);
  const { merchant } = paylink;
  const credentials = await logIn(paylink, merchant);
  const from = String((await mover.db.cellOf(merchant.companyId)).cell);
  const company = { merchant, credentials, from, to: from === 'eu1' ? 'eu2' : 'eu1' };
  const endpoint = await createTestEndpoint(paylink, credentials, { url: receiver.at('bench') });
  const stage = {
    rig,
    paylink,
    mover,
    receiver,
    openCompany: async () => company,
    close: async () => undefined,
  };
  const reader = openReader(stage, company);
  say(`seeding ${payments} payments (${payments * rowsOfPayment} rows) in ${from}`);
  const begun = performance.now();
  await seed(rig.place(from).url, payments, { companyId: merchant.companyId, endpointId: endpoint.id });
  say(`seeded in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  const load = startLoad(stage, company, { clients: 2 });
  const steps: string[] = [];
  let at = performance.now();
  const moved = await mover.move(merchant.companyId, company.to, {
    freezeLimitMs: 2_000,
    log: say,
    onStep: (step) => {
      steps.push(`${step} ${((performance.now() - at) / 1000).toFixed(2)} s`);
      at = performance.now();
    },
  });
  await load.stop();
  const rows = moved.rows ?? 0;
  say(steps.join(', '));
  say(`rows                       ${rows}`);
  say(
    `copied                     in ${(moved.copyMs / 1000).toFixed(1)} s, ${Math.round(rows / (moved.copyMs / 1000))} rows/s`,
  );
  say(`requests held up           ${moved.frozenMs} ms`);
  say(`links created meanwhile    ${load.orders.length}, paid ${load.paid.length}`);
  say(`refused requests           ${load.refused.length}`);
  say(`rows removed from ${company.from}      ${moved.removedRows}`);
  if (payments <= 20_000) {
    await reader.readOn();
    say(
      `feed                       ${reader.ids.length} events, repeated ${reader.ids.length - new Set(reader.ids).size}`,
    );
  }
} finally {
  await receiver.close();
  await paylink.stop();
  await rig.close();
}
