// What in the status of the service needs a person. Every threshold is here: the command line and the page of the operator
// show the same findings. Must not: find something that ends by itself within minutes on a busy day.

import type { JobStatus, ServiceStatus } from './read-status.ts';

const minute = 60;

/** From when on something waits for a person, in seconds. */
export const thresholds = {
  /** An attempt whose outcome is unknown is asked about every 15 s to 15 min. */
  unknownAttemptSeconds: 15 * minute,
  /** Due work starts within a second or two. */
  lateWorkSeconds: 15 * minute,
  /** Events are sealed every minute. */
  unsealedEventSeconds: 15 * minute,
  /** A recurring job is late after so many of its intervals, but not before `lateJobSeconds`: a restart takes a while. */
  lateJobIntervals: 3,
  lateJobSeconds: 10 * minute,
};

export const problemCodes = [
  'down_cells',
  'dead_work',
  'late_work',
  'unknown_attempts',
  'failing_connections',
  'open_cases',
  'late_jobs',
  'unsealed_events',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** Something that waits for a person. */
export type Problem = {
  code: ProblemCode;
  /** How many there are. For `unsealed_events`, which are not counted, 1. */
  count: number;
  /** For how long the oldest one has been so, in seconds; null if that is not known. */
  seconds: number | null;
  /** The cells, kinds of work, modes, processors, kinds of cases or jobs that it is about. */
  names: string[];
};

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);

/** The longest of some durations; null if none is known. */
function longest(durations: readonly (number | null)[]): number | null {
  const known = durations.filter((seconds) => seconds !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Since when a job has not run as it should, in seconds before `at`. Null for one that nothing has planned yet. */
export function secondsWithoutRun(job: JobStatus, at: Date): number | null {
  if (job.dueAt === null) return null;
  // Without failures it ran at the time before. A process of the release before does not record when it succeeded.
  const planned = job.dueAt.getTime() - job.intervalSeconds * 1_000;
  const succeeded = job.lastSuccessAt?.getTime() ?? planned;
  const last = job.failures > 0 ? succeeded : Math.max(planned, succeeded);
  return (at.getTime() - last) / 1_000;
}

function findLateJobs({ jobs, at }: ServiceStatus): Omit<Problem, 'code'> {
  const late = jobs.flatMap((job) => {
    const seconds = secondsWithoutRun(job, at);
    const limit = Math.max(thresholds.lateJobSeconds, thresholds.lateJobIntervals * job.intervalSeconds);
    return seconds !== null && seconds > limit ? [{ name: job.name, seconds }] : [];
  });
  return {
    count: late.length,
    seconds: longest(late.map(({ seconds }) => seconds)),
    names: late.map(({ name }) => name),
  };
}

const checks: Readonly<Record<ProblemCode, (status: ServiceStatus) => Omit<Problem, 'code'>>> = {
  down_cells: ({ downCells }) => ({ count: downCells.length, seconds: null, names: downCells }),
  dead_work: ({ work }) => {
    const dead = work.filter(({ dead: count }) => count > 0);
    const count = sum(dead.map((kind) => kind.dead));
    return { count, seconds: null, names: dead.map(({ kind }) => kind) };
  },
  late_work: ({ work }) => {
    const late = work.filter(({ oldestDueSeconds: age }) => (age ?? 0) > thresholds.lateWorkSeconds);
    return {
      count: sum(late.map(({ due }) => due)),
      seconds: longest(late.map(({ oldestDueSeconds }) => oldestDueSeconds)),
      names: late.map(({ kind }) => kind),
    };
  },
  unknown_attempts: ({ unknownAttempts }) => {
    const old = unknownAttempts.filter(
      ({ oldestSeconds }) => (oldestSeconds ?? 0) > thresholds.unknownAttemptSeconds,
    );
    return {
      count: sum(old.map(({ count }) => count)),
      seconds: longest(old.map(({ oldestSeconds }) => oldestSeconds)),
      names: old.map(({ mode }) => mode),
    };
  },
  failing_connections: ({ connections }) => {
    const failing = connections.filter(({ health }) => health === 'failing');
    return {
      count: sum(failing.map(({ count }) => count)),
      seconds: null,
      names: failing.map(({ processor, mode }) => `${processor} ${mode}`),
    };
  },
  open_cases: ({ openCases }) => {
    const open = openCases.filter(({ count }) => count > 0);
    return { count: sum(open.map(({ count }) => count)), seconds: null, names: open.map(({ kind }) => kind) };
  },
  late_jobs: findLateJobs,
  unsealed_events: ({ oldestUnsealedSeconds: seconds }) => {
    const isLate = (seconds ?? 0) > thresholds.unsealedEventSeconds;
    return { count: isLate ? 1 : 0, seconds: isLate ? seconds : null, names: [] };
  },
};

/** What needs a person, in the order of `problemCodes`. Empty if nothing does. */
export function findProblems(status: ServiceStatus): Problem[] {
  return problemCodes
    .map((code): Problem => ({ code, ...checks[code](status) }))
    .filter(({ count }) => count > 0);
}
