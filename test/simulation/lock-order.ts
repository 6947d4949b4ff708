// Checks that a transaction locks payments in the order of their IDs. On one connection no two transactions can block each
// other, so a deadlock would not show otherwise.

import type { TenantTx } from '../../src/db/database.ts';

/** The transaction, with a check of each lock. A lock that it has already may be taken again. */
export function watchLocks(tx: TenantTx, onFault: (fault: string) => void): TenantTx {
  const locked = new Set<string>();
  let last = '';
  const query: TenantTx['query'] = async (text, values, options) => {
    const rows = await tx.query(text, values, options);
    // Attempts are started on links that are not locked: that statement waits for nobody.
    if (
      text.startsWith('with given') ||
      !/\bfrom payments\b|\bjoin payments\b/.test(text) ||
      !/\bfor update\b/.test(text)
    )
      return rows;
    for (const { paymentId } of rows as { paymentId?: string }[]) {
      if (paymentId === undefined || locked.has(paymentId)) continue;
      if (paymentId < last)
        onFault(`${paymentId} is locked after ${last}: two batches could block each other`);
      locked.add(paymentId);
      last = paymentId;
    }
    return rows;
  };
  return { ...tx, query };
}
