// Seals what a company keeps sealed anew under the current master key, a few rows in a transaction each, beside
// the service and again after a crash. Must never: write over a row whose content it could not open.

import type { Database, TenantTx } from './database.ts';

/** What a look over the sealed rows of a table came to. */
export type ReencryptionResult = {
  /** Rows that are under the current key now and were not before. */
  resealed: number;
  /** Rows that were so already. */
  upToDate: number;
  /** Ids of rows that no key in the settings opens. */
  unopened: string[];
};

/** Where to reseal. With `isLook` the first rows are only opened: nothing is written, and the rest is left out. */
export type ReencryptionOptions = { companyId: string; batchSize: number; isLook?: boolean };

export type EncryptedTable<Row> = {
  /** Rows in the order of their ids, following one (the empty text: from the first), locked until the end. */
  lock(tx: TenantTx, after: string, limit: number): Promise<Row[]>;
  idOf(row: Row): string;
  /** The row under the current key; null when it is so already. Throws when it does not open. */
  reseal(row: Row): Row | null;
  write(tx: TenantTx, row: Row): Promise<void>;
};

/** So few that nobody waits long for one of them. */
export const defaultBatchSize = 100;

function reencryptRow<Row>(table: EncryptedTable<Row>, row: Row): { changed: Row | null } | null {
  try {
    return { changed: table.reseal(row) };
  } catch {
    // No more is to be said of it: the reason is the same for each.
    return null;
  }
}

/** Goes over the rows of one company, from inside its wall. */
export async function reencryptInBatches<Row>(
  db: Database,
  table: EncryptedTable<Row>,
  { companyId, batchSize, isLook = false }: ReencryptionOptions,
): Promise<ReencryptionResult> {
  const sum: ReencryptionResult = { resealed: 0, upToDate: 0, unopened: [] };
  let after = '';
  for (;;) {
    const from = after;
    // Counted outside the transaction, which may be run again.
    const seen = await db.inBothModes(companyId, async (tx) => {
      const results = (await table.lock(tx, from, batchSize)).map((row) => ({
        row,
        look: reencryptRow(table, row),
      }));
      for (const { look: result } of results)
        if (result?.changed && !isLook) await table.write(tx, result.changed);
      return results;
    });
    sum.resealed += seen.filter(({ look: result }) => result?.changed).length;
    sum.upToDate += seen.filter(({ look: result }) => result && !result.changed).length;
    sum.unopened.push(...seen.filter(({ look: result }) => !result).map(({ row }) => table.idOf(row)));
    const last = seen.at(-1);
    if (!last || isLook || seen.length < batchSize) return sum;
    after = table.idOf(last.row);
  }
}
