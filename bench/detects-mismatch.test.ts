// Plants what makes a figure invalid; the bench must then fail with a sentence instead of the figure:
// acknowledged rows that are missing, or the reverse, responses with another status, and baselines that
// differ from the database.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { PlainFault } from '../scripts/toolchain.mjs';
import { createFromTemplate } from '../test/harness/database-templates.ts';
import type { TestDatabase } from '../test/harness/services.ts';
import { createBaselineTables, measureBaselines } from './baselines.ts';
import type { BenchDatabase } from './database.ts';
import type { FakeToolScript } from './fake-tool.ts';
import { type BenchEnvironment, measurePlan } from './measure.ts';

const requests = [{ text: 'GET / HTTP/1.1\r\n\r\n', status: 200, writes: 'links' as const }];
const plan = { cycle: [0], connections: 1, seconds: 1 };

const wrkSays = ({ answered = 5, statuses = '200:5', broken = 0 } = {}) =>
  `driven answered=${answered} per_second=5.00 p50_us=1 p99_us=2 broken=${broken} sent=1:5 statuses=${statuses}\n`;

const pgbenchSays = (rows: number) => `number of transactions actually processed: ${rows}
number of failed transactions: 0 (0.000%)
latency average = 4.850 ms
tps = 5.0 (without initial connection time)
`;

let folder: string;
let database: TestDatabase;
let bench: BenchDatabase;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'paylink-bench-'));
  database = await createFromTemplate();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  bench = { admin, url: database.url, postmasterPid: process.pid };
  await createBaselineTables(bench);
});
after(async () => {
  await bench.admin.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function play(name: string, part: Omit<FakeToolScript, 'url'>): Promise<string> {
  const file = path.join(folder, name);
  const standIn = fileURLToPath(new URL('fake-tool.ts', import.meta.url));
  const reported = JSON.stringify({ ...part, url: database.url }).replaceAll("'", "'\\''");
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${standIn}' '${reported}' "$@"\n`);
  await chmod(file, 0o700);
  return file;
}

/** Measures a plan for which wrk reports five payments and the database has this many rows. */
async function measure({ rows = 5, says = wrkSays() }): Promise<number> {
  const wrk = await play('wrk', { rows, says });
  const stand: BenchEnvironment = {
    tools: { wrk, pgbench: '', folder },
    bench,
    service: {
      pid: process.pid,
      url: 'http://127.0.0.1:1',
      host: '127.0.0.1:1',
      secondsToReady: 0,
      stop: async () => undefined,
    },
    companyId: 'co_stand_in',
    masterKey: Buffer.alloc(32),
    views: [],
    nextLink: 0,
    filled: 0,
    restart: async () => undefined,
  };
  return (await measurePlan(stand, requests, plan)).answered;
}

/** Takes the baselines with a pgbench that reports five rows. */
async function measureYardstick(rows: number): Promise<number> {
  const says = pgbenchSays(5);
  const pgbench = await play('pgbench', { rows, says });
  const wrk = await play('wrk', { rows: 0, says: wrkSays() });
  return (await measureBaselines({ wrk, pgbench, folder }, bench, 1)).insertPerSecond;
}

test('a run with one row per acknowledged request gives a figure', async () => {
  assert.equal(await measure({}), 5);
});

/** Whether an error is this sentence for the user of the bench. */
const isSentence = (wanted: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PlainFault);
  assert.match(error.message, wanted);
  return true;
};

test('a missing row or an extra row fails the run', async () => {
  await assert.rejects(measure({ rows: 4 }), isSentence(/^5 links were acknowledged, and 4 are in/));
  await assert.rejects(measure({ rows: 6 }), isSentence(/^5 links were acknowledged, and 6 are in/));
});

test('a response with another status fails the run', async () => {
  const says = wrkSays({ statuses: '200:4,500:1' });
  const wanted = /worth nothing: 4 answers of status 200 instead of 5; 1 answers of status 500 instead of 0$/;
  await assert.rejects(measure({ says }), isSentence(wanted));
});

test('a request without a response, or a broken connection, fails the run', async () => {
  const unanswered = measure({ says: wrkSays({ answered: 4, statuses: '200:4' }) });
  await assert.rejects(unanswered, isSentence(/1 requests got no answer within/));
  await assert.rejects(measure({ says: wrkSays({ broken: 1 }) }), isSentence(/1 connections broke/));
});

test('a figure of pgbench counts only if the database has the rows that it reports', async () => {
  assert.equal(await measureYardstick(5), 5);
  await assert.rejects(measureYardstick(4), isSentence(/^pgbench says 5 rows, and there are 4$/));
  await assert.rejects(measureYardstick(6), isSentence(/^pgbench says 5 rows, and there are 6$/));
});
