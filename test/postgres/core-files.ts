// The tests of what depends on the database: those that run on every supported version of PostgreSQL. None needs a program
// of PostgreSQL besides initdb and postgres.

/** The short ones: each with what could differ between versions. */
const short = {
  'src/db/migrate.test.ts': 'every migration on an empty database, and the right to assume roles',
  'test/tenant-isolation.test.ts': 'row-level security and grants',
  'test/paying.test.ts': 'locks and unique indexes of concurrent payments',
  'test/due-work.test.ts': 'claims with `skip locked`',
  'test/payment-search.test.ts': 'collations, prefixes, and the plans of searches',
  'test/cells/limited-user.long.ts': 'subscriptions of a user who is no superuser: from PostgreSQL 16 on',
} as const;

const database = [
  'src/db/auto-analyze.test.ts',
  'src/db/database.test.ts',
  'src/db/insert-all.test.ts',
  'src/db/single-statement.test.ts',
  'src/db/transaction.test.ts',
  'test/dump-schema.test.ts',
  'test/statistics-at-start.test.ts',
];

const payments = [
  'test/audit.test.ts',
  'test/bank/imports.test.ts',
  'test/bank/paying.test.ts',
  'test/bank/reviews.test.ts',
  'test/batched-creates.test.ts',
  'test/batched-pay.test.ts',
  'test/batched-reads.test.ts',
  'test/idempotency.test.ts',
  'test/interface.test.ts',
  'test/late-processor-reports.test.ts',
  'test/lifecycle.test.ts',
  'test/limits.test.ts',
  'test/mode-crossing-events.test.ts',
  'test/payment-statements.test.ts',
  'test/payment-view.test.ts',
  'test/refunds.test.ts',
];

const eventsAndWork = [
  'test/calendar.test.ts',
  'test/event-chain.test.ts',
  'test/feed-long-polling.test.ts',
  'test/feed.test.ts',
  'test/leases.test.ts',
  'test/seal-order.test.ts',
  'test/webhooks.test.ts',
];

const searchAndPlans = [
  'test/fill-words.test.ts',
  'test/overview.test.ts',
  'test/payment-words.test.ts',
  'test/plans/plans.long.ts',
  'test/search-locales.long.ts',
  'test/status-plans.test.ts',
];

const cells = [
  'test/cells/cells.test.ts',
  'test/cells/move.test.ts',
  'test/cells/move-under-load.long.ts',
  'test/cells/move-crashes.long.ts',
];

const racesAndFaults = [
  'test/database-outage.long.ts',
  'test/faults/crash-points.long.ts',
  'test/faults/kill-postgres.long.ts',
  'test/faults/kills.long.ts',
  'test/move/move.long.ts',
  'test/race-guards.long.ts',
  'test/races.long.ts',
];

/** A selection for at most 2 minutes. */
export const shortFiles: readonly string[] = Object.keys(short);

export const coreFiles: readonly string[] = [
  ...shortFiles,
  ...database,
  ...payments,
  ...eventsAndWork,
  ...searchAndPlans,
  ...cells,
  ...racesAndFaults,
];
