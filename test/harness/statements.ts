// Counts the transactions that the service begins. For a service that is not at work beside answering: then each is
// one that a request caused.

import type { Paylink } from './paylink.ts';

/** Counts from now on; the function that it returns says how many there were. */
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
