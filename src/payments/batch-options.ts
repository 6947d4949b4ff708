// How the acts of paying and the looks at links are gathered: those of a company that come together share a
// transaction, because opening and committing it costs more than all they read or write. What spoils a batch is
// tried by itself, and nothing that one payment waits for may hold up another.

import { isStatementError } from '../db/connection.ts';

export const batchOptions = {
  /** Bounds one transaction; more of one company than these wait for the next. */
  maxItems: 100,
  /** Nothing of a batch is done when the database refused one of its statements. */
  mayBeOfOne: isStatementError,
  /** Much longer than a batch takes when nothing is wrong. */
  besideAfterMs: 50,
};
