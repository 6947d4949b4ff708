// Reads of payments in a batch: each has the same result as without a batch, with a constant number of statements.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { viewPayment } from '../src/attempts/view-payment.ts';
import { newLinkCode } from '../src/base/ids.ts';
import { cancelPayment } from '../src/links/cancel-payment.ts';
import { readByCode } from '../src/links/read-by-code.ts';
import { lockPaymentByCode } from '../src/payments/store.ts';
import { wrapTransactions } from './faults/crash-points.ts';
import { createLink } from './harness/client.ts';
import { manualClock } from './harness/manual-clock.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith, visit } from './harness/visitor.ts';

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
const wrongCode = '4000000000000127';
const challenge = '4000002760003184';

for (const engine of engines)
  describe(`concurrent reads (${engine})`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    let companyId: string;
    /** The statements of each tenant transaction since the array was emptied. */
    const asked: string[][] = [];
    before(async () => {
      paylink = await startPaylink(engine, { clock });
      companyId = paylink.merchant.companyId;
      wrapTransactions(paylink.app.deps.db, async (run, company, work) => {
        const statements: string[] = [];
        asked.push(statements);
        return await run(company, async (tx) => {
          const query: typeof tx.query = async (text, values) => {
            statements.push(text);
            return await tx.query(text, values);
          };
          return await work({ ...tx, query });
        });
      });
    });
    after(async () => await paylink.stop());

    const make = async (fields: Record<string, unknown> = {}) => (await createLink(paylink, fields)).code;
    const linkOf = (code: string) => `${paylink.baseUrl}/pay/${code}`;
    const look = async (code: string) =>
      await viewPayment(paylink.app.deps, { mode: 'test', companyId, code });
    /** The queries of payments since `asked` was emptied, without those of jobs. */
    const asking = (mark: RegExp) => asked.filter((statements) => statements.some((text) => mark.test(text)));
    const byCode = /join payments (p on p\.code|on code) = wanted/;

    test('each read returns its own payment, whatever else is in the batch', async () => {
      const codes = {
        open: await make(),
        declined: await make(),
        challenged: await make(),
        paid: await make(),
        cancelled: await make(),
        dollars: await make({ currency: 'USD', amount: 7 }),
      };
      await payWith(linkOf(codes.declined), { number: wrongCode });
      await payWith(linkOf(codes.challenged), { number: challenge });
      await payWith(linkOf(codes.paid), { number: '4242424242424242' });
      await cancelPayment(paylink.app.deps, {
        mode: 'test',
        companyId,
        code: codes.cancelled,
        actor: 'test',
      });
      const nobodys = newLinkCode(companyId);
      const wanted = [...Object.values(codes), nobodys];
      const together = await Promise.all(wanted.map(look));
      for (const [index, code] of wanted.entries()) assert.deepEqual(together[index], await look(code));
      const reported = together.map(
        (seen) =>
          seen && [
            seen.payment.code,
            seen.payment.state,
            seen.attempt?.state,
            seen.declinedAttempts,
            seen.methods.length,
          ],
      );
      assert.deepEqual(reported, [
        [codes.open, 'open', undefined, 0, 1],
        [codes.declined, 'open', 'declined', 1, 1],
        [codes.challenged, 'processing', 'requires_action', 0, 0],
        [codes.paid, 'paid', 'succeeded', 0, 0],
        [codes.cancelled, 'cancelled', undefined, 0, 0],
        [codes.dollars, 'open', undefined, 0, 1],
        null,
      ]);
    });

    test('fifty reads need as many statements as one', async () => {
      const codes: string[] = [];
      for (let count = 0; count < 10; count++) codes.push(await make());
      asked.length = 0;
      await look(codes[0] ?? '');
      const [alone] = asking(byCode);
      asked.length = 0;
      const seen = await Promise.all(
        Array.from({ length: 50 }, async (_, n) => await look(codes[n % 10] ?? '')),
      );
      const together = asking(byCode);
      assert.deepEqual([together.length, together[0]], [1, alone]);
      assert.deepEqual(
        seen.map((each) => each?.payment.code),
        Array.from({ length: 50 }, (_, n) => codes[n % 10]),
      );
      asked.length = 0;
      await Promise.all(
        Array.from(
          { length: 50 },
          async (_, n) =>
            await readByCode(paylink.app.deps, { mode: 'test', companyId, code: codes[n % 10] ?? '' }),
        ),
      );
      assert.equal(asking(byCode).flat().length, 1);
    });

    test('a read sees earlier writes, even while other reads are in progress', async () => {
      const code = await make();
      const before = look(code);
      await cancelPayment(paylink.app.deps, { mode: 'test', companyId, code, actor: 'test' });
      const [, later] = await Promise.all([before, look(code)]);
      assert.equal(later?.payment.state, 'cancelled');
    });

    test('opening a link again writes nothing', async () => {
      const code = await make();
      const opening = /^update payments set opened_at/;
      asked.length = 0;
      for (let count = 0; count < 3; count++)
        assert.equal((await visit(linkOf(code), { headers: browser })).status, 200);
      assert.equal(asking(opening).length, 1);
      assert.equal(asking(byCode).length, 3);
    });

    test('overdue links expire once each, and others in the batch stay unchanged', async () => {
      const due = await Promise.all(
        [1, 2].map(
          async () => await make({ expiresAt: new Date(clock.now().getTime() + 400_000).toISOString() }),
        ),
      );
      const open = await make();
      clock.advanceMs(400_000);
      const seen = await Promise.all([...due, open, ...due].map(look));
      assert.deepEqual(
        seen.map((each) => [each?.payment.state, each?.methods.length]),
        [
          ['expired', 0],
          ['expired', 0],
          ['open', 1],
          ['expired', 0],
          ['expired', 0],
        ],
      );
      const { db } = paylink.app.deps;
      const [row] = await db.asOwner.query<{ count: number }>(
        `select count(*) as count from events join payments using (company_id, payment_id)
         where code = any($1) and type = 'payment.expired'`,
        [due],
      );
      assert.equal(row?.count, 2);
    });
  });

test('a read that waits for a lock does not delay others', async () => {
  const clock = manualClock();
  const paylink = await startPaylink('server', { clock });
  try {
    const { deps } = paylink.app;
    const { companyId } = paylink.merchant;
    const expiresAt = new Date(clock.now().getTime() + 400_000).toISOString();
    const { code } = await createLink(paylink, { expiresAt });
    const other = (await createLink(paylink)).code;
    clock.advanceMs(400_000);
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const paying = deps.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
      await lockPaymentByCode(tx, code);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    let isSeen = false;
    const waiting = viewPayment(deps, { mode: 'test', companyId, code }).finally(() => {
      isSeen = true;
    });
    for (let count = 0; count < 3; count++)
      assert.equal(
        (await viewPayment(deps, { mode: 'test', companyId, code: other }))?.payment.state,
        'open',
      );
    assert.equal(isSeen, false);
    release.resolve();
    await paying;
    assert.equal((await waiting)?.payment.state, 'expired');
  } finally {
    await paylink.stop();
  }
});
