// What the events show about actions on live payments from before modes were separated: an action that only a test key
// can have caused is certain; for all others, the report says that the events do not show the key.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findCrossings } from '../src/find-crossings.ts';
import { call, type Json } from './harness/client.ts';
import { signIn } from './harness/dashboard.ts';
import { logInLive, moveToLive } from './harness/modes.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { openCompany } from './harness/route-cases.ts';

for (const engine of engines) {
  describe(`actions on live payments before the upgrade (${engine})`, () => {
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine);
      // As if the upgrade came after these actions.
      await paylink.app.deps.db.asOwner.query(
        `update schema_migrations set applied_at = now() + interval '1 hour' where name = 'mode_isolation'`,
      );
    });
    after(async () => await paylink.stop());

    /** A company whose owner cancels a payment that is moved to live mode afterwards. `prepare` runs first. */
    const cancelLive = async (prepare: (merchant: Merchant) => Promise<unknown>): Promise<Json> => {
      const merchant = await paylink.createMerchant();
      await prepare(merchant);
      const company = await openCompany(paylink, merchant);
      const code = await company.openCode();
      const { status } = await call(
        paylink,
        company.credentials,
        ['POST', `/v1/payments/${code}/cancel`],
        {},
      );
      assert.equal(status, 200);
      await moveToLive(paylink, merchant.companyId);
      const { crossings } = await findCrossings(paylink.app.deps.db);
      const found = crossings.filter(({ companyId }) => companyId === merchant.companyId);
      assert.deepEqual(
        found.map(({ type, PaymentLinkCode, actor }) => [type, PaymentLinkCode, actor]),
        [['payment.cancelled', code, `account:${merchant.accountId}`]],
      );
      return { verdict: found[0]?.verdict };
    };

    test('an action by token in a company without a live key is certain; with a live key or a browser session it is not', async () => {
      assert.deepEqual(await cancelLive(async () => undefined), { verdict: 'test_key' });
      assert.deepEqual(await cancelLive(async (merchant) => await logInLive(paylink, merchant)), {
        verdict: 'unknown',
      });
      assert.deepEqual(await cancelLive(async (merchant) => await signIn(paylink, merchant)), {
        verdict: 'unknown',
      });
    });

    test('the search writes nothing and may take an hour', async () => {
      const { db } = paylink.app.deps;
      const seen: Record<string, string>[] = [];
      const inTenant: typeof db.inTenant = async (scope, work, options) =>
        await db.inTenant(
          scope,
          async (tx) => {
            seen.push(
              ...(await tx.query<{ readOnly: string; limit: string }>(
                `select current_setting('transaction_read_only') as "readOnly", current_setting('statement_timeout') as limit`,
              )),
            );
            return await work(tx);
          },
          options,
        );
      await findCrossings({ ...db, inTenant });
      assert.ok(seen.length > 0);
      for (const each of seen) assert.deepEqual(each, { readOnly: 'on', limit: '1h' });
    });

    test('actions on test payments and actions after the upgrade are not listed', async () => {
      const merchant = await paylink.createMerchant();
      const company = await openCompany(paylink, merchant);
      const code = await company.openCode();
      await call(paylink, company.credentials, ['POST', `/v1/payments/${code}/cancel`], {});
      const { db } = paylink.app.deps;
      const own = async () =>
        (await findCrossings(db)).crossings.filter(({ companyId }) => companyId === merchant.companyId);
      assert.deepEqual(await own(), []);
      await moveToLive(paylink, merchant.companyId);
      assert.equal((await own()).length, 1);
      await db.asOwner.query(
        `update schema_migrations set applied_at = now() - interval '1 hour' where name = 'mode_isolation'`,
      );
      assert.deepEqual(await own(), []);
    });
  });
}
