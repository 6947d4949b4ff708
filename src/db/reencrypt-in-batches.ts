// Re-encrypts a company's stored secrets with the current master key, a few rows per transaction, while the
// service runs; it can resume after a crash. Must not: overwrite a row that it could not decrypt.

import type { Database, TenantTx } from './database.ts';

export type ReencryptionResult = {
  /** Rows that were re-encrypted with the current key. */
  resealed: number;
  /** Rows that already had the current key. */
  upToDate: number;
  /** IDs of rows that no configured key decrypts. */
  unopened: string[];
};

/** What to re-encrypt. With `isDryRun` it only decrypts the first rows and writes nothing. */
export type ReencryptionOptions = { companyId: string; batchSize: number; isDryRun?: boolean };

export type EncryptedTable<Row> = {
  /**
   * Rows in the order of their IDs, after the given one (empty text: from the first), locked until the end.
   */
  lock(tx: TenantTx, after: string, limit: number): Promise<Row[]>;
  idOf(row: Row): string;
  /** The row under the current key; null when it already is. Throws when it cannot be decrypted. */
  reencryptValue(row: Row): Row | null;
  write(tx: TenantTx, row: Row): Promise<void>;
};

/** So few rows that nobody waits long for one of them. */
export const defaultBatchSize = 100;

function reencryptRow<Row>(table: EncryptedTable<Row>, row: Row): { changed: Row | null } | null {
  try {
    return { changed: table.reencryptValue(row) };
  } catch {
    // The reason is the same for each, so it is not reported.
    return null;
  }
}

/** Processes the rows of one company, inside its tenant scope. */
export async function reencryptInBatches<Row>(
  db: Database,
  table: EncryptedTable<Row>,
  { companyId, batchSize, isDryRun = false }: ReencryptionOptions,
): Promise<ReencryptionResult> {
  const sum: ReencryptionResult = { resealed: 0, upToDate: 0, unopened: [] };
  let after = '';
  for (;;) {
    const from = after;
    // Count outside the transaction, which may run again.
    const seen = await db.inBothModes(companyId, async (tx) => {
      const results = (await table.lock(tx, from, batchSize)).map((row) => ({
        row,
        outcome: reencryptRow(table, row),
      }));
      for (const { outcome } of results)
        if (outcome?.changed && !isDryRun) await table.write(tx, outcome.changed);
      return results;
    });
    sum.resealed += seen.filter(({ outcome }) => outcome?.changed).length;
    sum.upToDate += seen.filter(({ outcome }) => outcome && !outcome.changed).length;
    sum.unopened.push(...seen.filter(({ outcome }) => !outcome).map(({ row }) => table.idOf(row)));
    const last = seen.at(-1);
    if (!last || isDryRun || seen.length < batchSize) return sum;
    after = table.idOf(last.row);
  }
}
