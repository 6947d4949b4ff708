// The expiry of a payment link as people choose it: after a duration, or at a given time. The API decides whether it
// is allowed.

export const expiryChoices = ['hour', 'day', 'week', 'month', 'own'] as const;
type ExpiryChoice = (typeof expiryChoices)[number];
export type Expiry = {
  choice: ExpiryChoice;
  /** For a given time: `2026-11-30T18:00`, local. */
  own: string;
};

const hourMs = 3_600_000;
const lengthsMs: Record<Exclude<ExpiryChoice, 'own'>, number> = {
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
};

/** The chosen time, RFC 3339 in UTC; null for one that does not exist. */
export function expiryMoment({ choice, own }: Expiry, now: Date): string | null {
  if (choice !== 'own') return new Date(now.getTime() + lengthsMs[choice]).toISOString();
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(own) ? new Date(own) : null;
  return moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : null;
}
