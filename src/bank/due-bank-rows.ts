// Bank data that waits for the worker: new bookings, and transfers whose payment does not know of the money yet.

import { sql } from '../db/statements.ts';
import { retriedRows } from '../work/retried-rows.ts';

/** New bookings, by mode. */
export const dueBankLines = retriedRows({
  table: sql`bank_lines`,
  id: sql`line_id`,
  token: sql`lease_token`,
  createdAt: sql`(
    select created_at from bank_statements as s
    where s.company_id = bank_lines.company_id and s.statement_id = bank_lines.statement_id)`,
  lane: sql`mode`,
  waiting: sql`state = 'new'`,
});

/** Unsettled transfers, by mode. */
export const dueTransfers = retriedRows({
  table: sql`bank_transfers`,
  id: sql`attempt_id`,
  token: sql`lease_token`,
  createdAt: sql`created_at`,
  lane: sql`mode`,
  waiting: sql`is_unsettled`,
});
