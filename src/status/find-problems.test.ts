import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findProblems, thresholds } from './find-problems.ts';
import { presentStatus } from './present-status.ts';
import type { JobStatus, ServiceStatus } from './read-status.ts';

const at = new Date('2026-11-20T12:00:00.000Z');
const before = (seconds: number) => new Date(at.getTime() - seconds * 1_000);

const minutely: JobStatus = {
  name: 'seal-events',
  intervalSeconds: 60,
  lastSuccessAt: before(30),
  dueAt: before(-30),
  failures: 0,
};

/** A busy service that needs nobody: everything is at its threshold, and nothing beyond it. */
const calm: ServiceStatus = {
  at,
  downCells: [],
  work: [
    { kind: 'reconcile-attempt', due: 4_000, oldestDueSeconds: thresholds.lateWorkSeconds, dead: 0 },
    { kind: 'match-bank-line', due: 3, oldestDueSeconds: null, dead: 0 },
  ],
  unknownAttempts: [
    { mode: 'test', count: 0, oldestSeconds: null },
    { mode: 'live', count: 7, oldestSeconds: thresholds.unknownAttemptSeconds },
  ],
  connections: [
    { processor: 'acme', mode: 'live', health: 'healthy', count: 3 },
    { processor: 'acme', mode: 'test', health: 'off', count: 1 },
  ],
  failingEndpoints: 12,
  openCases: [{ kind: 'attempt', count: 0 }],
  jobs: [minutely],
  oldestUnsealedSeconds: thresholds.unsealedEventSeconds,
};

const codesOf = (change: Partial<ServiceStatus>) =>
  findProblems({ ...calm, ...change }).map(({ code }) => code);
const jobsOf = (...jobs: Partial<JobStatus>[]) => ({ jobs: jobs.map((job) => ({ ...minutely, ...job })) });

describe('the problems of the service', () => {
  test('a busy service at its thresholds needs nobody, and each threshold is exceeded by one second', () => {
    assert.deepEqual(findProblems(calm), []);
    const [late] = findProblems({
      ...calm,
      work: [{ kind: 'emails', due: 5, oldestDueSeconds: thresholds.lateWorkSeconds + 1, dead: 0 }],
    });
    assert.deepEqual(late, {
      ...{ code: 'late_work', count: 5, seconds: thresholds.lateWorkSeconds + 1, names: ['emails'] },
    });
    const oldestSeconds = thresholds.unknownAttemptSeconds + 1;
    assert.deepEqual(
      findProblems({ ...calm, unknownAttempts: [{ mode: 'live', count: 2, oldestSeconds }] }),
      [{ code: 'unknown_attempts', count: 2, seconds: oldestSeconds, names: ['live'] }],
    );
    assert.deepEqual(codesOf({ oldestUnsealedSeconds: thresholds.unsealedEventSeconds + 1 }), [
      'unsealed_events',
    ]);
  });

  test('dead work, failing connections and open cases are problems at once, with their number and names', () => {
    assert.deepEqual(
      findProblems({
        ...calm,
        work: [
          { kind: 'reconcile-refund', due: 0, oldestDueSeconds: null, dead: 2 },
          { kind: 'calendar', due: 0, oldestDueSeconds: null, dead: 1 },
        ],
        connections: [{ processor: 'other', mode: 'live', health: 'failing', count: 4 }],
        openCases: [
          { kind: 'attempt', count: 0 },
          { kind: 'refund', count: 3 },
        ],
      }),
      [
        { code: 'dead_work', count: 3, seconds: null, names: ['reconcile-refund', 'calendar'] },
        { code: 'failing_connections', count: 4, seconds: null, names: ['other live'] },
        { code: 'open_cases', count: 3, seconds: null, names: ['refund'] },
      ],
    );
  });

  test('a job is late three intervals after its last run, whether it fails or no process runs it', () => {
    const hour = 60 * 60;
    const hourly = { name: 'report-dead-jobs', intervalSeconds: hour } as const;
    // No process has run since.
    const left = (seconds: number) =>
      jobsOf({ ...hourly, lastSuccessAt: before(seconds), dueAt: before(seconds - hour) });
    assert.deepEqual(codesOf(left(3 * hour)), []);
    assert.deepEqual(codesOf(left(3 * hour + 1)), ['late_jobs']);
    // It is planned again after each failure.
    const failing = { ...hourly, dueAt: before(-60), failures: 3 };
    assert.deepEqual(codesOf(jobsOf({ ...failing, lastSuccessAt: before(3 * hour) })), []);
    assert.deepEqual(codesOf(jobsOf({ ...failing, lastSuccessAt: before(3 * hour + 1) })), ['late_jobs']);
  });

  test('a job of every minute may miss ten minutes, as at a restart', () => {
    const left = (seconds: number) => jobsOf({ lastSuccessAt: before(seconds), dueAt: before(seconds - 60) });
    assert.deepEqual(codesOf(left(600)), []);
    const [late] = findProblems({ ...calm, ...left(601) });
    assert.deepEqual([late?.code, late?.seconds, late?.names], ['late_jobs', 601, ['seal-events']]);
  });

  test('a job that a process of the release before runs, which records no success, is not late', () => {
    assert.deepEqual(codesOf(jobsOf({ lastSuccessAt: null })), []);
    assert.deepEqual(codesOf(jobsOf({ lastSuccessAt: before(86_400) })), []);
    assert.deepEqual(codesOf(jobsOf({ lastSuccessAt: null, dueAt: null })), []);
    assert.deepEqual(codesOf(jobsOf({ lastSuccessAt: null, dueAt: before(700) })), ['late_jobs']);
  });

  test('the verdict follows from the problems, and durations are shown in whole seconds', () => {
    assert.equal(presentStatus(calm).verdict, 'ok');
    const shown = presentStatus({ ...calm, oldestUnsealedSeconds: 1_000.9 });
    assert.deepEqual(
      [shown.verdict, shown.problems[0]?.seconds, shown.oldestUnsealedSeconds],
      ['attention', 1_000, 1_000],
    );
  });
});
