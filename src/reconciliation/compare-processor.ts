// Compares our ledger with a processor's own list, in both directions. Records charges that were unknown to Paylink.
// All other differences are for a person. Must not make a processor move money.

import { recordOutcome } from '../attempts/record-outcome.ts';
import { type RefreshDeps, readAttempt } from '../attempts/refresh-attempt.ts';
import { openProcessor, type ProcessorRoute } from '../connections/open-connection.ts';
import { listAllConnections, markCompared } from '../connections/store.ts';
import type { TenantScope } from '../db/database.ts';
import { findRefund } from '../payments/refund-store.ts';
import { isAttemptFinal, isRefundFinal } from '../payments/states.ts';
import type { BalanceTransaction, ExternalRefund, Processor } from '../processors/processor.ts';
import { recordRefund } from '../refunds/refund-payment.ts';
import { type ExternalRefundResult, importExternalRefund } from './import-external-refund.ts';
import { isEqual, recordFees } from './record-fees.ts';
import {
  type BookedCharge,
  type BookedMovement,
  type BookedRefund,
  findBookedCharges,
  findBookedRefunds,
  listBookedMovements,
} from './store.ts';

/** One discrepancy. Amounts are in minor units; null for a side that has nothing. */
export type ProcessorDiscrepancy = {
  processor: string;
  fault: string;
  /** The attempt's or refund's ID, which both sides have. */
  key: string;
  oursMinor: number | null;
  theirsMinor: number | null;
};

export type CompareDeps = Pick<
  RefreshDeps,
  'db' | 'clock' | 'keyring' | 'processors' | 'baseUrl' | 'processorTimeoutMs'
>;
type ComparisonPeriod = TenantScope & { from: Date; until: Date };

/** The movements in a processor's list: the keys, and until when it is complete. */
type ListedMovements = { keys: ReadonlySet<string>; until: Date };

/** A movement near the edge of the span may be outside it by the other clock. */
const clockToleranceMs = 60 * 60 * 1000;
const pageSize = 500;

/** A charge of the list that is to be recorded, with our data about its attempt. */
type UnrecordedCharge = { theirs: BalanceTransaction; ours: BookedCharge };

function compareCharge(
  processor: string,
  theirs: BalanceTransaction,
  ours: BookedCharge | undefined,
): { discrepancies: ProcessorDiscrepancy[]; unrecorded: UnrecordedCharge[] } {
  const { key, amountMinor: theirsMinor } = theirs;
  const discrepancy = (fault: string, oursMinor: number | null) => ({
    discrepancies: [{ processor, fault, key, oursMinor, theirsMinor }],
    unrecorded: [],
  });
  if (!ours) return discrepancy('a charge without an attempt', null);
  if (ours.state !== 'succeeded') return { discrepancies: [], unrecorded: [{ theirs, ours }] };
  // An overpayment of a paid payment is a movement of its own, and its refund is under way.
  const isOverpayment =
    ours.surplusMinor !== null && isEqual({ ...ours, amountMinor: ours.surplusMinor }, theirs);
  return isOverpayment || isEqual(ours, theirs)
    ? { discrepancies: [], unrecorded: [] }
    : discrepancy('a charge with a different amount', ours.amountMinor);
}

async function recordMissingCharge(
  deps: CompareDeps,
  scope: TenantScope,
  processor: string,
  { theirs, ours }: UnrecordedCharge,
): Promise<ProcessorDiscrepancy[]> {
  const { key, reference, amountMinor, currency } = theirs;
  const outcome = { kind: 'succeeded', reference, amountMinor, currency } as const;
  await recordOutcome(deps, { ...scope, attemptId: key, outcome, actor: 'job:compare-processors' });
  // The requested amount of an attempt under way is no discrepancy, nor is an overpayment that is being refunded.
  if (!isAttemptFinal(ours.state) || ours.surplusMinor === amountMinor) return [];
  const fault = `a charge for an attempt with status ${ours.state}; recorded now`;
  return [{ processor, fault, key, oursMinor: ours.surplusMinor, theirsMinor: amountMinor }];
}

function compareRefund(
  processor: string,
  theirs: BalanceTransaction,
  ours: BookedRefund | undefined,
): ProcessorDiscrepancy[] {
  const { key, amountMinor } = theirs;
  const discrepancy = (fault: string, oursMinor: number | null) => [
    { processor, fault, key, oursMinor, theirsMinor: amountMinor },
  ];
  if (!ours) return discrepancy('a refund that Paylink does not know', null);
  if (!isEqual(ours, theirs)) return discrepancy('a refund with a different amount', ours.amountMinor);
  // A refund under way is ended by the worker.
  return ours.state === 'succeeded' || !isRefundFinal(ours.state)
    ? []
    : discrepancy(`a refund with status ${ours.state}`, 0);
}

