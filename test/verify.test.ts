// `paylink ledger verify` and its nightly job find nothing in consistent records, and every planted fault by name. Each
// fault is planted by SQL in its own payment. On both databases and in both modes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { recordOutcome } from '../src/attempts/record-outcome.ts';
import { postEntry, postingRules } from '../src/ledger/post-entry.ts';
import { ledgerChecks } from '../src/ledger/verify-ledger.ts';
import { sandboxChecks } from '../src/ledger/verify-sandbox.ts';
import { findRefund } from '../src/payments/refund-store.ts';
import type { Processor } from '../src/processors/processor.ts';
import { importExternalRefund } from '../src/reconciliation/import-external-refund.ts';
import { recordRefund, refundPayment } from '../src/refunds/refund-payment.ts';
import { verifyAllLedgers } from '../src/verify-companies.ts';
import { builtInOf, onlyProcessor } from './acquirer/acquirer-processor.ts';
import { createLinkAs, type Json, logIn } from './harness/client.ts';
import { runConcurrently } from './harness/concurrency.ts';
import type { Query, Target } from './harness/ledger-fault.ts';
import { planted } from './harness/ledger-faults.ts';
import { moveToLive } from './harness/modes.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith, visit } from './harness/visitor.ts';

const cards = {
  success: '4242424242424242',
  declined: '4000000000000002',
  challenge: '4000002760003184',
  lostAnswer: '4000000000009011',
  outOfOrder: '4000000000009045',
  wrongAmount: '4000000000009052',
  paidLate: '4000000000009078',
};

/** Creates payments in every state that is not a fault. */
async function createConsistentRecords(paylink: Paylink): Promise<void> {
  const { deps } = paylink.app;
  const owner = await logIn(paylink);
  const { companyId } = owner;
  const scope = { companyId, mode: 'test' as const };
  const pay = async (number: string) => {
    const { link, code } = await createLinkAs(paylink, owner);
    await payWith(link, { number });
    const [row] = await deps.db.asOwner.query<{ attemptId: string }>(
      `select attempt_id as "attemptId" from attempts join payments using (company_id, payment_id) where code = $1`,
      [code],
    );
    return { link, code, attemptId: row?.attemptId ?? '' };
  };
  const refund = async (code: string, amount: number, processor?: Processor) =>
    await refundPayment(processor ? { ...deps, processors: onlyProcessor(processor) } : deps, {
      ...scope,
      ...{ code, amount, createdBy: 'test' },
    });
  await createLinkAs(paylink, owner);
  for (const number of [cards.declined, cards.challenge, cards.wrongAmount, cards.paidLate, cards.outOfOrder])
    await pay(number);
  const lost = await pay(cards.lostAnswer);
  await visit(`${lost.link}/wait`);
  // In progress: collected by the processor, but not recorded yet.
  const taken = await pay(cards.challenge);
  await deps.db.asOwner.query(`update sandbox_charges set state = 'succeeded' where idempotency_key = $1`, [
    taken.attemptId,
  ]);
  const processing = await pay(cards.challenge);
  const outcome = { kind: 'processing', reference: 'sbx_slow' } as const;
  await recordOutcome(deps, { ...scope, attemptId: processing.attemptId, outcome, actor: 'test' });
  // Refunds: partial, in progress, rejected, reversed, and made in the processor's own dashboard.
  const { code, attemptId } = await pay(cards.success);
  await refund(code, 2);
  const sandbox = builtInOf(deps.processors);
  await refund(code, 3, { ...sandbox, refund: async () => Promise.reject(new Error('no answer')) });
  const refused = { kind: 'failed', reference: 'sbr_refused', code: 'refused' } as const;
  await refund(code, 4, { ...sandbox, refund: async () => refused });
  const { refundId } = await refund(code, 1);
  const stored = await deps.db.inTenant(scope, async (tx) => await findRefund(tx, refundId));
  assert.ok(stored);
  await recordRefund(deps, { companyId, refund: stored, outcome: refused, actor: 'test' });
  const outside = { kind: 'outside_refund', key: attemptId, reference: 're_1', amountMinor: 500 } as const;
  assert.equal(
    await importExternalRefund(deps, { ...scope, refund: { ...outside, currency: 'EUR' } }),
    'taken_over',
  );
}

/** One for each check: the embedded engine is slow and runs the same SQL. */
const onEmbedded = [
  'a paid payment set to open',
  'a refund removed',
  'a refund of another attempt',
  'a wrong sum of pending refunds',
  'a duplicate entry',
  'an attempt with an amount that is not a safe integer',
  'an entry with its accounts swapped',
  'a charge added to the sandbox',
  'a refund removed from the sandbox',
];

