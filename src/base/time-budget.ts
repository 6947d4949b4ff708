// Limits how long a request may wait for the database in total, through AsyncLocalStorage. Without a budget, as in a
// worker, nothing changes. Must not: end work under way; it ends only the waiting.

import { AsyncLocalStorage } from 'node:async_hooks';

export type TimeBudget = {
  limitMs: number;
  spentMs: number;
  /** Waits under way. Overlapping waits count once. */
  waits: number;
  /** When the first of them began, or when the last one ended. */
  changedAt: number;
  /** Receives the error that is thrown when the budget is spent. */
  noteSpent: (error: TimeBudgetExceededError) => void;
};

/** The budget is spent: the database did not respond within the request's time. */
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

/** Runs work, and everything that it calls or leaves running, on a budget; null: without one. */
export function runWithBudget<T>(budget: TimeBudget | null, work: () => T): T {
  return current.run(budget, work);
}

function begin(budget: TimeBudget): void {
  const now = performance.now();
  // Time spent elsewhere, such as at a processor, refills the budget. Only continuous waiting spends it.
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

/** Null without a limit. Throws TimeBudgetExceededError when nothing is left. */
export function remainingBudgetMs(): number | null {
  const budget = current.getStore();
  if (!budget) return null;
  const leftMs = leftOf(budget);
  if (leftMs <= 0) throw budgetExceeded(budget);
  return leftMs;
}

/** For work that must be tried even at the end of a request: with less than `leastMs` left, it gets that long. */
export function runOnAtLeast<T>(leastMs: number, work: () => T): T {
  const budget = current.getStore();
  if (!budget || leftOf(budget) >= leastMs) return work();
  return runWithBudget(createTimeBudget(leastMs, budget.noteSpent), work);
}

/** Counts the time of a wait that has its own limit. */
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

/** When the budget is spent, throws TimeBudgetExceededError and calls `onGiveUp`; the work may continue unobserved. */
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
