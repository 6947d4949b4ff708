// Simulates wrk or pgbench for the tests of the bench: prints a given text and writes a given number of rows,
// so that output and database can differ. Must not: be used for measuring.

import { readFileSync } from 'node:fs';
import pg from 'pg';

export type FakeToolScript = {
  url: string;
  rows: number;
  says: string;
};

const script = JSON.parse(process.argv[2] ?? '') as FakeToolScript;
const args = process.argv.slice(3);

/** The table to write, and the prefix of this run's order IDs, from the plan or the script. */
function readTask(): { table: string; run: string } {
  const scriptAt = args.indexOf('-f');
  const text = readFileSync((scriptAt === -1 ? args.at(-1) : args[scriptAt + 1]) ?? '', 'utf8');
  const [, table = 'payments', run = ''] =
    /insert into (\w+)[^']*'co_yardstick', 'pay_(\w+)-/.exec(text) ?? /()run = "(\w+)"/.exec(text) ?? [];
  return { table: table || 'payments', run };
}

const { table, run } = readTask();
const client = new pg.Client({ connectionString: script.url });
await client.connect();
// The company of the rows does not matter.
await client.query('set session_replication_role = replica');
await client.query(
  // safe: the name is quoted.
  `insert into ${pg.escapeIdentifier(table)}
     (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email, country,
      success_url, failure_url, expires_at, created_by, created_at, updated_at)
   select 'co_stand_in', $1 || i, $1 || i, $1 || '-' || i, 'open', 'test', 1999, 'EUR', 'ada@example.com', 'DE',
          'https://shop.example/paid', 'https://shop.example/failed', now(), 'acc_stand_in', now(), now()
   from generate_series(1, $2::integer) i`,
  [run, script.rows],
);
await client.end();
process.stdout.write(script.says);
