// Temporary databases on both engines, and child processes to compete with or to kill.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import './check-rows.ts';

export type OpenOptions = Parameters<typeof openDatabase>[0];
export type EngineKind = 'embedded' | 'server';

export const serverUrl = process.env.TEST_DATABASE_URL;

export const engineKinds: EngineKind[] = serverUrl ? ['embedded', 'server'] : ['embedded'];

export const rolesFile = fileURLToPath(new URL('../../migrations/0000_roles.sql', import.meta.url));

/** A table for companies, a system table, and a table that neither role can read. */
export const notesMigration = `
  create table notes (
    company_id text not null,
    note_id integer not null,
    body text,
    primary key (company_id, note_id)
  );
  alter table notes enable row level security;
  alter table notes force row level security;
  create policy tenant on notes to paylink_tenant
    using (company_id = current_company()) with check (company_id = current_company());
  grant select, insert, update, delete on notes to paylink_tenant;
  create table settings (name text primary key, value text);
  grant select, insert on settings to paylink_system;
  create table queue (job integer primary key);
`;

/** A temporary folder, and a `clean` function that deletes it and everything else registered. */
export function createCleaner() {
  const chores: (() => unknown)[] = [];
  return {
    add: (chore: () => unknown) => void chores.push(chore),
    folder: async () => {
      const path = await mkdtemp(join(tmpdir(), 'paylink-db-test-'));
      chores.push(() => rm(path, { recursive: true, force: true }));
      return path;
    },
    /** Runs all registered functions, last first. Then fails if any of them did. */
    clean: async () => {
      const failures: unknown[] = [];
      for (const chore of chores.splice(0).reverse()) {
        await Promise.resolve()
          .then(chore)
          .catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, failures.join('; '));
    },
  };
}
export type Cleaner = ReturnType<typeof createCleaner>;

/** A folder with these migrations. `0000_roles.sql` is the real one. */
export async function writeMigrations(cleaner: Cleaner, files: Record<string, string>): Promise<string> {
  const dir = await cleaner.folder();
  await writeFile(join(dir, '0000_roles.sql'), await readFile(rolesFile, 'utf8'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text);
  return dir;
}

/** The run's folder of templates that tests copy. Without `npm test`, a folder of this process. */
function templatesFolder(): string {
  const provided = process.env.TEST_TEMPLATES;
  if (provided) return provided;
  const own = mkdtempSync(join(tmpdir(), 'paylink-templates-'));
  process.once('exit', () => rmSync(own, { recursive: true, force: true }));
  process.env.TEST_TEMPLATES = own;
  return own;
}

/** The shared folder of the run, created by the first process that needs it. A duplicate is discarded. */
export async function makeOnce(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(templatesFolder(), name);
  if (existsSync(folder)) return folder;
  const own = await mkdtemp(`${folder}-`);
  await make(own);
  await rename(own, folder).catch(async (error) => {
    if (!existsSync(folder)) throw error;
    await rm(own, { recursive: true, force: true });
  });
  return folder;
}

/** Copies one empty embedded database: creating one takes seconds, copying does not. */
export function createTemplate(cleaner: Cleaner) {
  const make = async (dataDir: string) =>
    await (await openDatabase({ dataDir, log: () => undefined })).close();
  return {
    copy: async () => {
      const template = await makeOnce('empty', make);
      const dataDir = await cleaner.folder();
      await cp(join(template, 'pg'), join(dataDir, 'pg'), { recursive: true });
      return dataDir;
    },
  };
}
export type Template = ReturnType<typeof createTemplate>;

/** Options that open a new empty database on an engine. */
export async function createEmpty(
  kind: EngineKind,
  cleaner: Cleaner,
  template: Template,
): Promise<OpenOptions> {
  const log = () => undefined;
  if (kind === 'embedded') return { dataDir: await template.copy(), log };
  assert.ok(serverUrl);
  const name = `paylink_db_test_${randomBytes(6).toString('hex')}`;
  await runOnServer(`create database ${name}`);
  cleaner.add(() => runOnServer(`drop database ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { databaseUrl: url.href, dataDir: 'unused', log };
}

/** Empties a database except for the roles. Faster than creating one. */
export async function emptySchema(db: Database): Promise<void> {
  await db.asOwner.query(
    'drop schema public cascade; create schema public; grant usage on schema public to public',
  );
}

/** Runs a statement as the superuser of the disposable cluster, in `database` or the one of its URL. */
export async function runOnServer(text: string, databaseUrl = serverUrl): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Returns a function that declares a test per engine. Tests of a file share a database with `notesMigration`. */
export function createTestEach(cleaner: Cleaner) {
  const databases = new Map<EngineKind, Database>();
  before(async () => {
    const template = createTemplate(cleaner);
    const dir = await writeMigrations(cleaner, { '0001_rooms.sql': notesMigration });
    for (const kind of engineKinds) {
      const db = await openDatabase(await createEmpty(kind, cleaner, template));
      cleaner.add(() => db.close());
      await migrate(db, { dir, log: () => undefined });
      databases.set(kind, db);
    }
  });
  return (title: string, run: (db: Database) => Promise<void>) => {
    for (const kind of engineKinds) {
      test(`${kind}: ${title}`, async () => {
        const db = databases.get(kind);
        assert.ok(db);
        await run(db);
        // After every test the database must still work, as the connecting role and outside a transaction.
        const rows = await db.asOwner.query(
          `select current_user = session_user as is_owner, current_setting('role') as role,
                  pg_current_xact_id_if_assigned() as xid`,
        );
        assert.deepEqual(rows, [{ is_owner: true, role: 'none', xid: null }]);
      });
    }
  };
}

let companies = 0;

/** A company that no other test of the file uses. */
export const newCompany = () => `co_company${++companies}`;

/** Whether an error comes from the database, with this SQLSTATE. */
export const sqlState = (code: string) => (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === code;

export async function insertNote(db: Database, companyId: string, noteId: number, body = 'text') {
  await db.inCompany(companyId, (tx) =>
    tx.query('insert into notes values ($1, $2, $3)', [companyId, noteId, body]),
  );
}

export async function countNotes(db: Database, companyId: string): Promise<number> {
  const rows = await db.inCompany(companyId, (tx) =>
    tx.query<{ n: number }>('select count(*) as n from notes'),
  );
  return rows[0]?.n ?? 0;
}

export type Child = {
  process: ChildProcess;
  /** All that the child has printed so far. */
  output(): string;
  /** Resolves when the child has printed the text. If it ends before, throws its output. */
  printed(text: string): Promise<void>;
  ended: Promise<number | string | null>;
};

/** Runs database-child.ts in its own process. The cleaner kills it at the latest. */
export function startChild(cleaner: Cleaner, ...args: string[]): Child {
  const file = fileURLToPath(new URL('database-child.ts', import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      notifyListeners();
    });
  }
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => {
      hasEnded = true;
      notifyListeners();
      resolve(code ?? signal);
    });
  });
  cleaner.add(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const printed = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!output.includes(text) && !hasEnded) return;
        listeners.delete(check);
        if (output.includes(text)) resolve();
        else reject(new Error(`the child ended early and printed: ${output}`));
      };
      listeners.add(check);
      check();
    });
  return { process: child, output: () => output, printed, ended };
}
