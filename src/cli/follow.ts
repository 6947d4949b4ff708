// Follows the feed of public events over whatever happens to the service meanwhile: it waits at the
// feed, and goes on from its cursor when the service is back. It must never skip an event.

import { setTimeout as pause } from 'node:timers/promises';
import type { PaylinkEvent } from '../../sdk/src/index.ts';
import { type CliClient, isTransient, toCommandError } from './client.ts';
import type { OptionSpec, ParsedArguments } from './command.ts';
import type { Terminal } from './terminal.ts';

const waitSeconds = 25;
const pageSize = 100;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** The options of all who follow the feed. */
export const followOptions: readonly OptionSpec[] = [
  {
    name: 'after',
    value: 'CURSOR',
    help: 'go on after this cursor; "start" begins with the first event. Without it: from now on',
  },
  {
    name: 'type',
    value: 'TYPE',
    help: 'only of this type; payment.* for all that begin so',
    isRepeatable: true,
  },
];

/** Whether an event is one of the wanted types; without any, all are. */
export function matchesTypes(type: string, wanted: readonly string[]): boolean {
  return (
    wanted.length === 0 ||
    wanted.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one))
  );
}

/** Waits before the next try; false when it was ended meanwhile. */
async function waitBeforeRetry(ms: number, signal: AbortSignal): Promise<boolean> {
  return await pause(ms, true, { signal }).catch(() => false);
}

export type FeedProgress = { cursor: string | undefined };

type EventHandler = (event: PaylinkEvent) => Promise<void>;

/** What becomes of events, and who is told whenever the service has answered. */
type FeedHandlers = { handle: EventHandler; onAnswer: () => void };

/** Hands on what there is, and ends. */
async function readAll(
  client: CliClient,
  { signal }: Terminal,
  progress: FeedProgress,
  { handle, onAnswer }: FeedHandlers,
): Promise<void> {
  for (;;) {
    const query = { after: progress.cursor, limit: pageSize };
    const page = await client.events.list(query, { signal, maxRetries: 0, onAnswer });
    for (const event of page.data) await handle(event);
    progress.cursor = page.nextCursor;
    if (page.data.length === 0) return;
  }
}

/** Hands on each event until something fails. */
async function followOn(
  client: CliClient,
  { signal }: Terminal,
  progress: FeedProgress,
  { handle, onAnswer }: FeedHandlers,
): Promise<void> {
  const start = { after: progress.cursor, limit: pageSize, waitSeconds };
  const feed = client.events.follow(start, { signal, maxRetries: 0, onAnswer });
  try {
    for await (const event of feed) await handle(event);
  } finally {
    progress.cursor = feed.cursor;
  }
}

/**
 * Hands on each event in order until the terminal's signal ends it, or, with `isOnce`, until there is no
 * more. `place.cursor` is never behind an event that was not handed on. Throws when the service
 * refuses; that it is away is told once and waited out.
 */
export async function followEvents(
  client: CliClient,
  terminal: Terminal,
  options: { given: ParsedArguments; place: FeedProgress; isOnce: boolean; handle: EventHandler },
): Promise<void> {
  const { given, place: progress, isOnce } = options;
  const { signal } = terminal;
  const after = given.text('after');
  const wanted = given.texts('type');
  const handle: EventHandler = async (event) => {
    if (matchesTypes(event.type, wanted)) await options.handle(event);
  };
  if (after !== undefined && after !== 'start') progress.cursor = after;
  if (after === undefined && !isOnce)
    progress.cursor = (await client.events.list({ after: 'latest' }, { signal })).nextCursor;
  if (!isOnce) terminal.note('Following the events. End with Ctrl-C.');
  let pauseMs = 0;
  const onAnswer = () => {
    if (pauseMs > 0) terminal.note('The service is back.');
    pauseMs = 0;
  };
  while (!signal.aborted) {
    try {
      if (isOnce) return await readAll(client, terminal, progress, { handle, onAnswer });
      await followOn(client, terminal, progress, { handle, onAnswer });
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
      const reported = toCommandError(error);
      if (pauseMs === 0)
        terminal.note(`${reported instanceof Error ? reported.message : reported} Trying again…`);
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2));
      if (!(await waitBeforeRetry(pauseMs, signal))) return;
    }
  }
}
