// Follows the feed of public events over whatever happens to the service meanwhile: it waits at the
// feed, and goes on from its cursor when the service is back. It must never skip an event.

import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../../sdk/src/index.ts';
import { type Client, type Event, explainCall, isPassing } from './client.ts';
import type { Given, OptionSpec } from './command.ts';
import type { Terminal } from './terminal.ts';

const waitSeconds = 25;
/** Beyond the wait: for the service to answer at all. */
const answerWithinMs = (waitSeconds + 10) * 1000;
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
export function isWanted(type: string, wanted: readonly string[]): boolean {
  return (
    wanted.length === 0 ||
    wanted.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one))
  );
}

async function readPage(
  client: Client,
  after: string | undefined,
  options: { wait: number; signal: AbortSignal },
): Promise<Answer<'listEvents'>> {
  return await client.request(
    'listEvents',
    { query: { after, limit: pageSize, wait: options.wait } },
    { signal: options.signal, timeoutMs: answerWithinMs, maxRetries: 0 },
  );
}

/** The place behind the last event that there is. */
async function findEnd(client: Client, signal: AbortSignal): Promise<string | undefined> {
  let after: string | undefined;
  for (;;) {
    const page = await readPage(client, after, { wait: 0, signal });
    after = page.nextCursor;
    if (page.data.length === 0) return after;
  }
}

/** Waits before the next try; false when it was ended meanwhile. */
async function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  return await pause(ms, true, { signal }).catch(() => false);
}

export type Followed = { cursor: string | undefined };

/**
 * Hands on each event in order until the terminal's signal ends it, or, with `isOnce`, until there is no
 * more. `place.cursor` is always behind the last event that was handed on. Throws when the service
 * refuses; that it is away is told once and waited out.
 */
export async function followEvents(
  client: Client,
  terminal: Terminal,
  options: { given: Given; place: Followed; isOnce: boolean; handle: (event: Event) => Promise<void> },
): Promise<void> {
  const { given, place, isOnce, handle } = options;
  const { signal } = terminal;
  const after = given.text('after');
  const wanted = given.texts('type');
  if (after !== undefined && after !== 'start') place.cursor = after;
  if (after === undefined && !isOnce) place.cursor = await findEnd(client, signal);
  if (!isOnce) terminal.note('Following the events. End with Ctrl-C.');
  let pauseMs = 0;
  while (!signal.aborted) {
    try {
      const page = await readPage(client, place.cursor, { wait: isOnce ? 0 : waitSeconds, signal });
      if (pauseMs > 0) terminal.note('The service is back.');
      pauseMs = 0;
      for (const event of page.data) if (isWanted(event.type, wanted)) await handle(event);
      place.cursor = page.nextCursor;
      if (isOnce && page.data.length === 0) return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      const told = explainCall(error);
      if (pauseMs === 0) terminal.note(`${told instanceof Error ? told.message : told} Trying again…`);
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2));
      if (!(await rest(pauseMs, signal))) return;
    }
  }
}
