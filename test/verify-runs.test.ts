// A run of `ledger verify` and of its nightly job: how many disagreements it names, what it says of a comparison that
// fails, and that it ends in its time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ledgerLooks } from '../src/ledger/verify-ledger.ts';
import { sandboxLooks } from '../src/ledger/verify-sandbox.ts';
import { compareProcessors, verifyLedgers } from '../src/schedule.ts';
import { compareAllProcessors, countLedgerFindings, verifyAllLedgers } from '../src/verify-companies.ts';
import { createLinkAs, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let companyId: string;
before(async () => {
  paylink = await startPaylink('server', { isAtWork: false });
  const owner = await logIn(paylink);
  companyId = owner.companyId;
  const { link } = await createLinkAs(paylink, owner);
  await payWith(link, { number: '4242424242424242' });
});
after(async () => await paylink.stop());

const plant = async (text: string) => await paylink.app.deps.db.asOwner.query(text, [companyId]);

/** Logs what a nightly job says. */
function listen() {
  const lines: { level: string; sentence: string }[] = [];
  const note = (level: string) => (_: unknown, sentence: string) => void lines.push({ level, sentence });
  const log = { ...paylink.app.deps.log, error: note('error'), info: note('info') };
  return { lines, deps: { ...paylink.app.deps, log: log as unknown as typeof paylink.app.deps.log } };
}

/** A clock that is past the time of any run when it is looked at for the third time. */
function hastyClock() {
  let looks = 0;
  return {
    now: () => {
      looks += 1;
      return new Date(Date.now() + (looks > 2 ? 24 * 60 * 60 * 1000 : 0));
    },
  };
}

test('a run whose time is up ends, and says from which company on it has not compared', async () => {
  for (const run of [verifyLedgers, compareProcessors]) {
    const { lines, deps } = listen();
    const clock = { ...deps.clock, ...hastyClock() };
    await run({ ...deps, clock });
    assert.deepEqual(
      lines.filter(({ level }) => level === 'error').map(({ sentence }) => sentence),
      ['The time limit was reached: the ledgers of this and later companies were not fully compared.'],
    );
  }
});

test('the lease of a look at all books outlasts its time and an hour, and a dead process is noticed long before', async () => {
  const { longRunMs } = await import('../src/jobs/queue.ts');
  const queues = await paylink.app.deps.db.asOwner.query<{ lease: number; heartbeat: number }>(
    `select expire_seconds as lease, heartbeat_seconds as heartbeat from pgboss.queue
     where name in ('verify-ledger', 'compare-processors')`,
  );
  assert.equal(queues.length, 2);
  for (const { lease, heartbeat } of queues) {
    assert.ok(lease * 1000 > longRunMs + 60 * 60 * 1000, `${lease}`);
    assert.ok(lease < 24 * 60 * 60, 'or two nights would run at once');
    assert.ok(heartbeat <= 300, `${heartbeat}`);
  }
});

test('a comparison that fails is reported, keeps none of the others from being made, and is no disagreement', async () => {
  const { db } = paylink.app.deps;
  const inBothModes: typeof db.inBothModes = async (id, work, options) =>
    await db.inBothModes(
      id,
      async (tx) =>
        await work({
          ...tx,
          query: async (text, values) => {
            if (text.includes('ledger_totals'))
              throw new Error('canceling statement due to statement timeout');
            return await tx.query(text, values);
          },
        }),
      options,
    );
  await plant(`update ledger_entries set amount_minor = amount_minor + 1 where company_id = $1`);
  const { findings } = await verifyAllLedgers({ ...db, inBothModes });
  await plant(`update ledger_entries set amount_minor = amount_minor - 1 where company_id = $1`);
  assert.deepEqual(
    findings.map(({ sentence }) => sentence.replace(/\..*/, '')),
    [
      'capture differs',
      'The comparison of totals and entries failed: canceling statement due to statement timeout',
    ],
  );
  assert.deepEqual(countLedgerFindings(findings), { disagreements: 1, notVerified: 1 });
});

test('a company whose connections can’t be read is reported, and keeps no other from being compared', async () => {
  const other = await paylink.createMerchant({ name: 'Other' });
  const { db } = paylink.app.deps;
  const inBothModes: typeof db.inBothModes = async (id, work, options) => {
    if (id === other.companyId) throw new Error('the row is broken');
    return await db.inBothModes(id, work, options);
  };
  const { companies, findings } = await compareAllProcessors({
    ...paylink.app.deps,
    db: { ...db, inBothModes },
  });
  assert.equal(companies, 2);
  assert.deepEqual(
    findings.map(({ companyId: id, sentence }) => [id, sentence]),
    [[other.companyId, 'The ledger could not be compared: the row is broken']],
  );
});

test('no join of a look has a condition that row-level security keeps from an index: it would go over all pairs of rows', async () => {
  const plans = await paylink.app.deps.db.inBothModes(companyId, async (tx) => {
    // What the planner takes where it believes that there are few rows.
    await tx.query('set local enable_hashjoin = off');
    await tx.query('set local enable_mergejoin = off');
    const all: string[] = [];
    for (const { statement } of [...ledgerLooks, ...sandboxLooks]) {
      const rows = await tx.query<{ 'QUERY PLAN': string }>(`explain ${statement}`, [companyId]);
      all.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return all;
  });
  for (const plan of plans) assert.doesNotMatch(plan, /Join Filter: .+->>/, plan);
});

test('of one kind a thousand are named and the others counted, and they hide no other kind', async () => {
  await plant(
    `insert into sandbox_charges (company_id, mode, idempotency_key, reference, state, amount_minor, currency, created_at)
     select $1, 'test', 'aa_' || n, 'aa_' || n, 'succeeded', 1, 'EUR', now() from generate_series(1, 1234) n`,
  );
  await plant(`update sandbox_charges set state = 'void' where company_id = $1 and amount_minor = 1999`);
  const { findings } = await verifyAllLedgers(paylink.app.deps.db);
  const counts: Record<string, number> = {};
  for (const { fault } of findings) counts[fault.fault] = (counts[fault.fault] ?? 0) + 1;
  assert.deepEqual(counts, {
    'sandbox charge of no attempt': 1000,
    'sandbox charge missing': 1,
    'not listed': 1,
  });
  const [rest] = findings.filter(({ fault }) => fault.fault === 'not listed');
  assert.equal(
    rest?.sentence,
    'not listed. Of the kind “sandbox charge of no attempt” there are 234 more disagreements than are listed. Mend these and look again.',
  );
  assert.deepEqual(countLedgerFindings(findings), { disagreements: 1235, notVerified: 0 });
});
