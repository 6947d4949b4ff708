// `paylink bank` as a process: importing a file, listing what needs a person, and resolving it.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connectBank, orderTransfer, statementOf } from './harness/bank.ts';
import { createHome, type Home } from './harness/cli.ts';
import { type Credentials, call, type Json, logIn } from './harness/client.ts';
import { type Paylink, password, startPaylink } from './harness/paylink.ts';

let paylink: Paylink;
let home: Home;
let credentials: Credentials;
before(async () => {
  [paylink, home] = await Promise.all([startPaylink('server'), createHome()]);
  credentials = await logIn(paylink);
  await connectBank(paylink, credentials);
  const login = ['login', '--url', paylink.baseUrl, '--email', paylink.merchant.email];
  assert.equal((await home.feed(`${password}\n`, {}, ...login)).code, 0);
});
after(async () => {
  await home.remove();
  await paylink.stop();
});

const run = async (...args: string[]) => await home.run({}, ...args);
const runJson = async (...args: string[]) => {
  const { code, out, err } = await run(...args, '--json');
  assert.deepEqual([code, err], [0, '']);
  return JSON.parse(out) as Json;
};

test('a statement is imported from a file, and the lines to review are listed and resolved', async () => {
  const paid = await orderTransfer(paylink, credentials, { amount: 31, customerOrderId: 'order-31' });
  const open = await orderTransfer(paylink, credentials, { amount: 32, customerOrderId: 'order-32' });
  const file = join(home.folder, 'statement.xml');
  const lines = [
    { amount: '31.00', text: paid.reference },
    { amount: '32.00', text: 'my order', name: 'LOVELACE, ADA' },
    { amount: '0.50', text: 'interest', name: 'The Bank' },
  ];
  writeFileSync(file, statementOf(lines));

  const shown = await run('bank', 'import', file);
  assert.deepEqual([shown.code, shown.err], [0, '']);
  assert.match(shown.out, /Lines +3\n/);
  assert.match(shown.out, /Matched +1\n/);
  assert.match(shown.out, /To review +2\n/);
  assert.ok(shown.out.includes(`${open.reference} (order-32)`), shown.out);

  const again = await runJson('bank', 'import', file);
  assert.deepEqual([again.isNew, again.matched, again.waiting], [false, 1, 2]);
  const [interest, order] = again.review as Json[];
  const matched = await run('bank', 'resolve', String(order?.id), '--match', open.reference);
  assert.deepEqual([matched.code, matched.out], [0, `${order?.id} is matched.\n`]);
  const dismissed = ['bank', 'resolve', String(interest?.id), '--dismiss', '--note', 'interest'];
  assert.equal((await runJson(...dismissed)).status, 'resolved');
  const { body } = await call(paylink, credentials, ['GET', `/v1/payments/${open.code}`]);
  assert.equal(body.status, 'paid');

  await call(paylink, credentials, ['POST', `/v1/payments/${open.code}/refunds`], { amount: 3 });
  const waiting = await runJson('bank', 'list');
  const [refund] = waiting.refunds as Json[];
  assert.deepEqual([(waiting.lines as Json[]).length, refund?.amount, refund?.name], [0, 3, 'LOVELACE, ADA']);
  const sent = await run('bank', 'resolve', String(refund?.refundId), '--sent', '--note', 'by hand');
  assert.deepEqual([sent.code, sent.out], [0, `${refund?.refundId} is sent.\n`]);
  const empty = await run('bank', 'list');
  assert.match(empty.out, /No lines to review\.\n\nNo refunds to send\./);
});

test('a missing file, an invalid statement and conflicting options are rejected', async () => {
  const nowhere = await run('bank', 'import', join(home.folder, 'nowhere.xml'));
  assert.deepEqual([nowhere.code, nowhere.out], [2, '']);
  assert.match(nowhere.err, /nowhere\.xml could not be read/);
  const file = join(home.folder, 'letter.txt');
  writeFileSync(file, 'Dear bank,');
  const letter = await run('bank', 'import', file);
  assert.deepEqual([letter.code, letter.out], [4, '']);
  assert.match(letter.err, /Rejected: .*statement_refused/);
  const unclear = await run('bank', 'resolve', 'bln_x', '--dismiss', '--sent');
  assert.equal(unclear.code, 2);
  assert.equal((await run('bank', 'resolve', 'bln_x', '--dismiss')).code, 2);
});
