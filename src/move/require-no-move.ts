// Whether a company can be imported or removed: not while a move of it is unfinished, whose remains hide its rows. Must not:
// change anything.

import { OperatorError } from '../base/operator-error.ts';
import { findRecord } from '../cells/home-store.ts';
import type { Database } from '../db/database.ts';
import { inOwnTransaction } from '../db/own-transaction.ts';
import { copySettings } from './copy-rows.ts';
import { hasCompany } from './export-company.ts';
import { requireTenantRights, seeCompany } from './one-company.ts';

/** Whether a cell has rows of a company that has gone from there. */
async function hasRowsLeft(cell: Database, companyId: string): Promise<boolean> {
  await requireTenantRights(cell.asOwner);
  const opening = { settings: copySettings(cell.kind), isRehearsal: true };
  return await cell.withConnection(
    async (sql) =>
      await inOwnTransaction(sql, opening, async () => {
        await seeCompany(sql, companyId);
        // It cannot be entered there.
        await sql.query("select set_config('paylink.entered', $1, true)", [companyId]);
        return await hasCompany(sql, companyId);
      }),
  );
}

/** Throws an OperatorError if a move of the company is unfinished. `done`: what was not done. */
export async function requireNoMove(
  installation: Database,
  companyId: string,
  done: 'imported' | 'removed',
): Promise<void> {
  if (!installation.hasDirectory) return;
  for (const cell of installation.cells()) {
    const known = await cell.inSystem(async (tx) => await findRecord(tx, companyId));
    if (known === null || known.status === 'home') continue;
    if (known.status === 'gone' && !(await hasRowsLeft(cell, companyId))) continue;
    throw new OperatorError(
      `A move of ${companyId} was interrupted, and the cell ${cell.cell} still has something of it. To see what to do, ` +
        `run: paylink admin cells verify ${companyId}. Nothing was ${done}.`,
    );
  }
}
