// Jobs that outlive their workers: a worker that stops past its lease and comes back changes nothing
// twice, a schedule runs once for all processes, and a job whose tries are used up waits to be seen.

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
import { type JobQueue, openJobQueue } from '../src/jobs/queue.ts';
import { createPayment } from '../src/links/create-payment.ts';
import { protectCard } from '../src/processors/card.ts';
import { createLogger } from '../src/telemetry.ts';
import { builtInMethod } from './acquirer/acquirer-processor.ts';
import { findFaults } from './faults/oracle.ts';
import type { PlantedBug } from './faults/planted-bugs.ts';
import { orderOf } from './harness/client.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { engines, password, testCsc } from './harness/paylink.ts';
import { readSandboxJournal } from './harness/sandbox-journal.ts';

const losesAnswer = '4000000000009011';
const answersLate = '4000000000009029';
const limitMs = 60_000;

async function waitFor(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`waited in vain: ${what}`);
    await pause(50);
  }
}

type Worker = {
  /** How often it has printed a line, apart from what is forgotten. */
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

type Crew = { bare: DatabaseFixture; app: App; workers: Worker[]; close(): Promise<void> };

/** Workers in processes of their own, and a service that works no jobs and only makes the attempts. */
async function openCrew(count: number, bug?: PlantedBug): Promise<Crew> {
  const bare = await openDatabaseFixture('server');
  const { databaseUrl = '' } = bare.options;
  const masterKey = Buffer.alloc(32, 7).toString('base64');
  const app = await createApp({
    config: readConfig({ DATABASE_URL: databaseUrl, PAYLINK_MASTER_KEY: masterKey }),
    log: createLogger({ level: 'silent' }),
    processorTimeoutMs: 300,
    firstReconcileSeconds: 1,
    jobPace: { superviseSeconds: 1, leaseSeconds: 3, retryDelaySeconds: 1, scheduleSeconds: 1 },
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

/** Pays a link of a fresh company with a card whose answer nobody gets in time. */
async function payWithoutAnswer({ app }: Crew, number: string): Promise<string> {
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
  const standing = await pay(app.deps, {
    mode: 'test',
    companyId,
    code: payment.code,
    method,
    card,
    locale: 'en',
  });
  assert.equal(standing?.payment.state, 'processing');
  return companyId;
}

/**
 * Stops the worker that asked first before it records, lets another record what holds by then, and
 * resumes the first with the answer that it had got. Returns the company whose payment it was.
 */
async function resumeWithOldAnswer(crew: Crew, number: string): Promise<string> {
  const { bare, workers } = crew;
  for (const worker of workers) worker.forget('asking', 'recorded', 'unsettled');
  const companyId = await payWithoutAnswer(crew, number);
  await waitFor('the first question', () => workers.some((worker) => worker.count('asking') > 0));
  const stopped = workers.find((worker) => worker.count('asking') > 0);
  assert.ok(stopped);
  stopped.signal('SIGSTOP');
  // A charge that was still on its way has been made by the time that anybody asks again.
  const settle = `update sandbox_charges set settles_at = now() where company_id = $1 and state = 'pending'`;
  await bare.db.asOwner.query(settle, [companyId]);
  const others = workers.filter((worker) => worker !== stopped);
  await waitFor('another worker to take over', () => others.some((worker) => worker.count('asking') > 0));
  for (const worker of others) if (worker.count('asking') > 0) worker.go();
  await waitFor('the other to record', () => others.some((worker) => worker.count('recorded') > 0));
  stopped.signal('SIGCONT');
  stopped.go();
  const hasEnded = () => stopped.count('recorded') + stopped.count('unsettled') > 0;
  await waitFor('the resumed one to end its run', hasEnded);
  return companyId;
}

const judge = async ({ db }: DatabaseFixture) =>
  await findFaults({ db, told: [], journal: await readSandboxJournal(db) });

describe('eight workers in processes of their own on PostgreSQL', () => {
  let crew: Crew;
  before(async () => {
    crew = await openCrew(8);
  });
  after(async () => await crew.close());

  const countOf = async (text: string, companyId: string) => {
    const [row] = await crew.bare.db.asOwner.query<{ count: number }>(text, [companyId]);
    return row?.count;
  };

  for (const [answer, number] of [
    ['the same answer', losesAnswer],
    ['an older answer', answersLate],
  ] as const)
    test(`one that is stopped past its lease and resumed with ${answer} changes nothing, and the money moves once`, async () => {
      const companyId = await resumeWithOldAnswer(crew, number);
      const events = `select count(*) from events where company_id = $1 and type = `;
      // safe: the types are literals of this file.
      assert.equal(await countOf(`${events} 'payment.paid'`, companyId), 1);
      assert.equal(await countOf('select count(*) from ledger_entries where company_id = $1', companyId), 1);
      assert.deepEqual(await judge(crew.bare), []);
      const states = `select count(*) from pgboss.job where data->>'companyId' = $1 and state <> 'completed'`;
      await waitFor('the job to be completed', async () => (await countOf(states, companyId)) === 0);
      const all = `select count(*) from pgboss.job where data->>'companyId' = $1`;
      assert.equal(await countOf(all, companyId), 1);
    });

  test('a schedule that all of them set runs once a minute for all, and not once for each', async () => {
    const runs = () => crew.workers.reduce((sum, worker) => sum + worker.count('purged'), 0);
    const minuteOf = async () => {
      const text = 'select floor(extract(epoch from now()) / 60)::int as minute';
      const [row] = await crew.bare.db.asOwner.query<{ minute: number }>(text);
      return row?.minute ?? 0;
    };
    await waitFor('the first run', () => runs() > 0);
    // Every process looks at the schedule once a second: there is time to do it wrong.
    const from = await minuteOf();
    const before = runs();
    await pause(5_000);
    const passed = (await minuteOf()) - from;
    assert.ok(runs() - before <= passed + 1, `${runs() - before} runs in ${passed} minutes`);
    const queued = await crew.bare.db.asOwner.query<{ count: number; minutes: number }>(
      `select count(*) as count, count(distinct date_trunc('minute', created_on)) as minutes
       from pgboss.job where name = 'purge-old-rows'`,
    );
    assert.ok((queued[0]?.count ?? 99) <= (queued[0]?.minutes ?? 0) + 1, JSON.stringify(queued));
  });
});

test('a worker that applies its older answer over the end is caught', async () => {
  const crew = await openCrew(2, 'stale_news_applied');
  try {
    await resumeWithOldAnswer(crew, answersLate);
    const faults = (await judge(crew.bare)).join('\n');
    assert.match(faults, /was kept though its attempt is processing/);
    assert.match(faults, /its \d events do not lead there/);
  } finally {
    await crew.close();
  }
});

for (const engine of engines) {
  describe(`dead letters on the ${engine} database`, () => {
    let bare: DatabaseFixture;
    let jobs: JobQueue;
    before(async () => {
      bare = await openDatabaseFixture(engine);
      jobs = await openJobQueue(bare.db, {
        pollSeconds: 0.5,
        retryDelaySeconds: 1,
        onError: (error) => console.error(error),
      });
    });
    after(async () => {
      await jobs.stop();
      await bare.stop();
    });

    test('a job whose tries are used up is kept with its reason, and runs again when told to, once', async () => {
      const companyId = await bare.createCompany();
      let runs = 0;
      let isMended = false;
      await jobs.work('purge-old-rows', async () => {
        runs += 1;
        if (!isMended) throw new Error('the disk is full');
      });
      await bare.db.inTenant(
        { companyId, mode: 'test' },
        async (tx) => await jobs.enqueue(tx, 'purge-old-rows', {}, { afterSeconds: 0 }),
      );
      await waitFor('the job to die', async () => (await jobs.listDeadJobs()).length > 0);
      const [dead] = await jobs.listDeadJobs();
      assert.ok(dead);
      assert.equal(runs, 4);
      assert.equal(dead.name, 'purge-old-rows');
      assert.equal(dead.reason, 'the disk is full');
      assert.equal(dead.retries, 3);
      isMended = true;
      assert.equal(await jobs.runDeadJobAgain('11111111-2222-4333-8444-555555555555'), false);
      assert.equal(await jobs.runDeadJobAgain("' or true --"), false);
      assert.equal(await jobs.runDeadJobAgain(dead.id), true);
      assert.equal(await jobs.runDeadJobAgain(dead.id), false);
      await waitFor('the job to run again', () => runs === 5);
      assert.deepEqual(await jobs.listDeadJobs(), []);
    });
  });
}
