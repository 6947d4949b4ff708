// Decisions of a person about bank transfers, on both databases: refunds sent by hand, returned transfers, and ambiguous
// lines. Ledger, payments and processor agree after each test.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { customerIban, type StatementEntry, sendStatement, statementOf } from '../harness/bank.ts';
import type { Json } from '../harness/client.ts';
import { engines } from '../harness/paylink.ts';
import { counts, countsOf, openRig, type Rig } from './merchant-rig.ts';

for (const engine of engines) {
  describe(`what waits for a person on the ${engine} database`, () => {
    let rig: Rig;
    before(async () => {
      rig = await openRig(engine);
    });
    after(async () => await rig.stop());
    afterEach(async () => await rig.checkBooks());

    test('a refund waits until a statement contains it with its own reference', async () => {
      const ordered = await rig.order(50);
      await rig.send({ amount: '50.00', text: ordered.reference });
      const asked = await rig.post(`/v1/payments/${ordered.code}/refunds`, {
        amount: 20,
      });
      assert.deepEqual([asked.status, asked.body.status], [200, 'processing']);
      const [refund] = await rig.pendingRefunds(ordered);
      assert.ok(refund);
      assert.deepEqual([refund.amount, refund.iban, refund.status], [20, customerIban, 'waiting']);
      assert.notEqual(refund.reference, ordered.reference);
      const wrong = await rig.send({ amount: '19.00', direction: 'DBIT', text: String(refund.reference) });
      assert.deepEqual(await rig.reasonsOf(wrong), ['refund_amount_differs']);
      // A refund often also names the payment that it refunds.
      const text = `refund ${refund.reference} of ${ordered.reference}`;
      assert.deepEqual(
        countsOf(await rig.send({ amount: '20.00', direction: 'DBIT', text })),
        counts({ matched: 1 }),
      );
      assert.deepEqual(await rig.refundsOf(ordered), [{ kind: 'merchant', status: 'succeeded', amount: 20 }]);
      assert.equal((await rig.get(`/v1/payments/${ordered.code}`)).refundedAmount, 20);
      const twice = await rig.send({ amount: '20.00', direction: 'DBIT', text: String(refund.reference) });
      assert.deepEqual(await rig.reasonsOf(twice), ['refund_not_waiting']);
      const back = await rig.send({ amount: '20.00', returnReason: 'AC04', text: String(refund.reference) });
      assert.deepEqual(await rig.reasonsOf(back), ['refund_returned']);
    });

    test('a refund that a person marked as sent is matched with its line without a second event', async () => {
      const ordered = await rig.order(51);
      await rig.send({ amount: '51.00', text: ordered.reference });
      await rig.post(`/v1/payments/${ordered.code}/refunds`, {});
      const [refund] = await rig.pendingRefunds(ordered);
      const resolution = { outcome: 'sent', note: 'by the other account' };
      const said = await rig.resolveRefund(refund?.refundId, resolution);
      assert.deepEqual([said.status, said.body.status], [200, 'sent']);
      assert.equal((await rig.resolveRefund(refund?.refundId, resolution)).status, 200);
      const other = await rig.resolveRefund(refund?.refundId, { outcome: 'not_sent', note: 'or not' });
      assert.deepEqual([other.status, other.body.code], [409, 'bank_refund_ended']);
      assert.deepEqual(await rig.refundsOf(ordered), [{ kind: 'merchant', status: 'succeeded', amount: 51 }]);
      const shown = await rig.send({ amount: '51.00', direction: 'DBIT', text: String(refund?.reference) });
      assert.deepEqual(countsOf(shown), counts({ matched: 1 }));
    });

    test('a merchant’s refund can be cancelled, and the refund of an overpayment cannot', async () => {
      const ordered = await rig.order(52);
      await rig.send({ amount: '60.00', text: ordered.reference });
      await rig.post(`/v1/payments/${ordered.code}/refunds`, { amount: 2 });
      const refunds = await rig.pendingRefunds(ordered);
      const own = refunds.find(({ amount }) => amount === 2);
      const surplus = refunds.find(({ amount }) => amount === 8);
      const resolution = { outcome: 'not_sent', note: 'the customer keeps it' };
      assert.equal((await rig.resolveRefund(surplus?.refundId, resolution)).status, 422);
      assert.equal((await rig.resolveRefund(own?.refundId, resolution)).body.status, 'failed');
      // Both were created at the same time, so they have no order.
      const ofMerchant = (await rig.refundsOf(ordered)).filter(({ kind }) => kind === 'merchant');
      assert.deepEqual(ofMerchant, [{ kind: 'merchant', status: 'failed', amount: 2 }]);
    });

    test('a returned transfer does not change a paid payment: it needs a review, and the merchant is notified', async () => {
      const ordered = await rig.order(60);
      await rig.send({ amount: '60.00', text: ordered.reference });
      const statement = await rig.send(
        {
          amount: '60.00',
          direction: 'DBIT',
          isReversal: true,
          returnReason: 'FRAD',
          text: ordered.reference,
        },
        { amount: '60.00', direction: 'DBIT', isReversal: true },
      );
      assert.deepEqual(await rig.reasonsOf(statement), ['returned', 'returned']);
      assert.equal(await rig.statusOf(ordered), 'paid');
      const reviews = await rig.eventDataOf(ordered, 'payment.transfer_review');
      assert.deepEqual(
        reviews.map(({ reason }) => reason),
        ['returned'],
      );
      const [line] = await rig.linesOf(statement);
      const matched = await rig.resolve(line?.id, { action: 'match', reference: ordered.reference });
      assert.equal(matched.status, 422);
    });

    test('lines that are not booked, not in euros, on another account or outgoing are ignored with a reason', async () => {
      const ordered = await rig.order(61);
      const text = ordered.reference;
      const statement = await rig.send(
        { amount: '61.00', text, status: 'PDNG' },
        { amount: '61.00', text, currency: 'USD' },
        { amount: '61', text, currency: 'JPY' },
        { amount: '61.00', direction: 'DBIT', text: 'rent' },
        { amount: '0.00', text },
      );
      const reasons = ['not_booked', 'other_currency', 'other_currency', 'outgoing', 'no_money'];
      assert.deepEqual(await rig.reasonsOf(statement), reasons);
      const other = { iban: 'DE75512108001245126199' };
      const elsewhere = await sendStatement(
        rig.paylink,
        rig.credentials(),
        statementOf(
          [
            { amount: '61.00', text: 'for somebody' },
            { amount: '61.00', text },
          ],
          other,
        ),
      );
      assert.deepEqual(await rig.reasonsOf(elsewhere.body), ['other_account', 'other_account']);
      assert.deepEqual(
        (await rig.linesOf(elsewhere.body)).map(({ status }) => status),
        ['review', 'ignored'],
      );
      assert.equal(await rig.statusOf(ordered), 'processing');
      assert.deepEqual(countsOf(await rig.send({ amount: '61.00', text })), counts({ matched: 1 }));
      assert.equal(await rig.statusOf(ordered), 'paid');
    });

    test('a line without a reference gets a suggestion with the same amount and name, which a person confirms', async () => {
      const name = { firstName: 'Jörg', lastName: 'Müller-Lüdenscheidt' };
      const ordered = await rig.order(62.5, name);
      await rig.order(62.5, { firstName: 'Ada', lastName: 'Byron' });
      const statement = await rig.send(
        { amount: '62.50', name: 'JOERG MUELLER LUEDENSCHEIDT', text: 'my order' },
        { amount: '62.51', name: 'Müller-Lüdenscheidt, Jörg', text: 'my order' },
        { amount: '62.50', name: 'Alan Turing', text: 'my order' },
      );
      assert.deepEqual(countsOf(statement), counts({ waiting: 3 }));
      const [stranger, near, line] = await rig.linesOf(statement);
      assert.deepEqual([stranger?.suggestion, near?.suggestion], [null, null]);
      const suggestion = line?.suggestion as Json;
      assert.equal(suggestion.reference, ordered.reference);
      assert.equal(await rig.statusOf(ordered), 'processing');
      const resolution = { action: 'match', reference: suggestion.reference };
      const done = await rig.resolve(line?.id, resolution);
      assert.deepEqual([done.status, done.body.status, done.body.matchedBy], [200, 'matched', 'person']);
      assert.equal(await rig.statusOf(ordered), 'paid');
      // The same resolution changes nothing, and another one is refused.
      assert.equal((await rig.resolve(line?.id, resolution)).status, 200);
      const other = await rig.resolve(line?.id, { action: 'dismiss', note: 'no' });
      assert.deepEqual([other.status, other.body.code], [409, 'line_not_waiting']);
      assert.deepEqual(await rig.refundsOf(ordered), []);
    });

    test('a line with two references, or with an unknown one, is not matched automatically', async () => {
      const [one, two] = [await rig.order(63), await rig.order(64)];
      const statement = await rig.send(
        { amount: '127.00', text: `${one.reference} ${two.reference}` },
        { amount: '63.00', text: 'RF18539007547034' },
      );
      assert.deepEqual(await rig.reasonsOf(statement), ['several_references', 'unknown_reference']);
      assert.deepEqual([await rig.statusOf(one), await rig.statusOf(two)], ['processing', 'processing']);
    });

    test('a line without a bank reference that another file contains differently needs a review', async () => {
      const ordered = await rig.order(65);
      const line: StatementEntry = { amount: '65.00', text: ordered.reference, bankReference: null };
      await rig.send(line);
      const repeated = statementOf([{ ...line, bankReference: 'NOW-WITH-ONE' }], { kind: '054' });
      const statement = await sendStatement(rig.paylink, rig.credentials(), repeated);
      assert.deepEqual(await rig.reasonsOf(statement.body), ['maybe_duplicate']);
      assert.deepEqual(await rig.refundsOf(ordered), []);
      assert.deepEqual((await rig.eventDataOf(ordered, 'payment.transfer_review')).length, 1);
    });
  });
}
