// The status of an installation with several cells from that of each: numbers are added, and of ages and jobs the worst counts.

import { secondsWithoutRun } from './find-problems.ts';
import type { CellStatus, ConnectionStatus, JobStatus, ServiceStatus } from './read-status.ts';

/** The longest of two ages; null if none is known. */
const older = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

/** Merges rows that have the same name. */
function mergeBy<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
  merge: (one: Row, other: Row) => Row,
): Row[] {
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const known = merged.get(nameOf(row));
    merged.set(nameOf(row), known ? merge(known, row) : row);
  }
  return [...merged.values()];
}

const addCounts = <Row extends { count: number }>(one: Row, other: Row): Row => ({
  ...one,
  count: one.count + other.count,
});

/** A job runs in each cell: the one that has not run for longest counts. */
const mergeJobs =
  (at: Date) =>
  (one: JobStatus, other: JobStatus): JobStatus =>
    (secondsWithoutRun(other, at) ?? 0) > (secondsWithoutRun(one, at) ?? 0) ? other : one;

function add(one: ServiceStatus, other: ServiceStatus): ServiceStatus {
  return {
    at: one.at,
    downCells: one.downCells,
    work: mergeBy(
      [...one.work, ...other.work],
      ({ kind }) => kind,
      (a, b) => ({
        kind: a.kind,
        due: a.due + b.due,
        oldestDueSeconds: older(a.oldestDueSeconds, b.oldestDueSeconds),
        dead: a.dead + b.dead,
      }),
    ),
    unknownAttempts: mergeBy(
      [...one.unknownAttempts, ...other.unknownAttempts],
      ({ mode }) => mode,
      (a, b) => ({ ...addCounts(a, b), oldestSeconds: older(a.oldestSeconds, b.oldestSeconds) }),
    ),
    connections: mergeBy<ConnectionStatus>(
      [...one.connections, ...other.connections],
      ({ processor, mode, health }) => `${processor} ${mode} ${health}`,
      addCounts,
    ),
    failingEndpoints: one.failingEndpoints + other.failingEndpoints,
    openCases: mergeBy([...one.openCases, ...other.openCases], ({ kind }) => kind, addCounts),
    jobs: mergeBy([...one.jobs, ...other.jobs], ({ name }) => name, mergeJobs(one.at)),
    oldestUnsealedSeconds: older(one.oldestUnsealedSeconds, other.oldestUnsealedSeconds),
  };
}

/** The status of the cells that respond, with the names of the others. Throws the error of one if none responds. */
export function sumStatuses(cells: readonly CellStatus[]): ServiceStatus {
  const [first, ...others] = cells.flatMap(({ status }) => status ?? []);
  if (!first) throw cells.find(({ error }) => error !== null)?.error ?? new Error('no cell responds');
  const downCells = cells.flatMap(({ cell, status }) => (status === null && cell !== null ? cell : []));
  return { ...others.reduce(add, first), downCells };
}
