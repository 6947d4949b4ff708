// Bank transfers from the customer's choice to the merchant's books, on both databases: statements come in over
// the API, and every way in which money can come, not come, come twice or go again has its answer. The ledger
// agrees after each.

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { manualClock } from '../../src/base/clock.ts';
import { compareEveryCompany, verifyEveryLedger } from '../../src/verify-every.ts';
import {
  connectBank,
  customerIban,
  instructionsFor,
  type Line,
  type Ordered,
  orderTransfer,
  ownIban,
  sendStatement,
  statementOf,
} from '../harness/bank.ts';
import { type Credentials, call, type Json, logIn } from '../harness/client.ts';
import { engines, type Paylink, startPaylink } from '../harness/paylink.ts';

const dayMs = 24 * 60 * 60 * 1000;

for (const engine of engines) {
  describe(`bank transfers on the ${engine} database`, () => {
    const clock = manualClock(new Date());
    let paylink: Paylink;
    let credentials: Credentials;
    before(async () => {
      paylink = await startPaylink(engine, { clock });
      credentials = await logIn(paylink);
      await connectBank(paylink, credentials);
    });
    after(async () => await paylink.stop());
    afterEach(async () => {
      const { findings } = await verifyEveryLedger(paylink.app.deps.db);
      assert.deepEqual(findings, []);
      const compared = await compareEveryCompany(paylink.app.deps);
      assert.deepEqual(compared.findings, []);
    });

    const get = async (path: string) => (await call(paylink, credentials, ['GET', path])).body;
    const order = async (amount: number) => await orderTransfer(paylink, credentials, { amount });
    const statusOf = async ({ code }: Ordered) => (await get(`/v1/payments/${code}`)).status;
    const send = async (...lines: Line[]) => {
      const answer = await sendStatement(paylink, credentials, statementOf(lines));
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const countsOf = ({ matched, waiting, ignored, matching, duplicates }: Json) => ({
      matched,
      waiting,
      ignored,
      matching,
      duplicates,
    });
    const counts = { matched: 0, waiting: 0, ignored: 0, matching: 0, duplicates: 0 };
    const linesOf = async (statement: Json) =>
      (await get(`/v1/bank-lines?statementId=${statement.id}`)).data as Json[];
    const reasonsOf = async (statement: Json) =>
      (await linesOf(statement)).map(({ reason }) => reason).reverse();
    const eventsOf = async ({ code }: Ordered) =>
      ((await get(`/v1/payments/${code}/events?limit=100`)).data as { type: string; data: Json }[]).filter(
        ({ type }) => !type.startsWith('payment.created'),
      );
    const typesOf = async (ordered: Ordered) => (await eventsOf(ordered)).map(({ type }) => type);
    const refundsOf = async ({ code }: Ordered) =>
      ((await get('/v1/bank-refunds')).data as Json[]).filter((refund) => refund.PaymentLinkCode === code);
    const refundStatesOf = async ({ code }: Ordered) =>
      ((await get(`/v1/payments/${code}/refunds`)).data as Json[]).map(({ kind, status, amount }) => ({
        kind,
        // Its job asks the processor at once, before or after this look.
        status: status === 'created' ? 'processing' : status,
        amount,
      }));
    const resolve = async (lineId: unknown, word: Json) =>
      await call(paylink, credentials, ['POST', `/v1/bank-lines/${lineId}/resolve`], word);
    const resolveRefund = async (refundId: unknown, word: Json) =>
      await call(paylink, credentials, ['POST', `/v1/bank-refunds/${refundId}/resolve`], word);

    test('a customer is told where to send how much, and the reference on the statement pays the link', async () => {
      const ordered = await order(19.99);
      const told = await instructionsFor(paylink, credentials.companyId, ordered);
      assert.ok(told);
      const { expiresAt, ...rest } = told;
      assert.deepEqual(rest, {
        holder: 'Café Zürich GmbH',
        iban: ownIban,
        bic: null,
        reference: ordered.reference,
        dueMinor: 1999,
        receivedMinor: 0,
        currency: 'EUR',
      });
      assert.equal(expiresAt.getTime(), clock.now().getTime() + 7 * dayMs);
      const statement = await send({ amount: '19.99', text: `Thanks! ${ordered.reference.toLowerCase()}` });
      assert.deepEqual(countsOf(statement), { ...counts, matched: 1 });
      assert.equal(await statusOf(ordered), 'paid');
      const [line] = await linesOf(statement);
      assert.deepEqual([line?.attemptId, line?.matchedBy], [ordered.attemptId, 'reference']);
    });

    test('the same file again changes nothing, and says so', async () => {
      const ordered = await order(10);
      const file = statementOf([{ amount: '10.00', structured: ordered.reference }]);
      const first = await sendStatement(paylink, credentials, file);
      const { isNew, ...told } = first.body;
      const before = await get('/v1/bank-lines');
      const again = await sendStatement(paylink, credentials, file);
      assert.equal(isNew, true);
      assert.deepEqual([again.status, again.body], [200, { ...told, isNew: false }]);
      assert.deepEqual(await get('/v1/bank-lines'), before);
    });

    test('a booking that two files tell of counts once: overlapping days, and a notification before the statement', async () => {
      const [first, second] = [await order(11), await order(12)];
      const one: Line = { amount: '11.00', text: first.reference, bankReference: 'OVERLAP-1' };
      const two: Line = { amount: '12.00', text: second.reference, bankReference: 'OVERLAP-2' };
      const notice = await sendStatement(paylink, credentials, statementOf([one], { kind: '054' }));
      assert.deepEqual(countsOf(notice.body), { ...counts, matched: 1 });
      assert.deepEqual(countsOf(await send(one, two)), { ...counts, matched: 1, duplicates: 1 });
      assert.deepEqual(countsOf(await send(two, one)), { ...counts, duplicates: 2 });
      assert.deepEqual([await statusOf(first), await statusOf(second)], ['paid', 'paid']);
      assert.deepEqual(await refundStatesOf(first), []);
    });

    test('two payments that look alike in one file are two, and stay two in the next file', async () => {
      const ordered = await order(13);
      const twin: Line = { amount: '13.00', text: ordered.reference, bankReference: null };
      assert.deepEqual(countsOf(await send(twin, twin)), { ...counts, matched: 2 });
      assert.deepEqual(countsOf(await send(twin, twin)), { ...counts, duplicates: 2 });
      assert.deepEqual(await refundStatesOf(ordered), [
        { kind: 'surplus', status: 'processing', amount: 13 },
      ]);
    });

    test('a part is not the whole: the payment waits, says what is still due, and the rest completes it', async () => {
      const ordered = await order(30);
      await send({ amount: '12.50', text: ordered.reference });
      assert.equal(await statusOf(ordered), 'processing');
      const told = await instructionsFor(paylink, credentials.companyId, ordered);
      assert.deepEqual([told?.dueMinor, told?.receivedMinor], [1750, 1250]);
      const event = (await eventsOf(ordered)).find(({ type }) => type === 'payment.partly_paid');
      assert.deepEqual([event?.data.amount, event?.data.received, event?.data.due], [12.5, 12.5, 17.5]);
      await send({ amount: '17.50', text: ordered.reference });
      assert.equal(await statusOf(ordered), 'paid');
      assert.deepEqual(await refundStatesOf(ordered), []);
    });

    test('what is paid on top goes back to whoever sent it, and the payment stays paid', async () => {
      const ordered = await order(20);
      await send({
        amount: '25.00',
        text: ordered.reference,
        name: 'Charles Babbage',
        iban: 'DE75512108001245126199',
      });
      assert.equal(await statusOf(ordered), 'paid');
      const late = (await eventsOf(ordered)).find(({ type }) => type === 'payment.late');
      assert.deepEqual([late?.data.amount, late?.data.reason], [5, 'paid_too_much']);
      const [refund] = await refundsOf(ordered);
      assert.deepEqual(
        [refund?.status, refund?.amount, refund?.name, refund?.iban],
        ['waiting', 5, 'Charles Babbage', 'DE75512108001245126199'],
      );
    });

    test('a payment that comes twice goes back once, and a third time waits for a person', async () => {
      const ordered = await order(21);
      await send({ amount: '21.00', text: ordered.reference });
      await send({ amount: '21.00', text: ordered.reference, iban: 'DE75512108001245126199' });
      const third = await send({ amount: '21.00', text: ordered.reference });
      assert.equal(await statusOf(ordered), 'paid');
      const refunds = await refundsOf(ordered);
      assert.deepEqual(
        refunds.map(({ amount, iban }) => [amount, iban]),
        [[21, 'DE75512108001245126199']],
      );
      assert.deepEqual(await reasonsOf(third), ['surplus_again']);
      const review = (await eventsOf(ordered)).find(({ type }) => type === 'payment.transfer_review');
      assert.deepEqual([review?.data.reason, review?.data.amount], ['surplus_again', 21]);
      const [line] = await linesOf(third);
      const again = await resolve(line?.id, { action: 'match', reference: ordered.reference });
      assert.deepEqual([again.status, again.body.code], [409, 'line_not_waiting']);
      const done = await resolve(line?.id, { action: 'dismiss', note: 'sent back by hand' });
      assert.deepEqual([done.status, done.body.status], [200, 'resolved']);
    });

    test('nothing by the end of its time ends the attempt; money that comes later goes back', async () => {
      const ordered = await order(22);
      clock.advanceMs(11 * dayMs);
      credentials = await logIn(paylink);
      await send({ amount: '0.01', text: 'a line of somebody else' });
      assert.equal(await statusOf(ordered), 'processing');
      clock.advanceMs(2 * dayMs);
      credentials = await logIn(paylink);
      const { settleAttempt } = await import('../../src/payments/settle-attempt.ts');
      const { companyId } = credentials;
      await settleAttempt(paylink.app.deps, { companyId, attemptId: ordered.attemptId, actor: 'test' });
      assert.notEqual(await statusOf(ordered), 'processing');
      await send({ amount: '22.00', text: ordered.reference });
      const late = (await eventsOf(ordered)).find(({ type }) => type === 'payment.late');
      assert.deepEqual([late?.data.amount, late?.data.reason], [22, 'paid_late']);
      const [refund] = await refundsOf(ordered);
      assert.deepEqual([refund?.status, refund?.amount, refund?.iban], ['waiting', 22, customerIban]);
      assert.notEqual(await statusOf(ordered), 'paid');
    });

    test('a part by the end of its time goes back, and what comes after that waits for a person', async () => {
      const ordered = await order(40);
      await send({ amount: '15.00', text: ordered.reference });
      clock.advanceMs(13 * dayMs);
      credentials = await logIn(paylink);
      const { settleAttempt } = await import('../../src/payments/settle-attempt.ts');
      const { reconcileRefund, RefundNotSettledYet } = await import('../../src/payments/refund-payment.ts');
      const { companyId } = credentials;
      await settleAttempt(paylink.app.deps, { companyId, attemptId: ordered.attemptId, actor: 'test' });
      assert.equal(await statusOf(ordered), 'failed');
      const { data } = await get(`/v1/payments/${ordered.code}/refunds`);
      const [surplus] = data as Json[];
      assert.deepEqual([surplus?.kind, surplus?.amount], ['surplus', 15]);
      const job = { companyId, refundId: String(surplus?.refundId) };
      await assert.rejects(reconcileRefund(paylink.app.deps, job), RefundNotSettledYet);
      const [refund] = await refundsOf(ordered);
      assert.deepEqual([refund?.status, refund?.amount, refund?.iban], ['waiting', 15, customerIban]);
      assert.deepEqual(await reasonsOf(await send({ amount: '25.00', text: ordered.reference })), [
        'surplus_again',
      ]);
    });

    test('a refund waits until the statement shows it sent, under a reference of its own', async () => {
      const ordered = await order(50);
      await send({ amount: '50.00', text: ordered.reference });
      const asked = await call(paylink, credentials, ['POST', `/v1/payments/${ordered.code}/refunds`], {
        amount: 20,
      });
      assert.deepEqual([asked.status, asked.body.status], [200, 'processing']);
      const [refund] = await refundsOf(ordered);
      assert.ok(refund);
      assert.deepEqual([refund.amount, refund.iban, refund.status], [20, customerIban, 'waiting']);
      assert.notEqual(refund.reference, ordered.reference);
      const wrong = await send({ amount: '19.00', direction: 'DBIT', text: String(refund.reference) });
      assert.deepEqual(await reasonsOf(wrong), ['refund_amount_differs']);
      // Who sends it often names the payment that it gives back, too.
      const text = `refund ${refund.reference} of ${ordered.reference}`;
      assert.deepEqual(countsOf(await send({ amount: '20.00', direction: 'DBIT', text })), {
        ...counts,
        matched: 1,
      });
      assert.deepEqual(await refundStatesOf(ordered), [
        { kind: 'merchant', status: 'succeeded', amount: 20 },
      ]);
      assert.equal((await get(`/v1/payments/${ordered.code}`)).refundedAmount, 20);
      const twice = await send({ amount: '20.00', direction: 'DBIT', text: String(refund.reference) });
      assert.deepEqual(await reasonsOf(twice), ['refund_not_waiting']);
      const back = await send({ amount: '20.00', returnReason: 'AC04', text: String(refund.reference) });
      assert.deepEqual(await reasonsOf(back), ['refund_returned']);
    });

    test('a person says that a refund was sent, and the statement then shows it without a second word', async () => {
      const ordered = await order(51);
      await send({ amount: '51.00', text: ordered.reference });
      await call(paylink, credentials, ['POST', `/v1/payments/${ordered.code}/refunds`], {});
      const [refund] = await refundsOf(ordered);
      const word = { outcome: 'sent', note: 'by the other account' };
      const said = await resolveRefund(refund?.refundId, word);
      assert.deepEqual([said.status, said.body.status], [200, 'sent']);
      assert.equal((await resolveRefund(refund?.refundId, word)).status, 200);
      const other = await resolveRefund(refund?.refundId, { outcome: 'not_sent', note: 'or not' });
      assert.deepEqual([other.status, other.body.code], [409, 'bank_refund_ended']);
      assert.deepEqual(await refundStatesOf(ordered), [
        { kind: 'merchant', status: 'succeeded', amount: 51 },
      ]);
      const shown = await send({ amount: '51.00', direction: 'DBIT', text: String(refund?.reference) });
      assert.deepEqual(countsOf(shown), { ...counts, matched: 1 });
    });

    test('a refund of the merchant can be given up, and one of money that nobody owed can not', async () => {
      const ordered = await order(52);
      await send({ amount: '60.00', text: ordered.reference });
      await call(paylink, credentials, ['POST', `/v1/payments/${ordered.code}/refunds`], { amount: 2 });
      const refunds = await refundsOf(ordered);
      const own = refunds.find(({ amount }) => amount === 2);
      const surplus = refunds.find(({ amount }) => amount === 8);
      const word = { outcome: 'not_sent', note: 'the customer keeps it' };
      assert.equal((await resolveRefund(surplus?.refundId, word)).status, 422);
      assert.equal((await resolveRefund(own?.refundId, word)).body.status, 'failed');
      assert.deepEqual((await refundStatesOf(ordered)).at(-1), {
        kind: 'merchant',
        status: 'failed',
        amount: 2,
      });
    });

    test('money that is taken back is never un-paid by itself: it waits for a person, and the merchant hears of it', async () => {
      const ordered = await order(60);
      await send({ amount: '60.00', text: ordered.reference });
      const statement = await send(
        {
          amount: '60.00',
          direction: 'DBIT',
          isReversal: true,
          returnReason: 'FRAD',
          text: ordered.reference,
        },
        { amount: '60.00', direction: 'DBIT', isReversal: true },
      );
      assert.deepEqual(await reasonsOf(statement), ['returned', 'returned']);
      assert.equal(await statusOf(ordered), 'paid');
      const reviews = (await eventsOf(ordered)).filter(({ type }) => type === 'payment.transfer_review');
      assert.deepEqual(
        reviews.map(({ data }) => data.reason),
        ['returned'],
      );
      const [line] = await linesOf(statement);
      const matched = await resolve(line?.id, { action: 'match', reference: ordered.reference });
      assert.equal(matched.status, 422);
    });

    test('what is not booked, not in euros, on another account or going out is left alone, with its reason', async () => {
      const ordered = await order(61);
      const text = ordered.reference;
      const statement = await send(
        { amount: '61.00', text, status: 'PDNG' },
        { amount: '61.00', text, currency: 'USD' },
        { amount: '61', text, currency: 'JPY' },
        { amount: '61.00', direction: 'DBIT', text: 'rent' },
        { amount: '0.00', text },
      );
      const reasons = ['not_booked', 'other_currency', 'other_currency', 'outgoing', 'no_money'];
      assert.deepEqual(await reasonsOf(statement), reasons);
      const other = { iban: 'DE75512108001245126199' };
      const elsewhere = await sendStatement(
        paylink,
        credentials,
        statementOf(
          [
            { amount: '61.00', text: 'for somebody' },
            { amount: '61.00', text },
          ],
          other,
        ),
      );
      assert.deepEqual(await reasonsOf(elsewhere.body), ['other_account', 'other_account']);
      assert.deepEqual(
        (await linesOf(elsewhere.body)).map(({ status }) => status),
        ['review', 'ignored'],
      );
      assert.equal(await statusOf(ordered), 'processing');
      assert.deepEqual(countsOf(await send({ amount: '61.00', text })), { ...counts, matched: 1 });
      assert.equal(await statusOf(ordered), 'paid');
    });

    test('without a reference the one open transfer of that amount and name is suggested, and a person confirms it', async () => {
      const name = { firstName: 'Jörg', lastName: 'Müller-Lüdenscheidt' };
      const ordered = await orderTransfer(paylink, credentials, { amount: 62.5, ...name });
      await orderTransfer(paylink, credentials, { amount: 62.5, firstName: 'Ada', lastName: 'Byron' });
      const statement = await send(
        { amount: '62.50', name: 'JOERG MUELLER LUEDENSCHEIDT', text: 'my order' },
        { amount: '62.51', name: 'Müller-Lüdenscheidt, Jörg', text: 'my order' },
        { amount: '62.50', name: 'Alan Turing', text: 'my order' },
      );
      assert.deepEqual(countsOf(statement), { ...counts, waiting: 3 });
      const [stranger, near, line] = await linesOf(statement);
      assert.deepEqual([stranger?.suggestion, near?.suggestion], [null, null]);
      const suggestion = line?.suggestion as Json;
      assert.equal(suggestion.reference, ordered.reference);
      assert.equal(await statusOf(ordered), 'processing');
      const word = { action: 'match', reference: suggestion.reference };
      const done = await resolve(line?.id, word);
      assert.deepEqual([done.status, done.body.status, done.body.matchedBy], [200, 'matched', 'person']);
      assert.equal(await statusOf(ordered), 'paid');
      // The same word again is no news; another is refused.
      assert.equal((await resolve(line?.id, word)).status, 200);
      const other = await resolve(line?.id, { action: 'dismiss', note: 'no' });
      assert.deepEqual([other.status, other.body.code], [409, 'line_not_waiting']);
      assert.deepEqual(await refundStatesOf(ordered), []);
    });

    test('with two references, or with none of ours, nobody guesses', async () => {
      const [one, two] = [await order(63), await order(64)];
      const statement = await send(
        { amount: '127.00', text: `${one.reference} ${two.reference}` },
        { amount: '63.00', text: 'RF18539007547034' },
      );
      assert.deepEqual(await reasonsOf(statement), ['several_references', 'unknown_reference']);
      assert.deepEqual([await statusOf(one), await statusOf(two)], ['processing', 'processing']);
    });

    test('a booking without the bank’s reference that another file tells again in other words waits for a person', async () => {
      const ordered = await order(65);
      const line: Line = { amount: '65.00', text: ordered.reference, bankReference: null };
      await send(line);
      const told = statementOf([{ ...line, bankReference: 'NOW-WITH-ONE' }], { kind: '054' });
      const statement = await sendStatement(paylink, credentials, told);
      assert.deepEqual(await reasonsOf(statement.body), ['maybe_duplicate']);
      assert.deepEqual(await refundStatesOf(ordered), []);
      assert.deepEqual(
        (await typesOf(ordered)).filter((type) => type === 'payment.transfer_review').length,
        1,
      );
    });
  });
}
