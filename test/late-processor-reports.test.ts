// Processor reports after the final status: external refunds, refunds that fail after they succeeded, and money in an
// unrequested currency. On both databases.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type {
  AttemptOutcome,
  BalanceTransaction,
  ExternalRefund,
  RefundOutcome,
} from '../src/processors/processor.ts';
import { importExternalRefund } from '../src/reconciliation/import-external-refund.ts';
import { reconcileRefund } from '../src/refunds/refund-payment.ts';
import { compareAllProcessors, verifyAllLedgers } from '../src/verify-companies.ts';
import { type Credentials, call, createLinkAs, type Json } from './harness/client.ts';
import { createFakeHostedProcessor, withSandbox } from './harness/fake-processors.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { listAttempts, noCards, openCompany, visibleText } from './harness/payment-methods.ts';
import { press, visit } from './harness/visitor.ts';

/** The processor's reports: its list, the refunds in its dashboard, each refund and attempt, and its webhooks. */
type Words = {
  movements: BalanceTransaction[];
  outside: ExternalRefund[];
  refund: ((refundId: string, amountMinor: number) => RefundOutcome) | null;
  outcome: AttemptOutcome | null;
};

const succeeded = (refundId: string, amountMinor: number): RefundOutcome => ({
  ...{ kind: 'succeeded', reference: `back-${refundId}`, amountMinor, currency: 'EUR' },
});

