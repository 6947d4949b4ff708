// The due work of the simulation: attempts and refunds without an outcome, as their rows say, on the simulated clock. A
// row that a task works on has a lease, so that it is worked on again if its process dies. Only the walk works on rows.

import type { Database } from '../../src/db/database.ts';

export type DueItem = {
  id: string;
  kind: 'attempt' | 'refund';
  companyId: string;
  /** When it may run: the row's due time, or the end of a lease or a pause. */
  dueAtMs: number;
};

const leaseMs = 30_000;
const firstPauseMs = 5_000;
const longestPauseMs = 900_000;

export type DueTable = {
  due(nowMs: number): Promise<DueItem[]>;
  /** When the next row is due; null if none waits. */
  nextDueMs(): Promise<number | null>;
  take(item: DueItem, nowMs: number): void;
  retry(item: DueItem, nowMs: number): void;
};

// What is due at once is so by the database's clock, which would make walks irreproducible.
const dueAt = 'greatest(due_at, created_at)';
const waitingRows = `
  select attempt_id as id, 'attempt' as kind, company_id as "companyId", ${dueAt} as "dueAt" from attempts
  where state in ('created', 'requires_action', 'processing', 'unknown') and due_at < 'infinity'
  union all
  select refund_id, 'refund', company_id, ${dueAt} from refunds
  where state in ('created', 'processing', 'unknown') and due_at < 'infinity'
  order by id`;

/** The due work of a database. */
export function createDueTable(db: Database): DueTable {
  const later = new Map<string, { dueAtMs: number; retries: number }>();
  const list = async (): Promise<DueItem[]> => {
    const rows = await db.asOwner.query<Omit<DueItem, 'dueAtMs'> & { dueAt: Date }>(waitingRows);
    return rows.map(({ dueAt, ...row }) => ({
      ...row,
      dueAtMs: Math.max(dueAt.getTime(), later.get(row.id)?.dueAtMs ?? 0),
    }));
  };
  return {
    due: async (nowMs) => (await list()).filter(({ dueAtMs }) => dueAtMs <= nowMs),
    nextDueMs: async () => {
      const times = (await list()).map(({ dueAtMs }) => dueAtMs);
      return times.length === 0 ? null : Math.min(...times);
    },
    take: ({ id }, nowMs) => {
      later.set(id, { dueAtMs: nowMs + leaseMs, retries: later.get(id)?.retries ?? 0 });
    },
    retry: ({ id }, nowMs) => {
      const retries = later.get(id)?.retries ?? 0;
      const pauseMs = Math.min(firstPauseMs * 2 ** retries, longestPauseMs);
      later.set(id, { dueAtMs: nowMs + pauseMs, retries: retries + 1 });
    },
  };
}
