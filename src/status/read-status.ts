// What an operator has to know about the service, over all companies: work that is due or dead, attempts without an
// outcome, connections, endpoints, cases, recurring jobs, events without a seal. `/metrics`, `paylink status` and the
// dashboard's page of the operator show it. Must not: read anything about a person or name a company, or take long.

import { createTimeBudget, runWithBudget } from '../base/time-budget.ts';
import { type ConnectionHealth, countAllConnections } from '../connections/store.ts';
import { type Database, type Mode, modes, type SystemTx } from '../db/database.ts';
import { setLocal } from '../db/session-settings.ts';
import { statement, t } from '../db/statements.ts';
import { findOldestUnsealed } from '../events/seal-events.ts';
import { countUnknownAttempts } from '../payments/attempt-store.ts';
import { type CaseKind, caseKinds, countCasesByKind } from '../payments/case-store.ts';
import { findUnfilled } from '../search/fill-store.ts';
import { countFailingEndpoints } from '../webhooks/endpoint-store.ts';
import { maxRetries, periodSecondsOf } from '../work/calendar.ts';
import { listJobs } from '../work/scheduled-job-store.ts';
import { type JobName, jobTimes } from './job-times.ts';
import { kindsOfRows } from './kinds-of-rows.ts';
import { sumStatuses } from './sum-statuses.ts';

/** Work of a kind. */
export type WorkStatus = {
  /** As WorkKind.name. */
  kind: string;
  /** What is due now, at most `maxCounted`. It includes what a process is working on. */
  due: number;
  /**
   * How long the oldest of it has been due, without work whose target fails: that waits on purpose. Null if nothing else is
   * due, or since when is not known.
   */
  oldestDueSeconds: number | null;
  /** What waits for a person, as `paylink jobs dead` lists it. */
  dead: number;
};

/** Attempts of a mode whose outcome is unknown, at most `maxCounted`, and since when the oldest of them is. */
export type UnknownAttempts = { mode: Mode; count: number; oldestSeconds: number | null };

export type ConnectionStatus = { processor: string; mode: Mode; health: ConnectionHealth; count: number };

/** A recurring job. */
export type JobStatus = {
  name: JobName;
  intervalSeconds: number;
  /** Null if it has never succeeded, or not since the release that began to record it. */
  lastSuccessAt: Date | null;
  /** Null if no process has planned it yet. */
  dueAt: Date | null;
  /** Failed runs since the last success. */
  failures: number;
};

/** All numbers are of all companies together, in the cells that are up. */
export type ServiceStatus = {
  at: Date;
  /** The cells whose database does not respond; empty without cells. */
  downCells: string[];
  /** Every kind of work, whether some is due or not. */
  work: WorkStatus[];
  /** Both modes. */
  unknownAttempts: UnknownAttempts[];
  /** The combinations that exist. */
  connections: ConnectionStatus[];
  failingEndpoints: number;
  /** Contradictions that wait for a person: every kind, whether there are cases or not. */
  openCases: { kind: CaseKind; count: number }[];
  jobs: JobStatus[];
  /** How old the oldest event without a seal is. Null if all are sealed. */
  oldestUnsealedSeconds: number | null;
};

/** The longest time that reading the status takes. */
export const statusLimitMs = 5_000;

/** Counts of rows end here, so that a long queue does not make the status slow. */
export const maxCounted = 100_000;

const secondsSince = (at: Date, since: Date | null): number | null =>
  since && Math.max(0, (at.getTime() - since.getTime()) / 1_000);

async function readWork(tx: SystemTx, at: Date): Promise<WorkStatus[]> {
  const work: WorkStatus[] = [];
  for (const [kind, { countDue }] of Object.entries(kindsOfRows)) {
    const { due, oldestAt, dead } = await countDue(tx, at, maxCounted);
    work.push({ kind, due, oldestDueSeconds: secondsSince(at, oldestAt), dead });
  }
  const { isDue, oldestAt } = await findUnfilled(tx);
  const oldestDueSeconds = isDue ? secondsSince(at, oldestAt) : null;
  work.push({ kind: 'payment-words', due: isDue ? 1 : 0, oldestDueSeconds, dead: 0 });
  return work;
}

