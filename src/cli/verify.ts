// An operator's checks of the database. Must not: change anything, except to rerun the job of `--rerun`.

import type { Database } from '../db/database.ts';
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

async function listDead(db: Database): Promise<CommandReport> {
  const { listDeadWork } = await import('../dead-work.ts');
  const dead = await listDeadWork(db);
  const lines = dead.map(
    ({ id, kind, companyId, runs, reason }) =>
      `${id}: ${kind}${companyId === null ? '' : ` of ${companyId}`} failed ${runs} times: ${reason}`,
  );
  const summary =
    dead.length === 0
      ? 'There are no dead jobs.'
      : `${dead.length} dead. To rerun a job: paylink jobs dead --rerun <id>`;
  return { lines: [...lines, summary], json: { dead }, isClean: dead.length === 0 };
}

async function rerun(db: Database, id: string): Promise<CommandReport> {
  const { rerunDeadWork } = await import('../dead-work.ts');
  if (!(await rerunDeadWork(db, id))) throw usageError(`There is no dead job with the id ${id}.`);
  return { lines: [`Job ${id} is due now.`], json: { rerun: id }, isClean: true };
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
    options: [{ name: 'rerun', value: 'ID', help: 'make this job due now, with all its attempts' }],
    examples: ['jobs dead', 'jobs dead --rerun att_01kb0v6y2nq5s8w3hx7c4mfr9d'],
    run: async (context, given) => {
      const id = given.text('rerun');
      return await runReport(context, async (db) =>
        id === undefined ? await listDead(db) : await rerun(db, id),
      );
    },
  },
];
