// Options for batching the steps of paying and the reads of links: those of a company that come together share
// a transaction, because opening and committing it costs more than its reads or writes. If a batch fails, each
// item is tried by itself. One payment must not block another.

import { isStatementError } from '../db/connection.ts';

export const batchOptions = {
  /** Bounds one transaction. Further items of one company wait for the next. */
  maxItems: 100,
  /** A refused statement undoes the whole batch. */
  mayBeOfOne: isStatementError,
  /** Much longer than a batch usually takes. */
  besideAfterMs: 50,
};
