// `paylink ledger verify`, `paylink audit verify` and `paylink jobs dead`: what an operator looks at, on
// the database of the settings. It must never change anything but what `--rerun` names.

import type { Database } from '../db/database.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Command, CommandContext } from './command.ts';
import { type ExitCode, exitCodes, usageError } from './fault.ts';

/** What a look found, in both ways. */
type CommandReport = { lines: string[]; json: Record<string, unknown>; isClean: boolean };

const ownDatabase = 'The embedded database is for one process at a time: stop the service first.';

/** Opens the database, looks, and tells. The database is loaded here, as no other command needs it. */
async function runReport(
  { terminal, env }: CommandContext,
  work: (db: Database) => Promise<CommandReport>,
): Promise<ExitCode> {
  const { withDatabase } = await import('./settings.ts');
  const { lines, json, isClean } = await withDatabase(env, work);
  terminal.report({ json, lines });
  return isClean ? exitCodes.ok : exitCodes.found;
}

async function verifyLedgers(db: Database): Promise<CommandReport> {
  const { countLedgerFindings, verifyAllLedgers } = await import('../verify-companies.ts');
  const { companies, findings } = await verifyAllLedgers(db);
  const lines = findings.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
  const { disagreements, notVerified } = countLedgerFindings(findings);
  const found = `${disagreements} ${disagreements === 1 ? 'disagreement' : 'disagreements'} found`;
  const summary =
    (findings.length === 0 ? 'The books agree' : found) +
    ` (companies: ${companies}).` +
    (notVerified > 0 ? ` Comparisons not made: ${notVerified}.` : '');
  const json = {
    companies,
    findings: findings.map(({ companyId, fault }) => ({ companyId, ...fault })),
  };
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
      ? `Every sealed event is as it was (companies: ${companies}).`
      : `The audit trail does not hold in ${findings.length} places (companies: ${companies}).`;
  const json = {
    companies,
    findings: findings.map(({ companyId, fault }) => ({ companyId, ...fault })),
    heads,
  };
  return { lines: [...headLines, ...violationLines, summary], json, isClean: findings.length === 0 };
}

async function listCrossings(db: Database): Promise<CommandReport> {
  const { findCrossings } = await import('../find-crossings.ts');
  const { crossings, fixedAt } = await findCrossings(db);
  const certain = crossings.filter(({ verdict: summary }) => summary === 'test_key');
  const lines = [...certain, ...crossings.filter(({ verdict: summary }) => summary !== 'test_key')].map(
    ({ companyId, at, type, PaymentLinkCode, actor, verdict: summary }) =>
      `${summary === 'test_key' ? 'TEST KEY' : 'unknown '}  ${at.toISOString()}  ${companyId}  ${type}  ${PaymentLinkCode}  ${actor}`,
  );
  const summary = [
    `Acts of people on live payments before ${fixedAt.toISOString()}: ${crossings.length}; certainly made with a test key: ${certain.length}.`,
    'Events from before then do not name the key of a call. An act counts as certain where the company had no active live',
    'key, and the account had a token and no browser session. "unknown" may be a live key, a test key or a cookie.',
    'From then on the database refuses such acts, and each event about a payment names its mode.',
  ];
  return { lines: [...lines, ...summary], json: { fixedAt, crossings }, isClean: certain.length === 0 };
}

/** Runs work on the queue as an onlooker, who makes no tables and works no jobs. */
export async function withReadOnlyJobs<T>(db: Database, work: (jobs: JobQueue) => Promise<T>): Promise<T> {
  const { openJobQueue } = await import('../jobs/queue.ts');
  let fault: Error | null = null;
  const jobs = await openJobQueue(db, {
    isOnlooker: true,
    onError: (error) => {
      fault ??= error;
    },
  });
  try {
    const report = await work(jobs);
    if (fault) throw fault;
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
      ? 'No job has died.'
      : `${dead.length} dead. Run one again with: paylink jobs dead --rerun <id>`;
  return { lines: [...lines, summary], json: { dead }, isClean: dead.length === 0 };
}

async function rerun(jobs: JobQueue, id: string): Promise<CommandReport> {
  if (!(await jobs.runDeadJobAgain(id))) throw usageError(`There is no dead job with the id ${id}.`);
  return { lines: [`Job ${id} is enqueued anew.`], json: { rerun: id }, isClean: true };
}

export const verifyCommands: readonly Command[] = [
  {
    name: 'ledger verify',
    summary: 'Compare every ledger with the payments it is about',
    details: ownDatabase,
    examples: ['ledger verify', 'ledger verify --json'],
    run: async (context) => await runReport(context, verifyLedgers),
  },
  {
    name: 'audit verify',
    summary: 'Prove that no event was changed, removed, put in or moved',
    details: ownDatabase,
    examples: ['audit verify'],
    run: async (context) => await runReport(context, verifyChains),
  },
  {
    name: 'audit crossings',
    summary: 'List acts on live payments that a test key may have made',
    details: `Reads the events from before the database separated test and live mode.\n${ownDatabase}`,
    examples: ['audit crossings', 'audit crossings --json'],
    run: async (context) => await runReport(context, listCrossings),
  },
  {
    name: 'jobs dead',
    summary: 'List the jobs whose tries are used up, or run one again',
    details: ownDatabase,
    options: [{ name: 'rerun', value: 'ID', help: 'enqueue this one anew, with all its tries' }],
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
