// An installation with three cells on two PostgreSQL clusters: companies in each, found by everything that names one.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { call, createLinkAs, logIn, post } from '../harness/client.ts';
import { type Merchant, type Paylink, password } from '../harness/paylink.ts';
import { addMember } from '../harness/people.ts';
import { until } from '../harness/process.ts';
import { payWith } from '../harness/visitor.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';

let rig: CellsRig;
let paylink: Paylink;
const merchants = new Map<string, Merchant>();

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'two', eu3: 'two' });
  paylink = await rig.start();
  while (merchants.size < 3) {
    const merchant = await paylink.createMerchant();
    merchants.set((await cellOf(merchant.companyId)) ?? '', merchant);
  }
});

after(async () => {
  await paylink?.stop();
  await rig?.close();
});

const cellOf = async (companyId: string) => (await paylink.app.deps.db.cellOf(companyId)).cell;

test('new companies are placed in all cells, and each works: login, link, payment, feed', async () => {
  assert.deepEqual([...merchants.keys()].sort(), ['eu1', 'eu2', 'eu3']);
  for (const merchant of merchants.values()) {
    const credentials = await logIn(paylink, merchant);
    const { link } = await createLinkAs(paylink, credentials);
    await payWith(link, { number: '4242424242424242' });
    // The feed delays events that an open transaction could still precede.
    await until(async () => {
      const { body } = await call(paylink, credentials, ['GET', '/v1/events']);
      return (body.data as { type: string }[]).some(({ type }) => type === 'payment.paid');
    }, 'the payment in the feed');
  }
});

test('a cell has only rows of its own companies', async () => {
  for (const [name, { companyId }] of merchants) {
    const rows = await (await rig.openRaw(name)).asOwner.query<{ id: string }>(
      'select distinct company_id as id from payments',
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      [companyId],
    );
  }
});

test('an email address has one account in all cells', async () => {
  const [one, two] = [...merchants.values()];
  assert.ok(one && two);
  const credentials = await logIn(paylink, one);
  const member = await addMember(paylink, credentials, ['support']);
  const invited = await call(paylink, await logIn(paylink, two), ['POST', '/v1/members'], {
    email: member.email,
    roles: ['support'],
  });
  const token = String(invited.body.url).split('#')[1];
  const refused = await post(`${paylink.baseUrl}/v1/invitations/accept`, { token, password });
  assert.deepEqual([refused.status, refused.body.code], [409, 'email_taken']);
  const removed = await call(paylink, credentials, ['DELETE', `/v1/members/${member.accountId}`]);
  assert.equal(removed.status, 204);
  const joined = await post(`${paylink.baseUrl}/v1/invitations/accept`, { token, password });
  assert.equal(joined.status, 200, JSON.stringify(joined.body));
  assert.equal((await logIn(paylink, { ...member, companyId: two.companyId })).companyId, two.companyId);
});

test('credentials of one company open nothing of a company in another cell', async () => {
  const [one, two] = [...merchants.values()];
  assert.ok(one && two);
  const [own, other] = [await logIn(paylink, one), await logIn(paylink, two)];
  const { status } = await call(paylink, { ...own, companyId: other.companyId }, ['GET', '/v1/payments']);
  assert.equal(status, 403);
});

test('a database that is a cell answers a process that knows of no cells with an error, and shows it nothing', async () => {
  for (const [name, { companyId }] of merchants) {
    const plain = await rig.openRaw(name);
    await assert.rejects(
      plain.inTenant({ companyId, mode: 'test' }, async (tx) => await tx.query('select 1 from payments')),
      /set DATABASE_URLS instead of DATABASE_URL/,
    );
  }
});

test('for such a process the cell is down for good: its pings fail, and it reports one outage that does not end', async () => {
  const news: string[] = [];
  const options = { databaseUrl: rig.place('eu1').url, dataDir: 'unused', poolSize: 2, log: () => undefined };
  const [plain, cell] = [
    await openDatabase({ ...options, onOutage: ({ kind }) => news.push(kind) }),
    await openDatabase({ ...options, cell: 'eu1' }),
  ];
  await assert.rejects(plain.ping(), /set DATABASE_URLS instead of DATABASE_URL/);
  const scope = { companyId: 'co_aaaaaaaa', mode: 'test' } as const;
  await assert.rejects(plain.inTenant(scope, async (tx) => await tx.query('select 1 from payments')));
  // Longer than the pause between two probes.
  await sleep(1_500);
  assert.deepEqual(news, ['began']);
  await cell.ping();
  await Promise.all([plain.close(), cell.close()]);
});

test('a company that no cell knows is unknown, not an error of the service', async () => {
  const [one] = [...merchants.values()];
  assert.ok(one);
  const own = await logIn(paylink, one);
  const { status } = await call(paylink, { ...own, companyId: 'co_zzzzzzzz' }, ['GET', '/v1/payments']);
  assert.equal(status, 403);
  const wrong = await post(`${paylink.baseUrl}/v1/auth/login`, { email: 'nobody@example.com', password });
  assert.equal(wrong.status, 401);
});
