// The sandbox's cards with repeated, reordered, wrong and missing responses, on both databases: money moves once, no
// status moves back, and every page is correct.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordOutcome } from '../src/attempts/record-outcome.ts';
import { passesLuhn } from '../src/processors/card.ts';
import { testCards } from '../src/processors/sandbox/test-cards.ts';
import { findFaults } from './faults/oracle.ts';
import { createLink } from './harness/client.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { readSandboxJournal } from './harness/sandbox-journal.ts';
import { payWith, visit } from './harness/visitor.ts';

const success = '4242424242424242';
const twice = '4000000000009037';
const outOfOrder = '4000000000009045';
const wrongAmount = '4000000000009052';
const neverAnswered = '4000000000009060';
const chargedAfterDecline = '4000000000009078';

test('every test card has a valid check digit and a unique number', () => {
  const numbers = testCards.map(({ number }) => number);
  assert.deepEqual(
    numbers.filter((number) => !passesLuhn(number)),
    [],
  );
  assert.equal(new Set(numbers).size, numbers.length);
});

for (const engine of engines) {
  describe(`cards that misbehave, on the ${engine} database`, () => {
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine, { processorTimeoutMs: 5_000 });
    });
    after(async () => {
      const { db } = paylink.app.deps;
      assert.deepEqual(await findFaults({ db, reports: [], journal: await readSandboxJournal(db) }), []);
      await paylink.stop();
    });

    const query = async (text: string, code: string) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, [code]);
    const attemptsOf = async (code: string) =>
      (
        await query(
          `select a.state from attempts a join payments p using (company_id, payment_id)
           where p.code = $1 order by a.attempt_id`,
          code,
        )
      ).map(({ state }) => state);
    const eventsOf = async (code: string) =>
      (
        await query(
          `select e.type from events e join payments p using (company_id, payment_id) where p.code = $1
           order by e.event_id`,
          code,
        )
      )
        .map(({ type }) => String(type))
        .sort();
    const entriesOf = async (code: string) =>
      (
        await query(
          `select l.kind from ledger_entries l join payments p using (company_id, payment_id) where p.code = $1
           order by l.kind`,
          code,
        )
      ).map(({ kind }) => kind);

    /** Waits until the job has refunded an overpayment. */
    async function untilRefunded(code: string): Promise<void> {
      for (let check = 0; check < 600; check++) {
        const [refund] = await query(
          `select r.state from refunds r join payments p using (company_id, payment_id) where p.code = $1`,
          code,
        );
        if (refund?.state === 'succeeded') return;
        await sleep(100);
      }
      assert.fail('the overpayment was not refunded');
    }

    for (const [what, number] of [
      ['reported three times', twice],
      ['reported, and then answered with an older status,', outOfOrder],
    ] as const)
      test(`a charge that is ${what} pays once: one event, one ledger entry, and a redirect to the shop`, async () => {
        const { link, code } = await createLink(paylink);
        const end = await payWith(link, { number });
        assert.match(end.url, /^https:\/\/shop\.example\/thanks\?/);
        assert.deepEqual(await attemptsOf(code), ['succeeded']);
        assert.deepEqual(await eventsOf(code), [
          'attempt.succeeded',
          'payment.created',
          'payment.paid',
          'payment.processing',
        ]);
        assert.deepEqual(await entriesOf(code), ['capture']);
        assert.match((await visit(link)).text, /Your card was charged once/);
      });

    test('the history of an attempt names who reported it', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: outOfOrder });
      const [event] = await query(
        `select e.actor from events e join payments p using (company_id, payment_id)
         where p.code = $1 and e.type = 'payment.paid'`,
        code,
      );
      assert.equal(event?.actor, 'processor:sandbox');
    });

    test('a wrong amount fails the payment and is refunded in full, and the page says so', async () => {
      const { link, code } = await createLink(paylink);
      const end = await payWith(link, { number: wrongAmount });
      assert.match(end.url, /^https:\/\/shop\.example\/sorry\?/);
      await untilRefunded(code);
      assert.deepEqual(await attemptsOf(code), ['declined']);
      assert.deepEqual(await entriesOf(code), ['surplus', 'surplus_refund']);
      const page = await visit(link);
      assert.match(page.text, /We have refunded the full amount to your card/);
      assert.doesNotMatch(page.text, /you have not been charged/i);
    });

    test('a charge after a decline is refunded in full, the page says so, and another card then pays', async () => {
      const { link, code } = await createLink(paylink);
      const form = await payWith(link, { number: chargedAfterDecline });
      assert.equal(form.url, link);
      assert.match(form.text, /We(’re refunding| have refunded) the full amount to your card/);
      assert.doesNotMatch(form.text, /you have not been charged/i);
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
      await untilRefunded(code);
      assert.deepEqual(await attemptsOf(code), ['declined', 'succeeded']);
      assert.deepEqual(await entriesOf(code), ['capture', 'surplus', 'surplus_refund']);
      assert.equal((await eventsOf(code)).filter((type) => type === 'payment.late').length, 1);
      const paid = await visit(link);
      assert.match(paid.text, /You were overcharged, and we have refunded the extra amount/);
      assert.doesNotMatch(paid.text, /charged once/);
    });

    test('each contradiction of a processor is recorded once, and changes no status', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: success });
      const [row] = await query(
        `select a.attempt_id as id from attempts a join payments p using (company_id, payment_id) where p.code = $1`,
        code,
      );
      const key = { companyId: paylink.merchant.companyId, attemptId: String(row?.id), actor: 'processor:x' };
      const reference = 'sbx_x';
      const contradictions = [
        { kind: 'declined', reference, code: 'expired_card' },
        { kind: 'void' },
        { kind: 'succeeded', reference, amountMinor: 2000, currency: 'EUR' },
        { kind: 'succeeded', reference, amountMinor: 1999, currency: 'USD' },
      ] as const;
      for (const outcome of [...contradictions, ...contradictions])
        await recordOutcome(paylink.app.deps, { mode: 'test', ...key, outcome });
      const noted = (await eventsOf(code)).filter((type) => type === 'attempt.contradicted');
      assert.equal(noted.length, contradictions.length);
      assert.deepEqual(await attemptsOf(code), ['succeeded']);
      assert.deepEqual(await entriesOf(code), ['capture']);
    });

    test('the merchant is notified once of money that cannot be refunded', async () => {
      const { link, code } = await createLink(paylink);
      await payWith(link, { number: chargedAfterDecline });
      await untilRefunded(code);
      const [row] = await query(
        `select a.attempt_id as id from attempts a join payments p using (company_id, payment_id) where p.code = $1`,
        code,
      );
      const { companyId } = paylink.merchant;
      const outcome = { kind: 'succeeded', reference: 'sbx_x', amountMinor: 1999, currency: 'XTS' } as const;
      for (const actor of ['processor:x', 'processor:y'])
        await recordOutcome(paylink.app.deps, {
          mode: 'test',
          companyId,
          attemptId: String(row?.id),
          outcome,
          actor,
        });
      const received = await query(
        `select e.data->>'currency' as currency from events e join payments p using (company_id, payment_id)
         where p.code = $1 and e.type = 'attempt.contradicted' and e.is_public`,
        code,
      );
      assert.deepEqual(received, [{ currency: 'XTS' }]);
    });

    test('a request without a response charges nothing and uses no attempt, and another card then pays', async () => {
      const { link, code } = await createLink(paylink);
      const form = await payWith(link, { number: neverAnswered });
      assert.equal(form.url, link);
      assert.match(form.text, /You have not been charged/);
      assert.doesNotMatch(form.text, /tries left|last try/i);
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
      assert.deepEqual(await attemptsOf(code), ['cancelled', 'succeeded']);
      assert.deepEqual(await entriesOf(code), ['capture']);
    });
  });
}
