// Runs of `ledger verify` and its nightly job: limits on listed disagreements, failed comparisons, and the time limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ledgerChecks } from '../src/ledger/verify-ledger.ts';
import { sandboxChecks } from '../src/ledger/verify-sandbox.ts';
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

/** Records the log of a nightly job. */
function listen() {
  const lines: { level: string; sentence: string }[] = [];
  const note = (level: string) => (_: unknown, sentence: string) => void lines.push({ level, sentence });
  const log = { ...paylink.app.deps.log, error: note('error'), info: note('info') };
  return { lines, deps: { ...paylink.app.deps, log: log as unknown as typeof paylink.app.deps.log } };
}

/** A clock whose third reading is past the end of any run. */
function hastyClock() {
  let readings = 0;
  return {
    now: () => {
      readings += 1;
      return new Date(Date.now() + (readings > 2 ? 24 * 60 * 60 * 1000 : 0));
    },
  };
}

test('a run ends at its time limit, and logs the first company that it did not compare', async () => {
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

test('a failed comparison is reported, does not prevent others, and is not a disagreement', async () => {
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

test('a company with unreadable connections is reported, and the others are compared', async () => {
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

test('no join of a check has a condition that row-level security excludes from an index, which would compare all pairs of rows', async () => {
  const plans = await paylink.app.deps.db.inBothModes(companyId, async (tx) => {
    // Makes the planner choose as if it expected few rows.
    await tx.query('set local enable_hashjoin = off');
    await tx.query('set local enable_mergejoin = off');
    const all: string[] = [];
    for (const { statement } of [...ledgerChecks, ...sandboxChecks]) {
      const rows = await tx.query<{ 'QUERY PLAN': string }>(`explain ${statement}`, [companyId]);
      all.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return all;
  });
  for (const plan of plans) assert.doesNotMatch(plan, /Join Filter: .+->>/, plan);
});

test('a thousand disagreements of a kind are listed and the rest counted; no other kind is hidden', async () => {
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
    'not listed. There are 234 more disagreements of the kind “sandbox charge of no attempt”. Fix the listed ones and run the check again.',
  );
  assert.deepEqual(countLedgerFindings(findings), { disagreements: 1235, notVerified: 0 });
});
