// Paying by bank transfer, on both databases: money that arrives, is missing, repeated or late. Ledger, payments and
// processor agree after each test.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { RefundNotFinalError, reconcileRefund } from '../../src/refunds/refund-payment.ts';
import {
  customerIban,
  instructionsFor,
  ownIban,
  type StatementEntry,
  sendStatement,
  statementOf,
} from '../harness/bank.ts';
import type { Json } from '../harness/client.ts';
import { engines } from '../harness/paylink.ts';
import { counts, countsOf, openRig, type Rig } from './merchant-rig.ts';

const dayMs = 24 * 60 * 60 * 1000;

for (const engine of engines) {
  describe(`paying by bank transfer on the ${engine} database`, () => {
    let rig: Rig;
    before(async () => {
      rig = await openRig(engine);
    });
    after(async () => await rig.stop());
    afterEach(async () => await rig.checkBooks());

    test('a customer gets the bank details, and a statement with the reference pays the link', async () => {
      const ordered = await rig.order(19.99);
      const instructions = await instructionsFor(rig.paylink, rig.credentials().companyId, ordered);
      assert.ok(instructions);
      const { expiresAt, ...rest } = instructions;
      assert.deepEqual(rest, {
        holder: 'Café Zürich GmbH',
        iban: ownIban,
        bic: null,
        reference: ordered.reference,
        dueMinor: 1999,
        receivedMinor: 0,
        currency: 'EUR',
      });
      assert.equal(expiresAt.getTime(), rig.clock.now().getTime() + 7 * dayMs);
      const statement = await rig.send({
        amount: '19.99',
        text: `Thanks! ${ordered.reference.toLowerCase()}`,
      });
      assert.deepEqual(countsOf(statement), counts({ matched: 1 }));
      assert.equal(await rig.statusOf(ordered), 'paid');
      const [line] = await rig.linesOf(statement);
      assert.deepEqual([line?.attemptId, line?.matchedBy], [ordered.attemptId, 'reference']);
    });

    test('importing the same file again changes nothing, and the response says so', async () => {
      const ordered = await rig.order(10);
      const file = statementOf([{ amount: '10.00', structured: ordered.reference }]);
      const first = await sendStatement(rig.paylink, rig.credentials(), file);
      const { isNew, ...statement } = first.body;
      const before = await rig.get('/v1/bank-lines');
      const again = await sendStatement(rig.paylink, rig.credentials(), file);
      assert.equal(isNew, true);
      assert.deepEqual([again.status, again.body], [200, { ...statement, isNew: false }]);
      assert.deepEqual(await rig.get('/v1/bank-lines'), before);
    });

    test('a line that two files contain counts once: overlapping days, and a notification before the statement', async () => {
      const [first, second] = [await rig.order(11), await rig.order(12)];
      const one: StatementEntry = { amount: '11.00', text: first.reference, bankReference: 'OVERLAP-1' };
      const two: StatementEntry = { amount: '12.00', text: second.reference, bankReference: 'OVERLAP-2' };
      const notice = await sendStatement(rig.paylink, rig.credentials(), statementOf([one], { kind: '054' }));
      assert.deepEqual(countsOf(notice.body), counts({ matched: 1 }));
      assert.deepEqual(countsOf(await rig.send(one, two)), counts({ matched: 1, duplicates: 1 }));
      assert.deepEqual(countsOf(await rig.send(two, one)), counts({ duplicates: 2 }));
      assert.deepEqual([await rig.statusOf(first), await rig.statusOf(second)], ['paid', 'paid']);
      assert.deepEqual(await rig.refundsOf(first), []);
    });

    test('two equal lines in one file count twice, and not again in the next file', async () => {
      const ordered = await rig.order(13);
      const twin: StatementEntry = { amount: '13.00', text: ordered.reference, bankReference: null };
      assert.deepEqual(countsOf(await rig.send(twin, twin)), counts({ matched: 2 }));
      assert.deepEqual(countsOf(await rig.send(twin, twin)), counts({ duplicates: 2 }));
      assert.deepEqual(await rig.refundsOf(ordered), [{ kind: 'surplus', status: 'processing', amount: 13 }]);
    });

    test('a partial payment reports the remaining amount, and the rest completes it', async () => {
      const ordered = await rig.order(30);
      await rig.send({ amount: '12.50', text: ordered.reference });
      assert.equal(await rig.statusOf(ordered), 'processing');
      const instructions = await instructionsFor(rig.paylink, rig.credentials().companyId, ordered);
      assert.deepEqual([instructions?.dueMinor, instructions?.receivedMinor], [1750, 1250]);
      const event = (await rig.eventDataOf(ordered, 'payment.partly_paid'))[0];
      assert.deepEqual([event?.amount, event?.received, event?.due], [12.5, 12.5, 17.5]);
      await rig.send({ amount: '17.50', text: ordered.reference });
      assert.equal(await rig.statusOf(ordered), 'paid');
      assert.deepEqual(await rig.refundsOf(ordered), []);
    });

    test('an overpayment is refunded to its sender, and the payment stays paid', async () => {
      const ordered = await rig.order(20);
      await rig.send({
        amount: '25.00',
        text: ordered.reference,
        name: 'Charles Babbage',
        iban: 'DE75512108001245126199',
      });
      assert.equal(await rig.statusOf(ordered), 'paid');
      const late = (await rig.eventDataOf(ordered, 'payment.late'))[0];
      assert.deepEqual([late?.amount, late?.reason], [5, 'paid_too_much']);
      const [refund] = await rig.pendingRefunds(ordered);
      assert.deepEqual(
        [refund?.status, refund?.amount, refund?.name, refund?.iban],
        ['waiting', 5, 'Charles Babbage', 'DE75512108001245126199'],
      );
    });

    test('a repeated payment is refunded once, and a third one needs a review', async () => {
      const ordered = await rig.order(21);
      await rig.send({ amount: '21.00', text: ordered.reference });
      await rig.send({ amount: '21.00', text: ordered.reference, iban: 'DE75512108001245126199' });
      const third = await rig.send({ amount: '21.00', text: ordered.reference });
      assert.equal(await rig.statusOf(ordered), 'paid');
      const refunds = await rig.pendingRefunds(ordered);
      assert.deepEqual(
        refunds.map(({ amount, iban }) => [amount, iban]),
        [[21, 'DE75512108001245126199']],
      );
      assert.deepEqual(await rig.reasonsOf(third), ['surplus_again']);
      const review = (await rig.eventDataOf(ordered, 'payment.transfer_review'))[0];
      assert.deepEqual([review?.reason, review?.amount], ['surplus_again', 21]);
      const [line] = await rig.linesOf(third);
      const again = await rig.resolve(line?.id, { action: 'match', reference: ordered.reference });
      assert.deepEqual([again.status, again.body.code], [409, 'line_not_waiting']);
      const done = await rig.resolve(line?.id, { action: 'dismiss', note: 'sent back by hand' });
      assert.deepEqual([done.status, done.body.status], [200, 'resolved']);
    });

    test('an unpaid transfer ends its attempt at its expiry, and later money is refunded', async () => {
      const ordered = await rig.order(22);
      await rig.advanceDays(11);
      await rig.send({ amount: '0.01', text: 'a line of somebody else' });
      assert.equal(await rig.statusOf(ordered), 'processing');
      await rig.advanceDays(2);
      await rig.settle(ordered);
      assert.notEqual(await rig.statusOf(ordered), 'processing');
      await rig.send({ amount: '22.00', text: ordered.reference });
      const late = (await rig.eventDataOf(ordered, 'payment.late'))[0];
      assert.deepEqual([late?.amount, late?.reason], [22, 'paid_late']);
      const [refund] = await rig.pendingRefunds(ordered);
      assert.deepEqual([refund?.status, refund?.amount, refund?.iban], ['waiting', 22, customerIban]);
      assert.notEqual(await rig.statusOf(ordered), 'paid');
    });

    test('a partial payment is refunded at the expiry, and later money needs a review', async () => {
      const ordered = await rig.order(40);
      await rig.send({ amount: '15.00', text: ordered.reference });
      await rig.advanceDays(13);
      await rig.settle(ordered);
      assert.equal(await rig.statusOf(ordered), 'failed');
      const { data } = await rig.get(`/v1/payments/${ordered.code}/refunds`);
      const [surplus] = data as Json[];
      assert.deepEqual([surplus?.kind, surplus?.amount], ['surplus', 15]);
      const job = { companyId: rig.credentials().companyId, refundId: String(surplus?.refundId) };
      await assert.rejects(reconcileRefund(rig.paylink.app.deps, job), RefundNotFinalError);
      const [refund] = await rig.pendingRefunds(ordered);
      assert.deepEqual([refund?.status, refund?.amount, refund?.iban], ['waiting', 15, customerIban]);
      assert.deepEqual(await rig.reasonsOf(await rig.send({ amount: '25.00', text: ordered.reference })), [
        'surplus_again',
      ]);
    });
  });
}
