// Waits for the end of the last step of a move. All work of a company waits for one that asks, so that many requests do not
// take the connections of the other companies.

import { setTimeout as pause } from 'node:timers/promises';
import { runInTestTime } from '../base/clock.ts';
import { runInSpan } from '../base/spans.ts';
import { runWithBudget } from '../base/time-budget.ts';
import type { Database } from '../db/database.ts';

const firstPauseMs = 5;
const longestPauseMs = 100;
/** A move gives up earlier. */
const maxAsks = 60;

/** Each call of what it returns waits longer than the last, up to a limit. */
export function createPauses(): () => Promise<void> {
  let pauseMs = firstPauseMs;
  return async () => {
    await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  };
}

/** Resolves when the cell no longer says that the company is being moved. */
export type WaitForMove = (companyId: string, cell: Database) => Promise<void>;

export function createWaitForMove(isMoving: (error: unknown) => boolean): WaitForMove {
  const waiting = new Map<string, Promise<void>>();
  const ask = async (companyId: string, cell: Database) => {
    const pauseLonger = createPauses();
    for (let asked = 0; asked < maxAsks; asked++) {
      await pauseLonger();
      try {
        return await cell.inCompany(companyId, async () => undefined);
      } catch (error) {
        // Any other error is for those who wait: they meet it themselves.
        if (!isMoving(error)) return;
      }
    }
  };
  return async (companyId, cell) => {
    const others = waiting.get(companyId);
    if (others) return await others;
    // It belongs to no request: neither to its budget, nor to its span, nor to its test time.
    const own = runWithBudget(null, () =>
      runInSpan(null, () => runInTestTime(null, async () => await ask(companyId, cell))),
    ).finally(() => waiting.delete(companyId));
    waiting.set(companyId, own);
    await own;
  };
}
