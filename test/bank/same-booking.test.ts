// One booking that two files contain differently: it counts once, or needs a review, and nothing is refunded.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { nextBankReference, type StatementEntry, sendStatement, statementOf } from '../harness/bank.ts';
import { counts, countsOf, openRig, type Rig } from './merchant-rig.ts';

let rig: Rig;
before(async () => {
  rig = await openRig('server');
});
after(async () => await rig.stop());
afterEach(async () => await rig.checkBooks());

test('trailing zeros do not make another amount', async () => {
  const ordered = await rig.order(10);
  const line: StatementEntry = { amount: '10', text: ordered.reference, bankReference: nextBankReference() };
  await rig.sendAs({ kind: '054' }, line);
  for (const amount of ['10.0', '10.00'])
    assert.deepEqual(countsOf(await rig.send({ ...line, amount })), counts({ duplicates: 1 }), amount);
  assert.deepEqual(await rig.refundsOf(ordered), []);
  const yen: StatementEntry = { amount: '500.00', currency: 'JPY', bankReference: nextBankReference() };
  await rig.send(yen);
  assert.deepEqual(countsOf(await rig.send({ ...yen, amount: '500' })), counts({ duplicates: 1 }));
  assert.deepEqual(
    countsOf(await rig.send({ ...yen, amount: '5' }, { ...yen, amount: '50' })),
    counts({ ignored: 2 }),
  );
});

test('a line matched by a person is not credited again when another file contains its reference', async () => {
  for (const bankReference of ['the same', 'another']) {
    const ordered = await rig.order(11);
    const line: StatementEntry = { amount: '11.00', bankReference: nextBankReference() };
    const [silent] = await rig.linesOf(await rig.send(line));
    await rig.resolve(silent?.id, { action: 'match', reference: ordered.reference });
    assert.equal(await rig.statusOf(ordered), 'paid');
    const repeated = { ...line, text: ordered.reference };
    if (bankReference === 'another') repeated.bankReference = nextBankReference();
    const again = await rig.sendAs({ kind: '054' }, repeated);
    assert.deepEqual(await rig.reasonsOf(again), ['maybe_duplicate'], bankReference);
    assert.deepEqual(await rig.refundsOf(ordered), []);
  }
});

test('a sender’s account that only one file contains does not make another booking', async () => {
  const ordered = await rig.order(12);
  const line: StatementEntry = { amount: '12.00', text: ordered.reference, bankReference: null };
  await rig.send(line);
  const silent = statementOf([line], { kind: '054' }).replace(/<DbtrAcct>.*?<\/DbtrAcct>/, '');
  const again = await sendStatement(rig.paylink, rig.credentials(), silent);
  assert.deepEqual(await rig.reasonsOf(again.body), ['maybe_duplicate']);
  assert.deepEqual(await rig.refundsOf(ordered), []);
});
