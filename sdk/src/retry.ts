// Decides whether a request is retried, and after which delay. Must not: repeat what could happen twice. A
// request that may have been carried out is repeated only if the service would recognise it.

import { PaylinkApiError, PaylinkConnectionError, PaylinkTimeoutError } from './errors.ts';

const firstWaitMs = 250;
const longestWaitMs = 8_000;

/** Statuses after which the effect of a request is unknown. */
const unclearStatuses: readonly number[] = [408, 500, 502, 504];

/** Statuses of requests that had no effect yet. */
const throttledStatuses: readonly number[] = [429, 503];

/** Whether the same request may succeed later. `isSafe`: the service recognises a repeated request. */
export function isRetryable(error: unknown, isSafe: boolean): boolean {
  if (error instanceof PaylinkTimeoutError || error instanceof PaylinkConnectionError) return isSafe;
  if (!(error instanceof PaylinkApiError)) return false;
  if (throttledStatuses.includes(error.status) || error.code === 'idempotency_in_progress') return true;
  return isSafe && unclearStatuses.includes(error.status);
}

/**
 * The delay after `tries` failed attempts: a random time up to a limit that doubles (full jitter, so that
 * clients do not retry together), and never less than the service asks for.
 * @param random from 0 to less than 1
 */
export function waitBeforeRetryMs(error: unknown, retryCount: number, random: number): number {
  const limitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (retryCount - 1));
  const asked = error instanceof PaylinkApiError ? error.retryAfterSeconds : null;
  return (asked ?? 0) * 1_000 + random * limitMs;
}

/** The header Retry-After in seconds, from a number or a date; null for anything else. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
}
