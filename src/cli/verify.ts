// An operator's checks of the database. Must not: change anything, except to rerun the job of `--rerun`.

import type { Database } from '../db/database.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Command, CommandContext } from './command.ts';
import { type ExitCode, exitCodes, usageError } from './command-error.ts';

type CommandReport = { lines: string[]; json: Record<string, unknown>; isClean: boolean };

const embeddedDatabaseNote =
  'Only one process at a time can use the embedded database: stop the service first.';

/** Opens the database and prints the report. The database is loaded only now: most commands do not need it. */
async function runReport(
  { terminal, env }: CommandContext,
  work: (db: Database) => Promise<CommandReport>,
): Promise<ExitCode> {
  const { withDatabase } = await import('./settings.ts');
  const { lines, json, isClean } = await withDatabase(env, work);
  terminal.report({ json, lines });
  return isClean ? exitCodes.ok : exitCodes.found;
}

const toJson = ({ companyId, fault }: { companyId: string; fault: object }) => ({ companyId, ...fault });

async function verifyLedgers(db: Database): Promise<CommandReport> {
  const { countLedgerFindings, verifyAllLedgers } = await import('../verify-companies.ts');
  const { companies, findings } = await verifyAllLedgers(db);
  const lines = findings.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
  const { disagreements, notVerified } = countLedgerFindings(findings);
  const found = `${disagreements} ${disagreements === 1 ? 'disagreement' : 'disagreements'} found`;
  const summary =
    (findings.length === 0 ? 'The ledgers agree' : found) +
    ` (companies: ${companies}).` +
    (notVerified > 0 ? ` Comparisons not made: ${notVerified}.` : '');
  const json = { companies, findings: findings.map(toJson) };
  return { lines: [...lines, summary], json, isClean: findings.length === 0 };
}

async function verifyChains(db: Database): Promise<CommandReport> {
  const { verifyAllChains } = await import('../verify-companies.ts');
  const { companies, findings, heads } = await verifyAllChains(db);
  const violationLines = findings.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
  const headLines = heads.map(
    ({ companyId, position, hashHex, unsealedEvents }) =>
      `${companyId}: the chain ends at seal ${position}, ${hashHex}; events not sealed yet: ${unsealedEvents}.`,
  );
  const summary =
    findings.length === 0
      ? `No sealed event was changed (companies: ${companies}).`
      : `Violations of the audit trail found: ${findings.length} (companies: ${companies}).`;
  const json = { companies, findings: findings.map(toJson), heads };
  return { lines: [...headLines, ...violationLines, summary], json, isClean: findings.length === 0 };
}

async function listCrossings(db: Database): Promise<CommandReport> {
  const { findCrossings } = await import('../find-crossings.ts');
  const { crossings, fixedAt } = await findCrossings(db);
  const certain = crossings.filter(({ verdict }) => verdict === 'test_key');
  const lines = [...certain, ...crossings.filter(({ verdict }) => verdict !== 'test_key')].map(
    ({ companyId, at, type, PaymentLinkCode, actor, verdict }) =>
      `${verdict === 'test_key' ? 'TEST KEY' : 'unknown '}  ${at.toISOString()}  ${companyId}  ${type}  ${PaymentLinkCode}  ${actor}`,
  );
  const summary = [
    `Actions of accounts on live payments before ${fixedAt.toISOString()}: ${crossings.length}; certainly with a test key: ${certain.length}.`,
    'Earlier events do not name the key of a call. An action is certain if the company had no active live key, and the',
    'account had a token and no browser session. "unknown" may be a live key, a test key or a cookie.',
    'Since then the database rejects such actions, and each event about a payment names its mode.',
  ];
  return { lines: [...lines, ...summary], json: { fixedAt, crossings }, isClean: certain.length === 0 };
}

/** Runs work with read-only access to the job queue. */
export async function withReadOnlyJobs<T>(db: Database, work: (jobs: JobQueue) => Promise<T>): Promise<T> {
  const { openJobQueue } = await import('../jobs/queue.ts');
  let failure: Error | null = null;
  const jobs = await openJobQueue(db, {
    isReadOnly: true,
    onError: (error) => {
      failure ??= error;
    },
  });
  try {
    const report = await work(jobs);
    if (failure) throw failure;
    return report;
  } finally {
    await jobs.stop();
  }
}

async function listDead(jobs: JobQueue): Promise<CommandReport> {
  const dead = await jobs.listDeadJobs();
  const lines = dead.map(
    ({ id, name, data, retries, reason, diedAt }) =>
      `${id}: ${name} ${JSON.stringify(data)} died at ${diedAt.toISOString()} after ${retries} retries: ${reason}`,
  );
  const summary =
    dead.length === 0
      ? 'There are no dead jobs.'
      : `${dead.length} dead. To rerun a job: paylink jobs dead --rerun <id>`;
  return { lines: [...lines, summary], json: { dead }, isClean: dead.length === 0 };
}

async function rerun(jobs: JobQueue, id: string): Promise<CommandReport> {
  if (!(await jobs.runDeadJobAgain(id))) throw usageError(`There is no dead job with the id ${id}.`);
  return { lines: [`Job ${id} was enqueued again.`], json: { rerun: id }, isClean: true };
}

export const verifyCommands: readonly Command[] = [
  {
    name: 'ledger verify',
    summary: 'Compare every ledger with its payments',
    details: embeddedDatabaseNote,
    examples: ['ledger verify', 'ledger verify --json'],
    run: async (context) => await runReport(context, verifyLedgers),
  },
  {
    name: 'audit verify',
    summary: 'Verify that no event was changed, removed, inserted or moved',
    details: embeddedDatabaseNote,
    examples: ['audit verify'],
    run: async (context) => await runReport(context, verifyChains),
  },
  {
    name: 'audit crossings',
    summary: 'List actions on live payments that may have been made with a test key',
    details: `It reads the events from before the database separated test and live mode.\n${embeddedDatabaseNote}`,
    examples: ['audit crossings', 'audit crossings --json'],
    run: async (context) => await runReport(context, listCrossings),
  },
  {
    name: 'jobs dead',
    summary: 'List the jobs that have used up their attempts, or rerun one',
    details: embeddedDatabaseNote,
    options: [{ name: 'rerun', value: 'ID', help: 'enqueue this job again, with all its attempts' }],
    examples: ['jobs dead', 'jobs dead --rerun 0195c1a2-7d3e-4f50-8a6b-0c9d8e7f6a5b'],
    run: async (context, given) => {
      const id = given.text('rerun');
      return await runReport(context, async (db) =>
        withReadOnlyJobs(db, async (jobs) =>
          id === undefined ? await listDead(jobs) : await rerun(jobs, id),
        ),
      );
    },
  },
];
