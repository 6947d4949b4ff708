// The shape of the status of the service, declared once. The command line prints the same with --json.

import { type Static, Type } from 'typebox';
import { moment, momentOrNull, oneOf } from '../http/schema-parts.ts';
import { caseKinds } from '../payments/case-store.ts';
import { problemCodes } from './find-problems.ts';
import { maxCounted } from './read-status.ts';

const count = (description: string) => Type.Integer({ description });
const secondsOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description}, in seconds` });
const mode = oneOf(['test', 'live'], 'The mode');

const Problem = Type.Object(
  {
    code: oneOf(problemCodes, 'What needs a person'),
    count: count('How many of them there are'),
    seconds: secondsOrNull('For how long the oldest one has been so'),
    names: Type.Array(Type.String(), {
      description: 'The cells, kinds of work, modes, processors, kinds of cases or jobs that it is about',
    }),
  },
  { title: 'ServiceProblem' },
);

const Work = Type.Object(
  {
    kind: Type.String({ description: 'The kind of work' }),
    due: count(`How much of it is due now, at most ${maxCounted}`),
    oldestDueSeconds: secondsOrNull('How long the oldest of it has been due'),
    dead: count('How much of it waits for a person, see paylink jobs dead'),
  },
  { title: 'WorkStatus' },
);

const UnknownAttempts = Type.Object(
  {
    mode,
    count: count('Attempts whose outcome is unknown'),
    oldestSeconds: secondsOrNull('How long that of the oldest one has been unknown'),
  },
  { title: 'UnknownAttempts' },
);

const Connections = Type.Object(
  {
    processor: Type.String({ description: 'The processor' }),
    mode,
    health: oneOf(
      ['healthy', 'failing', 'off'],
      'failing: the processor did not respond several times and has not responded since; off: a person switched it off',
    ),
    count: count('How many connections there are'),
  },
  { title: 'ConnectionStatus' },
);

const Cases = Type.Object(
  { kind: oneOf(caseKinds, 'What the case is about'), count: count('How many cases are open') },
  { title: 'OpenCaseCount' },
);

const Job = Type.Object(
  {
    name: Type.String({ description: 'The name of the job' }),
    intervalSeconds: count('How often it runs, in seconds'),
    lastSuccessAt: momentOrNull('When it last succeeded; null: never, or before the upgrade to this release'),
    dueAt: momentOrNull('When it runs next; null: no process has planned it yet'),
    failures: count('Failed runs since the last success'),
  },
  { title: 'JobStatus' },
);

export const OperatorStatus = Type.Object(
  {
    at: moment('When the status was read'),
    downCells: Type.Array(Type.String(), {
      description:
        'The cells whose database does not respond; the figures are those of the others. Empty with one database',
    }),
    verdict: oneOf(['ok', 'attention'], 'ok: nothing needs a person; attention: problems lists what does'),
    problems: Type.Array(Problem, { description: 'What needs a person' }),
    work: Type.Array(Work, { description: 'Every kind of work' }),
    unknownAttempts: Type.Array(UnknownAttempts, { description: 'Both modes' }),
    connections: Type.Array(Connections, { description: 'Connections with processors' }),
    failingEndpoints: count('Enabled webhook endpoints whose last delivery failed'),
    openCases: Type.Array(Cases, { description: 'Cases that need a person, as GET /v1/cases lists them' }),
    jobs: Type.Array(Job, { description: 'The recurring jobs' }),
    oldestUnsealedSeconds: secondsOrNull('The age of the oldest event that is not sealed yet'),
  },
  {
    title: 'ServiceStatus',
    description: 'The status of the service, over all companies',
    examples: [
      {
        at: '2026-11-20T12:54:58.330Z',
        downCells: [],
        verdict: 'attention',
        problems: [{ code: 'unknown_attempts', count: 2, seconds: 1_260, names: ['live'] }],
        work: [{ kind: 'reconcile-attempt', due: 3, oldestDueSeconds: 4, dead: 0 }],
        unknownAttempts: [
          { mode: 'test', count: 0, oldestSeconds: null },
          { mode: 'live', count: 2, oldestSeconds: 1_260 },
        ],
        connections: [{ processor: 'sandbox', mode: 'test', health: 'healthy', count: 12 }],
        failingEndpoints: 1,
        openCases: [{ kind: 'attempt', count: 0 }],
        jobs: [
          {
            name: 'seal-events',
            intervalSeconds: 60,
            lastSuccessAt: '2026-11-20T12:54:00.112Z',
            dueAt: '2026-11-20T12:55:00.000Z',
            failures: 0,
          },
        ],
        oldestUnsealedSeconds: 57,
      },
    ],
  },
);
export type OperatorStatus = Static<typeof OperatorStatus>;
