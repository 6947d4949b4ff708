// The figures of the first page: what was created and paid in the last days, and what needs attention. Money counts
// in the slot of its ledger entry. Links count in the slot of their creation.

import type { Clock } from '../base/clock.ts';
import { invalidField } from '../base/errors.ts';
import type { Currency } from '../base/money.ts';
import { isTimeZone, startsOfDays, startsOfHours } from '../base/time-zone.ts';
import type { Database, Mode, TenantTx } from '../db/database.ts';
import type { LedgerEntryKind } from '../ledger/post-entry.ts';
import { type EntrySum, sumEntries } from '../ledger/sum-entries.ts';
import { countCases } from '../payments/case-store.ts';
import { listPaymentsById, type PaymentWithAttempts } from '../payments/presented-store.ts';
import { type PaymentStatus, paymentGraph } from '../payments/states.ts';
import { type CreatedTotals, countUnknown, listExpiringSoon, sumCreated } from './store.ts';

/** A number of items and their amount, in minor units. */
export type Sum = { count: number; amountMinor: bigint };

export type CurrencyOverview = {
  currency: Currency;
  created: Sum;
  /** Of the created payments, by their current status. */
  byState: Readonly<Record<PaymentStatus, Sum>>;
  /** What was paid and refunded in the span, whenever the link was created. */
  paid: Sum;
  refunded: Sum;
  series: { at: Date; created: Sum; failed: Sum; paid: Sum }[];
};

export type UnhealthyEndpoints = { failing: number; disabled: number };
export type CountUnhealthyEndpoints = (tx: TenantTx, mode: Mode) => Promise<UnhealthyEndpoints>;

export type Overview = {
  from: Date;
  to: Date;
  timeZone: string;
  currencies: CurrencyOverview[];
  attention: {
    cases: number;
    unknown: number;
    expiring: { count: number; payments: PaymentWithAttempts[] };
    /** Null without the right to see endpoints. */
    endpoints: UnhealthyEndpoints | null;
  };
};

export type OverviewDeps = { db: Database; clock: Clock; countUnhealthyEndpoints: CountUnhealthyEndpoints };
export type OverviewRequest = {
  companyId: string;
  mode: Mode;
  days: 1 | 7 | 30;
  timeZone: string;
  seesEndpoints: boolean;
};

/** Open links that expire within this time need attention. */
const expiringWithinMs = 24 * 60 * 60 * 1000;
const maxExpiringShown = 5;

const states = Object.keys(paymentGraph) as PaymentStatus[];

type SlotStarts = [Date, ...Date[]];

/** Where the slots begin: the hours of a single day, or days. Throws `invalid_fields` for an unknown time zone. */
function readStarts({ days, timeZone }: OverviewRequest, now: Date): SlotStarts {
  if (!isTimeZone(timeZone))
    throw invalidField(
      'timeZone',
      'not_allowed',
      'This must be the name of a time zone such as Europe/Berlin.',
    );
  const [first = now, ...rest] =
    days === 1 ? startsOfHours(timeZone, now) : startsOfDays(timeZone, now, days);
  return [first, ...rest];
}

export function add(rows: readonly Sum[]): Sum {
  const total = { count: 0, amountMinor: 0n };
  for (const { count, amountMinor } of rows) {
    total.count += count;
    total.amountMinor += amountMinor;
  }
  return total;
}

/** Subtracts refunds that failed after they had succeeded. Reversals from before the span take nothing from it. */
function less(all: Sum, part: Sum): Sum {
  return {
    count: Math.max(0, all.count - part.count),
    amountMinor: all.amountMinor > part.amountMinor ? all.amountMinor - part.amountMinor : 0n,
  };
}

function summarise(
  currency: Currency,
  {
    created,
    entries,
    starts,
  }: { created: readonly CreatedTotals[]; entries: readonly EntrySum[]; starts: readonly Date[] },
): CurrencyOverview {
  const inState = (state: PaymentStatus) => created.filter((each) => each.state === state);
  const ofKind = (kind: LedgerEntryKind) => entries.filter((each) => each.kind === kind);
  const [failed, paid] = [inState('failed'), ofKind('capture')];
  return {
    currency,
    created: add(created),
    byState: Object.fromEntries(states.map((state) => [state, add(inState(state))])) as Record<
      PaymentStatus,
      Sum
    >,
    paid: add(paid),
    refunded: less(add(ofKind('refund')), add(ofKind('refund_reversal'))),
    series: starts.map((at, slot) => {
      const here = (rows: readonly (Sum & { slot: number })[]) =>
        add(rows.filter((each) => each.slot === slot));
      return { at, created: here(created), failed: here(failed), paid: here(paid) };
    }),
  };
}

async function readCurrencies(tx: TenantTx, starts: SlotStarts): Promise<CurrencyOverview[]> {
  const created = await sumCreated(tx, starts);
  const entries = await sumEntries(tx, { starts });
  const seen = [...new Set([...created, ...entries].map(({ currency }) => currency))].sort();
  return seen.map((currency) =>
    summarise(currency, {
      created: created.filter((each) => each.currency === currency),
      entries: entries.filter((each) => each.currency === currency),
      starts,
    }),
  );
}

async function listInOrder(tx: TenantTx, paymentIds: readonly string[]): Promise<PaymentWithAttempts[]> {
  const found = new Map((await listPaymentsById(tx, paymentIds)).map((each) => [each.paymentId, each]));
  return paymentIds.flatMap((paymentId) => found.get(paymentId) ?? []);
}

async function readAttention(
  deps: OverviewDeps,
  tx: TenantTx,
  request: OverviewRequest & { now: Date },
): Promise<Overview['attention']> {
  const { mode, now } = request;
  const expiring = await listExpiringSoon(tx, {
    mode,
    now,
    until: new Date(now.getTime() + expiringWithinMs),
  });
  return {
    cases: await countCases(tx, mode),
    unknown: await countUnknown(tx),
    expiring: {
      count: expiring.length,
      payments: await listInOrder(tx, expiring.slice(0, maxExpiringShown)),
    },
    endpoints: request.seesEndpoints ? await deps.countUnhealthyEndpoints(tx, mode) : null,
  };
}

/** The overview of a company in one mode. Throws `invalid_fields` for an unknown time zone. */
export async function readOverview(deps: OverviewDeps, request: OverviewRequest): Promise<Overview> {
  const now = deps.clock.now();
  const starts = readStarts(request, now);
  return await deps.db.inTenant(request, async (tx) => ({
    from: starts[0],
    to: now,
    timeZone: request.timeZone,
    currencies: await readCurrencies(tx, starts),
    attention: await readAttention(deps, tx, { ...request, now }),
  }));
}