/**
 * Records a refund that failed after it had succeeded. A refund that never counted as refunded is left to the worker.
 */
async function compareFailedRefund(
  deps: CompareDeps,
  scope: TenantScope,
  processor: string,
  { key, reference, amountMinor }: BalanceTransaction,
): Promise<ProcessorDiscrepancy[]> {
  const refund = await deps.db.inTenant(scope, async (tx) => await findRefund(tx, key));
  if (refund?.state !== 'succeeded') return [];
  const outcome = { kind: 'failed', reference, code: 'failed_later' } as const;
  const { companyId } = scope;
  await recordRefund(deps, { companyId, refund, outcome, actor: 'job:compare-processors' });
  const fault = 'a refund that failed after it had succeeded; recorded now';
  return [{ processor, fault, key, oursMinor: refund.amountMinor, theirsMinor: amountMinor }];
}

const externalRefundFaults: Readonly<Record<Exclude<ExternalRefundResult, 'known'>, string>> = {
  taken_over: 'a refund made at the processor; imported now',
  excess: 'a refund made at the processor that exceeds the remaining amount; a person must resolve it',
  waiting: 'a refund made at the processor; it waits for a refund in progress',
  unmatched: 'a refund made at the processor for an attempt that collected no money',
  moved_back: 'a refund made at the processor that failed later; recorded now',
};

/** Imports a refund that was made in the processor's own dashboard. */
async function compareExternalRefund(
  deps: CompareDeps,
  scope: TenantScope,
  processor: string,
  refund: ExternalRefund,
): Promise<ProcessorDiscrepancy[]> {
  const result = await importExternalRefund(deps, { ...scope, refund });
  if (result === 'known') return [];
  const { key, amountMinor: theirsMinor } = refund;
  return [{ processor, fault: externalRefundFaults[result], key, oursMinor: null, theirsMinor }];
}

async function comparePage(
  deps: CompareDeps,
  scope: TenantScope,
  processor: string,
  movements: readonly BalanceTransaction[],
): Promise<{ discrepancies: ProcessorDiscrepancy[]; unrecorded: UnrecordedCharge[] }> {
  const keysOf = (kind: BalanceTransaction['kind']) =>
    movements.filter((m) => m.kind === kind).map((m) => m.key);
  const { charges, refunds } = await deps.db.inTenant(scope, async (tx) => ({
    charges: await findBookedCharges(tx, keysOf('charge')),
    refunds: await findBookedRefunds(tx, keysOf('refund')),
  }));
  await recordFees(deps.db, { ...scope, processor }, movements, charges);
  const compared: { discrepancies: ProcessorDiscrepancy[]; unrecorded: UnrecordedCharge[] }[] = [];
  for (const theirs of movements) {
    const { kind, key } = theirs;
    if (kind === 'charge') compared.push(compareCharge(processor, theirs, charges.get(key)));
    else if (kind === 'refund')
      compared.push({ discrepancies: compareRefund(processor, theirs, refunds.get(key)), unrecorded: [] });
    else if (kind === 'failed_refund')
      compared.push({
        discrepancies: await compareFailedRefund(deps, scope, processor, theirs),
        unrecorded: [],
      });
    else {
      const refund = { ...theirs, kind };
      compared.push({
        discrepancies: await compareExternalRefund(deps, scope, processor, refund),
        unrecorded: [],
      });
    }
  }
  return {
    discrepancies: compared.flatMap(({ discrepancies }) => discrepancies),
    unrecorded: compared.flatMap(({ unrecorded }) => unrecorded),
  };
}

