// The command line, run as a process on a database that a service uses: what it prints, what it exits
// with, and that it finds what somebody did to the books by SQL.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sealAllOf } from './harness/bare.ts';
import { createLink, type Json } from './harness/client.ts';
import { type Engine, type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

const program = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

type Ended = { code: number | null; out: string; err: string };

/** Runs the command in an empty folder, with these settings and none of this process's. */
async function runCli(settings: Record<string, string>, ...args: string[]): Promise<Ended> {
  const cwd = await mkdtemp(join(tmpdir(), 'paylink-cli-'));
  try {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, out, err };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

function settingsOf(paylink: Paylink): Record<string, string> {
  const { databaseUrl, dataDir } = paylink.app.deps.config;
  const key = Buffer.alloc(32, 7).toString('base64');
  return {
    DATA_DIR: dataDir,
    PAYLINK_MASTER_KEY: key,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
}

async function startPaid(engine: Engine): Promise<Paylink> {
  const paylink = await startPaylink(engine);
  const { link } = await createLink(paylink);
  await payWith(link, { number: '4242424242424242' });
  await sealAllOf(paylink.app.deps.db, paylink.merchant.companyId);
  return paylink;
}

describe('the command line on a server database, beside the service', () => {
  let paylink: Paylink;
  before(async () => {
    paylink = await startPaid('server');
  });
  after(async () => await paylink.stop());
  const run = async (...args: string[]) => await runCli(settingsOf(paylink), ...args);
  const asOwner = async (text: string) =>
    await paylink.app.deps.db.asOwner.query(text, [paylink.merchant.companyId]);

  test('verification of sound books says so and exits with 0, in sentences and in JSON', async () => {
    const ledger = await run('ledger', 'verify');
    assert.deepEqual([ledger.code, ledger.err], [0, '']);
    assert.match(ledger.out, /^Every entry balances/);
    const audit = await run('audit', 'verify', '--json');
    assert.equal(audit.code, 0);
    const report = JSON.parse(audit.out) as Json & { heads: { position: number; hashHex: string }[] };
    assert.deepEqual(report.findings, []);
    assert.ok(report.heads.some(({ position, hashHex }) => position > 2 && /^[0-9a-f]{64}$/.test(hashHex)));
  });

  test('a missing ledger entry is found, with exit code 1 and the company named', async () => {
    await asOwner('delete from ledger_entries where company_id = $1');
    const ledger = await run('ledger', 'verify', '--json');
    assert.equal(ledger.code, 1);
    const { findings } = JSON.parse(ledger.out) as { findings: Json[] };
    assert.deepEqual(
      findings.map(({ companyId, fault, postedMinor }) => [companyId, fault, postedMinor]),
      [
        [paylink.merchant.companyId, 'capture missing', null],
        [paylink.merchant.companyId, 'total differs', 1999],
      ],
    );
    assert.match((await run('ledger', 'verify')).out, /disagree in 2 places/);
  });

  test('a changed event is found, with exit code 1 and the event named', async () => {
    await asOwner(`update events set actor = 'nobody' where company_id = $1 and type = 'payment.paid'`);
    const audit = await run('audit', 'verify');
    assert.equal(audit.code, 1);
    assert.match(audit.out, /Event evt_\w+ or its seal was changed/);
  });

  test('a dead job is listed with exit code 1 and runs again by its id; an id that is none exits with 2', async () => {
    assert.deepEqual(await run('jobs', 'dead'), { code: 0, out: 'No job has died.\n', err: '' });
    await asOwner(
      `insert into pgboss.job (name, data, source_name, source_id, source_retry_count, source_output)
       select 'dead-jobs', '{"companyId": "co_x"}', 'purge-old-rows', gen_random_uuid(), 3, '{"message": "no disk"}'
       where $1 <> ''`,
    );
    const listed = await run('jobs', 'dead', '--json');
    assert.equal(listed.code, 1);
    const { dead } = JSON.parse(listed.out) as { dead: Json[] };
    assert.deepEqual([dead[0]?.name, dead[0]?.reason, dead[0]?.retries], ['purge-old-rows', 'no disk', 3]);
    const again = await run('jobs', 'dead', '--rerun', String(dead[0]?.id));
    assert.deepEqual([again.code, again.err], [0, '']);
    assert.equal((await run('jobs', 'dead')).code, 0);
    const unknown = await run('jobs', 'dead', '--rerun', String(dead[0]?.id));
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /There is no dead job/);
  });

  test('help exits with 0, and what is no command with 2 and the help', async () => {
    const help = await runCli({}, '--help');
    assert.deepEqual([help.code, help.err], [0, '']);
    for (const args of [
      [],
      ['ledger'],
      ['ledger', 'mend'],
      ['ledger', 'verify', '--rerun', 'x'],
      ['--nope'],
    ]) {
      const { code, out, err } = await run(...args);
      assert.deepEqual([code, out], [2, ''], args.join(' '));
      assert.match(err, /Usage: paylink|Unknown option/);
    }
  });
});

describe('the command line on an embedded database', () => {
  test('it is refused while the service runs, works when that has stopped, and makes no database of its own', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'paylink-cli-data-'));
    try {
      const nothing = await runCli({ DATA_DIR: dataDir }, 'audit', 'verify');
      assert.equal(nothing.code, 2);
      assert.match(nothing.err, /There is no database in/);
      const paylink = await startPaid('embedded');
      const settings = settingsOf(paylink);
      try {
        const refused = await runCli(settings, 'ledger', 'verify');
        assert.equal(refused.code, 2);
        assert.match(refused.err, /is in use by process \d+/);
        await paylink.app.stop();
        for (const command of ['audit verify', 'jobs dead']) {
          const { code, err } = await runCli(settings, ...command.split(' '));
          assert.deepEqual([code, err], [0, ''], command);
        }
      } finally {
        await paylink.app.stop();
        await rm(paylink.app.deps.config.dataDir, { recursive: true, force: true });
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
