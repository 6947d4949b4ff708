// How long a move waits: not for what makes no progress, because its slot keeps the log of a server meanwhile, and through an
// outage, because a break of some seconds must not end a copy of hours.

import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '../db/outage.ts';

/** How long a copy or a standby may make no progress. */
export const defaultStallLimitMs = 5 * 60_000;
/** How long a server may be unavailable before the switch. */
export const defaultOutageLimitMs = 60_000;

const retryPauseMs = 500;

/** Each call is given the progress as a text. Returns whether it has stayed the same for the limit. */
export function createStallWatch(limitMs: number): (progress: string) => boolean {
  let last: string | null = null;
  let since = performance.now();
  return (progress) => {
    if (progress !== last) since = performance.now();
    last = progress;
    return performance.now() - since > limitMs;
  };
}

/** Runs work that can be repeated, again and again while a server is unavailable. Throws the error of the last time. */
export async function retryOutage<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + limitMs; ; await pause(retryPauseMs))
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error && isUnavailable(error)) || performance.now() > until) throw error;
    }
}