for (const engine of engines) {
  describe(`processor reports after the final status (${engine})`, () => {
    const pond = createFakeHostedProcessor('paypond', 'Paypond');
    const words: Words = { movements: [], outside: [], refund: succeeded, outcome: null };
    let paylink: Paylink;
    let owner: Credentials;
    let connectionId: string;
    before(async () => {
      const kind = {
        ...pond.kind,
        connect: (connection: Parameters<typeof pond.kind.connect>[0]) => {
          const processor = pond.kind.connect(connection);
          return {
            ...processor,
            query: async (...asked: Parameters<typeof processor.query>) =>
              words.outcome ?? (await processor.query(...asked)),
            refund: async ({ refundId, amountMinor }: { refundId: string; amountMinor: number }) => {
              if (!words.refund) throw new Error('no answer');
              return words.refund(refundId, amountMinor);
            },
            list: async () => ({ movements: words.movements, nextCursor: null }),
            listOutsideRefunds: async () => words.outside,
          };
        },
        // The body is the ID of an attempt or a refund; a number after it makes the webhook a different one.
        readNotice: async (_: unknown, { body }: { body: Buffer }) => {
          const [id = ''] = body.toString().split(' ');
          const about = id.startsWith('att_')
            ? { attemptId: id, refundId: null }
            : { attemptId: null, refundId: id };
          return {
            ...({ kind: 'news', noticeId: body.toString() } as const),
            news: [{ ...about, connectionId: null, amountMinor: null, currency: null }],
          };
        },
      };
      // The tests look for outcomes and compare, no job.
      paylink = await startPaylink(engine, { processors: withSandbox([kind]), isAtWork: false });
      const company = await openCompany(paylink, 'paypond', noCards);
      owner = company.owner;
      connectionId = company.ids[0] ?? '';
    });
    after(async () => await paylink.stop());
    beforeEach(() => Object.assign(words, { movements: [], outside: [], refund: succeeded, outcome: null }));

    /** A link that was paid, and the attempt that took its money. */
    async function payLink(): Promise<{ code: string; attemptId: string; link: string }> {
      const { link, code } = await createLinkAs(paylink, owner);
      await press(await visit(link), { form: 0 });
      const attemptId = (await listAttempts(paylink, code)).at(-1)?.id ?? '';
      const session = pond.sessions.get(attemptId);
      assert.ok(session);
      session.state = 'approved';
      assert.match((await visit(`${link}/return`)).url, /thanks/);
      return { code, attemptId, link };
    }
    const outside = (attemptId: string, reference: string, amountMinor: number) =>
      ({ kind: 'outside_refund', key: attemptId, reference, amountMinor, currency: 'EUR' }) as const;
    const compare = async () =>
      (await compareAllProcessors(paylink.app.deps)).findings.map(({ sentence }) => sentence);
    const get = async (path: string) => (await call(paylink, owner, ['GET', path])).body;
    const refundedOf = async (code: string) => (await get(`/v1/payments/${code}`)).refundedAmount;
    const refundsOf = async (code: string) => (await get(`/v1/payments/${code}/refunds`)).data as Json[];
    const eventsOf = async (code: string) =>
      ((await get(`/v1/payments/${code}/events`)).data as Json[])
        .map(({ type }) => String(type))
        .filter((type) => type.startsWith('refund.'));
    const entriesOf = async (code: string) =>
      ((await get(`/v1/ledger/entries?PaymentLinkCode=${code}`)).data as Json[]).map(({ kind }) => kind);
    const casesOf = async (code: string) =>
      ((await get('/v1/cases')).data as Json[]).filter(({ PaymentLinkCode }) => PaymentLinkCode === code);
    const sendRefund = async (code: string, amount: number) =>
      (await call(paylink, owner, ['POST', `/v1/payments/${code}/refunds`], { amount })).body;
    const assertBooksAgree = async () =>
      assert.deepEqual((await verifyAllLedgers(paylink.app.deps.db)).findings, []);

    test('an external refund is imported once, however often and concurrently it is found', async () => {
      const { code, attemptId } = await payLink();
      const refund = outside(attemptId, 're_1', 500);
      words.movements = [refund];
      const { companyId } = owner;
      const found = await Promise.all(
        Array.from(
          { length: 8 },
          async () => await importExternalRefund(paylink.app.deps, { companyId, mode: 'test', refund }),
        ),
      );
      assert.deepEqual(found.sort(), [...Array(7).fill('known'), 'taken_over']);
      assert.deepEqual(await compare(), []);
      assert.equal(await refundedOf(code), 5);
      assert.deepEqual(
        (await refundsOf(code)).map(({ status, amount, kind }) => [status, amount, kind]),
        [['succeeded', 5, 'merchant']],
      );
      assert.deepEqual((await eventsOf(code)).sort(), ['refund.created', 'refund.succeeded']);
      assert.deepEqual((await entriesOf(code)).sort(), ['capture', 'refund']);
      await assertBooksAgree();
    });

    test('the nightly comparison imports external refunds, reports each once, and skips our own', async () => {
      const { code, attemptId } = await payLink();
      const own = await sendRefund(code, 3);
      const reference = `back-${own.refundId}`;
      words.movements = [
        { kind: 'refund', key: String(own.refundId), reference, amountMinor: 300, currency: 'EUR' },
        outside(attemptId, reference, 300),
        outside(attemptId, 're_2', 200),
      ];
      const [sentence, ...others] = await compare();
      assert.match(String(sentence), /a refund made at the processor; imported now: 200 minor units there/);
      assert.deepEqual([others, await compare()], [[], []]);
      assert.equal(await refundedOf(code), 5);
      await assertBooksAgree();
    });

    test('an external refund is imported up to the remaining amount, and the rest is a case', async () => {
      const { code, attemptId } = await payLink();
      await sendRefund(code, 15);
      words.movements = [outside(attemptId, 're_3', 1000)];
      await compare();
      await compare();
      assert.equal(await refundedOf(code), 19.99);
      const cases = (await casesOf(code)).map(({ amount, currency, failureCode, processorReference }) => [
        ...[amount, currency, failureCode, processorReference],
      ]);
      assert.deepEqual(cases, [[5.01, 'EUR', 'refund_exceeds_payment', 're_3']]);
      await assertBooksAgree();
    });

    test('an external refund waits for one of ours in progress, and is imported if that one fails', async () => {
      const { code, attemptId } = await payLink();
      words.refund = null;
      const own = await sendRefund(code, 15);
      assert.equal(own.status, 'unknown');
      words.movements = [outside(attemptId, 're_4', 1000)];
      assert.match(String(await compare()), /it waits for a refund in progress/);
      assert.equal(await refundedOf(code), 0);
      words.refund = (refundId) => ({ kind: 'failed', reference: refundId, code: 'refused' });
      const job = { companyId: owner.companyId, refundId: String(own.refundId) };
      await reconcileRefund(paylink.app.deps, job);
      assert.match(String(await compare()), /imported now/);
      assert.equal(await refundedOf(code), 10);
      assert.deepEqual(await casesOf(code), []);
      await assertBooksAgree();
    });

    async function sendWebhook(body: string): Promise<void> {
      const url = `${paylink.baseUrl}/processors/paypond/webhook/${connectionId}`;
      const response = await fetch(url, { method: 'POST', body });
      assert.equal(response.status, 200, await response.text());
    }

    test('a webhook about a paid attempt imports each external refund once', async () => {
      const { code, attemptId } = await payLink();
      words.outside = [outside(attemptId, 're_5', 300), outside(attemptId, 're_6', 200)];
      await Promise.all([sendWebhook(`${attemptId} 1`), sendWebhook(`${attemptId} 2`)]);
      await sendWebhook(`${attemptId} 3`);
      assert.equal(await refundedOf(code), 5);
      assert.deepEqual((await refundsOf(code)).map(({ status, amount }) => [status, amount]).sort(), [
        ['succeeded', 2],
        ['succeeded', 3],
      ]);
      await assertBooksAgree();
    });

    test('our own refund in progress that the processor lists without metadata is not imported again', async () => {
      const { code, attemptId } = await payLink();
      words.refund = null;
      const own = await sendRefund(code, 5);
      assert.equal(own.status, 'unknown');
      words.outside = [outside(attemptId, 're_9', 500)];
      await sendWebhook(`${attemptId} 1`);
      assert.equal(await refundedOf(code), 0);
      words.refund = (_, amountMinor) => ({ ...succeeded('', amountMinor), reference: 're_9' });
      await reconcileRefund(paylink.app.deps, { companyId: owner.companyId, refundId: String(own.refundId) });
      await sendWebhook(`${attemptId} 2`);
      assert.equal(await refundedOf(code), 5);
      assert.equal((await refundsOf(code)).length, 1);
      await assertBooksAgree();
    });

    const failingWays: Record<string, (attemptId: string, failed: ExternalRefund) => Promise<unknown>> = {
      'the nightly comparison': async (_, failed) => {
        words.movements = [failed];
        return await compare();
      },
      'a webhook': async (attemptId, failed) => {
        words.outside = [failed];
        return await sendWebhook(`${attemptId} failed`);
      },
    };
    for (const [way, tell] of Object.entries(failingWays))
      test(`an imported refund that fails later is reversed once, as reported by ${way}`, async () => {
        const { code, attemptId } = await payLink();
        const { companyId } = owner;
        const refund = outside(attemptId, `re_7_${way}`, 500);
        await importExternalRefund(paylink.app.deps, { companyId, mode: 'test', refund });
        assert.equal(await refundedOf(code), 5);
        const failed = { ...refund, kind: 'failed_outside_refund' } as const;
        await Promise.all([tell(attemptId, failed), tell(attemptId, failed)]);
        await tell(attemptId, failed);
        assert.equal(await refundedOf(code), 0);
        assert.deepEqual((await entriesOf(code)).sort(), ['capture', 'refund', 'refund_reversal']);
        assert.deepEqual((await eventsOf(code)).sort(), [
          'refund.created',
          'refund.failed',
          'refund.succeeded',
        ]);
        assert.equal(
          await importExternalRefund(paylink.app.deps, { companyId, mode: 'test', refund }),
          'known',
        );
        assert.deepEqual(await compare(), []);
        await assertBooksAgree();
      });

    test('an external refund that failed before the import changes nothing', async () => {
      const { code, attemptId } = await payLink();
      words.outside = [{ ...outside(attemptId, 're_8', 500), kind: 'failed_outside_refund' }];
      await sendWebhook(`${attemptId} 1`);
      assert.deepEqual([await refundedOf(code), await refundsOf(code)], [0, []]);
      await assertBooksAgree();
    });

    const tellOf: Record<string, (refundId: string, amountMinor: number) => Promise<unknown>> = {
      'the nightly comparison': async (refundId, amountMinor) => {
        const reference = `back-${refundId}`;
        words.movements = [{ kind: 'failed_refund', key: refundId, reference, amountMinor, currency: 'EUR' }];
        return await compare();
      },
      'a webhook': async (refundId) => {
        words.refund = () => ({ kind: 'failed', reference: `back-${refundId}`, code: 'account_closed' });
        await sendWebhook(refundId);
      },
    };
    for (const [way, tell] of Object.entries(tellOf))
      test(`a succeeded refund that fails later is reversed once, as reported by ${way}, and can be repeated`, async () => {
        const { code } = await payLink();
        const refundId = String((await sendRefund(code, 15)).refundId);
        assert.equal(await refundedOf(code), 15);
        await Promise.all([tell(refundId, 1500), tell(refundId, 1500)]);
        await tell(refundId, 1500);
        assert.equal(await refundedOf(code), 0);
        assert.deepEqual(
          (await refundsOf(code)).map(({ status }) => status),
          ['failed'],
        );
        assert.deepEqual((await entriesOf(code)).sort(), ['capture', 'refund', 'refund_reversal']);
        assert.deepEqual((await eventsOf(code)).sort(), [
          ...['refund.created', 'refund.failed', 'refund.succeeded'],
        ]);
        await assertBooksAgree();
        words.refund = succeeded;
        assert.equal((await sendRefund(code, 19.99)).status, 'succeeded');
        assert.equal(await refundedOf(code), 19.99);
        await assertBooksAgree();
      });

    test('the database refuses a second reversal of a refund', async () => {
      const { code } = await payLink();
      const refundId = String((await sendRefund(code, 5)).refundId);
      await tellOf['a webhook']?.(refundId, 500);
      const again = `insert into ledger_entries select company_id, 'led_again', kind, debit_account, credit_account,
        amount_minor, currency, payment_id, source_id, at, mode from ledger_entries
        where source_id = $1 and kind = 'refund_reversal'`;
      await assert.rejects(paylink.app.deps.db.asOwner.query(again, [refundId]), /unique|duplicate/);
    });

    test('a charge in an unrequested currency is a case, and the page does not say that nothing was charged', async () => {
      const { link, code } = await createLinkAs(paylink, owner);
      await press(await visit(link), { form: 0 });
      words.outcome = { kind: 'succeeded', reference: 'ch_1', amountMinor: 150_000, currency: 'ISK' };
      await visit(`${link}/return`);
      await visit(`${link}/return`);
      const cases = (await casesOf(code)).map(({ amount, currency, failureCode, processorReference }) => [
        ...[amount, currency, failureCode, processorReference],
      ]);
      assert.deepEqual(cases, [[150_000, 'ISK', 'currency_mismatch', 'ch_1']]);
      const page = visibleText(await visit(link));
      assert.match(page, /You were charged in the wrong currency\./);
      assert.doesNotMatch(page, /not been charged/);
    });

    test('a case about money is closed once, by a person, and only this case', async () => {
      const { link, code } = await createLinkAs(paylink, owner);
      await press(await visit(link), { form: 0 });
      words.outcome = { kind: 'succeeded', reference: 'ch_2', amountMinor: 1_000, currency: 'ISK' };
      await visit(`${link}/return`);
      const close = async (body: Json) =>
        await call(paylink, owner, ['POST', `/v1/payments/${code}/cases/close`], body);
      const unknown = await close({ processorReference: 'ch_3' });
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'case_not_found']);
      assert.equal((await casesOf(code)).length, 1);
      const note = 'refunded in the dashboard';
      const [first, again] = await Promise.all([
        close({ processorReference: 'ch_2', note }),
        close({ processorReference: 'ch_2', note }),
      ]);
      assert.deepEqual([first.status, first.body.note], [200, note]);
      assert.deepEqual(again.body, first.body);
      assert.deepEqual((await close({ processorReference: 'ch_2', note: 'later' })).body, first.body);
      assert.deepEqual(await casesOf(code), []);
      // The processor repeats its report, which opens no second case.
      await visit(`${link}/return`);
      assert.deepEqual(await casesOf(code), []);
      const { data } = await get(`/v1/payments/${code}/events`);
      const closed = (data as Json[]).filter(({ type }) => type === 'case.closed');
      assert.deepEqual(
        closed.map(({ data }) => data),
        [{ processorReference: 'ch_2', note }],
      );
      assert.doesNotMatch(visibleText(await visit(link)), /You were charged in the wrong currency/);
    });
  });
}
