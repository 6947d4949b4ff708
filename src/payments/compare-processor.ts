// Compares our books with a processor's own list, movement by movement and in both directions. Money that
// the list shows and we did not know of is evidence, and recorded as such; all else is for a person. It
// must never ask a processor to move anything.

import type { Movement, Outcome, Processor } from '../processors/processor.ts';
import {
  type BookedCharge,
  type BookedMovement,
  type BookedRefund,
  findBookedCharges,
  findBookedRefunds,
  listBookedMovements,
} from './compare-store.ts';
import { recordOutcome } from './record-outcome.ts';
import type { SettleDeps } from './settle-attempt.ts';
import { isAttemptOver, isRefundOver } from './states.ts';

/** One disagreement. Amounts are minor units; null where a side has nothing. */
export type Drift = {
  processor: string;
  fault: string;
  /** The attempt's or refund's id, as both sides have it. */
  key: string;
  oursMinor: number | null;
  theirsMinor: number | null;
};

export type CompareDeps = Pick<SettleDeps, 'db' | 'clock' | 'jobs' | 'processors' | 'askTimeoutMs'>;
type Span = { companyId: string; from: Date; until: Date };

/** A movement near the edge of the span may lie outside of it by the other's clock. */
const edgeMs = 60 * 60 * 1000;
const pageSize = 500;

function isEqual(ours: { amountMinor: number; currency: string }, theirs: Movement): boolean {
  return ours.amountMinor === theirs.amountMinor && ours.currency === theirs.currency;
}

async function compareCharge(
  deps: CompareDeps,
  companyId: string,
  processor: string,
  theirs: Movement,
  ours: BookedCharge | undefined,
): Promise<Drift[]> {
  const { key, reference, amountMinor, currency } = theirs;
  const drift = (fault: string, oursMinor: number | null) => [
    { processor, fault, key, oursMinor, theirsMinor: amountMinor },
  ];
  if (!ours) return drift('a charge under a key that no attempt has', null);
  if (ours.state === 'succeeded')
    return isEqual(ours, theirs) ? [] : drift('a charge of another amount', ours.amountMinor);
  const outcome = { kind: 'succeeded', reference, amountMinor, currency } as const;
  const actor = 'job:compare-processors';
  await recordOutcome(deps, { companyId, attemptId: key, outcome, actor });
  // What an attempt under way was asked to take is no disagreement, and neither is what is on its way back.
  if (!isAttemptOver(ours.state) || ours.surplusMinor === amountMinor) return [];
  return drift(`a charge of an attempt that was ${ours.state}; recorded now`, ours.surplusMinor);
}

function compareRefund(processor: string, theirs: Movement, ours: BookedRefund | undefined): Drift[] {
  const { key, amountMinor } = theirs;
  const drift = (fault: string, oursMinor: number | null) => [
    { processor, fault, key, oursMinor, theirsMinor: amountMinor },
  ];
  if (!ours) return drift('a refund under a key that none has', null);
  if (!isEqual(ours, theirs)) return drift('a refund of another amount', ours.amountMinor);
  // Its own job ends one that is under way.
  return ours.state === 'succeeded' || !isRefundOver(ours.state)
    ? []
    : drift(`a refund that was ${ours.state}`, 0);
}

async function comparePage(
  deps: CompareDeps,
  companyId: string,
  processor: string,
  movements: readonly Movement[],
): Promise<Drift[]> {
  const keysOf = (kind: Movement['kind']) => movements.filter((m) => m.kind === kind).map((m) => m.key);
  const { charges, refunds } = await deps.db.inTenant(companyId, async (tx) => ({
    charges: await findBookedCharges(tx, keysOf('charge')),
    refunds: await findBookedRefunds(tx, keysOf('refund')),
  }));
  const drifts: Drift[] = [];
  for (const theirs of movements)
    drifts.push(
      ...(theirs.kind === 'charge'
        ? await compareCharge(deps, companyId, processor, theirs, charges.get(theirs.key))
        : compareRefund(processor, theirs, refunds.get(theirs.key))),
    );
  return drifts;
}

/** Whether a processor knows of a charge that its list did not show. */
async function isKnown(
  deps: CompareDeps,
  processor: Processor,
  companyId: string,
  ours: BookedMovement,
): Promise<boolean> {
  const request = { companyId, attemptId: ours.sourceId };
  const outcome: Outcome | null = await processor.query(request, AbortSignal.timeout(deps.askTimeoutMs));
  return (
    outcome?.kind === 'succeeded' &&
    outcome.amountMinor === ours.amountMinor &&
    outcome.currency === ours.currency
  );
}

/** What our ledger has and the processor's list has not. */
async function findUnlisted(
  deps: CompareDeps,
  processor: Processor,
  span: Span,
  listed: ReadonlySet<string>,
): Promise<Drift[]> {
  const { companyId } = span;
  const from = new Date(span.from.getTime() + edgeMs);
  const until = new Date(span.until.getTime() - edgeMs);
  const drifts: Drift[] = [];
  let after: string | null = null;
  for (;;) {
    const page = { processor: processor.name, from, until, after, limit: pageSize };
    const booked: BookedMovement[] = await deps.db.inTenant(
      companyId,
      async (tx) => await listBookedMovements(tx, page),
    );
    for (const ours of booked) {
      if (listed.has(ours.sourceId)) continue;
      const isCharge = ours.kind === 'capture' || ours.kind === 'surplus';
      if (isCharge && (await isKnown(deps, processor, companyId, ours))) continue;
      const fault = `a ${isCharge ? 'charge' : 'refund'} that the processor does not have`;
      const { sourceId: key, amountMinor: oursMinor } = ours;
      drifts.push({ processor: processor.name, fault, key, oursMinor, theirsMinor: null });
    }
    if (booked.length < pageSize) return drifts;
    after = booked.at(-1)?.entryId ?? null;
  }
}

/**
 * Compares what moved for a company within a span of time, by our books and by every processor's. The
 * keys of the span are held in memory. Throws when a processor does not give its list.
 */
export async function compareProcessors(deps: CompareDeps, span: Span): Promise<Drift[]> {
  const drifts: Drift[] = [];
  for (const processor of deps.processors.all) {
    const listed = new Set<string>();
    let cursor: string | null = null;
    do {
      const signal = AbortSignal.timeout(deps.askTimeoutMs);
      const page = await processor.list({ ...span, cursor }, signal);
      for (const { key } of page.movements) listed.add(key);
      drifts.push(...(await comparePage(deps, span.companyId, processor.name, page.movements)));
      cursor = page.nextCursor;
    } while (cursor !== null);
    drifts.push(...(await findUnlisted(deps, processor, span, listed)));
  }
  return drifts;
}
