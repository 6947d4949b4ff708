// Jobs that outlive their workers: a worker that stops past its lease and comes back changes nothing
// twice, a schedule runs once for all processes, and a job whose tries are used up waits to be seen.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { type JobQueue, openJobQueue } from '../src/jobs/queue.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { createCompany } from '../src/merchants/create-company.ts';
import { createPayment } from '../src/payments/create-payment.ts';
import { pay } from '../src/payments/pay.ts';
import { sealCard } from '../src/processors/card.ts';
import { createLogger } from '../src/telemetry.ts';
import { type Bare, openBare } from './harness/bare.ts';
import { orderOf } from './harness/client.ts';
import { engines, password, testCsc } from './harness/paylink.ts';

const limitMs = 60_000;

async function waitFor(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`waited in vain: ${what}`);
    await pause(50);
  }
}

type Worker = {
  count(line: string): number;
  go(): void;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  end(): Promise<void>;
};

function startWorker(url: string): Worker {
  const program = fileURLToPath(new URL('harness/worker.ts', import.meta.url));
  const child = spawn(process.execPath, [program, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  return {
    count: (line) => output.split('\n').filter((one) => one === line).length,
    go: () => void child.stdin.write('go\n'),
    signal: (name) => void child.kill(name),
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('eight workers in processes of their own on PostgreSQL', () => {
  let bare: Bare;
  let app: App;
  const workers: Worker[] = [];
  before(async () => {
    bare = await openBare('server');
    const config = readConfig({
      DATABASE_URL: bare.options.databaseUrl,
      PAYLINK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    // Never listens, so it works no jobs: it only makes the attempt that the workers are to settle.
    app = await createApp({
      config,
      log: createLogger({ level: 'silent' }),
      firstLookSeconds: 1,
      jobPace: { superviseSeconds: 1, leaseSeconds: 3, retryDelaySeconds: 1, scheduleSeconds: 1 },
    });
    for (let index = 0; index < 8; index++) workers.push(startWorker(bare.options.databaseUrl ?? ''));
    await waitFor('the workers', () => workers.every((worker) => worker.count('ready') === 1));
  });
  after(async () => {
    await Promise.all(workers.map((worker) => worker.end()));
    await app.stop();
    await bare.stop();
  });

  async function payAndLoseTheAnswer(): Promise<string> {
    const { companyId, accountId } = await createCompany(app.deps, {
      name: 'Leases',
      country: 'DE',
      email: 'leases@example.com',
      password,
    });
    const body = orderOf() as Parameters<typeof createPayment>[2];
    const { payment } = await createPayment(app.deps, { companyId, accountId, mode: 'test' }, body);
    const card = sealCard({
      number: '4000000000009011',
      expiryMonth: 12,
      expiryYear: 2035,
      csc: testCsc,
      holder: 'Ada',
    });
    const standing = await pay(app.deps, { companyId, code: payment.code, card, locale: 'en' });
    assert.equal(standing?.payment.state, 'processing');
    return companyId;
  }

  const countOf = async (text: string, companyId: string) => {
    const [row] = await bare.db.asOwner.query<{ count: number }>(text, [companyId]);
    return row?.count;
  };

  test('one that is stopped past its lease and resumed finds its work done by another, and the money moves once', async () => {
    const companyId = await payAndLoseTheAnswer();
    await waitFor('the first question', () => workers.some((worker) => worker.count('asking') > 0));
    const stopped = workers.find((worker) => worker.count('asking') > 0);
    assert.ok(stopped);
    stopped.signal('SIGSTOP');
    const others = workers.filter((worker) => worker !== stopped);
    await waitFor('another worker to take over', () => others.some((worker) => worker.count('asking') > 0));
    for (const worker of others) if (worker.count('asking') > 0) worker.go();
    await waitFor('the other to record', () => others.some((worker) => worker.count('recorded') > 0));
    stopped.signal('SIGCONT');
    stopped.go();
    await waitFor('the resumed one to end its run', () => stopped.count('recorded') > 0);
    const events = `select count(*) from events where company_id = $1 and type = `;
    // safe: the types are literals of this file.
    assert.equal(await countOf(`${events} 'payment.paid'`, companyId), 1);
    assert.equal(await countOf('select count(*) from ledger_entries where company_id = $1', companyId), 1);
    assert.deepEqual(await bare.db.inTenant(companyId, verifyLedger), []);
    const states = `select count(*) from pgboss.job where data->>'companyId' = $1 and state <> 'completed'`;
    await waitFor('the job to be completed', async () => (await countOf(states, companyId)) === 0);
    const all = `select count(*) from pgboss.job where data->>'companyId' = $1`;
    assert.equal(await countOf(all, companyId), 1);
  });

  test('a schedule that all of them set runs once a minute for all, and not once for each', async () => {
    const runs = () => workers.reduce((sum, worker) => sum + worker.count('purged'), 0);
    const minuteOf = async () => {
      const text = 'select floor(extract(epoch from now()) / 60)::int as minute';
      const [row] = await bare.db.asOwner.query<{ minute: number }>(text);
      return row?.minute ?? 0;
    };
    await waitFor('the first run', () => runs() > 0);
    // Every process looks at the schedule once a second: there is time to do it wrong.
    const from = await minuteOf();
    const before = runs();
    await pause(5_000);
    const passed = (await minuteOf()) - from;
    assert.ok(runs() - before <= passed + 1, `${runs() - before} runs in ${passed} minutes`);
    const queued = await bare.db.asOwner.query<{ count: number; minutes: number }>(
      `select count(*) as count, count(distinct date_trunc('minute', created_on)) as minutes
       from pgboss.job where name = 'purge-old-rows'`,
    );
    assert.ok((queued[0]?.count ?? 99) <= (queued[0]?.minutes ?? 0) + 1, JSON.stringify(queued));
  });
});

for (const engine of engines) {
  describe(`dead letters on the ${engine} database`, () => {
    let bare: Bare;
    let jobs: JobQueue;
    before(async () => {
      bare = await openBare(engine);
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
        companyId,
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
