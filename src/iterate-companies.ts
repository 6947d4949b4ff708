// The ids of all companies, for work that goes round them. What is done with each is done from inside its own
// wall: this must never look at anything but ids.

import { listCompanyIds } from './companies/store.ts';
import type { Database } from './db/database.ts';

const companiesAtATime = 500;

/** Every company's id, in their order. One that is founded meanwhile may be among them or not. */
export async function* iterateCompanies(db: Database): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const companies = await db.inSystem(async (tx) => await listCompanyIds(tx, after, companiesAtATime));
    yield* companies;
    after = companies.at(-1) ?? '';
    if (companies.length < companiesAtATime) return;
  }
}
