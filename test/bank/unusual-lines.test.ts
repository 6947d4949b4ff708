// Unusual lines and mistaken resolutions: none of them blocks other lines, moves the wrong money, or disappears from the
// list.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, afterEach, before, test } from 'node:test';
import { importStatement } from '../../src/bank/import-statement.ts';
import { matchBankLines } from '../../src/bank/match-lines.ts';
import { spoolUpload } from '../../src/bank/spool.ts';
import { newId } from '../../src/base/ids.ts';
import type { Database } from '../../src/db/database.ts';
import { nextBankReference, type StatementEntry, sendStatement, statementOf } from '../harness/bank.ts';
import type { Json } from '../harness/client.ts';
import { counts, countsOf, interceptStatements, openRig, type Rig } from './merchant-rig.ts';

let rig: Rig;
before(async () => {
  // No worker runs jobs, so only what the test calls is executed.
  rig = await openRig('server', { isAtWork: false });
});
after(async () => await rig.stop());
afterEach(async () => await rig.checkBooks());

/** Sends an entry with this amount, these transactions, and additional information of the bank. */
async function sendBatch(amount: string, transactions: readonly string[], info = ''): Promise<Json> {
  const details = transactions.map((transaction) => `<TxDtls>${transaction}</TxDtls>`).join('');
  const file = statementOf([{ amount }]).replace(
    /<NtryDtls>.*<\/NtryDtls>/,
    `<NtryDtls>${details}</NtryDtls>${info && `<AddtlNtryInf>${info}</AddtlNtryInf>`}`,
  );
  const answer = await sendStatement(rig.paylink, rig.credentials(), file);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

const part = (amount: string, text: string) =>
  `<Amt Ccy="EUR">${amount}</Amt><RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;

test('an amount above the limit of a transfer needs a review, and blocks no other line', async () => {
  const ordered = await rig.order(13);
  const huge: StatementEntry = { amount: '9999999999999.99', text: ordered.reference };
  const most: StatementEntry = { amount: '999999999.99', text: ordered.reference };
  const statement = await rig.send(huge, { amount: '13.00', text: ordered.reference }, most);
  assert.deepEqual(await rig.reasonsOf(statement), ['too_large', null, 'too_large']);
  assert.equal(await rig.statusOf(ordered), 'paid');
  const [line] = await rig.linesOf(statement);
  const resolution = { action: 'match', reference: ordered.reference };
  assert.equal((await rig.resolve(line?.id, resolution)).status, 422);
  assert.deepEqual(await rig.refundsOf(ordered), []);
});

test('a line with an amount of zero cannot be matched', async () => {
  const ordered = await rig.order(14);
  const [line] = await rig.linesOf(await rig.send({ amount: '0.00', text: ordered.reference }));
  const resolution = { action: 'match', reference: ordered.reference };
  assert.equal((await rig.resolve(line?.id, resolution)).status, 422);
  assert.deepEqual(await rig.eventDataOf(ordered, 'payment.partly_paid'), []);
});

test('a refund resolved as sent cannot be resolved as not sent with the same note', async () => {
  const ordered = await rig.order(15);
  await rig.send({ amount: '15.00', text: ordered.reference });
  await rig.post(`/v1/payments/${ordered.code}/refunds`, {});
  const [refund] = await rig.pendingRefunds(ordered);
  assert.equal((await rig.resolveRefund(refund?.refundId, { outcome: 'sent', note: 'x' })).status, 200);
  const other = await rig.resolveRefund(refund?.refundId, { outcome: 'not_sent', note: 'x' });
  assert.deepEqual([other.status, other.body.code], [409, 'bank_refund_ended']);
});

test('a batch that does not add up shows the texts of its transactions, and credits no payment', async () => {
  const [one, two] = [await rig.order(16), await rig.order(17)];
  const parts = [part('16.00', `first ${one.reference}`), part('16.00', `second ${two.reference}`)];
  const statement = await sendBatch('33.00', parts);
  assert.deepEqual(await rig.reasonsOf(statement), ['batch_unclear']);
  const [line] = await rig.linesOf(statement);
  assert.deepEqual(line?.references, [one.reference, two.reference]);
  assert.match(String(line?.remittance), /first .*\nsecond /);
  assert.deepEqual([await rig.statusOf(one), await rig.statusOf(two)], ['processing', 'processing']);
  assert.equal((await rig.eventDataOf(one, 'payment.transfer_review')).length, 1);
  const strange = await sendBatch('3.00', [part('1.00', 'a'), part('1.00', 'b')]);
  assert.deepEqual(await rig.reasonsOf(strange), ['batch_unclear']);
});

test('the bank’s text about a whole batch matches none of its transactions', async () => {
  const ordered = await rig.order(18);
  const parts = [part('18.00', 'hello'), part('20.00', 'there')];
  const statement = await sendBatch('38.00', parts, `RECEIVED ${ordered.reference} AND OTHERS`);
  assert.deepEqual(countsOf(statement), counts({ waiting: 2 }));
  const single = await sendBatch('18.00', ['<Amt Ccy="EUR">18.00</Amt>'], `FOR ${ordered.reference}`);
  assert.deepEqual(countsOf(single), counts({ matched: 1 }));
});

/** A database on which transfers cannot be read, so that payments are not updated. */
const withoutTransfers = (db: Database) =>
  interceptStatements(db, (statement) => {
    if (/from bank_transfers where company_id = \$1 and attempt_id = \$2$/.test(statement))
      throw new Error('the connection is lost');
  });

test('of several overpayments before the payment is updated, the first is refunded to its sender, and the others need a review', async () => {
  const ordered = await rig.order(19);
  const from = (amount: string, name: string): StatementEntry => ({ amount, text: ordered.reference, name });
  const { deps } = rig.paylink.app;
  const { companyId } = rig.credentials();
  const lines = [from('12.00', 'Ada'), from('9.00', 'Bob'), from('3.00', 'Cyd'), from('4.00', 'Dan')];
  const file = await spoolUpload(Readable.from([Buffer.from(statementOf(lines))]));
  const statementId = newId('bst', rig.clock.now());
  await importStatement(deps, { companyId, mode: 'test', statementId, file, createdBy: 'test' });
  await file.close();
  await assert.rejects(
    matchBankLines({ ...deps, db: withoutTransfers(deps.db) }, { companyId }),
    AggregateError,
  );
  assert.equal(await rig.statusOf(ordered), 'processing');
  await matchBankLines(deps, { companyId });
  assert.equal(await rig.statusOf(ordered), 'paid');
  assert.deepEqual(await rig.reasonsOf({ id: statementId }), [null, null, 'surplus_again', 'surplus_again']);
  assert.deepEqual(
    (await rig.pendingRefunds(ordered)).map(({ amount, name }) => [amount, name]),
    [[2, 'Bob']],
  );
  const reviews = await rig.eventDataOf(ordered, 'payment.transfer_review');
  assert.deepEqual(reviews.map(({ amount }) => amount).sort(), [3, 4]);
});

test('a reference beyond the searched length is ignored, and the line needs a review', async () => {
  const ordered = await rig.order(20);
  const texts = [
    `${'x '.repeat(10_000)} ${ordered.reference}`,
    `${'x '.repeat(20_000)} ${ordered.reference}`,
  ];
  const statement = await rig.send(...texts.map((text) => ({ amount: '20.00', text })));
  assert.deepEqual(await rig.reasonsOf(statement), [null, 'no_reference']);
});

test('a camt.052 settles nothing until a camt.053 contains the booking', async () => {
  const ordered = await rig.order(31);
  const line: StatementEntry = {
    amount: '31.00',
    text: ordered.reference,
    bankReference: nextBankReference(),
  };
  const report = await rig.sendAs({ kind: '052' }, line);
  assert.deepEqual([report.kind, report.lines], ['camt.052', 1]);
  assert.deepEqual(await rig.reasonsOf(report), ['not_booked']);
  const [shown] = await rig.linesOf(report);
  assert.deepEqual([shown?.references, shown?.amount], [[ordered.reference], '31.00']);
  assert.equal((await rig.resolve(shown?.id, { action: 'match', reference: ordered.reference })).status, 422);
  assert.equal(await rig.statusOf(ordered), 'processing');
  await rig.untilMatched(await rig.sendAs({ kind: '053' }, line));
  assert.equal(await rig.statusOf(ordered), 'paid');
  await rig.sendAs({ kind: '052' }, line);
  assert.deepEqual(await rig.refundsOf(ordered), []);
});

test('an import reports lines without a status each time, and assumes the status of its message type', async () => {
  const ordered = await rig.order(32);
  const lines: StatementEntry[] = [{ amount: '32.00', text: ordered.reference }, { amount: '1.00' }];
  const file = statementOf(lines).replaceAll('<Sts><Cd>BOOK</Cd></Sts>', '');
  const send = async () => (await sendStatement(rig.paylink, rig.credentials(), file)).body;
  const first = await send();
  assert.deepEqual([first.lines, first.statusAssumed, first.isNew], [2, 2, true]);
  await rig.untilMatched(first);
  assert.equal(await rig.statusOf(ordered), 'paid');
  const again = await send();
  assert.deepEqual([again.statusAssumed, again.isNew], [2, false]);
  const usual = await rig.send({ amount: '2.00' });
  assert.equal(usual.statusAssumed, 0);
});

test('a bank account outside the EEA requires a BIC', async () => {
  const credentials = { holder: 'Café Zürich GmbH', iban: 'CH9300762011623852957' };
  const body = { processor: 'bank_transfer', credentials };
  const refused = await rig.post('/v1/processor-connections', body);
  const faults = (refused.body.errors as Json[]).map(({ field, code }) => [field, code]);
  assert.deepEqual([refused.status, faults], [422, [['credentials.bic', 'missing']]]);
  const withBic = { ...body, credentials: { ...credentials, bic: 'POFICHBEXXX' } };
  assert.equal((await rig.post('/v1/processor-connections', withBic)).status, 200);
});
