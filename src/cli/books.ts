// `paylink ledger verify`, `paylink audit verify` and `paylink jobs dead`: what an operator looks at, on
// the database of the settings. It must never change anything but what `--rerun` names.

import type { Database } from '../db/database.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Command, Context } from './command.ts';
import { type ExitCode, exitCodes, usageFault } from './fault.ts';

/** What a look found, in both ways. */
type Report = { lines: string[]; json: Record<string, unknown>; isClean: boolean };

const ownDatabase = 'The embedded database is for one process at a time: stop the service first.';

/** Opens the database, looks, and tells. The database is loaded here, as no other command needs it. */
async function look({ terminal, env }: Context, work: (db: Database) => Promise<Report>): Promise<ExitCode> {
  const { withDatabase } = await import('./settings.ts');
  const { lines, json, isClean } = await withDatabase(env, work);
  terminal.report({ json, lines });
  return isClean ? exitCodes.ok : exitCodes.found;
}

async function verifyLedgers(db: Database): Promise<Report> {
  const { countLedgerFindings, verifyEveryLedger } = await import('../verify-every.ts');
  const { companies, findings } = await verifyEveryLedger(db);
  const lines = findings.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
  const { disagreements, notVerified } = countLedgerFindings(findings);
  const found = `${disagreements} ${disagreements === 1 ? 'disagreement' : 'disagreements'} found`;
  const verdict =
    (findings.length === 0 ? 'The books agree' : found) +
    ` (companies: ${companies}).` +
    (notVerified > 0 ? ` Comparisons not made: ${notVerified}.` : '');
  const json = {
    companies,
    findings: findings.map(({ companyId, fault }) => ({ companyId, ...fault })),
  };
  return { lines: [...lines, verdict], json, isClean: findings.length === 0 };
}

async function verifyChains(db: Database): Promise<Report> {
  const { verifyEveryChain } = await import('../verify-every.ts');
  const { companies, findings, heads } = await verifyEveryChain(db);
  const faults = findings.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
  const ends = heads.map(
    ({ companyId, position, hashHex, unsealedEvents }) =>
      `${companyId}: the chain ends at seal ${position}, ${hashHex}; events not sealed yet: ${unsealedEvents}.`,
  );
  const verdict =
    findings.length === 0
      ? `Every sealed event is as it was (companies: ${companies}).`
      : `The audit trail does not hold in ${findings.length} places (companies: ${companies}).`;
  const json = {
    companies,
    findings: findings.map(({ companyId, fault }) => ({ companyId, ...fault })),
    heads,
  };
  return { lines: [...ends, ...faults, verdict], json, isClean: findings.length === 0 };
}

async function listCrossings(db: Database): Promise<Report> {
  const { findCrossings } = await import('../find-crossings.ts');
  const { crossings, fixedAt } = await findCrossings(db);
  const certain = crossings.filter(({ verdict }) => verdict === 'test_key');
  const lines = [...certain, ...crossings.filter(({ verdict }) => verdict !== 'test_key')].map(
    ({ companyId, at, type, PaymentLinkCode, actor, verdict }) =>
      `${verdict === 'test_key' ? 'TEST KEY' : 'unknown '}  ${at.toISOString()}  ${companyId}  ${type}  ${PaymentLinkCode}  ${actor}`,
  );
  const verdict = [
    `Acts of people on live payments before ${fixedAt.toISOString()}: ${crossings.length}; certainly made with a test key: ${certain.length}.`,
    'Events from before then do not name the key of a call. An act counts as certain where the company had no active live',
    'key, and the account had a token and no browser session. "unknown" may be a live key, a test key or a cookie.',
    'From then on the database refuses such acts, and each event about a payment names its mode.',
  ];
  return { lines: [...lines, ...verdict], json: { fixedAt, crossings }, isClean: certain.length === 0 };
}

/** Runs work on the queue as an onlooker, who makes no tables and works no jobs. */
export async function withJobs<T>(db: Database, work: (jobs: JobQueue) => Promise<T>): Promise<T> {
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

async function listDead(jobs: JobQueue): Promise<Report> {
  const dead = await jobs.listDeadJobs();
  const lines = dead.map(
    ({ id, name, data, retries, reason, diedAt }) =>
      `${id}: ${name} ${JSON.stringify(data)} died at ${diedAt.toISOString()} after ${retries} retries: ${reason}`,
  );
  const verdict =
    dead.length === 0
      ? 'No job has died.'
      : `${dead.length} dead. Run one again with: paylink jobs dead --rerun <id>`;
  return { lines: [...lines, verdict], json: { dead }, isClean: dead.length === 0 };
}

async function rerun(jobs: JobQueue, id: string): Promise<Report> {
  if (!(await jobs.runDeadJobAgain(id))) throw usageFault(`There is no dead job with the id ${id}.`);
  return { lines: [`Job ${id} is enqueued anew.`], json: { rerun: id }, isClean: true };
}

export const bookCommands: readonly Command[] = [
  {
    name: 'ledger verify',
    summary: 'Compare every ledger with the payments it is about',
    details: ownDatabase,
    examples: ['ledger verify', 'ledger verify --json'],
    run: async (context) => await look(context, verifyLedgers),
  },
  {
    name: 'audit verify',
    summary: 'Prove that no event was changed, removed, put in or moved',
    details: ownDatabase,
    examples: ['audit verify'],
    run: async (context) => await look(context, verifyChains),
  },
  {
    name: 'audit crossings',
    summary: 'List acts on live payments that a test key may have made',
    details: `Reads the events from before the database separated test and live mode.\n${ownDatabase}`,
    examples: ['audit crossings', 'audit crossings --json'],
    run: async (context) => await look(context, listCrossings),
  },
  {
    name: 'jobs dead',
    summary: 'List the jobs whose tries are used up, or run one again',
    details: ownDatabase,
    options: [{ name: 'rerun', value: 'ID', help: 'enqueue this one anew, with all its tries' }],
    examples: ['jobs dead', 'jobs dead --rerun 0195c1a2-7d3e-4f50-8a6b-0c9d8e7f6a5b'],
    run: async (context, given) => {
      const id = given.text('rerun');
      return await look(context, async (db) =>
        withJobs(db, async (jobs) => (id === undefined ? await listDead(jobs) : await rerun(jobs, id))),
      );
    },
  },
];
