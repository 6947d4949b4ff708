// An upgrade and its rollback under load: the last release, from the repository's history, and this code on one
// database. Planted migrations that break the last release must be detected. mixed-versions.campaign.ts and its short
// form share it.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { installRelease, lastRelease, migrationsOf } from '../harness/releases.ts';
import { type MixedOptions, runMixed } from './mixed-run.ts';

const release = lastRelease();
let home = '';
let options: MixedOptions;

before(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'paylink-release-'));
  const oldCode = path.join(home, release.version);
  await installRelease(release, oldCode);
  const seed = Number(process.env.FAULTS_SEED ?? randomInt(2 ** 31));
  options = { oldCode, customers: 8, seed, phaseMs: 3_000, settleLimitMs: 15_000, rollsBack: false };
});
after(async () => await rm(home, { recursive: true, force: true }));

/** True for connections of the new code, which a planted migration treats as compatible. */
const isNew = "current_setting('application_name') = 'paylink-new'";

const plants: readonly { what: string; sql: string; finds: RegExp }[] = [
  {
    what: 'a ledger column that is not null and has no default for the previous release',
    sql: `alter table ledger_entries add column origin text default 'migrated' not null;
          alter table ledger_entries alter column origin set default case when ${isNew} then 'new' end`,
    finds: /old answered 500 to POST .*pay/,
  },
  {
    what: 'a check that rejects what the previous release writes',
    sql: `alter table payments add constraint payments_cancelled_with_reason
          check (state <> 'cancelled' or ${isNew}) not valid`,
    finds: /old answered 500 to POST \/v1\/payments\/…\/cancel/,
  },
  {
    what: 'a renamed column',
    sql: 'alter table webhook_tries rename column duration_ms to took_ms',
    finds: /old logged: .*duration_ms/,
  },
  {
    what: 'a trigger that the previous release needs and that runs only for the new code',
    sql: `drop trigger events_enqueue_webhooks on events;
          create trigger events_enqueue_webhooks after insert on events referencing new table as added
            for each statement when (${isNew}) execute function enqueue_webhooks()`,
    finds: /event evt_\w+ \(payment\.created\) never arrived/,
  },
];

export type MixedPlan = {
  /** How long each phase of the upgrade and rollback lasts. */
  phaseMs: number;
  /** How many of the planted migrations run, the first ones. */
  plantCount: number;
};

/** Declares the tests: the upgrade with its rollback, and the planted migrations. */
export function testMixedVersions({ phaseMs, plantCount }: MixedPlan): void {
  test('releases.json names the last migration that the last release has', () => {
    assert.equal(migrationsOf(release).at(-1), release.lastMigration);
  });

  test('the last release and this code work on one database under load, in upgrade and rollback', async (t) => {
    const report = await runMixed({ ...options, phaseMs, settleLimitMs: 120_000, rollsBack: true });
    t.diagnostic(JSON.stringify({ release: release.version, seed: options.seed, ...report }));
    assert.deepEqual(report.faults, [], `seed ${options.seed}`);
    const phase = (name: string) => report.phases.find((one) => one.name === name)?.served ?? {};
    for (const name of ['old and new', 'new, and old again'])
      for (const version of ['old', 'new'])
        assert.ok((phase(name)[version] ?? 0) > 0, `${version} answered in the phase "${name}"`);
    assert.deepEqual(report.atWork, {
      jobs: ['paylink-new', 'paylink-old'],
      webhooks: ['paylink-new', 'paylink-old'],
    });
    assert.ok(report.paid > 0, 'payments were paid');
  });

  for (const { what, sql, finds } of plants.slice(0, plantCount))
    test(`planted: ${what}: detected`, async (t) => {
      const { faults } = await runMixed({ ...options, plant: sql });
      t.diagnostic(JSON.stringify(faults.slice(0, 12)));
      assert.ok(
        faults.some((fault) => finds.test(fault)),
        `${finds} is not among ${JSON.stringify(faults)}`,
      );
    });
}
