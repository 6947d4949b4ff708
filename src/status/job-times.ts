// The recurring jobs and when each runs. schedule.ts says what they do; the status of the service tells from these times
// whether one is late.

import type { ScheduledJob } from '../work/calendar.ts';

export const jobTimes = {
  'expire-payments': { everyMinutes: 1 },
  'remind-payments': { everyMinutes: 5 },
  'seal-events': { everyMinutes: 1 },
  'finish-switches': { everyMinutes: 1 },
  'purge-old-rows': { dailyAt: '03:17' },
  'verify-ledger': { dailyAt: '03:41' },
  'compare-processors': { dailyAt: '04:11' },
  'report-dead-jobs': { everyMinutes: 60 },
  'purge-requests': { everyMinutes: 60 },
} as const satisfies Readonly<Record<string, ScheduledJob['at']>>;

export type JobName = keyof typeof jobTimes;
