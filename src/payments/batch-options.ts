// Options of the batches of payments: concurrent steps of a company share a transaction. If a batch fails, each item is
// retried alone.

import { isStatementError } from '../db/connection.ts';
import { UnexpectedStatusError } from './transition.ts';

export const batchOptions = {
  /** Bounds one transaction. Further items of one company wait for the next. */
  maxItems: 100,
  /** A refused statement, or a payment that contradicts its attempt, undoes the whole batch. */
  mayBeOfOne: (error: unknown) => isStatementError(error) || error instanceof UnexpectedStatusError,
  /** Much longer than a batch usually takes. */
  besideAfterMs: 50,
};
