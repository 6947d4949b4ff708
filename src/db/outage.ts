// Reports an outage of the database once per process, when it begins and when it ends, however many requests
// and workers fail during it. Errors of an outage are marked, so that the log does not repeat it. Must not:
// mark an error without a reported outage.

import { runWithBudget, TimeBudgetExceededError } from '../base/time-budget.ts';
import {
  type ConnectionUse,
  isReadOnlyError,
  isRefusedConnection,
  isStatementError,
  type PoolObserver,
} from './connection.ts';

export type OutageEvent =
  /** Statements fail: the server is gone, refuses connections, does not respond, or is read-only. */
  | { kind: 'began'; error: Error }
  | { kind: 'ended'; tookMs: number; failures: number }
  /** A healthy server closed idle connections. */
  | { kind: 'idle_lost'; error: Error; count: number };

export type OutageMonitor = PoolObserver & {
  onIdleConnectionLost(error: Error): void;
  stop(): void;
};

const reportedMark = Symbol('reported as part of a database outage');

/** Whether an error, its cause, or each error in it was reported as part of an outage. */
export function isReportedAsOutage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (reportedMark in error || isReportedAsOutage((error as Error).cause)) return true;
  return error instanceof AggregateError && error.errors.length > 0 && error.errors.every(isReportedAsOutage);
}

function markReported(error: Error, use: ConnectionUse): void {
  Object.assign(error, { [reportedMark]: true });
  use.hasFailed = true;
}

const networkCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;
/** SQLSTATEs for a server that is gone, shuts down, has no free connection, or takes no writes. */
const goneCodes = /^(08[0-9A-Z]{3}|57P0[1-5]|53300)$/;
// Messages of pg and the embedded engine that have no code.
const goneMessages = /Connection terminated|timeout expired|not queryable|embedded database has stopped/i;
const lateMessages =
  /connection is lost|timeout exceeded when trying to connect|Query read timeout|gave no answer within/i;

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '');

/** Whether the database is unreachable, lets nobody in, or takes no writes. */
function isGone(error: Error): boolean {
  const code = codeOf(error);
  return (
    networkCodes.test(code) ||
    goneCodes.test(code) ||
    isRefusedConnection(error) ||
    isReadOnlyError(error) ||
    goneMessages.test(error.message)
  );
}

/** Whether the database did not respond in time, because it is unreachable or overloaded. */
function isLate(error: Error): boolean {
  return (
    error instanceof TimeBudgetExceededError || (!isStatementError(error) && lateMessages.test(error.message))
  );
}

/** The database of a company cannot be used now: it is down, which was reported, or the company is being moved. */
export class CompanyUnavailableError extends Error {
  override readonly name = 'CompanyUnavailableError';
  readonly [reportedMark] = true;
}

/** No cell lets the company work now: its move is not finished, or the operator has to correct where it is. */
export class CompanyBetweenCellsError extends CompanyUnavailableError {}

/** Whether an error shows that the database is unreachable, full, busy or restarting: worth a retry. */
export function isUnavailable(error: Error): boolean {
  if (error instanceof CompanyUnavailableError) return true;
  // SQLSTATE classes: insufficient resources, operator intervention; lock not available.
  return isGone(error) || isLate(error) || /^(53|57)[0-9A-Z]{3}$|^55P03$/.test(codeOf(error));
}

/** If other statements got a response within this time, a late one is due to load. */
const quietMs = 1_500;
const probeEveryMs = 1_000;
/** A stopping server closes its connections one by one. */
const burstMs = 250;

/** Monitors one pool. `probe` resolves when the database responds and takes writes. */
export function monitorOutages(options: {
  probe: () => Promise<void>;
  onEvent: (event: OutageEvent) => void;
}): OutageMonitor {
  const { probe, onEvent } = options;
  let current: { since: number; failures: number } | null = null;
  let idle: { error: Error; count: number } | null = null;
  let answeredAt = performance.now();
  let endedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const scheduleProbe = (afterMs: number) => {
    // The timer does not belong to the request that started it, nor to its budget.
    if (!isStopped) timer ??= runWithBudget(null, () => setTimeout(() => void runProbe(), afterMs).unref());
  };
  const begin = (error: Error) => {
    current = { since: performance.now(), failures: 0 };
    idle = null;
    onEvent({ kind: 'began', error });
    scheduleProbe(probeEveryMs);
  };
  const settle = () => {
    endedAt = answeredAt = performance.now();
    if (current)
      onEvent({ kind: 'ended', tookMs: Math.round(endedAt - current.since), failures: current.failures });
    else if (idle) onEvent({ kind: 'idle_lost', ...idle });
    current = null;
    idle = null;
  };
  const runProbe = async () => {
    const fault: unknown = await probe().catch((error: unknown) => error);
    timer = undefined;
    if (isStopped) return;
    if (fault === undefined) return settle();
    if (!current && fault instanceof Error) begin(fault);
    scheduleProbe(probeEveryMs);
  };

  return {
    answered: () => {
      answeredAt = performance.now();
    },
    failed: (error, use) => {
      if (isStopped || !(error instanceof Error)) return;
      const isOver = isGone(error);
      if (!isOver && !isLate(error)) return;
      // Work that was under way when the last outage ended is still part of it.
      const isOfLast = !current && use.since <= endedAt;
      if (!current && !isOfLast) {
        if (!isOver && performance.now() - answeredAt < quietMs) return;
        begin(error);
      }
      if (current && !use.hasFailed && !isReportedAsOutage(error)) current.failures++;
      markReported(error, use);
    },
    onIdleConnectionLost: (error) => {
      if (current || isStopped) return;
      idle = { error, count: (idle?.count ?? 0) + 1 };
      scheduleProbe(burstMs);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
