// The acquirer of the simulation, in memory: it keeps the journal that the oracle reads, dedupes by the key
// that it is sent, and misbehaves as the card's script says. It answers at once; that answers come late,
// twice, or never is the network's doing (network.ts). It must never learn what Paylink believes.

import { type ProtectedCard, protectCard } from '../../src/processors/card.ts';
import type {
  AttemptOutcome,
  AuthoriseRequest,
  BalanceTransaction,
  DeclineCode,
  ProcessorRefundRequest,
  RefundOutcome,
} from '../../src/processors/processor.ts';
import {
  type ChargeLine,
  type ChargeState,
  type JournalLine,
  refundsOf,
  reversedIn,
} from '../acquirer/journal.ts';

export const scripts = [
  'approve',
  'decline',
  'wrong_code',
  /** Answers that it is processing; the money moves later, or is refused. */
  'pending',
  /** Asks the customer for 3-D Secure first. */
  'challenge',
  'wrong_amount',
  'wrong_currency',
  /** Says no, and takes the money later all the same. */
  'charge_after_no',
  /** The same, after it has said that the attempt is void. */
  'charge_after_void',
] as const;
export type AcquirerScript = (typeof scripts)[number];

/** What the acquirer says of an attempt without having been asked. */
export type AcquirerNotification = { companyId: string; attemptId: string; outcome: AttemptOutcome };
/** News of a refund. */
export type RefundReversal = { companyId: string; refundId: string };
type Key = { companyId: string; attemptId: string };
type SimulatedCharge = { line: ChargeLine; companyId: string; script: AcquirerScript };

export type FakeAcquirer = {
  journal: readonly JournalLine[];
  /** What is not delivered yet, the oldest first; whoever delivers takes it out. */
  words: AcquirerNotification[];
  /** Refunds that have failed after they had succeeded, of which nobody has heard. */
  reversals: RefundReversal[];
  authorise(request: AuthoriseRequest): AttemptOutcome;
  query(key: Key): AttemptOutcome | null;
  cancel(key: Key): AttemptOutcome;
  refund(request: ProcessorRefundRequest): RefundOutcome;
  /** The keys of refunds whose money may still come back from the customer's bank. */
  reversible(): string[];
  /** Lets such a refund fail, and makes that known. */
  reverse(key: string): void;
  /** Its own list of what it took and gave back, of one company. */
  list(companyId: string): BalanceTransaction[];
  /** The keys of charges that some link has a place for. */
  owed(): string[];
  /** The keys of charges that may still move by themselves. */
  unsettled(): string[];
  /** Lets such a charge move. Where a no has been said already, only `charged` remains. */
  settle(key: string, to: ChargeState): void;
  /** The keys of charges on which an honest acquirer still works. */
  honestlyPending(): string[];
};

const cards = new Map<ProtectedCard, AcquirerScript>();
const firstCard = 4_000_770_000_000_000;
for (const [index, script] of scripts.entries()) {
  const number = String(firstCard + index);
  cards.set(protectCard({ holder: 'Ada', number, expiryMonth: 12, expiryYear: 2099, csc: '123' }), script);
}

/** The card that makes the acquirer follow a script. */
export function cardFor(script: AcquirerScript): ProtectedCard {
  for (const [card, candidate] of cards) if (candidate === script) return card;
  throw new Error(`no card for ${script}`);
}

const firstStates: Record<AcquirerScript, ChargeState> = {
  approve: 'charged',
  decline: 'declined',
  wrong_code: 'declined',
  pending: 'pending',
  challenge: 'pending',
  wrong_amount: 'charged',
  wrong_currency: 'charged',
  charge_after_no: 'declined',
  charge_after_void: 'pending',
};

function declineOf(script: AcquirerScript): DeclineCode {
  return script === 'decline' ? 'generic_decline' : 'incorrect_csc';
}

