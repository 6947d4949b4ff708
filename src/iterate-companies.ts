// The IDs of all companies, for work on each of them. That work runs inside the company's tenant scope. Must
// not: read anything but IDs.

import { listCompanyIds } from './companies/store.ts';
import type { Database } from './db/database.ts';

const companiesAtATime = 500;

/**
 * Every company's ID, in order; of several databases, one after the other. A company that is created or moved during the
 * iteration may be missing.
 */
export async function* iterateCompanies(db: Database): AsyncGenerator<string> {
  for (const cell of db.cells()) yield* iterateCell(cell);
}

async function* iterateCell(cell: Database): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const companies = await cell.inSystem(async (tx) => await listCompanyIds(tx, after, companiesAtATime));
    yield* companies;
    after = companies.at(-1) ?? '';
    if (companies.length < companiesAtATime) return;
  }
}
