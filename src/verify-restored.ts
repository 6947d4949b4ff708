// Verifies a database that was restored from a backup, before anybody relies on it: structure, rows, master key, ledgers and
// chains. Must not: send anything, call a processor, or start work that is due.

import { openKeyring } from './base/keyring.ts';
import { OperatorError } from './base/operator-error.ts';
import { countCompanies, listCells } from './cells/directory-store.ts';
import { findThisCell } from './cells/home-store.ts';
import { directoryName } from './cells/route-cells.ts';
import { compareMasterKeys } from './check-master-key.ts';
import type { Database, TenantTx } from './db/database.ts';
import { listUnprotectedTables } from './db/inspect-database.ts';
import { listPendingMigrations, migrate, migrationsDir } from './db/migrate.ts';
import { type RowOf, statement, t } from './db/statements.ts';
import { countMissingNumbers, readEventNumbers } from './events/event-numbers.ts';
import { iterateCompanies } from './iterate-companies.ts';
import type { MasterKeys } from './master-key.ts';
import { findEncryptedRow } from './rotate-master-key.ts';
import { countLedgerFindings, verifyAllChains, verifyAllLedgers } from './verify-companies.ts';

/** One result; `ok` and `warn` leave the backup usable. */
export type RestoredCheck = { check: string; state: 'ok' | 'warn' | 'fail'; detail: string };

const RestoredRows = {
  payments: t.int8,
  attempts: t.int8,
  refunds: t.int8,
  ledgerEntries: t.int8,
  events: t.int8,
  seals: t.int8,
  attemptsInProgress: t.int8,
  refundsInProgress: t.int8,
  webhooksToSend: t.int8,
  emailsToSend: t.int8,
};
type RestoredRows = RowOf<typeof RestoredRows>;

export type RestoredFigures = RestoredRows & { companies: number; newestEventAt: Date | null };

/** How many findings of a kind are named; the rest is counted. */
const mostNamed = 20;

const listPendingNames = async (db: Database, notes: string[]) =>
  await listPendingMigrations(db, { dir: migrationsDir, log: (line) => notes.push(line) });

/** Brings the copy to this version, as an upgrade would do. */
async function checkMigrations(db: Database): Promise<RestoredCheck> {
  const check = 'migrations';
  const notes: string[] = [];
  try {
    const pending = await listPendingNames(db, notes);
    const [newer] = notes;
    if (newer) {
      const detail = `${newer}: rehearse with the version of Paylink that made the backup, or a later one.`;
      return { check, state: 'fail', detail };
    }
    if (pending[0]?.startsWith('0000_')) {
      const detail =
        'The backup contains no database of Paylink: the table schema_migrations is missing or empty.';
      return { check, state: 'fail', detail };
    }
    if (pending.length === 0) return { check, state: 'ok', detail: 'none is pending' };
    await migrate(db, { dir: migrationsDir, log: () => undefined });
    const detail = `the backup is of an earlier version; applied in the copy: ${pending.join(', ')}`;
    return { check, state: 'warn', detail };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { check, state: 'fail', detail: error.message };
  }
}

async function checkIsolation(db: Database): Promise<RestoredCheck> {
  const names = await listUnprotectedTables(db.asOwner);
  if (names.length === 0)
    return {
      check: 'isolation',
      state: 'ok',
      detail: 'row-level security protects every table of companies',
    };
  const detail = `Row-level security does not protect ${names.join(', ')}: the backup lacks a part of the schema.`;
  return { check: 'isolation', state: 'fail', detail };
}

const countRowsSql = statement({ ...RestoredRows, newestEventAt: t.nullable(t.timestamptz) })`
  select (select count(*) from payments where company_id = $1) as payments,
         (select count(*) from attempts where company_id = $1) as attempts,
         (select count(*) from refunds where company_id = $1) as refunds,
         (select count(*) from ledger_entries where company_id = $1) as "ledgerEntries",
         (select count(*) from events where company_id = $1) as events,
         (select count(*) from event_seals where company_id = $1) as seals,
         (select count(*) from attempts
          where company_id = $1 and state not in ('succeeded', 'declined', 'cancelled')) as "attemptsInProgress",
         (select count(*) from refunds
          where company_id = $1 and state not in ('succeeded', 'failed')) as "refundsInProgress",
         (select count(*) from webhook_deliveries where company_id = $1 and state = 'pending') as "webhooksToSend",
         (select count(*) from mails where company_id = $1 and state = 'queued') as "emailsToSend",
         (select max(at) from events where company_id = $1) as "newestEventAt"`;

/** Reads all tables of a company. */
async function countRows(tx: TenantTx): Promise<RestoredRows & { newestEventAt: Date | null }> {
  const [row] = await tx.query(countRowsSql, [tx.companyId]);
  if (!row) throw new Error('a select without a table gave no row');
  return row;
}

async function readFigures(db: Database): Promise<RestoredFigures> {
  const names = Object.keys(RestoredRows) as (keyof RestoredRows)[];
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as RestoredRows;
  let companies = 0;
  let newestEventAt: Date | null = null;
  for await (const companyId of iterateCompanies(db)) {
    companies += 1;
    const rows = await db.inBothModes(companyId, countRows, { isSnapshot: true });
    for (const name of names) sums[name] += rows[name];
    if (rows.newestEventAt && (!newestEventAt || rows.newestEventAt > newestEventAt))
      newestEventAt = rows.newestEventAt;
  }
  return { ...sums, companies, newestEventAt };
}

