// Email addresses are unique in all cells: claims at the same moment, claims that a crash left, and a directory that was
// restored from an older backup.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { addCell } from '../../src/cell-admin/add-cell.ts';
import { verifyCells } from '../../src/cell-moves/verify-cells.ts';
import { deleteLogin } from '../../src/companies/account-store.ts';
import {
  claimEmails,
  EmailTaken,
  findLoginOf,
  renewClaims,
  withClaimedEmail,
} from '../../src/companies/logins.ts';
import { createCompany } from '../../src/create-company.ts';
import type { Database } from '../../src/db/database.ts';
import { CompanyUnavailableError } from '../../src/db/outage.ts';
import { openPasswordPool } from '../../src/passwords/password-pool.ts';
import { cheapPasswordCost, password } from '../harness/paylink.ts';
import { type CellsRig, openCellsRig } from './cells-rig.ts';

let rig: CellsRig;
let db: Database;
const passwords = openPasswordPool(undefined, cheapPasswordCost);

before(async () => {
  rig = await openCellsRig({ eu1: 'one', eu2: 'one' });
  db = await rig.openInstallation();
});

after(async () => {
  await passwords.close();
  await rig?.close();
});

/** As `paylink admin cells add` for a cell that exists. Returns the addresses that it could not correct. */
async function addAgain(name: 'eu1' | 'eu2'): Promise<string[]> {
  const [directory, database] = [await rig.openRaw('eu1'), await rig.openRaw(name)];
  const deps = {
    ...{ directory, directoryCell: 'eu1', openCell: rig.openRaw },
    prepare: async () => undefined,
  };
  const cell = { name, weight: null, database: name === 'eu1' ? directory : database };
  return (await addCell(deps, cell)).conflicts;
}

async function createIn(cell: 'eu1' | 'eu2', email: string) {
  await db.asOwner.query('update cells set weight = case name when $1 then 100 else 0 end', [cell]);
  const account = await create(email);
  await db.asOwner.query('update cells set weight = 100');
  return account;
}

const create = async (email: string) =>
  await createCompany(
    { db, clock: systemClock, passwords },
    { name: 'Shop', country: 'DE', email, password },
  );

/** A claim whose process died: nothing of the company exists. */
async function leaveClaim(email: string, minutesAgo: number): Promise<void> {
  await db.asOwner.query(
    `insert into directory_logins (email, company, account_id, claimed_at)
     values ($1, 'co_00000001', 'acc_lost', statement_timestamp() - $2::int * interval '1 minute')`,
    [email, minutesAgo],
  );
}

test('of twenty companies that are created with one address at the same moment, one gets it', async () => {
  const tries = await Promise.allSettled(
    Array.from({ length: 20 }, async () => await create('race@example.com')),
  );
  const made = tries.filter(({ status }) => status === 'fulfilled');
  assert.equal(made.length, 1);
  for (const each of tries) if (each.status === 'rejected') assert.ok(each.reason instanceof EmailTaken);
  const logins = await Promise.all(
    ['eu1', 'eu2'].map(async (name) => await (await rig.openRaw(name)).asOwner.query('select from logins')),
  );
  assert.equal(logins.flat().length, 1, 'the others left no login in a cell');
});

test('a claim that a crash left gives way after ten minutes, and not before', async () => {
  await leaveClaim('young@example.com', 9);
  await assert.rejects(create('young@example.com'), EmailTaken);
  await leaveClaim('old@example.com', 11);
  const { companyId, accountId } = await create('old@example.com');
  assert.deepEqual(await findLoginOf(db, 'old@example.com'), { companyId, accountId, isOld: false });
});

test('an import claims again what an interrupted one claimed, and learns which addresses it lost', async () => {
  const companyId = 'co_00000001';
  const logins = ['ours', 'lost'].map((name) => ({
    ...{ email: `${name}@example.com`, companyId },
    accountId: 'acc_new',
  }));
  await leaveClaim('ours@example.com', 9);
  assert.deepEqual(await claimEmails(db, { companyId, logins }), []);
  const [claimed] = await db.asOwner.query(
    `select account_id, claimed_at > statement_timestamp() - interval '1 minute' as is_new from directory_logins
     where email = 'ours@example.com'`,
  );
  assert.deepEqual(claimed, { account_id: 'acc_new', is_new: true });
  await db.asOwner.query(
    "update directory_logins set claimed_at = claimed_at - interval '11 minutes' where company = $1",
    [companyId],
  );
  await create('lost@example.com');
  assert.deepEqual(await renewClaims(db, { companyId, logins }), ['lost@example.com']);
  await assert.rejects(create('ours@example.com'), EmailTaken);
});

