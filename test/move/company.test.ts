// A company is exported from a server while its service runs, and imported on other databases: the same rows arrive, and
// those of other companies are neither in the file nor touched.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { insertCalls } from '../../src/request-log/store.ts';
import { createLinkAs } from '../harness/client.ts';
import { copyTemplate } from '../harness/database-templates.ts';
import { until } from '../harness/process.ts';
import { sampleCall } from '../harness/request-log.ts';
import {
  exportHere,
  fillShop,
  type Installation,
  importHere,
  readRowsOf,
  removeHere,
  type Shop,
  shopItems,
  startInstallation,
} from './company-rig.ts';
import { createMoveRig, onServer } from './move-rig.ts';

const rig = createMoveRig();
// Nothing is sent there: the services do no due work.
const url = 'http://127.0.0.1:1099/';

let source: Installation;
let target: Installation;
let shop: Shop;
let stays: Shop;
let file: string;
let companyId: string;

const sourceDb = () => source.paylink.app.deps.db;
const targetDb = () => target.paylink.app.deps.db;
const newPath = async () => join(await rig.cleaner.folder(), 'some.company');

before(async () => {
  source = await startInstallation(rig, 'server');
  target = await startInstallation(rig, 'server');
  shop = await fillShop(source, source.paylink.merchant, { url });
  stays = await fillShop(source, await source.paylink.createMerchant({ name: 'Stays' }), { url });
  await fillShop(target, target.paylink.merchant, { url });
  ({ companyId } = shop.merchant);
  await sourceDb().inSystem(async (tx) => await insertCalls(tx, [sampleCall(companyId)]));
  file = await newPath();
  await exportHere(sourceDb(), companyId, file);
});
after(async () => {
  await source?.paylink.stop();
  await target?.paylink.stop();
  await rig.clean();
});

/** Foreign keys of tables of companies for which no index of the referring table begins with their columns. */
const unindexedKeys = `
  select conrelid::regclass || ' ' || conname as key from pg_constraint c
  where contype = 'f' and cardinality(conkey) > 1 and not exists (
    select from pg_index i where i.indrelid = c.conrelid
      and (select array_agg(col order by col) from unnest((i.indkey::int2[])[0:1]) col)
        = (select array_agg(col order by col) from unnest(c.conkey[1:2]) col))
  order by 1`;

/** What must be in no file of another company. */
const marksOf = ({ merchant, open, paid, eventIds }: Shop): string[] => [
  merchant.companyId,
  merchant.accountId,
  merchant.email,
  ...[...open, ...paid],
  ...eventIds,
];

async function findMarks(path: string, other: Shop): Promise<string[]> {
  const text = await readFile(path, 'utf8');
  return marksOf(other).filter((mark) => text.includes(mark));
}

const withoutLeftOut = ({
  sessions: _,
  browser_sessions: __,
  api_requests: ___,
  ...rows
}: Record<string, string[]>) => rows;

/** The rows of a company after an import must be those before its export, and the event that notes it. */
async function requireSameRows(db: Database): Promise<void> {
  const original = withoutLeftOut(await readRowsOf(sourceDb(), companyId));
  const found = await readRowsOf(db, companyId);
  assert.deepEqual([found.sessions, found.browser_sessions], [[], []], 'nobody is signed in');
  assert.deepEqual(found.api_requests, [], 'the calls were made to the other installation');
  const events = found.events ?? [];
  assert.equal(events.filter((row) => row.includes('company.imported')).length, 1);
  const imported = withoutLeftOut({
    ...found,
    events: events.filter((row) => !row.includes('company.imported')),
  });
  assert.deepEqual(imported, original);
  const [payment] = found.payments ?? [];
  for (const { name } of shopItems) assert.ok(payment?.includes(name), `payments keep the item ${name}`);
  for (const name of ['payments', 'mails', 'webhook_deliveries', 'event_seals', 'ledger_entries', 'refunds'])
    assert.ok((original[name]?.length ?? 0) > 0, `${name} has rows`);
}