/** The refunds in the processor's list of a period, by key. */
async function listRefunds(
  deps: CompareDeps,
  processor: Processor,
  period: Pick<ComparisonPeriod, 'companyId' | 'from' | 'until'>,
): Promise<Map<string, BalanceTransaction>> {
  const found = new Map<string, BalanceTransaction>();
  let cursor: string | null = null;
  do {
    const page = await processor.list({ ...period, cursor }, AbortSignal.timeout(deps.processorTimeoutMs));
    for (const movement of page.movements) if (movement.kind === 'refund') found.set(movement.key, movement);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

/**
 * The refunds in the processor's list after the period, if one of the charges has a refund that counts as refused. It
 * may be there after all, and recording the charge would then refund the money twice.
 */
async function listLaterRefunds(
  deps: CompareDeps,
  processor: Processor,
  { companyId, until: from }: ComparisonPeriod,
  charges: readonly UnrecordedCharge[],
): Promise<Map<string, BalanceTransaction>> {
  const until = deps.clock.now();
  if (from >= until || charges.every(({ ours }) => ours.refusedRefundIds.length === 0)) return new Map();
  return await listRefunds(deps, processor, { companyId, from, until });
}

/**
 * Compares a processor's whole list, and records what was unknown. The refunded money is known only after the whole
 * list: if a refund that counts as refused is in it after all, recording its charge earlier would refund the money
 * twice.
 */
async function compareList(
  deps: CompareDeps,
  processor: Processor,
  span: ComparisonPeriod,
): Promise<{ discrepancies: ProcessorDiscrepancy[]; listed: ListedMovements }> {
  const { companyId, mode } = span;
  const keys = new Set<string>();
  let until = new Date(span.until.getTime() - clockToleranceMs);
  const discrepancies: ProcessorDiscrepancy[] = [];
  const unrecorded: UnrecordedCharge[] = [];
  let cursor: string | null = null;
  do {
    const page = await processor.list({ ...span, cursor }, AbortSignal.timeout(deps.processorTimeoutMs));
    for (const { kind, key } of page.movements)
      if (kind !== 'outside_refund' && kind !== 'failed_outside_refund') keys.add(key);
    if (page.completeUntil && page.completeUntil < until) until = page.completeUntil;
    const compared = await comparePage(deps, { companyId, mode }, processor.name, page.movements);
    discrepancies.push(...compared.discrepancies);
    unrecorded.push(...compared.unrecorded);
    cursor = page.nextCursor;
  } while (cursor !== null);
  const later = await listLaterRefunds(deps, processor, span, unrecorded);
  for (const charge of unrecorded) {
    if (charge.ours.refusedRefundIds.some((refundId) => keys.has(refundId) || later.has(refundId))) continue;
    discrepancies.push(...(await recordMissingCharge(deps, { companyId, mode }, processor.name, charge)));
  }
  return { discrepancies, listed: { keys, until } };
}

/** Whether the processor knows a charge that is missing from its list. */
async function isKnown(
  deps: CompareDeps,
  processor: Processor,
  { companyId, mode }: TenantScope,
  ours: BookedMovement,
): Promise<boolean> {
  const known = await readAttempt(deps, { companyId, mode, attemptId: ours.sourceId });
  const outcome =
    known && (await processor.query(known.request, AbortSignal.timeout(deps.processorTimeoutMs)));
  return (
    outcome?.kind === 'succeeded' &&
    outcome.amountMinor === ours.amountMinor &&
    outcome.currency === ours.currency
  );
}

type Compared = ComparisonPeriod & { connectionId: string | null };

/** Movements of our ledger that are missing from the processor's list of the span. */
async function listUnlisted(
  deps: CompareDeps,
  processor: Processor,
  span: Compared,
  { keys, until }: ListedMovements,
): Promise<BookedMovement[]> {
  const { connectionId } = span;
  const from = new Date(span.from.getTime() + clockToleranceMs);
  const unlisted: BookedMovement[] = [];
  let after: string | null = null;
  for (;;) {
    const page = { processor: processor.name, connectionId, from, until, after, limit: pageSize };
    const booked: BookedMovement[] = await deps.db.inTenant(
      span,
      async (tx) => await listBookedMovements(tx, page),
    );
    unlisted.push(...booked.filter(({ sourceId }) => !keys.has(sourceId)));
    if (booked.length < pageSize) return unlisted;
    after = booked.at(-1)?.entryId ?? null;
  }
}

/**
 * The refunds in the processor's list before the span. A list contains a refund from its request on, and our ledger
 * from its success on, which is days later with some processors.
 */
async function listEarlierRefunds(
  deps: CompareDeps,
  processor: Processor,
  span: ComparisonPeriod,
  unlisted: readonly BookedMovement[],
): Promise<Map<string, BalanceTransaction>> {
  const { companyId, from: until } = span;
  const requestTimes = unlisted.map(({ askedAt }) => askedAt.getTime()).filter((at) => at < until.getTime());
  if (requestTimes.length === 0) return new Map();
  const from = new Date(Math.min(...requestTimes) - clockToleranceMs);
  return await listRefunds(deps, processor, { companyId, from, until });
}

/** Movements of our ledger that the processor does not have at all, even outside the span. */
async function findUnlisted(
  deps: CompareDeps,
  processor: Processor,
  span: Compared,
  listed: ListedMovements,
): Promise<ProcessorDiscrepancy[]> {
  const unlisted = await listUnlisted(deps, processor, span, listed);
  const isCharge = ({ kind }: BookedMovement) => kind === 'capture' || kind === 'surplus';
  const refunds = unlisted.filter((ours) => !isCharge(ours));
  const earlier = await listEarlierRefunds(deps, processor, span, refunds);
  const discrepancies: ProcessorDiscrepancy[] = [];
  for (const ours of unlisted) {
    const { sourceId: key, amountMinor: oursMinor } = ours;
    const theirs = earlier.get(key);
    if (theirs && isEqual(ours, theirs)) continue;
    if (isCharge(ours) && (await isKnown(deps, processor, span, ours))) continue;
    const fault = `a ${isCharge(ours) ? 'charge' : 'refund'} that the processor does not have`;
    discrepancies.push({ processor: processor.name, fault, key, oursMinor, theirsMinor: null });
  }
  return discrepancies;
}

/** A processor, and up to when it is compared; null for the built-in one. */
export type ComparedRoute = ProcessorRoute & { comparedUntil: Date | null };

/** Every processor through which a company's money may have moved: the built-in one, and its connections. */
export async function listRoutes(
  deps: Pick<CompareDeps, 'db' | 'processors'>,
  companyId: string,
): Promise<ComparedRoute[]> {
  const stored = await deps.db.inBothModes(companyId, async (tx) => await listAllConnections(tx));
  const own = stored
    .filter(({ sealed }) => sealed !== null)
    .map(({ mode, processor, connectionId, comparedUntil }) => {
      return { companyId, mode, processor, connectionId, comparedUntil };
    });
  const { name: processor } = deps.processors.builtIn;
  // Its records are in our database, so nothing moves while the service is stopped.
  const builtIn = { companyId, mode: 'test', processor, connectionId: null, comparedUntil: null } as const;
  return [builtIn, ...own];
}

/** The discrepancies of a period, and up to when the processor's list was complete. */
export type Comparison = { discrepancies: ProcessorDiscrepancy[]; comparedUntil: Date };

/**
 * Compares the movements of a company through one processor within a period, in our ledger and in the processor's
 * list. Holds the keys of the period in memory. Throws if the processor does not return its list.
 */
export async function compareProcessor(
  deps: CompareDeps,
  compared: ProcessorRoute & { from: Date; until: Date },
): Promise<Comparison> {
  const processor = await openProcessor(deps, compared);
  const { discrepancies, listed } = await compareList(deps, processor, compared);
  const unlisted = await findUnlisted(deps, processor, compared, listed);
  return { discrepancies: [...discrepancies, ...unlisted], comparedUntil: listed.until };
}

/** The shortest period that a night compares, so that a night makes up for a missed one; and the longest of one step. */
const periodMs = 3 * 24 * 60 * 60 * 1000;

/**
 * Compares a processor from where the last complete comparison ended, in steps of three days, and stores how far it came.
 * Returns the discrepancies of each step. A step that throws, or for which the time is up, leaves its period to the next
 * run.
 */
export async function* compareSinceLast(
  deps: CompareDeps,
  route: ComparedRoute,
  { until: end, isTimeUp }: { until: Date; isTimeUp: () => boolean },
): AsyncGenerator<ProcessorDiscrepancy[]> {
  const { connectionId, comparedUntil, ...scope } = route;
  const recentMs = end.getTime() - periodMs;
  // The first hour of a period is not searched for movements of ours, so periods overlap by it.
  const nextFrom = (compared: Date) => compared.getTime() - clockToleranceMs;
  let from = comparedUntil ? Math.min(recentMs, nextFrom(comparedUntil)) : recentMs;
  for (;;) {
    const until = Math.min(from + periodMs, end.getTime());
    const period = { from: new Date(from), until: new Date(until) };
    const found = await compareProcessor(deps, { ...scope, connectionId, ...period });
    if (connectionId !== null)
      await deps.db.inTenant(scope, async (tx) => await markCompared(tx, connectionId, found.comparedUntil));
    yield found.discrepancies;
    // A list that lags by more than the whole period gives nothing to continue from.
    if (until === end.getTime() || nextFrom(found.comparedUntil) <= from || isTimeUp()) return;
    from = nextFrom(found.comparedUntil);
  }
}
