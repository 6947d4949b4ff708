// The baselines: the speed of this PostgreSQL for one row, and of this machine for one request, without the
// service. Both are taken before and after the scenarios of the same run. The insert must not have the
// indexes of payments, or our changes would move the baseline. A second one has them, and bounds nothing.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PlainFault } from '../scripts/toolchain.mjs';
import { randomBase32 } from '../src/base/ids.ts';
import type { BenchDatabase } from './database.ts';
import { type InsertResult, mean, parsePgbenchOutput } from './figures.ts';
import { orderBody } from './scenarios.ts';
import { runProgram, startHelper } from './spawn-child.ts';
import { type BenchTools, formatRawRequest, runWrk } from './wrk.ts';

export type Baselines = {
  insertPerSecond: number;
  insertMeanMs: number;
  indexedInsertPerSecond: number;
  echoPerSecond: number;
};

const clients = 64;
const tables = { bare: 'yardstick_bare', indexed: 'yardstick_indexed' } as const;

/** Tables with the shape of payments: one with only the primary key, one with all indexes. */
export async function createBaselineTables({ admin }: BenchDatabase): Promise<void> {
  // safe: the names are ours.
  await admin.query(`create table ${tables.bare} (like payments including defaults including generated)`);
  await admin.query(`alter table ${tables.bare} add primary key (company_id, payment_id)`);
  await admin.query(`create table ${tables.indexed} (like payments including all)`);
}

/** One row as wide as an order of the scenarios; its IDs count up for each client. */
const insertInto = (table: string, run: string) => `\\set n :n + 1
insert into ${table} (company_id, payment_id, code, customer_order_id, state, mode, amount_minor, currency, email,
  first_name, last_name, phone, phone_e164, country, success_url, failure_url, expires_at, created_by, created_at, updated_at)
values ('co_yardstick', 'pay_${run}-' || :client_id || '-' || :n, 'yardstick-${run}-' || :client_id || '-' || :n,
  '${run}-' || :client_id || '-' || :n, 'open', 'test', 1999, 'EUR', 'ada@example.com',
  'Ada', 'Lovelace', '+44 20 7946 0018', '+442079460018', 'GB', 'https://shop.example/thanks?cart=7#top',
  'https://shop.example/sorry', now() + interval '7 days', 'acc_yardstick', now(), now());
`;

async function measureInsert(
  tools: BenchTools,
  bench: BenchDatabase,
  table: string,
  seconds: number,
): Promise<InsertResult> {
  const run = randomBase32(8);
  const script = path.join(tools.folder, `insert-${run}.sql`);
  await writeFile(script, insertInto(table, run));
  const { host, port, database } = bench.admin;
  const at = ['-h', host, '-p', String(port), '-U', 'postgres'];
  const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-D', 'n=0'];
  const inserted = parsePgbenchOutput(
    await runProgram(tools.pgbench, [...at, ...load, '-f', script, database ?? '']),
  );
  // safe: the name is ours.
  const { rows } = await bench.admin.query<{ count: number }>(
    `select count(*)::integer as count from ${table} where customer_order_id like $1`,
    [`${run}-%`],
  );
  if (rows[0]?.count !== inserted.rows)
    throw new PlainFault(`pgbench says ${inserted.rows} rows, and there are ${rows[0]?.count}`);
  return inserted;
}

/** One row for each transaction into a table without our indexes. */
export const measureBareInsert = async (tools: BenchTools, bench: BenchDatabase, seconds: number) =>
  await measureInsert(tools, bench, tables.bare, seconds);

async function measureEcho(tools: BenchTools, seconds: number): Promise<number> {
  const echo = await startHelper('echo-process.ts');
  try {
    const { host } = new URL(echo.url);
    const headers = { 'content-type': 'application/json' };
    const templates = [{ text: formatRawRequest(host, ['POST', '/'], headers, orderBody), status: 200 }];
    const driven = await runWrk(tools, echo.url, { templates, cycle: [0], connections: clients, seconds });
    return driven.perSecond;
  } finally {
    await echo.stop();
  }
}

export async function measureBaselines(
  tools: BenchTools,
  bench: BenchDatabase,
  seconds: number,
): Promise<Baselines> {
  const bare = await measureBareInsert(tools, bench, seconds);
  const indexed = await measureInsert(tools, bench, tables.indexed, seconds);
  return {
    insertPerSecond: bare.perSecond,
    insertMeanMs: bare.meanMs,
    indexedInsertPerSecond: indexed.perSecond,
    echoPerSecond: await measureEcho(tools, seconds),
  };
}

/** The baseline of a run: the mean of the measurements before and after it. */
export function meanBaselines(before: Baselines, after: Baselines): Baselines {
  const of = (name: keyof Baselines) => mean([before[name], after[name]]);
  return {
    insertPerSecond: of('insertPerSecond'),
    insertMeanMs: of('insertMeanMs'),
    indexedInsertPerSecond: of('indexedInsertPerSecond'),
    echoPerSecond: of('echoPerSecond'),
  };
}
