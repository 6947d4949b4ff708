// A process that dies between any two transactions of matching: the next run completes the work, and no money is credited,
// refunded or reported twice.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { importStatement } from '../../src/bank/import-statement.ts';
import { matchBankLines } from '../../src/bank/match-lines.ts';
import { spoolUpload } from '../../src/bank/spool.ts';
import { newId } from '../../src/base/ids.ts';
import { type StatementEntry, statementOf } from '../harness/bank.ts';
import { dyingAfter, openRig, type Rig } from './merchant-rig.ts';

let rig: Rig;
before(async () => {
  // No worker runs jobs, so only what the test calls is executed.
  rig = await openRig('server', { isAtWork: false });
});
after(async () => await rig.stop());

/** An order overpaid in two parts, and a paid order whose refund was sent. */
async function prepare() {
  const { deps } = rig.paylink.app;
  const { companyId } = rig.credentials();
  const paid = await rig.order(9);
  await rig.send({ amount: '9.00', text: paid.reference });
  await rig.post(`/v1/payments/${paid.code}/refunds`, { amount: 4 });
  const [refund] = await rig.pendingRefunds(paid);
  const ordered = await rig.order(20);
  const lines: StatementEntry[] = [
    { amount: '12.00', text: ordered.reference },
    { amount: '13.00', text: ordered.reference },
    { amount: '4.00', direction: 'DBIT', text: String(refund?.reference) },
  ];
  const file = await spoolUpload(Readable.from([Buffer.from(statementOf(lines))]));
  const statementId = newId('bst', rig.clock.now());
  await importStatement(deps, { companyId, mode: 'test', statementId, file, createdBy: 'test' });
  await file.close();
  return { paid, ordered, statementId };
}

test('after a crash at any transaction of matching, the next run completes the work once', async () => {
  const { deps } = rig.paylink.app;
  const { companyId } = rig.credentials();
  let survived = false;
  let transactions = 0;
  for (; !survived; transactions++) {
    const { paid, ordered, statementId } = await prepare();
    const dying = dyingAfter(deps.db, transactions);
    await matchBankLines({ ...deps, db: dying.db }, { companyId }).catch(() => undefined);
    survived = !dying.hasDied();
    await matchBankLines(deps, { companyId });
    const at = `after ${transactions} transactions`;
    assert.deepEqual(
      (await rig.linesOf({ id: statementId })).map(({ status }) => status),
      ['matched', 'matched', 'matched'],
      at,
    );
    assert.equal(await rig.statusOf(ordered), 'paid', at);
    assert.deepEqual(
      (await rig.pendingRefunds(ordered)).map(({ amount, status }) => [amount, status]),
      [[5, 'waiting']],
      at,
    );
    assert.deepEqual((await rig.eventDataOf(ordered, 'payment.late')).length, 1, at);
    assert.deepEqual((await rig.eventDataOf(ordered, 'payment.partly_paid')).length, 1, at);
    assert.deepEqual(
      (await rig.pendingRefunds(paid)).map(({ amount, status }) => [amount, status]),
      [[4, 'sent']],
      at,
    );
    await rig.finishRefunds(paid);
    assert.deepEqual(await rig.refundsOf(paid), [{ kind: 'merchant', status: 'succeeded', amount: 4 }], at);
    await rig.checkBooks();
  }
  assert.ok(transactions > 8, `${transactions} crash points`);
});
