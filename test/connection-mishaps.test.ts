// A connection is changed or deleted during a payment or before a refund: its money must always stay traceable.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '../src/base/ids.ts';
import { startAttempts } from '../src/payments/transition.ts';
import { type Answer, type Credentials, call, createLinkAs, logIn } from './harness/client.ts';
import { engines, type Paylink } from './harness/paylink.ts';
import { chooseMethod } from './harness/payment-methods.ts';
import { until } from './harness/process.ts';
import {
  connectScriptedProcessor,
  createScriptedProcessor,
  startWithScriptedProcessor,
} from './harness/scripted-processor.ts';
import { visit } from './harness/visitor.ts';

const secret = 'the key of this account';

for (const engine of engines) {
  describe(`connection changes during a payment (${engine})`, () => {
    const stub = createScriptedProcessor();
    let paylink: Paylink;
    let credentials: Credentials;
    before(async () => {
      paylink = await startWithScriptedProcessor(engine, stub);
      credentials = await logIn(paylink);
    });
    after(async () => await paylink.stop());

    const query = async (text: string, values: unknown[]) =>
      await paylink.app.deps.db.asOwner.query<Record<string, unknown>>(text, values);

    /** A customer on the stub processor's page. */
    async function begin(connectionId: string) {
      const { link, code } = await createLinkAs(paylink, credentials);
      await chooseMethod(await visit(link), connectionId);
      const [row] = await query(
        'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
        [code],
      );
      return { code, link, attemptId: String(row?.id) };
    }

    const change = async (
      method: string,
      connectionId: string,
      body?: object,
    ): Promise<[number, unknown]> => {
      const path = `/v1/processor-connections/${connectionId}`;
      const answer: Answer = await call(paylink, credentials, [method, path], body);
      return [answer.status, answer.body.code];
    };

    test('a connection cannot be changed to another account at the processor', async () => {
      const connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
      await begin(connectionId);
      stub.holder = 'Another desk';
      const renewed = { credentials: { secret } };
      assert.deepEqual(await change('PATCH', connectionId, renewed), [422, 'invalid_fields']);
      stub.holder = 'Desk';
      assert.deepEqual(await change('PATCH', connectionId, renewed), [200, undefined], 'the same account');
    });

    test('a refund through a deleted connection is refused', async () => {
      const connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
      const { link, code, attemptId } = await begin(connectionId);
      stub.outcomes.set(attemptId, {
        ...{ kind: 'succeeded', reference: 'desk-1', amountMinor: 1999, currency: 'EUR' },
      });
      await visit(`${link}/return`);
      assert.deepEqual(await change('DELETE', connectionId), [200, undefined]);
      const refund = await call(paylink, credentials, ['POST', `/v1/payments/${code}/refunds`], {});
      assert.deepEqual([refund.status, refund.body.code], [409, 'not_refundable']);
      const [payment] = await query(
        'select refunding_minor::int as held, (select count(*)::int from refunds r where r.payment_id = p.payment_id) as refunds from payments p where code = $1',
        [code],
      );
      assert.deepEqual(payment, { held: 0, refunds: 0 });
    });

    test('the log has the reason why a processor did not begin', async () => {
      const connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
      stub.refusal = 'refused with 400 (amount_too_small)';
      const { attemptId } = await begin(connectionId);
      stub.refusal = null;
      const line = paylink
        .log()
        .split('\n')
        .find((text) => text.includes(attemptId) && text.includes('a processor did not start an attempt'));
      assert.match(line ?? '', /"outcome":"unavailable",.*"why":"refused with 400 \(amount_too_small\)"/);
    });

    test('requests that a processor rejects do not open its circuit breaker', async () => {
      const connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
      const failuresOf = async () => {
        const [row] = await query('select failures, open_until from connections where connection_id = $1', [
          connectionId,
        ]);
        return row;
      };
      stub.refusal = 'refused with 400 (amount_too_small)';
      for (let i = 0; i < 4; i += 1) await begin(connectionId);
      stub.refusal = null;
      assert.deepEqual(await failuresOf(), { failures: 0, open_until: null });
    });

    if (engine === 'server')
      test('a connection is not deleted while a customer begins to pay through it', async () => {
        const connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
        const { code } = await createLinkAs(paylink, credentials);
        const [inserted, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const beginning = paylink.app.deps.db.inTenant(
          { companyId: paylink.merchant.companyId, mode: 'test' },
          async (tx) => {
            const at = new Date();
            const attempt = {
              ...{ attemptId: newId('att', at), code, processor: 'desk', connectionId, at },
              ...{
                cardBrand: null,
                cardLast4: null,
                locale: 'en',
                pageLocale: 'en',
                actionEndsAt: at,
                mayOutliveLink: true,
              },
            };
            await startAttempts(tx, [attempt], { due: { at: null, inMs: 15_000 }, mostAttempts: 50 });
            inserted.resolve();
            await release.promise;
          },
        );
        await inserted.promise;
        let isOver = false;
        const deletion = change('DELETE', connectionId).finally(() => {
          isOver = true;
        });
        await until(async () => {
          const waiting = await query(
            `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            [],
          );
          return isOver || waiting.length > 0;
        }, 'the deletion to wait or to be over');
        release.resolve();
        await beginning;
        assert.deepEqual(await deletion, [409, 'connection_in_use']);
      });
  });
}
