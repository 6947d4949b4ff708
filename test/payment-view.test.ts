// The one statement of the payment page returns the same values as a statement for each table.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findCompany } from '../src/companies/store.ts';
import { listConnections } from '../src/connections/store.ts';
import type { TenantTx } from '../src/db/database.ts';
import { listAttemptsOfPayments } from '../src/payments/attempt-store.ts';
import { findPaymentByCode } from '../src/payments/store.ts';
import { listViews } from '../src/payments/view-store.ts';
import { createLinkAs, logIn } from './harness/client.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { connectScriptedProcessor } from './harness/scripted-processor.ts';
import { payWith } from './harness/visitor.ts';

for (const engine of engines)
  describe(`the view of payments on the ${engine} database`, () => {
    let paylink: Paylink;
    const codes: string[] = [];
    before(async () => {
      paylink = await startPaylink(engine);
      const credentials = await logIn(paylink);
      const make = async () => await createLinkAs(paylink, credentials, { metadata: { 'a "b"': '\\ Zoë' } });
      const [open, paid, other] = [await make(), await make(), await make()];
      codes.push(open.code, paid.code, other.code);
      await payWith(paid.link, { number: '4000000000000127' });
      await payWith(paid.link, { number: '4242424242424242', name: 'Zoë "Q" O\'Neil' });
      await connectScriptedProcessor(paylink, paylink.merchant);
      await connectScriptedProcessor(paylink, paylink.merchant);
      const { asOwner } = paylink.app.deps.db;
      await asOwner.query(`update connections set open_until = '2026-01-02 03:04:05.678901+00'`);
      await asOwner.query(
        `update companies set allowed_origins = '{"https://a.example","https://ü.example"}'`,
      );
    });
    after(async () => await paylink.stop());

    const read = async <T>(mode: 'test' | null, work: (tx: TenantTx) => Promise<T>): Promise<T> => {
      const { db } = paylink.app.deps;
      const { companyId } = paylink.merchant;
      return mode ? await db.inTenant({ companyId, mode }, work) : await db.inBothModes(companyId, work);
    };

    test('payments, attempts, company and connections are those of their own statements', async () => {
      for (const mode of ['test', null] as const) {
        const found = await read(mode, async (tx) => await listViews(tx, codes));
        assert.ok(found);
        assert.deepEqual(found.company, await read(mode, findCompany));
        const stored = await read(mode, async (tx) => await listConnections(tx, 'test'));
        assert.equal(stored.length, 2);
        assert.deepEqual(
          found.connections,
          stored.map(({ connectionId, name, processor, mode, currencies, offers, isEnabled, openUntil }) => ({
            ...{ connectionId, name, processor, mode, currencies, offers, isEnabled, openUntil },
          })),
        );
        assert.equal(found.views.length, codes.length);
        for (const { payment, attempts, isReturned, isHeld } of found.views) {
          const { paymentId, code } = payment;
          assert.deepEqual(payment, await read(mode, async (tx) => await findPaymentByCode(tx, code)));
          const own = await read(mode, async (tx) => await listAttemptsOfPayments(tx, [paymentId]));
          assert.deepEqual(attempts, own.get(paymentId) ?? []);
          assert.deepEqual([isReturned, isHeld], [null, false]);
        }
        const counts = codes.map((code) => found.views.find((view) => view.payment.code === code));
        assert.deepEqual(
          counts.map((view) => view?.attempts.map(({ state }) => state)),
          [[], ['declined', 'succeeded'], []],
        );
      }
    });

    test('codes without a payment, and those of another company, have no view', async () => {
      assert.equal(await read(null, async (tx) => await listViews(tx, ['unknown'])), null);
      const { companyId } = await paylink.createMerchant();
      const others = await paylink.app.deps.db.inBothModes(
        companyId,
        async (tx) => await listViews(tx, codes),
      );
      assert.equal(others, null);
    });
  });
