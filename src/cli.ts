#!/usr/bin/env node
// The command line: proves the ledger and the chain of events, and shows the jobs that have died. It
// opens the same database by the same settings as the service. It must never change anything but what
// `--rerun` names, nor prepare a database: that is the service's part.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { type JobQueue, openJobQueue } from './jobs/queue.ts';
import { describeStartFault } from './start-fault.ts';
import { verifyEveryChain, verifyEveryLedger } from './verify-every.ts';

const help = `Usage: paylink <command> [--json]

  paylink ledger verify           compare every ledger with the payments it is about
  paylink audit verify            prove that no event was changed, removed, put in or moved
  paylink jobs dead               list the jobs whose tries are used up
  paylink jobs dead --rerun <id>  enqueue one of them anew

  --json   print one JSON object instead of sentences
  --help   print this

The settings are those of the service (DATABASE_URL or DATA_DIR, PAYLINK_MASTER_KEY), also from .env.
The embedded database is for one process at a time: stop the service first.

Exit code: 0 when all is well, 1 when something was found, 2 when the command could not be done.`;

/** What a command has to say, in both ways, and whether it found anything. */
type Report = { lines: string[]; json: Record<string, unknown>; isClean: boolean };

async function verifyLedgers(db: Database): Promise<Report> {
  const { companies, findings } = await verifyEveryLedger(db);
  const lines = findings.map(({ companyId, sentence }) => `${companyId}: ${sentence}`);
  const verdict =
    findings.length === 0
      ? `Every entry balances and agrees with the payments (companies: ${companies}).`
      : `The ledger and the payments disagree in ${findings.length} places (companies: ${companies}).`;
  const json = {
    companies,
    findings: findings.map(({ companyId, fault }) => ({ companyId, ...fault })),
  };
  return { lines: [...lines, verdict], json, isClean: findings.length === 0 };
}

async function verifyChains(db: Database): Promise<Report> {
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

async function withJobs(db: Database, work: (jobs: JobQueue) => Promise<Report>): Promise<Report> {
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

/** Thrown with the sentence for a command that can't be done as it was given. */
class Impossible extends Error {
  override readonly name = 'Impossible';
}

async function rerun(jobs: JobQueue, id: string): Promise<Report> {
  if (!(await jobs.runDeadJobAgain(id))) throw new Impossible(`There is no dead job with the id ${id}.`);
  return { lines: [`Job ${id} is enqueued anew.`], json: { rerun: id }, isClean: true };
}

async function openExisting(config: Config): Promise<Database> {
  const { databaseUrl, dataDir, databasePoolSize: poolSize } = config;
  if (!databaseUrl && !existsSync(join(dataDir, 'pg')))
    throw new Impossible(
      `There is no database in ${dataDir}: set DATABASE_URL or DATA_DIR as the service has it.`,
    );
  const log = () => undefined;
  const db = await openDatabase({ ...(databaseUrl ? { databaseUrl } : {}), dataDir, poolSize, log });
  const [found] = await db.asOwner.query<{ isReady: boolean }>(
    `select to_regclass('public.event_seals') is not null as "isReady"`,
  );
  if (found?.isReady) return db;
  await db.close();
  throw new Impossible('The database is not one of this version of Paylink: start the service once.');
}

type Arguments = { words: string[]; rerun: string | undefined; isJson: boolean; isHelp: boolean };

function readArguments(argv: string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      rerun: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return { words: positionals, rerun: values.rerun, isJson: values.json, isHelp: values.help };
}

function findCommand({ words, rerun: id }: Arguments): ((db: Database) => Promise<Report>) | null {
  const name = words.join(' ');
  if (name === 'jobs dead')
    return async (db) =>
      await withJobs(db, async (jobs) => (id ? await rerun(jobs, id) : await listDead(jobs)));
  if (id !== undefined) return null;
  if (name === 'ledger verify') return verifyLedgers;
  if (name === 'audit verify') return verifyChains;
  return null;
}

async function run(
  given: Arguments,
  command: (db: Database) => Promise<Report>,
  config: Config,
): Promise<number> {
  const db = await openExisting(config);
  try {
    const { lines, json, isClean } = await command(db);
    console.log(given.isJson ? JSON.stringify(json) : lines.join('\n'));
    return isClean ? 0 : 1;
  } finally {
    await db.close();
  }
}

async function main(): Promise<number> {
  let config: Config | null = null;
  try {
    const given = readArguments(process.argv.slice(2));
    const command = findCommand(given);
    if (given.isHelp || !command) {
      (given.isHelp ? console.log : console.error)(help);
      return given.isHelp ? 0 : 2;
    }
    if (existsSync('.env')) process.loadEnvFile('.env');
    config = readConfig(process.env);
    return await run(given, command, config);
  } catch (error) {
    const isPlain = error instanceof Impossible || (error instanceof TypeError && 'code' in error);
    console.error(isPlain ? error.message : (describeStartFault(error, config) ?? error));
    return 2;
  }
}

process.exitCode = await main();
