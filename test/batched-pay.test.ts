// Links that are paid in a batch: each has the same outcome as without a batch, and none affects another.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pay } from '../src/attempts/pay.ts';
import type { PayInput, PaymentWithAttempt } from '../src/attempts/pay-order.ts';
import { recordOutcome } from '../src/attempts/record-outcome.ts';
import { reserveAttempt } from '../src/attempts/reserve-attempt.ts';
import { ApiError } from '../src/base/errors.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { cancelPayment } from '../src/links/cancel-payment.ts';
import { createPayment } from '../src/links/create-payment.ts';
import type { PaymentRequest } from '../src/payments/schema.ts';
import { type Attempt, lockPaymentByCode } from '../src/payments/store.ts';
import { protectCard } from '../src/processors/card.ts';
import { builtInMethod } from './acquirer/acquirer-processor.ts';
import { orderOf } from './harness/client.ts';
import { engines, type Paylink, startPaylink, testCsc } from './harness/paylink.ts';
import { testMerchant } from './harness/test-merchant.ts';

const cards = {
  succeeds: '4242424242424242',
  declined: '4000000000000002',
  wrongCode: '4000000000000127',
  challenged: '4000002760003184',
  wrongAmount: '4000000000009045',
};
type Link = { companyId: string; code: string };

const deps = (paylink: Paylink) => paylink.app.deps;

async function makeLink(paylink: Paylink, fields: Partial<PaymentRequest> = {}): Promise<Link> {
  const { companyId, accountId } = paylink.merchant;
  const creator = { companyId, accountId, mode: 'test' as const };
  const { payment } = await createPayment(deps(paylink), creator, orderOf(fields) as PaymentRequest);
  return { companyId, code: payment.code };
}

function orderFor(paylink: Paylink, { companyId, code }: Link, number = cards.succeeds): PayInput {
  const method = builtInMethod(deps(paylink).processors);
  const card = protectCard({
    holder: 'Ada Lovelace',
    number,
    csc: testCsc,
    expiryMonth: 12,
    expiryYear: 2034,
  });
  return {
    companyId,
    mode: 'test',
    code,
    method,
    card,
    merchant: testMerchant,
    locale: 'en',
    pageLocale: 'en',
  };
}

const tell = (current: PaymentWithAttempt | null) =>
  current && [current.payment.state, current.attempt?.state, current.attempt?.declineCode];

async function outcomeOf(work: Promise<PaymentWithAttempt | null>): Promise<unknown> {
  try {
    return tell(await work);
  } catch (error) {
    return error instanceof ApiError ? error.code : (error as { code?: string }).code;
  }
}

/** A link in each status that a customer may find, and the form to pay it. */
async function makeScene(paylink: Paylink): Promise<PayInput[]> {
  const owner = deps(paylink).db.asOwner;
  const fresh = async (number?: string) => orderFor(paylink, await makeLink(paylink), number);
  const late = await makeLink(paylink);
  await owner.query(`update payments set expires_at = now() - interval '1 hour' where code = $1`, [
    late.code,
  ]);
  const cancelled = await makeLink(paylink);
  await cancelPayment(deps(paylink), { mode: 'test', ...cancelled, actor: 'test' });
  const tried = await makeLink(paylink);
  await owner.query(
    `insert into attempts (company_id, mode, attempt_id, payment_id, state, processor, amount_minor, currency, created_at, updated_at)
     select company_id, mode, 'att_' || code || i, payment_id, 'cancelled', 'sandbox', 1, 'EUR', now(), now()
     from payments, generate_series(1, 50) i where code = $1`,
    [tried.code],
  );
  const twice = await fresh();
  return [
    ...[
      await fresh(),
      await fresh(cards.declined),
      await fresh(cards.wrongCode),
      await fresh(cards.challenged),
    ],
    ...[await fresh(cards.wrongAmount), orderFor(paylink, await makeLink(paylink, { currency: 'USD' }))],
    ...[orderFor(paylink, late), orderFor(paylink, cancelled), orderFor(paylink, tried)],
    ...[twice, twice, { ...(await fresh()), code: twice.code.replace(/.{6}$/, 'nobody') }],
  ];
}

async function countWhatIsThere(paylink: Paylink): Promise<unknown[]> {
  return await deps(paylink).db.asOwner.query(
    `select type as what, count(*) from events group by 1
     union all select kind || ' ' || currency, count(*) from ledger_entries group by 1
     union all select 'due ' || state, count(*) from attempts where due_at > created_at group by 1
     union all select 'refund ' || state, count(*) from refunds where due_at <= created_at group by 1 order by 1`,
  );
}

async function assertBooks(paylink: Paylink): Promise<void> {
  const { companyId } = paylink.merchant;
  const { db } = deps(paylink);
  const findings = await db.inBothModes(companyId, async (tx) => await verifyLedger(tx), {
    isSnapshot: true,
  });
  assert.deepEqual(findings, []);
}