test('an address with a login never gives way, however old its claim is', async () => {
  const own = await create('kept@example.com');
  await db.asOwner.query(
    "update directory_logins set claimed_at = claimed_at - interval '1 year' where email = 'kept@example.com'",
  );
  await assert.rejects(create('kept@example.com'), EmailTaken);
  assert.equal((await findLoginOf(db, 'kept@example.com'))?.companyId, own.companyId);
});

test('work that surely wrote nothing frees the address, and work whose commit got no answer does not', async () => {
  const login = { email: 'free@example.com', companyId: 'co_00000002', accountId: 'acc_none' };
  const fail = async (error: Error) =>
    await assert.rejects(
      withClaimedEmail(db, login, async () => {
        throw error;
      }),
      error,
    );
  await fail(new EmailTaken('taken in its cell'));
  assert.equal(await findLoginOf(db, login.email), null);
  await fail(new Error('Connection terminated unexpectedly'));
  assert.equal((await findLoginOf(db, login.email))?.accountId, login.accountId);
});

test('a process whose clock stood still writes nothing with an old claim', async () => {
  const claimedAgo = async (age: string) =>
    await db.asOwner.query(
      `alter table directory_logins alter claimed_at set default statement_timestamp() - interval '${age}'`,
    );
  await claimedAgo('6 minutes');
  try {
    await assert.rejects(create('paused@example.com'), CompanyUnavailableError);
  } finally {
    await claimedAgo('0');
  }
  await create('paused@example.com');
});

test('a company for which no cell was up leaves its address free', async () => {
  await db.asOwner.query('update cells set weight = 0');
  await assert.rejects(create('later@example.com'), CompanyUnavailableError);
  await db.asOwner.query('update cells set weight = 100');
  await create('later@example.com');
});

test('cells verify finds addresses that a directory from an older backup gives to former owners, and cells add corrects them', async () => {
  const x = await createIn('eu1', 'x@example.com');
  const y = await createIn('eu2', 'moved@example.com');
  const z = await createIn('eu2', 'new@example.com');
  await createIn('eu2', 'account@example.com');
  await db.asOwner.query(
    `update directory_logins set claimed_at = claimed_at - interval '1 day',
       company = case email when 'moved@example.com' then $1 else company end,
       account_id = case email when 'account@example.com' then 'acc_before' else account_id end`,
    [x.companyId],
  );
  await db.asOwner.query("delete from directory_logins where email = 'new@example.com'");
  await leaveClaim('harmless@example.com', 60);
  assert.deepEqual((await verifyCells(db, null)).findings, [
    {
      companyId: null,
      sentence:
        'The directory lacks addresses of accounts in eu2, or gives them to other accounts: 3, such as account@example.com. ' +
        'Correct them: paylink admin cells add eu2',
    },
  ]);
  assert.match((await verifyCells(db, y.companyId)).findings[0]?.sentence ?? '', /: 1, such as moved@/);
  assert.deepEqual((await verifyCells(db, x.companyId)).findings, []);
  for (const name of ['eu1', 'eu2'] as const) assert.deepEqual(await addAgain(name), []);
  assert.deepEqual((await verifyCells(db, null)).findings, []);
  for (const [email, { companyId, accountId }] of [
    ['moved@example.com', y],
    ['new@example.com', z],
    ['x@example.com', x],
  ] as const) {
    assert.deepEqual(await findLoginOf(db, email), {
      companyId,
      accountId,
      isOld: email === 'x@example.com',
    });
    await assert.rejects(create(email), EmailTaken);
  }
});

test('cells add leaves an address to the account that the directory names if that has it as well, and says so', async () => {
  const first = await createIn('eu1', 'twice@example.com');
  await db.asOwner.query("delete from directory_logins where email = 'twice@example.com'");
  const second = await createIn('eu2', 'twice@example.com');
  assert.deepEqual(await addAgain('eu1'), ['twice@example.com'], 'and while the claim is new');
  await db.asOwner.query("update directory_logins set claimed_at = claimed_at - interval '1 day'");
  assert.deepEqual(await addAgain('eu1'), ['twice@example.com']);
  assert.equal((await findLoginOf(db, 'twice@example.com'))?.companyId, second.companyId);
  assert.match((await verifyCells(db, null)).findings[0]?.sentence ?? '', /in eu1, .*: 1, such as twice@/);
  await db.inCompany(second.companyId, async (tx) => await deleteLogin(tx, second.accountId));
  assert.deepEqual(await addAgain('eu1'), []);
  assert.equal((await findLoginOf(db, 'twice@example.com'))?.companyId, first.companyId);
  assert.deepEqual((await verifyCells(db, null)).findings, []);
});