function describeFigures(figures: RestoredFigures): RestoredCheck[] {
  const { companies, payments, attempts, refunds, ledgerEntries, events, seals, newestEventAt } = figures;
  if (companies === 0)
    return [
      {
        check: 'rows',
        state: 'fail',
        detail: 'The backup has no company. pg_dump needs a user with BYPASSRLS: see docs/backup.md.',
      },
    ];
  const counts = { companies, payments, attempts, refunds, 'ledger entries': ledgerEntries, events, seals };
  const listed = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const { attemptsInProgress, refundsInProgress, webhooksToSend, emailsToSend } = figures;
  return [
    {
      check: 'rows',
      state: 'ok',
      detail: `${listed.join(', ')}; newest event ${newestEventAt?.toISOString() ?? 'none'}`,
    },
    {
      check: 'due after a start',
      state: 'ok',
      detail:
        `attempts in progress ${attemptsInProgress}, refunds in progress ${refundsInProgress}, ` +
        `webhooks to send ${webhooksToSend}, emails to send ${emailsToSend}`,
    },
  ];
}

/** What a directory in a database of its own has; null for any other database. */
async function checkDirectory(db: Database): Promise<RestoredCheck[] | null> {
  if ((await findThisCell(db.asOwner))?.name !== directoryName) return null;
  const cells = (await listCells(db.asOwner)).map(({ name }) => name);
  const companies = (await countCompanies(db.asOwner)).reduce((sum, { companies: count }) => sum + count, 0);
  const detail = `a directory, which has no company itself: cells ${cells.join(', ')}; companies in them ${companies}`;
  return cells.length > 0
    ? [{ check: 'rows', state: 'ok', detail }]
    : [{ check: 'rows', state: 'fail', detail: 'The backup is of a directory, and it names no cell.' }];
}

async function checkMasterKey(db: Database, keys: MasterKeys | null): Promise<RestoredCheck> {
  const check = 'master key';
  if (!keys) return { check, state: 'fail', detail: 'The backup has no master key, and none is set.' };
  const match = await compareMasterKeys(db, keys);
  if (match.kind === 'other') {
    const detail =
      `The backup needs the master key named ${match.keyIds.join(' or ')}: ` +
      'set PAYLINK_MASTER_KEY to the key that you keep for this backup.';
    return { check, state: 'fail', detail };
  }
  const keyring = await openKeyring(keys.current, keys.old);
  const found = await findEncryptedRow({ db, keyring });
  if (found === 'unopened')
    return { check, state: 'fail', detail: 'The master key decrypts none of the stored secrets.' };
  const opened =
    found === 'opened' ? ', and it decrypts the stored secrets' : '; there are no secrets to decrypt';
  return match.kind === 'own'
    ? { check, state: 'ok', detail: `the backup was written with this key${opened}` }
    : { check, state: 'warn', detail: `The backup has no check value of its key${opened}.` };
}

/** How far the numbers of new events are behind; the service raises them at its start. */
async function checkNumbers(db: Database): Promise<RestoredCheck> {
  const check = 'numbers of events';
  try {
    const missing = countMissingNumbers(await db.inSystem(readEventNumbers));
    const detail =
      missing === 0n
        ? 'this server has reached them'
        : `${missing} behind; the service raises them at its start`;
    return { check, state: 'ok', detail };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { check, state: 'fail', detail: error.message };
  }
}

function name(sentences: readonly string[]): string {
  const rest = sentences.length - mostNamed;
  return [...sentences.slice(0, mostNamed), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

async function checkChains(db: Database): Promise<RestoredCheck> {
  const { companies, findings, heads } = await verifyAllChains(db);
  // These are the numbers that the server has not reached; checkNumbers reports them.
  const faults = findings.filter(({ fault }) => fault.fault !== 'future');
  if (faults.length > 0) {
    const sentences = faults.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
    return { check: 'events', state: 'fail', detail: name(sentences) };
  }
  const unsealed = heads.reduce((sum, head) => sum + head.unsealedEvents, 0);
  const detail = `the chains of ${companies} companies are unchanged; events not sealed yet ${unsealed}`;
  return { check: 'events', state: 'ok', detail };
}

async function checkLedgers(db: Database, isTimeUp: () => boolean): Promise<RestoredCheck> {
  const { companies, findings } = await verifyAllLedgers(db, { isTimeUp });
  if (findings.length === 0)
    return { check: 'ledgers', state: 'ok', detail: `the ledgers of ${companies} companies agree` };
  const { disagreements, notVerified } = countLedgerFindings(findings);
  const sentences = findings.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
  const detail = `${disagreements} disagreements, ${notVerified} comparisons not made\n${name(sentences)}`;
  return { check: 'ledgers', state: 'fail', detail };
}

/**
 * Runs all checks on a restored copy, and applies pending migrations to it. Stops early when the structure is unusable.
 * `keys` are those that the service would use. When `isTimeUp` turns true, the rest is reported as not verified.
 */
export async function verifyRestored(
  db: Database,
  { keys, isTimeUp = () => false }: { keys: MasterKeys | null; isTimeUp?: () => boolean },
): Promise<{ checks: RestoredCheck[]; figures: RestoredFigures | null }> {
  const migrations = await checkMigrations(db);
  if (migrations.state === 'fail') return { checks: [migrations], figures: null };
  const isolation = await checkIsolation(db);
  const figures = await readFigures(db);
  const checks = [
    migrations,
    isolation,
    ...((await checkDirectory(db)) ?? describeFigures(figures)),
    await checkMasterKey(db, keys),
    await checkNumbers(db),
    await checkChains(db),
    await checkLedgers(db, isTimeUp),
  ];
  return { checks, figures };
}
