// When a failed delivery is retried: the schedule of Standard Webhooks 1.0.0, about 75 hours in ten attempts.
// Pure, except for random jitter.

import { varyPause } from '../work/backoff.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt. The first is immediate. */
export const retryDelaysMs: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The maximum delay, whatever a receiver requests. */
export const maxRetryDelayMs: number = 24 * hour;

/** How long an endpoint may fail without a success before it is disabled: longer than one schedule. */
export const failingLimitMs: number = 5 * 24 * hour;

/** The time in a `Retry-After` header (RFC 9110 section 10.2.3); null for an invalid one. */
export function readRetryAfter(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return new Date(now.getTime() + Number(text) * second);
  const atMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : new Date(atMs);
}

/**
 * When to retry after `step` attempts, the last of which failed at `now`; null if that was the last one. A
 * receiver may request a later time, within a day.
 */
export function nextAttemptAt(failed: { step: number; now: Date; retryAfter: Date | null }): Date | null {
  const pauseMs = retryDelaysMs[failed.step];
  if (pauseMs === undefined) return null;
  const nowMs = failed.now.getTime();
  const askedMs = Math.min((failed.retryAfter?.getTime() ?? nowMs) - nowMs, maxRetryDelayMs);
  return new Date(nowMs + Math.max(varyPause(pauseMs), askedMs));
}
