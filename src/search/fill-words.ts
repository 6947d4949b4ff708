// Fills the words of payments from the events, shortly after these were committed, so that no insert of a payment pays for
// the search. One process at a time does it, for many payments in each transaction. Must not: run on the path of a payment.

import { setTimeout as pause } from 'node:timers/promises';
import type { Database, TenantTx } from '../db/database.ts';
import { preferIndexScans } from '../db/prefer-index-scans.ts';
import { readEventHorizon } from '../events/event-numbers.ts';
import type { WorkKind } from '../work/work-kind.ts';
import {
  claimFill,
  endFill,
  type FillClaim,
  isFillDue,
  listChanged,
  listFollowed,
  listSearched,
  listUnfilled,
  lockPosition,
  replaceWords,
  savePosition,
} from './fill-store.ts';
import { wordsOfPayment } from './words.ts';

type FillDeps = { db: Database };
export type WordWorkDeps = FillDeps & { log: { error(fields: object, message: string): void } };

/** Events of a transaction: some ten milliseconds of work, so that the embedded database stays free for others. */
const batchSize = 500;
/** How long a pass may take. The next one continues. It is shorter than the lease. */
const passMs = 5_000;
/** How long a pass reads old events, so that new payments do not wait for them. */
const unfilledMs = 500;
const companiesAtATime = 500;
const transactionsAtOnce = 4;
/** What is committed meanwhile joins a pass. */
const collectMs = 200;

type Pass = { db: Database; horizon: string; isTimeUp: () => boolean };
type Filled = { payments: number; isComplete: boolean };

/** Fills the words of one batch of events. */
async function fillBatch(tx: TenantTx, horizon: string): Promise<Filled> {
  const after = await lockPosition(tx);
  await preferIndexScans(tx);
  const { count, paymentIds, ...last } = await listFollowed(tx, { after, horizon, limit: batchSize });
  if (paymentIds.length > 0) {
    const payments = await listSearched(tx, paymentIds);
    await replaceWords(
      tx,
      payments.map(({ paymentId, mode, ...source }) => ({ paymentId, mode, words: wordsOfPayment(source) })),
    );
  }
  const isComplete = count < batchSize;
  const atHorizon = { xact: horizon, eventId: '' };
  const reached = isComplete ? atHorizon : { xact: last.xact ?? horizon, eventId: last.eventId ?? '' };
  // Another process may have had a later horizon.
  const isFurther = BigInt(reached.xact) >= BigInt(after.xact);
  await savePosition(tx, { ...(isFurther ? reached : after), isFilled: isComplete });
  return { payments: paymentIds.length, isComplete };
}

/** Fills the words of a company up to the horizon, or until the time is up. */
async function fillCompany({ db, horizon, isTimeUp }: Pass, companyId: string): Promise<Filled> {
  let payments = 0;
  for (;;) {
    const work = async (tx: TenantTx) => await fillBatch(tx, horizon);
    const batch = await db.inBothModes(companyId, work, { isBatch: true });
    payments += batch.payments;
    if (batch.isComplete || isTimeUp()) return { payments, isComplete: batch.isComplete };
  }
}

/** Fills companies, some at once. One that fails delays no other; its error is in `failed`. */
async function fillCompanies(pass: Pass, companyIds: readonly string[], failed: unknown[]): Promise<Filled> {
  const filled: Filled = { payments: 0, isComplete: true };
  const rest = [...companyIds];
  const work = async () => {
    for (let companyId = rest.shift(); companyId !== undefined; companyId = rest.shift()) {
      if (pass.isTimeUp()) {
        filled.isComplete = false;
        return;
      }
      try {
        const { payments, isComplete } = await fillCompany(pass, companyId);
        filled.payments += payments;
        filled.isComplete &&= isComplete;
      } catch (error) {
        failed.push(error);
        filled.isComplete = false;
      }
    }
  };
  await Promise.all(Array.from({ length: transactionsAtOnce }, work));
  return filled;
}

/** Fills every company with new events. Complete if all of them have reached the horizon. */
async function fillChanged(pass: Pass, from: string, failed: unknown[]): Promise<Filled> {
  const filled: Filled = { payments: 0, isComplete: true };
  for (let after = ''; ; ) {
    const page = { from, horizon: pass.horizon, after, limit: companiesAtATime };
    const companyIds = await pass.db.inSystem(async (tx) => await listChanged(tx, page), { isSingle: true });
    const { payments, isComplete } = await fillCompanies(pass, companyIds, failed);
    filled.payments += payments;
    filled.isComplete &&= isComplete;
    after = companyIds.at(-1) ?? '';
    if (companyIds.length < companiesAtATime || pass.isTimeUp()) {
      filled.isComplete &&= companyIds.length < companiesAtATime;
      return filled;
    }
  }
}

const timeUpAfter = (ms: number) => {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
};

/** Fills the words of all companies after a claim. Returns the number of payments. */
async function runPass({ db }: FillDeps, claim: FillClaim): Promise<number> {
  const { horizon, filledBelow, leaseToken } = claim;
  const failed: unknown[] = [];
  const changed = await fillChanged({ db, horizon, isTimeUp: timeUpAfter(passMs) }, filledBelow, failed);
  const unfilled = await db.inSystem(async (tx) => await listUnfilled(tx, companiesAtATime), {
    isSingle: true,
  });
  const old = await fillCompanies({ db, horizon, isTimeUp: timeUpAfter(unfilledMs) }, unfilled, failed);
  const reached = changed.isComplete ? horizon : filledBelow;
  await db.inSystem(async (tx) => await endFill(tx, leaseToken, reached), { isSingle: true });
  if (failed.length > 0)
    throw new AggregateError(failed, `the words of ${failed.length} companies could not be filled`);
  return changed.payments + old.payments;
}

/** Fills the words of one company up to the horizon, also from events that are older than what all companies have reached. */
export async function fillWordsOf({ db }: FillDeps, companyId: string): Promise<void> {
  const cell = await db.cellOf(companyId);
  const horizon = await cell.inSystem(readEventHorizon, { isSingle: true });
  await fillCompany({ db: cell, horizon, isTimeUp: () => false }, companyId);
}

/**
 * Fills the words of new and changed payments of every company, and goes on with companies that were never filled. Returns
 * the number of payments; null if nothing is due, or another process does it. Throws after the others if a company fails.
 */
export async function fillPaymentWords(deps: FillDeps): Promise<number | null> {
  const claim = await deps.db.inSystem(async (tx) => await claimFill(tx), { isSingle: true });
  return claim && (await runPass(deps, claim));
}

/** The words of payments as a kind of work: one lane for all companies, which a claim of one process holds. */
export function createWordWork(deps: WordWorkDeps): WorkKind<FillClaim> {
  const name = 'payment-words';
  return {
    name,
    limits: { perNew: 1, perLane: 1, total: 1, failingTotal: 1 },
    pausesFailing: true,
    wakesOn: { notifications: ['public_event'], minPollMs: collectMs },
    listLanes: async (tx) =>
      (await isFillDue(tx))
        ? [{ companyId: '', mode: null, lane: '', isFailing: false, offsetMs: null }]
        : [],
    claim: async () => {
      await pause(collectMs);
      const claim = await deps.db.inSystem(async (tx) => await claimFill(tx), { isSingle: true });
      return claim === null ? [] : [claim];
    },
    run: async (claim) => {
      try {
        await runPass(deps, claim);
        return true;
      } catch (err) {
        deps.log.error({ job: name, err }, 'words of payments could not be filled, and are tried again');
        return false;
      }
    },
  };
}
