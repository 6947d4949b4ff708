// Several worker processes: a worker that resumes after its lease changes nothing twice, and a recurring job runs once
// for all processes.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type App, createApp } from '../src/app.ts';
import { pay } from '../src/attempts/pay.ts';
import { readConfig } from '../src/config.ts';
import { createCompany } from '../src/create-company.ts';
import { createPayment } from '../src/links/create-payment.ts';
import { protectCard } from '../src/processors/card.ts';
import { createLogger } from '../src/telemetry.ts';
import { builtInMethod } from './acquirer/acquirer-processor.ts';
import { findFaults } from './faults/oracle.ts';
import type { PlantedBug } from './faults/planted-bugs.ts';
import { orderOf } from './harness/client.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { password, testCsc } from './harness/paylink.ts';
import { readSandboxJournal } from './harness/sandbox-journal.ts';
import { testMerchant } from './harness/test-merchant.ts';

const losesAnswer = '4000000000009011';
const answersLate = '4000000000009029';
const limitMs = 60_000;

async function waitFor(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`timed out waiting for ${what}`);
    await pause(50);
  }
}

type Worker = {
  /** How often it has printed a line since `forget`. */
  count(line: string): number;
  forget(...lines: string[]): void;
  go(): void;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  end(): Promise<void>;
};

