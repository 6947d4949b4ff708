// `paylink status` as a process: its verdict, its exit codes, and what it says when it cannot tell.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createHome, type Home, settingsOf } from './harness/cli.ts';
import { createLink, type Json } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

describe('paylink status on a server database, beside the service', () => {
  let paylink: Paylink;
  let home: Home;
  before(async () => {
    [paylink, home] = await Promise.all([startPaylink('server'), createHome()]);
    const { link } = await createLink(paylink);
    await payWith(link, { number: '4242424242424242' });
  });
  after(async () => {
    await home.remove();
    await paylink.stop();
  });
  const run = async (...options: string[]) => await home.run(settingsOf(paylink), 'status', ...options);
  const change = async (text: string) => await paylink.app.deps.db.asOwner.query(text);

  test('a healthy service exits with 0, and the last line says that nothing needs a person', async () => {
    const { code, out, err } = await run();
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /\nOK: nothing needs a person\.\n$/);
    assert.match(out, /^Attempts whose outcome is unknown: test 0, live 0$/m);
    assert.match(out, /^reconcile-attempt +\d+/m);
    assert.match(out, /^seal-events +1 minute /m);
    const { verdict, problems, work } = JSON.parse((await run('--json')).out) as Json & { work: Json[] };
    assert.deepEqual([verdict, problems], ['ok', []]);
    assert.ok(work.some(({ kind }) => kind === 'webhooks'));
  });

  test('dead work, a late job and an open case exit with 1, each with what to do about it', async () => {
    await change(
      // As if it had never run, whatever the time of day.
      `insert into scheduled_jobs (name, due_at, failures, last_error, failed_at, leased_until)
       values ('purge-old-rows', now() - interval '4 days', 4, 'no disk', now(), now() + interval '1 hour')
       on conflict (name) do update set failures = excluded.failures, due_at = excluded.due_at,
         leased_until = excluded.leased_until, lease_token = scheduled_jobs.lease_token + 1, succeeded_at = null`,
    );
    await change(
      `insert into processor_cases (company_id, mode, attempt_id, code, processor_reference, payment_id, amount_minor,
                                    currency, created_at)
       select company_id, mode, attempt_id, 'currency_mismatch', 'ch_1', payment_id, 100, 'JPY', now() from attempts`,
    );
    const { code, out } = await run();
    assert.equal(code, 1);
    assert.match(out, /^Needs a person:$/m);
    assert.match(out, /^ {2}! Dead work: 1 \(calendar\)\.\n {4}Run paylink jobs dead: /m);
    assert.match(
      out,
      /^ {2}! Recurring jobs that did not run: purge-old-rows, the oldest for 5 days\.\n {4}\S/m,
    );
    assert.match(out, /^ {2}! Open cases: 1 \(currency_mismatch\)\.\n {4}\S/m);
    const report = JSON.parse((await run('--json')).out) as { verdict: string; problems: Json[] };
    assert.deepEqual(
      [report.verdict, report.problems.map((problem) => problem.code)],
      ['attention', ['dead_work', 'open_cases', 'late_jobs']],
    );
  });

  test('a database that does not respond in time exits with 2 and one sentence', async () => {
    const unlock = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = paylink.app.deps.db.withConnection(async (sql) => {
      await sql.query('begin');
      await sql.query('lock table connections in access exclusive mode');
      locked.resolve();
      await unlock.promise;
      await sql.query('rollback');
    });
    await locked.promise;
    try {
      const { code, out, err } = await run();
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /^The status cannot be read: [^\n]+\.\n$/);
    } finally {
      unlock.resolve();
      await holding;
    }
  });

  test('a database that cannot be reached exits with 2, as text and as JSON', async () => {
    const settings = { ...settingsOf(paylink), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const text = await home.run(settings, 'status');
    assert.deepEqual([text.code, text.out], [2, '']);
    assert.match(text.err, /127\.0\.0\.1/);
    const json = await home.run(settings, 'status', '--json');
    const { error } = JSON.parse(json.out) as { error: Json };
    assert.deepEqual([json.code, error.exitCode], [2, 2]);
  });
});