for (const engine of engines)
  describe(`links that are paid concurrently (${engine})`, () => {
    async function withPaylink(work: (paylink: Paylink) => Promise<void>): Promise<void> {
      // Statements of the worker would be counted, too.
      const paylink = await startPaylink(engine, { isAtWork: false });
      try {
        await work(paylink);
        await assertBooks(paylink);
      } finally {
        await paylink.stop();
      }
    }

    test('each payment has the same outcome, events, ledger entries and due work as without a batch', async () => {
      const [alone, together]: [unknown[], unknown[]] = [[], []];
      await withPaylink(async (paylink) => {
        for (const order of await makeScene(paylink)) alone.push(await outcomeOf(pay(deps(paylink), order)));
        alone.push(...(await countWhatIsThere(paylink)));
      });
      await withPaylink(async (paylink) => {
        const payTogether = async (order: PayInput) => await pay(deps(paylink), order);
        const orders = await makeScene(paylink);
        const outcomes = await Promise.all(orders.map(async (order) => await outcomeOf(payTogether(order))));
        // The second tab opens the link while the processor is queried for the first tab, or after its outcome.
        assert.match(String(outcomes[10]), /^(processing,created|paid,succeeded),$/);
        outcomes[10] = ['paid', 'succeeded', null];
        together.push(...outcomes, ...(await countWhatIsThere(paylink)));
      });
      assert.deepEqual(alone.slice(0, 4), [
        ['paid', 'succeeded', null],
        ['failed', 'declined', 'generic_decline'],
        ['open', 'declined', 'incorrect_csc'],
        ['processing', 'requires_action', null],
      ]);
      assert.equal(alone[8], 'too_many_attempts');
      assert.deepEqual(together, alone);
    });

    test('an error of one payment does not affect others in the batch', async () => {
      await withPaylink(async (paylink) => {
        const payTogether = async (order: PayInput) => await pay(deps(paylink), order);
        const fresh = async () => orderFor(paylink, await makeLink(paylink));
        const [first, bad, last] = [await fresh(), await fresh(), await fresh()];
        // No form can contain this value. It represents an unforeseen error.
        if (bad.card) bad.card = { ...bad.card, last4: 'none' };
        const outcomes = await Promise.all(
          [first, bad, last].map(async (order) => await outcomeOf(payTogether(order))),
        );
        assert.deepEqual(outcomes, [['paid', 'succeeded', null], '23514', ['paid', 'succeeded', null]]);
      });
    });

    test('an outcome that contradicts its payment is refused, and others of its batch are recorded', async () => {
      await withPaylink(async (paylink) => {
        const reserved = await Promise.all(
          [1, 2, 3].map(
            async () => await reserveAttempt(deps(paylink), orderFor(paylink, await makeLink(paylink))),
          ),
        );
        const attempts = reserved.map((each) => each?.attempt as Attempt);
        const { query } = deps(paylink).db.asOwner;
        const broken = `update payments set state = 'open' where payment_id = $1`;
        await query(broken, [attempts[1]?.paymentId]);
        const ends = await Promise.allSettled(
          attempts.map(async ({ attemptId, amountMinor, currency }) => {
            const outcome = {
              kind: 'succeeded',
              reference: `ref ${attemptId}`,
              amountMinor,
              currency,
            } as const;
            const scope = { companyId: paylink.merchant.companyId, mode: 'test' } as const;
            return await recordOutcome(deps(paylink), { ...scope, attemptId, outcome, actor: 'test' });
          }),
        );
        assert.deepEqual(
          ends.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
        // Repaired, so that the books agree.
        await query(`update payments set state = 'processing' where payment_id = $1`, [
          attempts[1]?.paymentId,
        ]);
      });
    });

    test('two processes that pay the same links concurrently capture each once', async () => {
      await withPaylink(async (paylink) => {
        // Batches are not shared between copies of the dependencies.
        const processes = [{ ...deps(paylink) }, { ...deps(paylink) }];
        const orders = await Promise.all(
          Array.from({ length: 12 }, async () => orderFor(paylink, await makeLink(paylink))),
        );
        const asked = [orders, orders.toReversed()].flatMap((some, index) =>
          some.map(async (order) => await pay(processes[index] ?? deps(paylink), order)),
        );
        await Promise.all(asked);
        const [counted] = await deps(paylink).db.asOwner.query(
          `select (select count(*) from payments where state = 'paid') as paid,
                  (select count(*) from ledger_entries) as entries, (select count(*) from sandbox_charges) as charges`,
        );
        assert.deepEqual(counted, { paid: 12, entries: 12, charges: 12 });
      });
    });

    // The embedded database has one connection, so no lock can be held while another transaction runs.
    if (engine === 'server')
      test('a locked link does not delay others, and is paid once it is unlocked', async () => {
        await withPaylink(async (paylink) => {
          const { db } = deps(paylink);
          const payTogether = async (order: PayInput) => await pay(deps(paylink), order);
          const [locked, free] = [await makeLink(paylink), await makeLink(paylink)];
          const [isLocked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
          const holding = db.inTenant({ companyId: locked.companyId, mode: 'test' }, async (tx) => {
            await lockPaymentByCode(tx, locked.code);
            isLocked.resolve();
            await release.promise;
          });
          await isLocked.promise;
          const waiting = outcomeOf(payTogether(orderFor(paylink, locked)));
          assert.deepEqual(await outcomeOf(payTogether(orderFor(paylink, free))), [
            'paid',
            'succeeded',
            null,
          ]);
          release.resolve();
          await holding;
          assert.deepEqual(await waiting, ['paid', 'succeeded', null]);
        });
      });
  });