function toOutcome({ line, script }: SimulatedCharge): AttemptOutcome {
  const { state, reference, amountMinor, currency, key } = line;
  switch (state) {
    case 'charged':
      return { kind: 'succeeded', reference, amountMinor, currency };
    case 'declined':
      return { kind: 'declined', reference, code: declineOf(script) };
    case 'void':
      return { kind: 'void' };
    case 'pending':
      return script === 'challenge'
        ? { kind: 'requires_action', reference, url: `https://bank.example/${key}` }
        : { kind: 'processing', reference };
  }
}

function lineOf(request: AuthoriseRequest, script: AcquirerScript): ChargeLine {
  const { attemptId: key, amountMinor, currency, returnUrl: about } = request;
  const otherCurrency = currency === 'EUR' ? 'USD' : 'EUR';
  return {
    type: 'charge',
    key,
    state: firstStates[script],
    reference: `ref-${key}`,
    amountMinor: script === 'wrong_amount' ? amountMinor + 1 : amountMinor,
    currency: script === 'wrong_currency' ? otherCurrency : currency,
    about,
  };
}

/** Whether a charge may still move by itself. */
function mayStillChange({ line, script }: SimulatedCharge): boolean {
  if (line.state === 'pending') return true;
  return (
    (line.state === 'declined' && script === 'charge_after_no') ||
    (line.state === 'void' && script === 'charge_after_void' && line.amountMinor > 0)
  );
}

/** Whether a charge is one that a link has a place for: two of those are money taken twice. */
function isOwed(charge: SimulatedCharge): boolean {
  const isWrong = charge.script === 'wrong_amount' || charge.script === 'wrong_currency';
  return charge.line.state === 'charged' && !isWrong;
}

function createRefunds(
  charges: Map<string, SimulatedCharge>,
  journal: JournalLine[],
  onFault: (fault: string) => void,
): Pick<FakeAcquirer, 'refund' | 'reversible' | 'reverse' | 'reversals'> {
  const answers = new Map<string, RefundOutcome>();
  const slow = new Set<string>();
  const refunded = new Map<string, number>();
  const reversals: RefundReversal[] = [];
  let asked = 0;
  const refund: FakeAcquirer['refund'] = (request) => {
    const { refundId: key, attemptId: chargeKey, amountMinor, currency } = request;
    const known = answers.get(key);
    if (known) return known;
    const reference = `ref-${key}`;
    // Every second refund is one that it has to think about.
    if (!slow.has(key)) {
      slow.add(key);
      asked += 1;
      if (asked % 2 === 0) return { kind: 'processing', reference };
    }
    const charge = charges.get(chargeKey);
    const total = (refunded.get(chargeKey) ?? 0) + amountMinor;
    if (charge && charge.line.state === 'charged' && total > charge.line.amountMinor)
      onFault(`the acquirer was asked to give back more of ${chargeKey} than it took`);
    // Money that nobody owed is never refused: no machine could end that.
    const isRefused = charge?.line.state !== 'charged' || (charge.script === 'approve' && asked % 5 === 0);
    if (!isRefused) refunded.set(chargeKey, total);
    const state = isRefused ? 'refused' : 'refunded';
    journal.push({ type: 'refund', key, chargeKey, state, reference, amountMinor, currency });
    const answer: RefundOutcome = isRefused
      ? { kind: 'failed', reference, code: 'refused' }
      : { kind: 'succeeded', reference, amountMinor, currency };
    answers.set(key, answer);
    return answer;
  };
  return {
    refund,
    reversals,
    // Money that nobody owed is sent back for good: no machine could end that, either.
    reversible: () =>
      [...refundsOf(journal).values()]
        .filter(
          ({ state, chargeKey }) => state === 'refunded' && charges.get(chargeKey)?.script === 'approve',
        )
        .map(({ key }) => key),
    reverse: (key) => {
      const line = refundsOf(journal).get(key);
      const charge = line && charges.get(line.chargeKey);
      if (line?.state !== 'refunded' || !charge) throw new Error(`no refund ${key} to take back`);
      const { chargeKey, amountMinor, reference } = line;
      refunded.set(chargeKey, (refunded.get(chargeKey) ?? 0) - amountMinor);
      journal.push({ ...line, state: 'refused' });
      answers.set(key, { kind: 'failed', reference, code: 'came_back' });
      reversals.push({ companyId: charge.companyId, refundId: key });
    },
  };
}

