// The status of the service as the API and the command line show it.

import { findProblems } from './find-problems.ts';
import type { ServiceStatus } from './read-status.ts';
import type { OperatorStatus } from './schema.ts';

const whole = (seconds: number | null) => seconds && Math.floor(seconds);

export function presentStatus(status: ServiceStatus): OperatorStatus {
  const problems = findProblems(status);
  return {
    at: status.at.toISOString(),
    downCells: status.downCells,
    verdict: problems.length === 0 ? 'ok' : 'attention',
    problems: problems.map((problem) => ({ ...problem, seconds: whole(problem.seconds) })),
    work: status.work.map((work) => ({ ...work, oldestDueSeconds: whole(work.oldestDueSeconds) })),
    unknownAttempts: status.unknownAttempts.map((unknown) => ({
      ...unknown,
      oldestSeconds: whole(unknown.oldestSeconds),
    })),
    connections: status.connections,
    failingEndpoints: status.failingEndpoints,
    openCases: status.openCases,
    jobs: status.jobs.map(({ lastSuccessAt, dueAt, ...job }) => ({
      ...job,
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
      dueAt: dueAt?.toISOString() ?? null,
    })),
    oldestUnsealedSeconds: whole(status.oldestUnsealedSeconds),
  };
}
