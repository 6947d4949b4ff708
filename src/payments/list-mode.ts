// The condition of the mode in lists of payments and refunds.

import { sql } from '../db/statements.ts';

/**
 * The condition of the mode in the form of the list indexes: see migrations/0024_mode_isolation.sql. A parameter
 * instead of current_mode() would be folded into the expression, which then matches no index.
 */
export const inMode = sql`mode = current_mode() and (mode = 'live') = (current_mode() = 'live')`;
