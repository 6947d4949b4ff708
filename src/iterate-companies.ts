// The IDs of all companies, for work on each of them. That work runs inside the company's tenant scope. Must
// not: read anything but IDs.

import { listPlacedCompanies } from './cells/directory-store.ts';
import { findCompany, listCompanyIds } from './companies/store.ts';
import type { Database, SystemTx } from './db/database.ts';

const companiesAtATime = 500;

/**
 * The ID of every company that exists when the iteration begins and when it ends, once; of several databases, one after the
 * other. Of an installation with several cells, it misses none that moves meanwhile, or whose move was interrupted. Of the view
 * of one cell, it has those that are at home there: one that moves meanwhile may be missing.
 */
export async function* iterateCompanies(db: Database): AsyncGenerator<string> {
  const isInstallation = db.hasDirectory && db.cell === null;
  if (!isInstallation) return yield* iteratePages(db, listCompanyIds);
  const seen = new Set<string>();
  for (const cell of db.cells())
    for await (const companyId of iteratePages(cell, listCompanyIds)) {
      if (seen.has(companyId)) continue;
      seen.add(companyId);
      yield companyId;
    }
  // The rest has moved to a cell that was listed before, or its switch has committed and is not finished.
  for await (const companyId of iteratePages(db, listPlacedCompanies))
    if (!seen.has(companyId) && (await exists(db, companyId))) yield companyId;
}

/** The directory may have a place without a company. Finishes a switch. */
const exists = async (db: Database, companyId: string) =>
  (await db.inCompany(companyId, findCompany)) !== null;

type ListPage = (tx: SystemTx, after: string, limit: number) => Promise<string[]>;

async function* iteratePages(db: Database, list: ListPage): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const companies = await db.inSystem(async (tx) => await list(tx, after, companiesAtATime));
    yield* companies;
    after = companies.at(-1) ?? '';
    if (companies.length < companiesAtATime) return;
  }
}
