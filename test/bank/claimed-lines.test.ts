// Bookings that the worker has claimed or matched between their import and the match for the response.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { importStatement } from '../../src/bank/import-statement.ts';
import { matchBankLine, matchBankLines } from '../../src/bank/match-lines.ts';
import { spoolUpload } from '../../src/bank/spool.ts';
import { newId } from '../../src/base/ids.ts';
import { statementOf } from '../harness/bank.ts';
import { createLinkAs, type Json } from '../harness/client.ts';
import { dyingAfter, openRig, type Rig } from './merchant-rig.ts';

let rig: Rig;
before(async () => {
  // No worker runs jobs, so only the worker that a test plays touches a booking.
  rig = await openRig('server', { isAtWork: false });
});
after(async () => await rig.stop());

const ownerSql = async (text: string) => await rig.paylink.app.deps.db.asOwner.query(text);

/** Claims each new booking as it is imported, for a worker that has not begun with it. */
async function claimLines(): Promise<() => Promise<unknown>> {
  await ownerSql(
    `create function claim_line() returns trigger language plpgsql as $$
     begin
       new.leased_until := clock_timestamp() + interval '1 hour';
       return new;
     end $$`,
  );
  await ownerSql(
    'create trigger claimed before insert on bank_lines for each row execute function claim_line()',
  );
  return async () => await ownerSql('drop function claim_line cascade');
}

test('a test transfer is booked in its response, also if the worker has claimed its booking', async () => {
  const release = await claimLines();
  try {
    const { code } = await createLinkAs(rig.paylink, rig.credentials());
    const statuses: unknown[] = [];
    for (const body of [{ amount: 5 }, {}]) {
      const answer = await rig.post(`/v1/test/payments/${code}/transfer`, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      statuses.push((answer.body.payment as Json).status);
    }
    assert.deepEqual(statuses, ['processing', 'paid']);
    assert.deepEqual((await rig.get(`/v1/payments/${code}/refunds`)).data, []);
  } finally {
    await release();
  }
});

test('what the worker has matched and not applied yet is applied before the response: payments and refunds', async () => {
  const { deps } = rig.paylink.app;
  const scope = { companyId: rig.credentials().companyId, mode: 'test' } as const;
  const paid = await rig.order(9);
  await rig.send({ amount: '9.00', text: paid.reference });
  await rig.post(`/v1/payments/${paid.code}/refunds`, { amount: 4 });
  const [refund] = await rig.pendingRefunds(paid);
  const ordered = await rig.order(20);
  const statement = statementOf([
    { amount: '20.00', text: ordered.reference },
    { amount: '4.00', direction: 'DBIT', text: String(refund?.reference) },
  ]);
  const file = await spoolUpload(Readable.from([Buffer.from(statement)]));
  const statementId = newId('bst', rig.clock.now());
  await importStatement(deps, { ...scope, statementId, file, createdBy: 'test' });
  await file.close();
  for (const { id } of await rig.linesOf({ id: statementId }))
    await assert.rejects(
      matchBankLine({ ...deps, db: dyingAfter(deps.db, 1).db }, scope, String(id)),
      /the process has died/,
    );
  const lines = await rig.linesOf({ id: statementId });
  assert.deepEqual(
    lines.map(({ status }) => status),
    ['matched', 'matched'],
  );
  assert.equal(await rig.statusOf(ordered), 'processing');
  await matchBankLines(deps, scope);
  assert.equal(await rig.statusOf(ordered), 'paid');
  assert.deepEqual(await rig.refundsOf(paid), [{ kind: 'merchant', status: 'succeeded', amount: 4 }]);
  await rig.checkBooks();
});
