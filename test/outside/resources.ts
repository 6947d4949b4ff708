// What a run uses: memory of the processes, files of the database. Must not: import code of the service.

import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

export type TableSize = { rows: number; bytes: number };
export type Usage = {
  /** For each process: resident memory in MB, and open files. */
  processes: { memoryMb: number; openFiles: number }[];
  tables: Map<string, TableSize>;
  /** The write-ahead log, in bytes. */
  walBytes: number;
};

const sizesSql = `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace`;

async function readTables(client: pg.Client): Promise<Map<string, TableSize>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(sizesSql);
  const tables = new Map<string, TableSize>();
  for (const { name, bytes } of rows) {
    // safe: the name comes from the catalogue, and is quoted.
    const counted = await client.query<{ count: string }>(
      `select count(*) as count from ${pg.escapeIdentifier(name)}`,
    );
    tables.set(name, { rows: Number(counted.rows[0]?.count), bytes: Number(bytes) });
  }
  return tables;
}

function readProcess(pid: number): { memoryMb: number; openFiles: number } {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    memoryMb: Math.round(Number(kilobytes) / 1024),
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

export function readMemory(pids: readonly number[]): Usage['processes'] {
  return pids.map(readProcess);
}

/** Reads the usage. With a checkpoint first, so that the log is as small as the server keeps it. */
export async function readUsage(databaseUrl: string, pids: readonly number[]): Promise<Usage> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('vacuum');
    await client.query('checkpoint');
    const { rows } = await client.query<{ bytes: string }>('select sum(size) as bytes from pg_ls_waldir()');
    const tables = await readTables(client);
    return { processes: readMemory(pids), tables, walBytes: Number(rows[0]?.bytes) };
  } finally {
    await client.end();
  }
}

/** Tables whose rows are meant to stay: money, its history, and what is sent again on request. */
const staying = new Set([
  ...['payments', 'attempts', 'refunds', 'events', 'event_seals', 'ledger_entries'],
  ...['sandbox_charges', 'sandbox_refunds', 'webhook_deliveries', 'webhook_tries'],
  // Kept for 48 hours, 30 days and 7 days; and the words by which payments are found.
  ...['idempotency_keys', 'mails', 'api_requests', 'payment_words', 'payment_word_positions'],
]);

/** What a table without staying rows may grow: a page of rows, and the space that vacuum frees. */
const slack = { rows: 20, bytes: 2 * 1024 * 1024 };

/** The tables that grew although their rows are not meant to stay. */
export function findGrowth(before: Usage, after: Usage): string[] {
  const found: string[] = [];
  for (const [name, { rows, bytes }] of after.tables) {
    const was = before.tables.get(name) ?? { rows: 0, bytes: 0 };
    if (staying.has(name)) continue;
    if (rows - was.rows > slack.rows) found.push(`${name} grew from ${was.rows} to ${rows} rows`);
    if (bytes - was.bytes > slack.bytes) found.push(`${name} grew from ${was.bytes} to ${bytes} bytes`);
  }
  return found;
}

/** How many bytes the staying tables grew for each purchase, the largest first. */
export function bytesPerPurchase(before: Usage, after: Usage, purchases: number): Record<string, number> {
  const grown = [...after.tables].map(([name, { bytes }]): [string, number] => [
    name,
    Math.round((bytes - (before.tables.get(name)?.bytes ?? 0)) / purchases),
  ]);
  return Object.fromEntries(grown.filter(([, bytes]) => bytes >= 1).sort((a, b) => b[1] - a[1]));
}

const middleOf = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/**
 * How much memory each process gained: the median of the last quarter of the samples against that of the second. The
 * first quarter is the warm-up.
 */
export function memoryGains(samples: readonly Usage['processes'][]): { fromMb: number; toMb: number }[] {
  const quarter = Math.floor(samples.length / 4);
  const median = (from: number, index: number) =>
    middleOf(samples.slice(from, from + quarter).map((sample) => sample[index]?.memoryMb ?? 0));
  return (samples[0] ?? []).map((_, index) => ({
    fromMb: median(quarter, index),
    toMb: median(samples.length - quarter, index),
  }));
}
