// Gives work that strangers cause a fixed share of the database connections. The rest stays free for other
// work.

import { errors } from '../base/errors.ts';
import { waitWithinBudget } from '../base/time-budget.ts';
import type { Database } from './database.ts';

export type ConcurrencyLimits = {
  /** How many transactions may be open at once. */
  atOnce: number;
  /** How many more may wait. Further ones are refused with `unavailable`. */
  mostWaiting: number;
};

/** Runs work with at most `atOnce` at a time, in the order of the calls. */
function createSemaphore({ atOnce, mostWaiting }: ConcurrencyLimits) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= mostWaiting) throw errors.unavailable({ headers: { 'retry-after': '2' } });
      // Work that ends passes its place on, so that no other call takes it in between.
      const { promise, resolve } = Promise.withResolvers<void>();
      const wait = async () => {
        waiting.push(resolve);
        await promise;
      };
      const leave = () => {
        const index = waiting.indexOf(resolve);
        if (index >= 0) waiting.splice(index, 1);
      };
      await waitWithinBudget(wait, leave);
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * The same database with a limit on open transactions. Statements of the connecting role do not count. Each cell has its own
 * limit, because one that hangs keeps its places. So have `inSystem` and looking for the cell of a company.
 */
export function limitConcurrency(db: Database, concurrencyLimits: ConcurrencyLimits): Database {
  const inSystemTurn = createSemaphore(concurrencyLimits);
  // By their names. A database without cells has one, without a name.
  const turns = new Map<string | null, typeof inSystemTurn>([[db.cell, inSystemTurn]]);
  const inTurn = async <T>(companyId: string, work: () => Promise<T>): Promise<T> => {
    // Strangers invent companies, which the directory is asked for.
    const { cell } = db.hasDirectory ? await inSystemTurn(async () => await db.lastCellOf(companyId)) : db;
    const turn = turns.get(cell) ?? createSemaphore(concurrencyLimits);
    turns.set(cell, turn);
    return await turn(work);
  };
  return {
    ...db,
    inTenant: async (scope, work, options) =>
      await inTurn(scope.companyId, async () => await db.inTenant(scope, work, options)),
    inCompany: async (companyId, work, options) =>
      await inTurn(companyId, async () => await db.inCompany(companyId, work, options)),
    inBothModes: async (companyId, work, options) =>
      await inTurn(companyId, async () => await db.inBothModes(companyId, work, options)),
    inSystem: async (work) => await inSystemTurn(async () => await db.inSystem(work)),
  };
}