async function readUnknownAttempts(tx: SystemTx, at: Date): Promise<UnknownAttempts[]> {
  const counts = await countUnknownAttempts(tx, maxCounted);
  return modes.map((mode) => {
    const counted = counts.find((row) => row.mode === mode);
    return { mode, count: counted?.count ?? 0, oldestSeconds: secondsSince(at, counted?.oldestAt ?? null) };
  });
}

async function readCases(tx: SystemTx): Promise<ServiceStatus['openCases']> {
  const counts = await countCasesByKind(tx, maxCounted);
  return caseKinds.map((kind) => ({ kind, count: counts.find((row) => row.kind === kind)?.count ?? 0 }));
}

/** The recurring jobs, and the kind of work that they are. */
async function readJobs(tx: SystemTx, at: Date): Promise<{ jobs: JobStatus[]; calendar: WorkStatus }> {
  // Without those of a later release: after a rollback nobody runs them.
  const rows = (await listJobs(tx)).filter(({ name }) => Object.hasOwn(jobTimes, name));
  const jobs = (Object.keys(jobTimes) as JobName[]).map((name): JobStatus => {
    const row = rows.find((job) => job.name === name);
    const intervalSeconds = periodSecondsOf(jobTimes[name]);
    const { succeededAt = null, dueAt = null, failures = 0 } = row ?? {};
    return { name, intervalSeconds, lastSuccessAt: succeededAt, dueAt, failures };
  });
  const due = rows.filter(({ dueAt, isRunning }) => dueAt <= at && !isRunning);
  const first = due.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())[0];
  const dead = rows.filter(({ failures }) => failures > maxRetries).length;
  const oldestDueSeconds = secondsSince(at, first?.dueAt ?? null);
  return { jobs, calendar: { kind: 'calendar', due: due.length, oldestDueSeconds, dead } };
}

const readTimeSql = statement({
  at: t.timestamptz,
})`select coalesce($1::timestamptz, statement_timestamp()) as at`;

async function readAll(tx: SystemTx, movedTime: Date | null): Promise<ServiceStatus> {
  // A statement that nobody waits for any more ends soon after.
  await tx.query(setLocal({ statement_timeout: String(statusLimitMs + 1_000) }));
  const [time] = await tx.query(readTimeSql, [movedTime]);
  if (!time) throw new Error('a select without a table gave no row');
  const { at } = time;
  const { jobs, calendar } = await readJobs(tx, at);
  return {
    at,
    downCells: [],
    work: [...(await readWork(tx, at)), calendar],
    unknownAttempts: await readUnknownAttempts(tx, at),
    connections: await countAllConnections(tx),
    failingEndpoints: await countFailingEndpoints(tx),
    openCases: await readCases(tx),
    jobs,
    oldestUnsealedSeconds: secondsSince(at, await findOldestUnsealed(tx)),
  };
}

/** The status of one database. `status` is null if it does not respond, with the error if there was one. */
export type CellStatus = { cell: string | null; status: ServiceStatus | null; error: unknown };

/** Reads the status of each cell, or of the database; see readStatus. */
export async function readEachStatus(db: Database, movedTime: Date | null): Promise<CellStatus[]> {
  const read = async (cell: Database): Promise<CellStatus> => {
    try {
      const status = await cell.inSystem(async (tx) => await readAll(tx, movedTime), {
        prefersIndexScans: true,
      });
      return { cell: cell.cell, status, error: null };
    } catch (error) {
      return { cell: cell.cell, status: null, error };
    }
  };
  const readAllCells = async () => await Promise.all(db.cells().map(read));
  const found = await runWithBudget(createTimeBudget(statusLimitMs), readAllCells);
  return [...found, ...db.downCells().map((cell) => ({ cell, status: null, error: null }))];
}

/**
 * Reads the status of the service, now by the database's clock, by which due work is claimed, or at the time of a clock
 * that was moved (`movedTimeOf`). Throws an error of the database if it does not respond, and
 * TimeBudgetExceededError after `statusLimitMs`; of several cells, only if none responds.
 */
export async function readStatus(db: Database, movedTime: Date | null): Promise<ServiceStatus> {
  return sumStatuses(await readEachStatus(db, movedTime));
}
