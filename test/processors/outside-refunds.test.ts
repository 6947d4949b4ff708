// External refunds, as each live processor lists them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BalanceTransaction } from '../../src/processors/processor.ts';
import { openBench, payWhole } from './contract/bench.ts';
import type { LiveRig } from './kit/rig.ts';
import { liveMakers } from './live.ts';

const hourMs = 60 * 60 * 1000;

for (const { name, features, start } of liveMakers)
  describe(name, () => {
    let rig: LiveRig;
    before(async () => {
      rig = await start();
    });
    after(async () => await rig?.stop());

    async function listAll(from: Date): Promise<BalanceTransaction[]> {
      const processor = rig.kind.connect(rig.connection);
      const movements: BalanceTransaction[] = [];
      let cursor: string | null = null;
      do {
        const asked = { companyId: rig.connection.companyId, from, until: rig.now(), cursor };
        const page = await processor.list(asked, AbortSignal.timeout(30_000));
        movements.push(...page.movements);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return movements;
    }

    test(`a refund in the dashboard of ${name} is listed with its attempt and its own ID`, async () => {
      const from = new Date(rig.now().getTime() - hourMs);
      const bench = openBench(rig, features);
      const { attemptId } = await payWhole(bench);
      await rig.createExternalRefund(attemptId, 500);
      // PayPal's list is hours behind.
      await rig.advanceMs(4 * hourMs);
      const listed = await listAll(from);
      const [refund, ...others] = listed.filter(({ kind }) => kind !== 'charge');
      assert.deepEqual(others, []);
      const { reference, ...result } = refund ?? {};
      assert.deepEqual(result, {
        ...{ kind: 'outside_refund', key: attemptId, amountMinor: 500, currency: 'EUR' },
      });
      assert.match(String(reference), /^\w{6,}$/);
      assert.notEqual(reference, listed.find(({ kind }) => kind === 'charge')?.reference);
    });
  });
