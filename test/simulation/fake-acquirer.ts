// The simulation's acquirer, in memory. It writes the journal that the oracle reads, deduplicates by key, and misbehaves
// as the card's script says. It responds at once; network.ts delays, repeats or drops responses. It has no access to
// Paylink's records.

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
  /** Responds that it is processing; charges or declines later. */
  'pending',
  /** Requires 3-D Secure first. */
  'challenge',
  'wrong_amount',
  'wrong_currency',
  /** Declines, and charges later. */
  'charge_after_no',
  /** Responds that the attempt is void, and charges later. */
  'charge_after_void',
] as const;
export type AcquirerScript = (typeof scripts)[number];

/** An unsolicited report of an attempt's outcome. */
export type AcquirerNotification = { companyId: string; attemptId: string; outcome: AttemptOutcome };
/** A report that a refund failed after it succeeded. */
export type RefundReversal = { companyId: string; refundId: string };
type Key = { companyId: string; attemptId: string };
type SimulatedCharge = { line: ChargeLine; companyId: string; script: AcquirerScript };

export type FakeAcquirer = {
  journal: readonly JournalLine[];
  /** Undelivered notifications, oldest first. Remove one when you deliver it. */
  notifications: AcquirerNotification[];
  /** Undelivered reports of refunds that failed after they succeeded. */
  reversals: RefundReversal[];
  authorise(request: AuthoriseRequest): AttemptOutcome;
  query(key: Key): AttemptOutcome | null;
  cancel(key: Key): AttemptOutcome;
  refund(request: ProcessorRefundRequest): RefundOutcome;
  /** The keys of refunds that may still fail. */
  reversible(): string[];
  /** Makes such a refund fail, and adds the report. */
  reverse(key: string): void;
  /** The charges and refunds of a company. */
  list(companyId: string): BalanceTransaction[];
  /** The keys of valid charges, which their links must accept. */
  validCharges(): string[];
  /** The keys of charges whose state may still change. */
  unsettled(): string[];
  /** Changes the state of such a charge. A declined or void one always becomes `charged`. */
  settle(key: string, to: ChargeState): void;
  /** The keys of charges that a correct acquirer would still settle. */
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

/** Whether the state of a charge may still change. */
function mayStillChange({ line, script }: SimulatedCharge): boolean {
  if (line.state === 'pending') return true;
  return (
    (line.state === 'declined' && script === 'charge_after_no') ||
    (line.state === 'void' && script === 'charge_after_void' && line.amountMinor > 0)
  );
}

/** Whether a charge is valid. Two valid charges for one link are a double charge. */
function isValid(charge: SimulatedCharge): boolean {
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
    // Every second refund is delayed.
    if (!slow.has(key)) {
      slow.add(key);
      asked += 1;
      if (asked % 2 === 0) return { kind: 'processing', reference };
    }
    const charge = charges.get(chargeKey);
    const total = (refunded.get(chargeKey) ?? 0) + amountMinor;
    if (charge && charge.line.state === 'charged' && total > charge.line.amountMinor)
      onFault(`the acquirer was asked to refund more of ${chargeKey} than it charged`);
    // Refunds of overpayments always succeed: Paylink could not settle a refused one by itself.
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
    // Refunds of overpayments never fail later, for the same reason.
    reversible: () =>
      [...refundsOf(journal).values()]
        .filter(
          ({ state, chargeKey }) => state === 'refunded' && charges.get(chargeKey)?.script === 'approve',
        )
        .map(({ key }) => key),
    reverse: (key) => {
      const line = refundsOf(journal).get(key);
      const charge = line && charges.get(line.chargeKey);
      if (line?.state !== 'refunded' || !charge) throw new Error(`no refund ${key} to reverse`);
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

/** Records the key of a valid charge for a link, and reports a second one. */
function reportSecondCharge(
  validKeys: Map<string, string>,
  { about, key }: { about: string; key: string },
  onFault: (fault: string) => void,
): void {
  const other = validKeys.get(about);
  if (other && other !== key) onFault(`${about} has two valid charges: ${other} and ${key}`);
  validKeys.set(about, key);
}

/** An acquirer without charges. `onFault` receives faults that the acquirer detects, such as double charges. */
export function createFakeAcquirer(onFault: (fault: string) => void): FakeAcquirer {
  const journal: JournalLine[] = [];
  const notifications: AcquirerNotification[] = [];
  const charges = new Map<string, SimulatedCharge>();
  const validKeys = new Map<string, string>();
  const changeable = new Set<string>();

  const storeCharge = (charge: SimulatedCharge, isAgreed: boolean): AttemptOutcome => {
    const { key, about } = charge.line;
    charges.set(key, charge);
    journal.push(charge.line);
    const outcome = toOutcome(charge);
    notifications.push({ companyId: charge.companyId, attemptId: key, outcome });
    if (isAgreed && isValid(charge)) reportSecondCharge(validKeys, { about, key }, onFault);
    if (mayStillChange(charge)) changeable.add(key);
    else changeable.delete(key);
    return outcome;
  };
  return {
    journal,
    notifications,
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
      const unknownCharge = {
        type: 'charge',
        key,
        reference: '',
        amountMinor: 0,
        currency: '',
        about: '',
      } as const;
      const line: ChargeLine = { ...(current?.line ?? unknownCharge), state: 'void' };
      return storeCharge({ line, companyId, script: current?.script ?? 'approve' }, true);
    },
    ...createRefunds(charges, journal, onFault),
    list: (companyId) => listMovements(companyId, charges, journal),
    validCharges: () => [...validKeys.values()],
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
      // Pending again: the customer has passed 3-D Secure, and the bank has not decided yet.
      const script = to === 'pending' && charge.script === 'challenge' ? 'pending' : charge.script;
      storeCharge(
        { ...charge, script, line: { ...charge.line, state: isHonest ? to : 'charged' } },
        isHonest,
      );
    },
  };
}
