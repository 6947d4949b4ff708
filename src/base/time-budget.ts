// How long a request may wait for the database, all its waits together. The budget travels with the request through
// every function it calls, so nothing has to hand it on. Work that has none, such as a worker's, waits as long as its
// own limits allow. It must never end work that is under way: it ends the waiting for it.

import { AsyncLocalStorage } from 'node:async_hooks';

export type TimeBudget = {
  limitMs: number;
  spentMs: number;
  /** Waits that are under way; they may overlap, and count once. */
  waits: number;
  /** When the first of them began, or when the last one ended. */
  changedAt: number;
  /** Hears of the error that is thrown when it is spent. */
  noteSpent: (error: TimeBudgetExceededError) => void;
};

/** The budget is spent: the database did not answer in the time that the request has for it. */
export class TimeBudgetExceededError extends Error {
  override readonly name = 'TimeBudgetExceededError';
  readonly limitMs: number;
  constructor(limitMs: number) {
    super(`the database gave no answer within ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

const current = new AsyncLocalStorage<TimeBudget | null>();

export function createTimeBudget(
  limitMs: number,
  noteSpent: TimeBudget['noteSpent'] = () => undefined,
): TimeBudget {
  return { limitMs, spentMs: 0, waits: 0, changedAt: performance.now(), noteSpent };
}

function budgetExceeded({ limitMs, noteSpent }: TimeBudget): TimeBudgetExceededError {
  const error = new TimeBudgetExceededError(limitMs);
  noteSpent(error);
  return error;
}

/** Runs work, and all that it calls or leaves running, on a budget; null: on none. */
export function runWithBudget<T>(budget: TimeBudget | null, work: () => T): T {
  return current.run(budget, work);
}

function begin(budget: TimeBudget): void {
  const now = performance.now();
  // Time that goes by elsewhere, such as at a processor, refills it: only a database that keeps a request waiting
  // without a pause spends it, not a call that looks once in a while.
  if (budget.waits === 0) {
    budget.spentMs = Math.max(0, budget.spentMs - (now - budget.changedAt));
    budget.changedAt = now;
  }
  budget.waits++;
}

function end(budget: TimeBudget): void {
  budget.waits--;
  if (budget.waits > 0) return;
  const now = performance.now();
  budget.spentMs += now - budget.changedAt;
  budget.changedAt = now;
}

function leftOf({ limitMs, spentMs, waits, changedAt }: TimeBudget): number {
  const sinceMs = performance.now() - changedAt;
  return waits > 0 ? limitMs - spentMs - sinceMs : limitMs - Math.max(0, spentMs - sinceMs);
}

/** How long the current work may still wait; null when nothing limits it. Throws BudgetSpent when nothing is left. */
export function remainingBudgetMs(): number | null {
  const budget = current.getStore();
  if (!budget) return null;
  const leftMs = leftOf(budget);
  if (leftMs <= 0) throw budgetExceeded(budget);
  return leftMs;
}

/**
 * Runs work that must be tried even at the end of a request: when less than `leastMs` of the budget is left, on one of
 * its own of that length.
 */
export function runOnAtLeast<T>(leastMs: number, work: () => T): T {
  const budget = current.getStore();
  if (!budget || leftOf(budget) >= leastMs) return work();
  return runWithBudget(createTimeBudget(leastMs, budget.noteSpent), work);
}

/** Counts the time of a wait that has a limit of its own. */
export async function trackWait<T>(wait: Promise<T>): Promise<T> {
  const budget = current.getStore();
  if (!budget) return await wait;
  begin(budget);
  try {
    return await wait;
  } finally {
    end(budget);
  }
}

/**
 * Waits for work as long as the budget lasts; then throws BudgetSpent and calls `giveUp`, while the work may go on
 * unseen. Throws at once, without beginning, when nothing is left.
 */
export async function waitWithinBudget<T>(work: () => Promise<T>, onGiveUp: () => void): Promise<T> {
  const budget = current.getStore();
  const leftMs = remainingBudgetMs();
  if (!budget || leftMs === null) return await work();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(budgetExceeded(budget));
    onGiveUp();
  }, leftMs);
  try {
    return await trackWait(Promise.race([work(), promise]));
  } finally {
    clearTimeout(timer);
  }
}