function startWorker(url: string, bug?: PlantedBug): Worker {
  const program = fileURLToPath(new URL('harness/worker.ts', import.meta.url));
  const child = spawn(process.execPath, [program, url, ...(bug ? [bug] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    count: (line) => output.split('\n').filter((one) => one === line).length,
    forget: (...lines) => {
      const kept = output.split('\n').filter((line) => !lines.includes(line));
      output = kept.join('\n');
    },
    go: () => void child.stdin.write('go\n'),
    signal: (name) => void child.kill(name),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

type WorkerGroup = { bare: DatabaseFixture; app: App; workers: Worker[]; close(): Promise<void> };

/** Worker processes, and a service that only creates attempts. */
async function openWorkers(count: number, bug?: PlantedBug): Promise<WorkerGroup> {
  const bare = await openDatabaseFixture('server');
  const { databaseUrl = '' } = bare.options;
  const masterKey = Buffer.alloc(32, 7).toString('base64');
  const app = await createApp({
    config: readConfig({ DATABASE_URL: databaseUrl, PAYLINK_MASTER_KEY: masterKey }),
    log: createLogger({ level: 'silent' }),
    processorTimeoutMs: 300,
    firstReconcileSeconds: 1,
    workTimings: { workLeaseSeconds: 3, firstPauseMs: 1_000 },
  });
  const workers = Array.from({ length: count }, () => startWorker(databaseUrl, bug));
  await waitFor('the workers', () => workers.every((worker) => worker.count('ready') === 1));
  const close = async () => {
    await Promise.all(workers.map((worker) => worker.end()));
    await app.stop();
    await bare.stop();
  };
  return { bare, app, workers, close };
}

/** Pays a link of a new company with a card whose response is lost or late. */
async function payWithoutAnswer({ app }: WorkerGroup, number: string): Promise<string> {
  const { companyId, accountId } = await createCompany(app.deps, {
    name: 'Leases',
    country: 'DE',
    email: `${randomUUID()}@example.com`,
    password,
  });
  const body = orderOf() as Parameters<typeof createPayment>[2];
  const { payment } = await createPayment(app.deps, { companyId, accountId, mode: 'test' }, body);
  const card = protectCard({ number, expiryMonth: 12, expiryYear: 2035, csc: testCsc, holder: 'Ada' });
  const method = builtInMethod(app.deps.processors);
  const view = await pay(app.deps, {
    mode: 'test',
    companyId,
    code: payment.code,
    method,
    card,
    merchant: testMerchant,
    locale: 'en',
    pageLocale: 'en',
  });
  assert.equal(view?.payment.state, 'processing');
  return companyId;
}

/**
 * Stops the first worker after its query, lets another worker record the newer outcome, and resumes the first one with
 * its old response. Returns the company.
 */
async function resumeWithOldAnswer(group: WorkerGroup, number: string): Promise<string> {
  const { bare, workers } = group;
  for (const worker of workers) worker.forget('asking', 'recorded', 'unsettled');
  const companyId = await payWithoutAnswer(group, number);
  await waitFor('the first query', () => workers.some((worker) => worker.count('asking') > 0));
  const stopped = workers.find((worker) => worker.count('asking') > 0);
  assert.ok(stopped);
  stopped.signal('SIGSTOP');
  // A late charge is settled before the next query.
  const settle = `update sandbox_charges set settles_at = now() where company_id = $1 and state = 'pending'`;
  await bare.db.asOwner.query(settle, [companyId]);
  const others = workers.filter((worker) => worker !== stopped);
  await waitFor('another worker to take over', () => others.some((worker) => worker.count('asking') > 0));
  for (const worker of others) if (worker.count('asking') > 0) worker.go();
  await waitFor('the other worker to record', () => others.some((worker) => worker.count('recorded') > 0));
  stopped.signal('SIGCONT');
  stopped.go();
  const hasEnded = () => stopped.count('recorded') + stopped.count('unsettled') > 0;
  await waitFor('the resumed worker to end its run', hasEnded);
  return companyId;
}

const judge = async ({ db }: DatabaseFixture) =>
  await findFaults({ db, reports: [], journal: await readSandboxJournal(db) });

describe('eight worker processes on PostgreSQL', () => {
  let group: WorkerGroup;
  before(async () => {
    group = await openWorkers(8);
  });
  after(async () => await group.close());

  const countOf = async (text: string, companyId: string) => {
    const [row] = await group.bare.db.asOwner.query<{ count: number }>(text, [companyId]);
    return row?.count;
  };

  for (const [answer, number] of [
    ['the same response', losesAnswer],
    ['an older response', answersLate],
  ] as const)
    test(`a worker that resumes after its lease with ${answer} changes nothing, and the money moves once`, async () => {
      const companyId = await resumeWithOldAnswer(group, number);
      const events = `select count(*) from events where company_id = $1 and type = `;
      // safe: the types are literals of this file.
      assert.equal(await countOf(`${events} 'payment.paid'`, companyId), 1);
      assert.equal(await countOf('select count(*) from ledger_entries where company_id = $1', companyId), 1);
      assert.deepEqual(await judge(group.bare), []);
      const waiting = `select count(*) from attempts
        where company_id = $1 and state in ('created', 'requires_action', 'processing', 'unknown')`;
      assert.equal(await countOf(waiting, companyId), 0, 'nothing is due any more');
    });

  test('a recurring job of every process runs once a minute in total', async () => {
    const runs = () => group.workers.reduce((sum, worker) => sum + worker.count('purged'), 0);
    const minuteOf = async () => {
      const text = 'select floor(extract(epoch from now()) / 60)::int as minute';
      const [row] = await group.bare.db.asOwner.query<{ minute: number }>(text);
      return row?.minute ?? 0;
    };
    await waitFor('the first run', () => runs() > 0);
    // Every process polls twice a second, so a duplicate run would show.
    const from = await minuteOf();
    const before = runs();
    await pause(5_000);
    const passed = (await minuteOf()) - from;
    assert.ok(runs() - before <= passed + 1, `${runs() - before} runs in ${passed} minutes`);
  });
});

test('a worker that applies an older response is detected', async () => {
  const group = await openWorkers(2, 'stale_news_applied');
  try {
    await resumeWithOldAnswer(group, answersLate);
    const faults = (await judge(group.bare)).join('\n');
    assert.match(faults, /was kept though its attempt is processing/);
    assert.match(faults, /its \d events do not lead there/);
  } finally {
    await group.close();
  }
});