test('every fault has a unique name, including those composed of a kind of entry and a suffix', () => {
  const literals = [...ledgerChecks, ...sandboxChecks].flatMap(({ statement }) =>
    [...statement.matchAll(/'([^']*)'/g)].map(([, literal = '']) => literal),
  );
  const suffixes = new Set(literals.filter((literal) => / [a-z]/.test(literal.slice(0, 2))));
  assert.ok(suffixes.has(' of another payment') && suffixes.has(' posted twice'), [...suffixes].join());
  const names = new Set(literals);
  const taken = Object.keys(postingRules).flatMap((kind) =>
    [...suffixes].map((suffix) => kind + suffix).filter((name) => names.has(name)),
  );
  assert.deepEqual(taken, []);
});

const scenes = engines.flatMap((engine) => (['test', 'live'] as const).map((mode) => ({ engine, mode })));

for (const { engine, mode } of scenes) {
  describe(`verifying the records in ${mode} mode on the ${engine} database`, () => {
    let paylink: Paylink;
    const faultsHere = planted.filter(({ what }) => engine === 'server' || onEmbedded.includes(what));
    const targets: Target[] = [];
    const query: Query = async (text, ...values) =>
      await paylink.app.deps.db.asOwner.query<Json>(text, values);
    const verify = async () => (await verifyAllLedgers(paylink.app.deps.db)).findings;

    /** Payments to plant faults in. */
    async function makeTargets(): Promise<void> {
      const owner = await logIn(paylink);
      const { companyId } = owner;
      const made = await runConcurrently(faultsHere.length, 7, async () => {
        const { link, code } = await createLinkAs(paylink, owner);
        await payWith(link, { number: cards.success });
        const order = { companyId, mode: 'test', code, amount: 5, createdBy: 'test' } as const;
        const { refundId, paymentId, attemptId } = await refundPayment(paylink.app.deps, order);
        return { paymentId, attemptId, refundId };
      });
      targets.push(...made);
    }

    before(async () => {
      // No job may change these records during the test.
      paylink = await startPaylink(engine, { isAtWork: false });
      await createConsistentRecords(paylink);
      await makeTargets();
      if (mode === 'test') return;
      await moveToLive(paylink, paylink.merchant.companyId);
      await query(
        `insert into ledger_totals (company_id, mode, debit_account, credit_account, currency, shard, amount_minor)
         select company_id, mode, debit_account, credit_account, currency, 0, sum(amount_minor)
         from ledger_entries group by company_id, mode, debit_account, credit_account, currency`,
      );
    });
    after(async () => await paylink.stop());

    test('nothing is found in consistent records, also with attempts and refunds in progress', async () => {
      assert.deepEqual(await verify(), []);
    });

    test('the database rejects a movement that is posted twice, and no total changes', async () => {
      const { companyId } = paylink.merchant;
      const [target] = targets;
      assert.ok(target);
      const { paymentId, attemptId, refundId } = target;
      const sums = async () => await query('select sum(amount_minor)::bigint as sum from ledger_totals');
      const before = await sums();
      const again = { amountMinor: 1, currency: 'EUR', paymentId, at: new Date() } as const;
      for (const entry of [
        { ...again, kind: 'capture', sourceId: attemptId } as const,
        { ...again, kind: 'refund', sourceId: refundId } as const,
      ])
        await assert.rejects(
          paylink.app.deps.db.inTenant({ companyId, mode }, async (tx) => await postEntry(tx, entry)),
          { code: '23505', constraint: 'ledger_entries_company_id_source_id_kind_mode_key' },
        );
      assert.deepEqual(await sums(), before);
    });

    for (const [index, { what, plant, faults, says }] of faultsHere.entries())
      test(`${what} is found, with a sentence that names the payment`, async () => {
        const target = targets[index];
        assert.ok(target);
        const known = new Set((await verify()).map(({ sentence }) => sentence));
        const isNew = ({ sentence }: { sentence: string }) => !known.has(sentence);
        await plant(query, target);
        const found = (await verify()).filter(isNew);
        assert.deepEqual(found.map(({ fault }) => fault.fault).sort(), [...faults].sort());
        const first = found.find(({ sentence }) => says.test(sentence));
        assert.ok(first, found.map(({ sentence }) => sentence).join('\n'));
        assert.equal(first.companyId, paylink.merchant.companyId);
        if (first.fault.paymentId !== null)
          assert.match(first.sentence, new RegExp(`Payment ${first.fault.paymentId} \\(link \\w+\\): `));
      });
  });
}