describe('the file of a company', () => {
  test('has nothing of another company, and all of its own', async () => {
    assert.deepEqual(await findMarks(file, stays), []);
    const other = await newPath();
    await exportHere(sourceDb(), stays.merchant.companyId, other);
    assert.deepEqual(await findMarks(other, stays), marksOf(stays));
  });

  test('has nothing of another company if a policy shows too much', async () => {
    const { DATABASE_URL = '' } = source.settings;
    await onServer(
      DATABASE_URL,
      'create policy planted on payments for select to paylink_tenant using (true)',
    );
    try {
      const path = await newPath();
      const visible = await sourceDb().inBothModes(
        companyId,
        async (tx) => await tx.query('select distinct company_id from payments'),
      );
      assert.equal(visible.length, 2, 'the planted policy shows the other company');
      await exportHere(sourceDb(), companyId, path);
      assert.deepEqual(await findMarks(path, stays), []);
    } finally {
      await onServer(DATABASE_URL, 'drop policy planted on payments');
    }
  });

  test('is not written if a table has no row-level security', async () => {
    const { DATABASE_URL = '' } = source.settings;
    await onServer(DATABASE_URL, 'alter table payments disable row level security');
    try {
      const path = await newPath();
      await assert.rejects(exportHere(sourceDb(), companyId, path), {
        name: 'OperatorError',
        message:
          /^Row-level security does not protect the tables payments, so the rows of other companies might/,
      });
      assert.equal(existsSync(path), false);
    } finally {
      await onServer(DATABASE_URL, 'alter table payments enable row level security');
    }
  });

  test('can be read by its owner alone, and leaves no unfinished file', async () => {
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal(existsSync(`${file}.unfinished`), false);
  });
});

describe('the import', () => {
  test('as a rehearsal leaves nothing', async () => {
    const { rows } = await importHere(targetDb(), file, { isRehearsal: true });
    assert.ok(rows > 50);
    assert.deepEqual(Object.values(await readRowsOf(targetDb(), companyId)).flat(), []);
  });

  test('on another server brings the same rows, and leaves those of other companies alone', async () => {
    const resident = target.paylink.merchant.companyId;
    const before = await readRowsOf(targetDb(), resident);
    await importHere(targetDb(), file);
    await requireSameRows(targetDb());
    assert.deepEqual(await readRowsOf(targetDb(), resident), before);
  });

  test('on an embedded database brings the same rows', async () => {
    const dataDir = await copyTemplate(await rig.cleaner.folder());
    const db = await openDatabase({ dataDir, log: () => undefined });
    try {
      await importHere(db, file);
      await requireSameRows(db);
    } finally {
      await db.close();
    }
  });
});

describe('the removal', () => {
  test('is refused for a company that has changed since its export', async () => {
    const { companyId: other } = stays.merchant;
    const path = await newPath();
    await exportHere(sourceDb(), other, path);
    await createLinkAs(source.paylink, stays.credentials, { customerOrderId: 'later' });
    const before = await readRowsOf(sourceDb(), other);
    await assert.rejects(removeHere(sourceDb(), other, path), {
      name: 'OperatorError',
      message: /^The company has changed since the export \(\w+\), so nothing was removed: export it again/,
    });
    assert.deepEqual(await readRowsOf(sourceDb(), other), before);
  });

  test('is refused while somebody changes the company', async () => {
    const { DATABASE_URL = '' } = source.settings;
    const path = await newPath();
    await exportHere(sourceDb(), companyId, path);
    let removal: Promise<unknown> = Promise.resolve();
    await sourceDb().inBothModes(companyId, async (tx) => {
      await tx.query('update companies set name = name where company_id = $1', [companyId]);
      removal = assert.rejects(removeInProcessOf(DATABASE_URL, path), /has changed since the export/);
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await until(async () => (await onServer(DATABASE_URL, waiting)).length > 0, 'the removal to wait');
    });
    await removal;
    assert.equal((await readRowsOf(sourceDb(), companyId)).payments?.length, 4);
  });

  test('removes every row of the company, and none of another one', async () => {
    const { companyId: other } = stays.merchant;
    const before = await readRowsOf(sourceDb(), other);
    assert.equal((await readRowsOf(sourceDb(), companyId)).api_requests?.length, 1);
    await removeHere(sourceDb(), companyId, file);
    assert.deepEqual(Object.values(await readRowsOf(sourceDb(), companyId)).flat(), []);
    assert.deepEqual(await readRowsOf(sourceDb(), other), before);
  });
});

/** On connections of its own, as the command has them. */
async function removeInProcessOf(databaseUrl: string, path: string): Promise<void> {
  const db = await openDatabase({ databaseUrl, dataDir: 'unused', log: () => undefined });
  try {
    await removeHere(db, companyId, path);
  } finally {
    await db.close();
  }
}

test('the removal of many payments takes linear time: foreign keys to them have an index', async () => {
  const rows = await targetDb().asOwner.query<{ key: string }>(unindexedKeys);
  assert.deepEqual(
    rows.map(({ key }) => key),
    // A company has few connections, accounts and cases.
    [
      'attempts attempts_company_id_connection_id_mode_fkey',
      'invitations invitations_company_id_account_id_fkey',
      'invitations invitations_company_id_invited_by_fkey',
      'processor_cases processor_cases_company_id_attempt_id_mode_fkey',
    ],
  );
});
