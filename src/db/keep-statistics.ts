// Keeps the statistics of the tables of each database up to date. An embedded database has a single connection, which this
// must not occupy; its own maintenance also analyses.

import { startAutoAnalyze } from './auto-analyze.ts';
import type { Database } from './database.ts';

export type KeptStatistics = {
  /** Resolves when the first checks have ended or take too long. Never rejects. */
  known(): Promise<void>;
  stop(): Promise<void>;
};

export function keepStatistics({
  db,
  log,
}: {
  db: Database;
  log: { warn(fields: object, message: string): void };
}): KeptStatistics {
  const all: ReturnType<typeof startAutoAnalyze>[] = [];
  let isStopped = false;
  db.onCellOpen(({ kind, asOwner }) => {
    if (kind === 'embedded' || isStopped) return;
    all.push(startAutoAnalyze(asOwner, (err) => log.warn({ err }, 'table statistics could not be updated')));
  });
  return {
    known: async () => void (await Promise.all(all.map(async ({ known }) => await known))),
    stop: async () => {
      isStopped = true;
      await Promise.all(all.map(async ({ stop }) => await stop()));
    },
  };
}
