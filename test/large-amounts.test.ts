// Sums beyond the precision of a double and of bigint, written directly into the tables: balances and the overview
// return the nearest number.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyAllLedgers } from '../src/verify-companies.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let owner: Credentials;
before(async () => {
  paylink = await startPaylink('server', { isAtWork: false });
  owner = await logIn(paylink);
  const { link } = await createLinkAs(paylink, owner);
  await payWith(link, { number: '4242424242424242' });
});
after(async () => await paylink.stop());

const plant = async (text: string) => await paylink.app.deps.db.asOwner.query(text, [owner.companyId]);
const read = async (path: string) => {
  const { status, body } = await call(paylink, owner, ['GET', path]);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const processorBalance = async () =>
  ((await read('/v1/balances')).data as Json[]).find(({ account }) => account === 'processor')?.balance;

test('a balance above 15 digits is the nearest number, and never an error', async () => {
  for (const [minor, shown] of [
    ['999999999999999', 9_999_999_999_999.99],
    ['9007199254740993', Number('90071992547409.93')],
    ['9223372036854775807', Number('92233720368547758.07')],
  ] as const) {
    await plant(`update ledger_totals set amount_minor = ${minor} where company_id = $1`);
    assert.equal(await processorBalance(), shown);
    const { findings } = await verifyAllLedgers(paylink.app.deps.db);
    assert.deepEqual(
      findings.map(({ fault }) => [fault.fault, String(fault.postedMinor)]),
      [['total differs', minor]],
    );
  }
  await plant(
    `insert into ledger_totals (company_id, mode, debit_account, credit_account, currency, shard, amount_minor)
     select company_id, mode, debit_account, credit_account, currency, shard + 1, amount_minor from ledger_totals where company_id = $1`,
  );
  assert.equal(await processorBalance(), Number('184467440737095516.14'), 'the sum of two is beyond bigint');
});

test('an overview of sums beyond the safe integers works, for paid and created', async () => {
  await plant(`update ledger_entries set amount_minor = 9223372036854775807 where company_id = $1`);
  await plant(`update payments set amount_minor = 9007199254740991 where company_id = $1`);
  const { link } = await createLinkAs(paylink, owner);
  assert.ok(link);
  const { currencies } = (await read('/v1/overview?days=7')) as { currencies: Record<string, Json>[] };
  assert.equal(currencies[0]?.paid?.amount, Number('92233720368547758.07'));
  assert.ok(Number(currencies[0]?.created?.amount) >= 90_071_992_547_409.91);
});
