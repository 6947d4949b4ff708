// The IDs of all companies, for work on each of them. That work runs inside the company's tenant scope. Must
// not: read anything but IDs.

import { listCompanyIds } from './companies/store.ts';
import type { Database } from './db/database.ts';

const companiesAtATime = 500;

/** Every company's ID, in order. A company created during the iteration may be missing. */
export async function* iterateCompanies(db: Database): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const companies = await db.inSystem(async (tx) => await listCompanyIds(tx, after, companiesAtATime));
    yield* companies;
    after = companies.at(-1) ?? '';
    if (companies.length < companiesAtATime) return;
  }
}
