// The status of the service as lines of text: what needs a person and what to do about it, then the facts.

import type { OperatorStatus } from '../status/schema.ts';
import { type Column, formatTable } from './table.ts';
import type { Terminal } from './terminal.ts';

type Problem = OperatorStatus['problems'][number];

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** A duration in its largest unit: `45 seconds`, `3 hours`. */
function formatDuration(seconds: number): string {
  const [unit, length] = units.find(([, least]) => seconds >= least) ?? (['second', 1] as const);
  return counted(Math.floor(seconds / length), unit);
}

const agoOf = (seconds: number | null) => (seconds === null ? '' : formatDuration(seconds));
const listed = ({ names }: Problem) => names.join(', ');
const forLong = ({ seconds }: Problem) =>
  seconds === null ? '' : `, the oldest for ${formatDuration(seconds)}`;

/** What was found, and what to do. */
const sentences: Readonly<Record<Problem['code'], (problem: Problem) => [found: string, action: string]>> = {
  down_cells: (problem) => [
    `Cells whose database does not respond: ${listed(problem)}. The figures above are those of the others.`,
    'Bring the database server back: its companies get 503 until then, and the others work.',
  ],
  dead_work: (problem) => [
    `Dead work: ${problem.count} (${listed(problem)}).`,
    'Run paylink jobs dead: it lists the reasons, and reruns what you have fixed.',
  ],
  late_work: (problem) => [
    `Due work that nobody does: ${problem.count} (${listed(problem)})${forLong(problem)}.`,
    'Check that the service runs, and look for errors in its log.',
  ],
  unknown_attempts: (problem) => [
    `Attempts whose outcome is unknown: ${problem.count} (${listed(problem)})${forLong(problem)}.`,
    'Check that their processors respond. The service asks them until they say how the attempt ended.',
  ],
  failing_connections: (problem) => [
    `Connections that fail: ${problem.count} (${listed(problem)}).`,
    "Check the processor's status page, and whether this machine reaches its API.",
  ],
  open_cases: (problem) => [
    `Open cases: ${problem.count} (${listed(problem)}).`,
    'The companies see them in the dashboard under Overview, and settle them with the processor.',
  ],
  late_jobs: (problem) => [
    `Recurring jobs that did not run: ${listed(problem)}${forLong(problem)}.`,
    'Check that the service runs, and look for the name of the job in its log.',
  ],
  unsealed_events: ({ seconds }) => [
    `Events without a seal: the oldest is ${agoOf(seconds)} old.`,
    'Look for seal-events in the log, and for a transaction on the database server that has been open for as long.',
  ],
};

const sum = (counts: readonly { count: number }[]) => counts.reduce((all, { count }) => all + count, 0);

function listFacts(status: OperatorStatus): string[] {
  const unknown = status.unknownAttempts.map(
    ({ mode, count, oldestSeconds }) =>
      `${mode} ${count}${oldestSeconds === null ? '' : ` (the oldest for ${formatDuration(oldestSeconds)})`}`,
  );
  const connections = status.connections.map(
    ({ processor, mode, health, count }) => `${processor} ${mode} ${count} ${health}`,
  );
  const unsealed = status.oldestUnsealedSeconds;
  return [
    `Attempts whose outcome is unknown: ${unknown.join(', ')}`,
    `Connections: ${connections.join(', ') || 'none'}`,
    `Webhook endpoints that fail: ${status.failingEndpoints}`,
    `Open cases: ${sum(status.openCases)}`,
    `Oldest event without a seal: ${unsealed === null ? 'none' : `${formatDuration(unsealed)} old`}`,
  ];
}

type Work = OperatorStatus['work'][number];
type Job = OperatorStatus['jobs'][number];

const workColumns: readonly Column<Work>[] = [
  { title: 'WORK', text: ({ kind }) => kind },
  { title: 'DUE', text: ({ due }) => String(due), isRight: true },
  { title: 'OLDEST', text: ({ oldestDueSeconds }) => agoOf(oldestDueSeconds) },
  { title: 'DEAD', text: ({ dead }) => String(dead), isRight: true },
];

const jobColumns = (at: number): readonly Column<Job>[] => [
  { title: 'JOB', text: ({ name }) => name },
  { title: 'EVERY', text: ({ intervalSeconds }) => formatDuration(intervalSeconds) },
  {
    title: 'LAST SUCCESS',
    text: ({ lastSuccessAt }) =>
      lastSuccessAt === null
        ? 'not recorded'
        : `${agoOf(Math.max(0, (at - Date.parse(lastSuccessAt)) / 1_000))} ago`,
  },
  { title: 'FAILED RUNS', text: ({ failures }) => String(failures), isRight: true },
];

/** The whole status as lines; the verdict comes last, where it is seen. */
export async function formatStatus(
  status: OperatorStatus,
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
): Promise<string[]> {
  const problems = status.problems.flatMap((problem) => {
    const [found, action] = sentences[problem.code](problem);
    return [`  ${paint('yellow', '!')} ${found}`, `    ${action}`];
  });
  return [
    ...listFacts(status),
    '',
    ...(await formatTable(status.work, workColumns, width)),
    '',
    ...(await formatTable(status.jobs, jobColumns(Date.parse(status.at)), width)),
    '',
    ...(problems.length === 0
      ? [paint('green', 'OK: nothing needs a person.')]
      : [paint('yellow', 'Needs a person:'), ...problems]),
  ];
}
