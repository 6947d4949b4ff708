// Charges that come late: the database does not record them, or the request reaches the sandbox when the service has
// given it up. Another attempt has paid the link by then. In the end the customer has paid once.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Processor, ProcessorRegistry } from '../src/processors/processor.ts';
import { createProcessors, listProcessors } from '../src/processors/registry.ts';
import { createLink } from './harness/client.ts';
import { assertNoFaults } from './harness/concurrency.ts';
import { refundLateCharges } from './harness/late-charges.ts';
import { engines, type Paylink, startPaylink } from './harness/paylink.ts';
import { listAttempts } from './harness/payment-methods.ts';
import { until } from './harness/process.ts';
import { payWith } from './harness/visitor.ts';

const success = '4242424242424242';
const chargedAfterDecline = '4000000000009078';

type Authorise = Processor['authorise'];

/** The registry, with a sandbox whose `authorise` a test replaces. */
function wrapSandbox(registry: ProcessorRegistry, wrap: (inner: Authorise) => Authorise): ProcessorRegistry {
  const { builtIn, kinds } = registry;
  const connect: typeof builtIn.connect = (connection) => {
    const processor = builtIn.connect(connection);
    return { ...processor, authorise: wrap(processor.authorise) };
  };
  return listProcessors(
    { ...builtIn, connect },
    kinds.filter((kind) => kind !== builtIn),
  );
}

for (const engine of engines) {
  describe(`charges that come late, on the ${engine} database`, () => {
    let paylink: Paylink;
    /** Replaces `authorise`; null: the sandbox's own. */
    let wrap: ((inner: Authorise) => Authorise) | null = null;
    before(async () => {
      paylink = await startPaylink(engine, {
        processorTimeoutMs: 2_000,
        // Only the customer and the test look for outcomes.
        isAtWork: false,
        processors: (deps) =>
          wrapSandbox(
            createProcessors(deps),
            (inner) =>
              async (...asked) =>
                await (wrap?.(inner) ?? inner)(...asked),
          ),
      });
    });
    after(async () => await paylink.stop());

    const query = async (text: string, values: unknown[] = []) =>
      await paylink.app.deps.db.asOwner.query(text, values);
    const statesOf = async (code: string) => (await listAttempts(paylink, code)).map(({ state }) => state);
    const oracle = async () => await assertNoFaults(paylink);

    /** Runs work while the database rejects each record of an overpayment. */
    async function withoutOverpayments(work: () => Promise<unknown>): Promise<void> {
      await query(`create function reject_surplus() returns trigger language plpgsql as
        $$ begin raise exception 'no overpayment is recorded now'; end $$`);
      await query(`create trigger reject_surplus before insert on refunds for each row when (new.kind = 'surplus')
        execute function reject_surplus()`);
      await work();
      await query('drop function reject_surplus() cascade');
    }
    const withoutResponse = async (work: () => Promise<unknown>) => {
      wrap =
        (inner) =>
        async (...asked) => {
          await inner(...asked);
          throw new Error('the response is lost');
        };
      await work();
      wrap = null;
    };
    for (const [what, lose] of [
      ['the database does not record', withoutOverpayments],
      ['is in a lost response', withoutResponse],
    ] as const)
      test(`a charge after a decline that ${what} is refunded by the comparison, if another card has paid`, async () => {
        const { link, code } = await createLink(paylink);
        await lose(async () => await payWith(link, { number: chargedAfterDecline }));
        assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
        assert.deepEqual(await statesOf(code), ['declined', 'succeeded']);
        assert.match(
          (await oracle()).join('\n'),
          /was kept though its attempt is declined.*\norder .* was captured 2 times\n/,
        );
        assert.deepEqual(await refundLateCharges(paylink.app.deps), []);
        assert.deepEqual(await oracle(), []);
      });

    test('a request that reaches the sandbox after its attempt was given up charges nothing, if another card has paid', async () => {
      const { link, code } = await createLink(paylink);
      const gate = Promise.withResolvers<void>();
      const arrived = Promise.withResolvers<unknown>();
      wrap =
        (inner) =>
        async (...asked) => {
          await gate.promise;
          const outcome = await inner(...asked);
          arrived.resolve(outcome);
          return outcome;
        };
      const form = await payWith(link, { number: success });
      wrap = null;
      assert.match(form.text, /You have not been charged/);
      assert.match((await payWith(link, { number: success })).url, /shop\.example\/thanks/);
      gate.resolve();
      assert.deepEqual(await arrived.promise, { kind: 'void' });
      assert.deepEqual(await statesOf(code), ['cancelled', 'succeeded']);
      assert.deepEqual(await refundLateCharges(paylink.app.deps), []);
      assert.deepEqual(await oracle(), []);
    });

    // The embedded database has one connection: no other statement runs meanwhile.
    if (engine === 'server')
      test('a charge that the sandbox writes while its attempt is given up pays the link, and no form is shown', async () => {
        const { link, code } = await createLink(paylink);
        await query('create table closed_gate ()');
        await query('grant select on closed_gate to public');
        await query('insert into closed_gate default values');
        await query(`create function wait_at_gate() returns trigger language plpgsql security definer as
          $$ begin while exists (select from closed_gate) loop perform pg_sleep(0.01); end loop; return null; end $$`);
        await query(`create trigger wait_at_gate after insert on sandbox_charges for each row
          when (new.state = 'succeeded') execute function wait_at_gate()`);
        const paying = payWith(link, { number: success });
        const waiting = `select pid from pg_stat_activity
          where datname = current_database() and wait_event = 'transactionid'`;
        await until(async () => (await query(waiting)).length > 0, 'the cancel to wait for the charge');
        // In one statement, which reads the state from before the gate opens: the cancel waits for 4 s at most.
        const states = await query(
          `with opened as (delete from closed_gate)
           select attempts.state from attempts join payments using (company_id, payment_id) where code = $1`,
          [code],
        );
        assert.deepEqual(states, [{ state: 'unknown' }]);
        assert.match((await paying).url, /shop\.example\/thanks/);
        await query('drop function wait_at_gate() cascade');
        await query('drop table closed_gate');
        assert.deepEqual(await statesOf(code), ['succeeded']);
        assert.deepEqual(await refundLateCharges(paylink.app.deps), []);
        assert.deepEqual(await oracle(), []);
      });
  });
}
