// The budget of the service: bounds of ratios to the baselines of the same run, and of a few absolute
// figures. Must not: be bypassed. Change a bound here, visibly.

export type BudgetLimit = {
  name: string;
  what: string;
  atLeast?: number;
  atMost?: number;
};

export const budget: readonly BudgetLimit[] = [
  { name: 'create', what: 'create at 64 connections ÷ pgbench bare insert at 64', atLeast: 1 },
  {
    name: 'first-create-insert',
    what: 'create in the first 5 s on a fresh database ÷ pgbench bare insert',
    atLeast: 0.4,
  },
  { name: 'create-p99', what: 'create p99 at 64 connections ÷ pgbench mean latency at 64', atMost: 4 },
  { name: 'page', what: 'page view ÷ bare node:http echo', atLeast: 0.25 },
  { name: 'pay', what: 'pay (form post to redirect) ÷ create at 64 connections', atLeast: 0.12 },
  { name: 'pay-insert', what: 'pay (form post to redirect) ÷ pgbench bare insert', atLeast: 0.06 },
  {
    name: 'pay-finished',
    what: 'pay with everything that follows, emails included ÷ pgbench bare insert',
    atLeast: 0.05,
  },
  { name: 'journey', what: 'create, view, pay, webhook delivered ÷ pgbench bare insert', atLeast: 0.04 },
  { name: 'wal-kb', what: 'write-ahead log of one payment from create to paid, kB', atMost: 8 },
  { name: 'first-create', what: 'create in the first 5 s on a fresh database ÷ later', atLeast: 0.8 },
  { name: 'first-pay', what: 'pay in the first 5 s on a fresh database ÷ later', atLeast: 0.8 },
  { name: 'create-growth', what: 'create at the largest table ÷ at the smallest', atLeast: 0.85 },
  { name: 'list-growth', what: 'list at the largest table ÷ at the smallest', atLeast: 0.85 },
  { name: 'search-growth', what: 'search at the largest table ÷ at the smallest', atLeast: 0.85 },
  { name: 'page-kb', what: 'page: kilobytes over the wire', atMost: 30 },
  { name: 'page-requests', what: 'page: requests', atMost: 4 },
  { name: 'worst-body', what: 'slowest body of 64 KiB without credentials, ms', atMost: 20 },
  { name: 'webhooks', what: 'webhooks delivered ÷ create at 64 connections', atLeast: 0.1 },
  {
    name: 'forged-webhooks',
    what: 'pay p50 beside 1,500 forged processor webhooks per s ÷ alone',
    atMost: 2,
  },
  { name: 'login-flood', what: 'pay p99 beside 240 wrong logins at once ÷ without them', atMost: 2 },
  { name: 'later-start', what: 'later start on the embedded database, seconds to ready', atMost: 2 },
  {
    name: 'first-screen',
    what: 'dashboard: ms from a cold cache to the first screen, interactive',
    atMost: 1_000,
  },
  { name: 'search-key', what: 'dashboard: ms from a key press in the search to its rows', atMost: 200 },
  { name: 'script-kb', what: 'dashboard: kilobytes of script for the first screen', atMost: 150 },
  { name: 'memory', what: 'memory of the service at 64 connections, MB', atMost: 200 },
];

/** Figures by the names of their bounds; missing ones were not measured. */
export type MeasuredFigures = Readonly<Record<string, number | undefined>>;

export type BudgetResult = BudgetLimit & {
  reached: number | undefined;
  verdict: 'reached' | 'short' | 'not measured';
};

function isShort({ atLeast = -Infinity, atMost = Infinity }: BudgetLimit, measured: number): boolean {
  // This form also rejects NaN.
  return !(measured >= atLeast && measured <= atMost);
}

/** Compares figures with their bounds. Throws for a name without a bound, which is a bug. */
export function checkBudget(
  measured: MeasuredFigures,
  bounds: readonly BudgetLimit[] = budget,
): BudgetResult[] {
  for (const name of Object.keys(measured))
    if (!bounds.some((limit) => limit.name === name)) throw new Error(`nothing bounds the figure ${name}`);
  return bounds.map((limit) => {
    const figure = measured[limit.name];
    if (figure === undefined) return { ...limit, reached: figure, verdict: 'not measured' };
    return { ...limit, reached: figure, verdict: isShort(limit, figure) ? 'short' : 'reached' };
  });
}
