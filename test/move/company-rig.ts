// Installations with two companies, of which one moves to another installation, and what each of them holds.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { type Keyring, openKeyring } from '../../src/base/keyring.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/engine.ts';
import { migrate, migrationsDir } from '../../src/db/migrate.ts';
import { type CompanyFileHeader, writeCompanyFile } from '../../src/move/company-file.ts';
import { exportCompany } from '../../src/move/export-company.ts';
import { type ImportSummary, importCompany } from '../../src/move/import-company.ts';
import { removeCompany } from '../../src/move/remove-company.ts';
import { listMovedTables, tablesOfCompanies } from '../../src/move/tables.ts';
import type { Settings } from '../harness/cli.ts';
import { type Credentials, call, createLinkAs, logIn } from '../harness/client.ts';
import { sealAllOf } from '../harness/database-fixture.ts';
import { copyTemplate } from '../harness/database-templates.ts';
import { type Merchant, type Paylink, startPaylink } from '../harness/paylink.ts';
import { payWith } from '../harness/visitor.ts';
import { createTestEndpoint, loopbackSettings } from '../harness/webhook-endpoints.ts';
import { follow, type MoveRig, masterKey } from './move-rig.ts';

export const keyringOf = async (key = masterKey, other: string | null = null): Promise<Keyring> =>
  await openKeyring(Buffer.from(key, 'base64'), other === null ? null : Buffer.from(other, 'base64'));

export type Installation = {
  paylink: Paylink;
  /** For commands on its database. */
  settings: Settings;
  open(): Promise<Database>;
};

/** On a server, its user has no further rights, so row-level security binds it. */
export async function startInstallation(
  rig: MoveRig,
  engine: 'embedded' | 'server',
  { isAtWork = false, settings = {} }: { isAtWork?: boolean; settings?: Record<string, string> } = {},
): Promise<Installation> {
  const dataDir = await rig.cleaner.folder();
  const place: Record<string, string> = { DATA_DIR: dataDir };
  if (engine === 'server') place.DATABASE_URL = (await rig.target()).url;
  else await copyTemplate(dataDir);
  const paylink = await startPaylink(engine, {
    // A call that is recorded late would change the rows between two readings.
    settings: { ...place, ...loopbackSettings, REQUEST_LOG_DAYS: '0', ...settings },
    isAtWork,
    isSearched: false,
  });
  const open = async () =>
    await openDatabase({
      dataDir,
      log: () => undefined,
      ...(place.DATABASE_URL ? { databaseUrl: place.DATABASE_URL } : {}),
    });
  return { paylink, settings: { ...place, PAYLINK_MASTER_KEY: masterKey }, open };
}

/** A database with all tables and no company, on a server whose user row-level security binds. */
export async function emptyDatabase(
  rig: MoveRig,
): Promise<{ db: Database; url: string; adminUrl: string; user: string }> {
  const target = await rig.target();
  const db = await openDatabase({ databaseUrl: target.url, dataDir: 'unused', log: () => undefined });
  rig.cleaner.add(async () => await db.close());
  await migrate(db, { dir: migrationsDir, log: () => undefined });
  return { db, ...target };
}

export type Shop = {
  merchant: Merchant;
  credentials: Credentials;
  paid: string[];
  open: string[];
  eventIds: string[];
  cursor: string;
};

/** The items of each payment of a shop. */
export const shopItems = [
  { name: 'Chair', quantity: 2, unitAmount: 12.5, taxRate: 19 },
  { name: 'Discount', quantity: 1, unitAmount: -5.01, taxRate: 7.7 },
];

/** Payments of every kind, a webhook endpoint, and due webhooks and emails. Some events are sealed. */
export async function fillShop(
  { paylink }: Pick<Installation, 'paylink'>,
  merchant: Merchant,
  { url, payments = 4, paid = 2 }: { url: string; payments?: number; paid?: number },
): Promise<Shop> {
  const credentials = await logIn(paylink, merchant);
  await createTestEndpoint(paylink, credentials, { url });
  const made: { link: string; code: string }[] = [];
  for (let index = 0; index < payments; index++)
    made.push(
      await createLinkAs(paylink, credentials, { customerOrderId: `order-${index}`, items: shopItems }),
    );
  for (const { link } of made.slice(0, paid)) await payWith(link, { number: '4242 4242 4242 4242' });
  await sealAllOf(paylink.app.deps.db, merchant.companyId);
  const path = `/v1/payments/${made[0]?.code}/refunds`;
  const refunded = await call(paylink, credentials, ['POST', path], { amount: 5 });
  assert.equal(refunded.status, 200, JSON.stringify(refunded.body));
  const { ids, cursor } = await follow(paylink, credentials, null);
  const codes = made.map(({ code }) => code);
  return {
    merchant,
    credentials,
    paid: codes.slice(0, paid),
    open: codes.slice(paid),
    eventIds: ids,
    cursor,
  };
}

/** All rows of a company, by table. */
export async function readRowsOf(db: Database, companyId: string): Promise<Record<string, string[]>> {
  const read = async (tx: Sql) => {
    const rows: Record<string, string[]> = {};
    for (const { name, sqlName } of tablesOfCompanies(await listMovedTables(tx))) {
      // safe: the name comes from the catalogue, quoted by format().
      const found = await tx.query(`select r::text as line from ${sqlName} r where company_id = $1`, [
        companyId,
      ]);
      rows[name] = found.map(({ line }) => String(line)).sort();
    }
    return rows;
  };
  return await db.inBothModes(companyId, read, { isSnapshot: true });
}

export const exportHere = async (db: Database, companyId: string, path: string, keyring?: Keyring) =>
  await exportCompany(
    { db, keyring: keyring ?? (await keyringOf()), clock: systemClock, version: '0.0.0' },
    { companyId, path },
  );

export async function importHere(
  db: Database,
  path: string,
  options: { keyring?: Keyring; isRehearsal?: boolean; onStep?: (step: string) => void } = {},
): Promise<ImportSummary> {
  const { keyring = await keyringOf(), isRehearsal = false, onStep = () => undefined } = options;
  return await importCompany(
    { db, keyring, clock: systemClock, version: '0.0.0', onStep },
    { path, isRehearsal },
  );
}

export const removeHere = async (db: Database, companyId: string, path: string) =>
  await removeCompany({ db, keyring: await keyringOf(), version: '0.0.0' }, { companyId, path });

export type FileParts = { header: CompanyFileHeader; rows: [table: string, line: string][] };

/** Writes the parts of a file to another one, as somebody can who has the master key. */
export async function forge(
  rig: MoveRig,
  path: string,
  change: (parts: FileParts) => FileParts,
  keyring?: Keyring,
): Promise<string> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(0, -1);
  const [first = '', ...rest] = lines;
  const { paylinkCompany: _, ...header } = JSON.parse(first);
  const parts = change({ header, rows: rest.map((line) => JSON.parse(line)) });
  const forged = join(await rig.cleaner.folder(), 'forged.company');
  const { header: changed, rows } = parts;
  await writeCompanyFile(
    { path: forged, keyring: keyring ?? (await keyringOf()), header: changed },
    async (write) => {
      for (const [table, line] of rows) await write(table, [line]);
    },
  );
  return forged;
}