function listMovements(
  companyId: string,
  charges: ReadonlyMap<string, SimulatedCharge>,
  journal: JournalLine[],
): BalanceTransaction[] {
  const own = [...charges.values()].filter((charge) => charge.companyId === companyId);
  const taken = own.filter(({ line }) => line.state === 'charged').map(({ line }) => line);
  const reversed = reversedIn(journal);
  const given = [...refundsOf(journal).values()].filter(
    ({ key, state, chargeKey }) =>
      (state === 'refunded' || reversed.has(key)) && charges.get(chargeKey)?.companyId === companyId,
  );
  return [...taken, ...given].map(({ type, key, reference, amountMinor, currency }) => ({
    kind: reversed.has(key) ? 'failed_refund' : type,
    ...{ key, reference, amountMinor, currency },
  }));
}

/** Remembers which key a payment was charged under, and reports a second one. */
function reportSecondCharge(
  owedOf: Map<string, string>,
  { about, key }: { about: string; key: string },
  onFault: (fault: string) => void,
): void {
  const other = owedOf.get(about);
  if (other && other !== key)
    onFault(`${about} was charged under ${other} and, with the same right, under ${key}`);
  owedOf.set(about, key);
}

/** An acquirer that has done nothing yet. `onFault` is told of what no merchant may ever ask of one. */
export function createFakeAcquirer(onFault: (fault: string) => void): FakeAcquirer {
  const journal: JournalLine[] = [];
  const notifications: AcquirerNotification[] = [];
  const charges = new Map<string, SimulatedCharge>();
  const owedOf = new Map<string, string>();
  const changeable = new Set<string>();

  const storeCharge = (charge: SimulatedCharge, hasRight: boolean): AttemptOutcome => {
    const { key, about } = charge.line;
    charges.set(key, charge);
    journal.push(charge.line);
    const outcome = toOutcome(charge);
    notifications.push({ companyId: charge.companyId, attemptId: key, outcome });
    if (hasRight && isOwed(charge)) reportSecondCharge(owedOf, { about, key }, onFault);
    if (mayStillChange(charge)) changeable.add(key);
    else changeable.delete(key);
    return outcome;
  };
  return {
    journal,
    words: notifications,
    authorise: (request) => {
      const current = charges.get(request.attemptId);
      if (current) return toOutcome(current);
      const script = (request.card && cards.get(request.card)) ?? 'approve';
      return storeCharge({ line: lineOf(request, script), companyId: request.companyId, script }, true);
    },
    query: ({ attemptId }) => {
      const charge = charges.get(attemptId);
      return charge ? toOutcome(charge) : null;
    },
    cancel: ({ companyId, attemptId: key }) => {
      const current = charges.get(key);
      if (current && current.line.state !== 'pending') return toOutcome(current);
      const unheard = {
        type: 'charge',
        key,
        reference: '',
        amountMinor: 0,
        currency: '',
        about: '',
      } as const;
      const line: ChargeLine = { ...(current?.line ?? unheard), state: 'void' };
      return storeCharge({ line, companyId, script: current?.script ?? 'approve' }, true);
    },
    ...createRefunds(charges, journal, onFault),
    list: (companyId) => listMovements(companyId, charges, journal),
    owed: () => [...owedOf.values()],
    unsettled: () => [...changeable],
    honestlyPending: () =>
      [...changeable].filter((key) => {
        const charge = charges.get(key);
        return charge?.line.state === 'pending' && charge.script !== 'challenge';
      }),
    settle: (key, to) => {
      const charge = charges.get(key);
      if (!charge) throw new Error(`no charge ${key}`);
      const isHonest = charge.line.state === 'pending';
      // Pending once more: the customer has passed 3-D Secure, and the bank takes its time.
      const script = to === 'pending' && charge.script === 'challenge' ? 'pending' : charge.script;
      storeCharge(
        { ...charge, script, line: { ...charge.line, state: isHonest ? to : 'charged' } },
        isHonest,
      );
    },
  };
}
