// `paylink fixtures run`: the requests of a file, one after the other. Must not: create something twice when a run is
// repeated with its ID.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PaylinkApiError } from '../../sdk/src/index.ts';
import { type CliClient, openClient, reasonOf, toCommandError } from './client.ts';
import type { Command, ParsedArguments } from './command.ts';
import { CommandError, exitCodes, usageError } from './command-error.ts';
import { type FixtureStep, parseFixtures } from './fixture-file.ts';
import { fillPath, fillValue, UnresolvedReferenceError } from './fixture-references.ts';
import { profileOption } from './session.ts';
import { stripControlCharacters } from './terminal.ts';

type Run = {
  id: string;
  client: CliClient;
  /** Whether it continues an earlier one. */
  isRepeated: boolean;
  /** What references can name: the responses by the names of their steps, and `run`. */
  values: Map<string, unknown>;
};
type StepResult = Pick<FixtureStep, 'name' | 'method' | 'path'> & {
  step: number;
  status: number;
  /** Whether an earlier run has done it. */
  replayed: boolean;
  body: unknown;
};

function readRunId(given: ParsedArguments): string {
  const id = given.text('run-id');
  if (id === undefined) return randomUUID();
  if (/^[\w.-]{1,64}$/.test(id)) return id;
  throw usageError(`--run-id has 1 to 64 letters, digits and . _ -, not "${id}".`);
}

async function readBody(response: Response): Promise<unknown> {
  if (/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return await response.json();
  await response.body?.cancel();
  return null;
}

/** Sends a step. In a repeated run, a DELETE of what is gone has been done before: it has no idempotency key. */
async function send(run: Run, step: FixtureStep, path: string): Promise<Omit<StepResult, 'step' | 'name'>> {
  const { method, number } = step;
  const query = fillValue(step.query, run.values) as Record<string, unknown>;
  const body = step.body === undefined ? undefined : fillValue(step.body, run.values);
  const idempotencyKey = `fixtures ${run.id} ${number}`;
  try {
    const response = await run.client.rawRequest(method, path, { query, body }, { idempotencyKey });
    const replayed = response.headers.get('idempotent-replayed') === 'true';
    return { method, path, status: response.status, replayed, body: await readBody(response) };
  } catch (error) {
    const isGone = error instanceof PaylinkApiError && error.status === 404;
    if (!(isGone && method === 'DELETE' && run.isRepeated)) throw error;
    return { method, path, status: error.status, replayed: true, body: null };
  }
}

/** Names the step in the error of a request or a reference. */
function explain(error: unknown, { number, name }: FixtureStep): unknown {
  const where = `Step ${number}${name === null ? '' : ` (${name})`}: `;
  if (error instanceof UnresolvedReferenceError)
    return new CommandError(exitCodes.found, stripControlCharacters(`${where}${error.message}.`));
  const reported = toCommandError(error);
  if (!(reported instanceof CommandError)) return error;
  return new CommandError(reported.exitCode, where + reported.message, reported.details);
}

async function runStep(run: Run, step: FixtureStep): Promise<StepResult> {
  try {
    const sent = await send(run, step, fillPath(step.path, run.values));
    if (step.name !== null) run.values.set(step.name, sent.body);
    return { step: step.number, name: step.name, ...sent };
  } catch (error) {
    throw explain(error, step);
  }
}

const describe = ({ step, method, path, name, status, replayed }: StepResult) =>
  stripControlCharacters(
    `${step}. ${name === null ? '' : `${name}: `}${method} ${path} → ${status}${replayed ? ', done before' : ''}`,
  );

const run: Command = {
  name: 'fixtures run',
  summary: 'Send the requests of a file, one after the other',
  details:
    'It checks the whole file before the first request, and stops at the first request that fails. To continue, repeat\n' +
    'the command with the --run-id that it printed: what was created is not created again.',
  arguments: [{ name: 'FILE', help: 'the JSON file with the steps' }],
  options: [
    { name: 'run-id', value: 'ID', help: 'the ID of the run that is continued; default: a new one' },
    profileOption,
  ],
  examples: ['fixtures run orders.json', 'fixtures run orders.json --run-id demo-1 --json'],
  run: async (context, given) => {
    const { terminal } = context;
    const id = readRunId(given);
    const file = given.argument('FILE');
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw usageError(`${stripControlCharacters(file)} could not be read (${reasonOf(error)}).`);
    });
    const steps = parseFixtures(text, file);
    const client = await openClient(context, given, { runsLong: true });
    const values = new Map<string, unknown>([['run', { id }]]);
    const started: Run = { id, client, isRepeated: given.has('run-id'), values };
    terminal.note(`Run ID: ${id}. To continue this run after an error, add --run-id ${id}`);
    const results: StepResult[] = [];
    for (const step of steps) {
      const result = await runStep(started, step);
      results.push(result);
      if (!terminal.isJson) terminal.print(describe(result));
    }
    if (terminal.isJson) terminal.report({ json: { runId: id, steps: results }, lines: [] });
    return exitCodes.ok;
  },
};

export const fixtureCommands: readonly Command[] = [run];
