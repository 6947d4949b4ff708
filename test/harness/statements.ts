// Counts the transactions that requests cause, on a service without background work.

import type { Paylink } from './paylink.ts';

/** Counts from now on. Returns a function that returns the count. */
export function countTransactions({ app }: Paylink): () => number {
  const { db } = app.deps;
  const { inTenant, inCompany, inBothModes, inSystem } = db;
  let count = 0;
  db.inTenant = async (scope, work, options) => {
    count += 1;
    return await inTenant(scope, work, options);
  };
  db.inCompany = async (companyId, work, options) => {
    count += 1;
    return await inCompany(companyId, work, options);
  };
  db.inBothModes = async (companyId, work, options) => {
    count += 1;
    return await inBothModes(companyId, work, options);
  };
  db.inSystem = async (work) => {
    count += 1;
    return await inSystem(work);
  };
  return () => count;
}
