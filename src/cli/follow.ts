// Follows the feed; while the service is unavailable, it waits. Must not: skip an event.

import { setTimeout as pause } from 'node:timers/promises';
import type { PaylinkEvent } from '../../sdk/src/index.ts';
import { type CliClient, isTransient, toCommandError } from './client.ts';
import type { OptionSpec, ParsedArguments } from './command.ts';
import { stripControlCharacters, type Terminal } from './terminal.ts';

const waitSeconds = 25;
const pageSize = 100;
const firstPauseMs = 500;
const maxPauseMs = 10_000;

export const followOptions: readonly OptionSpec[] = [
  {
    name: 'after',
    value: 'CURSOR',
    help: 'continue after this cursor; "start" is the first event; default: only new events',
  },
  {
    name: 'type',
    value: 'TYPE',
    help: 'only events of this type; payment.* matches every type that starts with "payment."',
    isRepeatable: true,
  },
];

const matchesTypes = (type: string, wanted: readonly string[]) =>
  wanted.length === 0 ||
  wanted.some((one) => (one.endsWith('*') ? type.startsWith(one.slice(0, -1)) : type === one));

type EventHandler = (event: PaylinkEvent) => Promise<void>;

export type FollowOptions = {
  given: ParsedArguments;
  /** Whether to end when there are no more events, instead of waiting for new ones. */
  isOnce: boolean;
  handle: EventHandler;
};

type Follower = {
  client: CliClient;
  /** Never behind an event that was not handled. */
  cursor: string | undefined;
  handle: EventHandler;
  call: { signal: AbortSignal; maxRetries: 0; onAnswer: () => void };
};

async function handleExisting(follower: Follower): Promise<void> {
  for (;;) {
    const page = await follower.client.events.list(
      { after: follower.cursor, limit: pageSize },
      follower.call,
    );
    for (const event of page.data) await follower.handle(event);
    follower.cursor = page.nextCursor;
    if (page.data.length === 0) return;
  }
}

async function handleNew(follower: Follower): Promise<void> {
  const start = { after: follower.cursor, limit: pageSize, waitSeconds };
  const feed = follower.client.events.follow(start, follower.call);
  try {
    for await (const event of feed) await follower.handle(event);
  } finally {
    follower.cursor = feed.cursor;
  }
}

/** Follows until the signal or the end. Reports once that the service is unavailable, and retries. */
async function followWithRetries(follower: Follower, terminal: Terminal, isOnce: boolean): Promise<void> {
  const { signal } = terminal;
  let pauseMs = 0;
  follower.call.onAnswer = () => {
    if (pauseMs > 0) terminal.note('The service is available again.');
    pauseMs = 0;
  };
  while (!signal.aborted) {
    try {
      if (isOnce) return await handleExisting(follower);
      await handleNew(follower);
    } catch (error) {
      if (signal.aborted) return;
      if (!isTransient(error)) throw error;
      const reported = toCommandError(error);
      if (pauseMs === 0)
        terminal.note(`${reported instanceof Error ? reported.message : reported} Retrying…`);
      pauseMs = Math.min(maxPauseMs, Math.max(firstPauseMs, pauseMs * 2));
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Until the terminal's signal or, with `isOnce`, until there are no more. At the end it prints how to continue. */
export async function followEvents(
  client: CliClient,
  terminal: Terminal,
  { given, isOnce, handle }: FollowOptions,
): Promise<void> {
  const { signal } = terminal;
  const after = given.text('after');
  const wanted = given.texts('type');
  const follower: Follower = {
    client,
    cursor: after === 'start' ? undefined : after,
    handle: async (event) => {
      if (matchesTypes(event.type, wanted)) await handle(event);
    },
    call: { signal, maxRetries: 0, onAnswer: () => undefined },
  };
  if (after === undefined && !isOnce)
    follower.cursor = (await client.events.list({ after: 'latest' }, { signal })).nextCursor;
  if (!isOnce) terminal.note('Following the events. Press Ctrl-C to stop.');
  try {
    await followWithRetries(follower, terminal, isOnce);
  } finally {
    if (follower.cursor !== undefined)
      terminal.note(`To continue from here, add: --after ${stripControlCharacters(follower.cursor)}`);
  }
}
