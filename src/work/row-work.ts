// The kind of work whose rows end by themselves: an attempt or a refund leaves the index of due rows when its status is
// final. What has not ended is due again after a growing pause. So work that ends in time costs no statement at all.

import { type Clock, movedTimeOf } from '../base/clock.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { firstPauseMs, pauseAfter } from './backoff.ts';
import type { Lane } from './due-rows.ts';
import { NotFinalError } from './not-final-error.ts';
import type { ClaimedRow, RetriedRows } from './retried-rows.ts';
import type { LaneLimits, WorkKind } from './work-kind.ts';

export type RowWorkDeps = {
  db: Database;
  clock: Clock;
  log: { warn(fields: object, message: string): void };
  /** How long a process works on a row before another may. The default exceeds any query to a processor. */
  workLeaseSeconds?: number;
  /** The pause after the first run that did not end a row's work. */
  firstPauseMs?: number;
};

type RowItem = TenantScope & ClaimedRow;

const defaultLeaseSeconds = 30;
/** The longest pause while the target responds, and while it does not: it may be back at any time. */
const longestPauseMs = 15 * 60 * 1000;
const longestOutagePauseMs = 30 * 1000;

/** A kind of work on rows. `run` resolves when a row's work has ended, and rejects while it has not. */
export function createRowWork(
  deps: RowWorkDeps,
  work: {
    name: string;
    rows: RetriedRows;
    limits: LaneLimits;
    run(row: TenantScope & { id: string }): Promise<void>;
  },
): WorkKind<RowItem> {
  const { name, rows, limits } = work;
  const leaseSeconds = deps.workLeaseSeconds ?? defaultLeaseSeconds;
  return {
    ...{ name, limits, pausesFailing: true },
    listLanes: async (tx, companyIds) => await rows.listLanes(tx, companyIds, movedTimeOf(deps.clock)),
    findNextDue: rows.findNextDue,
    claim: async ({ companyId, mode, lane }: Lane, limit) => {
      if (mode === null) throw new Error('a row with due work has no mode');
      const claim = { lane, limit, leaseSeconds, at: movedTimeOf(deps.clock) };
      const options = { isSingle: true, isBatch: true };
      const found = await deps.db.inTenant(
        { companyId, mode },
        async (tx) => await rows.claim(tx, claim),
        options,
      );
      return found.map((row) => ({ companyId, mode, ...row }));
    },
    run: async (item) => {
      try {
        await work.run(item);
        return true;
      } catch (error) {
        return await postpone(deps, work, item, error);
      }
    },
  };
}

/** Makes a row due again. True if its target responded. */
async function postpone(
  deps: RowWorkDeps,
  { name, rows }: { name: string; rows: RetriedRows },
  item: RowItem,
  error: unknown,
): Promise<boolean> {
  const { companyId, mode, id, claims } = item;
  const isExpected = error instanceof NotFinalError;
  const hasResponse = isExpected && error.hasResponse;
  if (!isExpected) deps.log.warn({ job: name, companyId, id, err: error }, 'due work failed and is repeated');
  const to = {
    afterMs: pauseAfter(claims, {
      firstMs: deps.firstPauseMs ?? firstPauseMs,
      longestMs: hasResponse ? longestPauseMs : longestOutagePauseMs,
    }),
    at: movedTimeOf(deps.clock),
    error: error instanceof Error ? error.message : String(error),
  };
  await deps.db.inTenant(
    { companyId, mode },
    async (tx) => await rows.postpone(tx, { id, token: claims }, to),
    { isSingle: true },
  );
  return hasResponse;
}
