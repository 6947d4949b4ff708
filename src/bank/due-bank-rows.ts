// Bank data that waits for the worker: new bookings, and transfers whose payment does not know of the money yet.

import { sql } from '../db/statements.ts';
import { retriedRows } from '../work/retried-rows.ts';

/** New bookings, by mode. */
export const dueBankLines = retriedRows({
  table: sql`bank_lines`,
  id: sql`line_id`,
  token: sql`lease_token`,
  lane: sql`mode`,
  waiting: sql`state = 'new'`,
});

/** Unsettled transfers, by mode. */
export const dueTransfers = retriedRows({
  table: sql`bank_transfers`,
  id: sql`attempt_id`,
  token: sql`lease_token`,
  lane: sql`mode`,
  waiting: sql`is_unsettled`,
});
