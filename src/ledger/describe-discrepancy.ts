// Describes discrepancies of the ledger for an operator: which payment, what is wrong, and what to do.

import { isCurrency, toDecimalText } from '../base/money.ts';
import type { LedgerDiscrepancy, MinorUnits } from './verify-ledger.ts';

function amountText(minor: MinorUnits | null, currency: string | null): string {
  if (minor === null) return 'nothing';
  if (typeof minor === 'number' && currency !== null && isCurrency(currency))
    return `${toDecimalText(minor, currency)} ${currency}`;
  return `${minor} minor units${currency === null ? '' : ` of ${currency}`}`;
}

type DescriptionValues = { id: string; wanted: string; found: string; state: string };

/** What is wrong with an entry. The kind of entry precedes these texts, as in `capture missing`. */
const wrongEntries: Readonly<Record<string, (words: DescriptionValues) => string>> = {
  missing: ({ id, wanted }) => `${id} moved ${wanted}, and the ledger has no entry of it.`,
  unfounded: ({ id, found }) =>
    `the ledger has an entry of ${found} for ${id}, which moved no money that is known.`,
  differs: ({ id, wanted, found }) => `${id} moved ${wanted}, and its entry says ${found}.`,
  'in another currency': ({ id, wanted, found }) => `${id} moved ${wanted}, and its entry says ${found}.`,
  'on other accounts': ({ id, found }) =>
    `the entry of ${id} over ${found} debits and credits other accounts than its kind does.`,
  'of another payment': ({ id }) => `the entry of ${id} names another payment than ${id} belongs to.`,
  'posted twice': ({ id, wanted, found }) =>
    `${id} moved ${wanted}, and the ledger has more than one entry of it, ${found} together.`,
};

/** Other faults by their full name. */
const descriptions: Readonly<Record<string, (words: DescriptionValues) => string>> = {
  'refunded amount differs': ({ wanted, found }) =>
    `its refunds gave back ${wanted}, and the payment counts ${found} as given back.`,
  'pending refunds differ': ({ wanted, found }) =>
    `its refunds under way come to ${wanted}, and the payment has ${found} set aside for them.`,
  'refunds exceed the payment': ({ wanted, found }) =>
    `it asks for ${wanted}, and its refunds come to ${found}.`,
  'payment taken twice': () => 'more than one attempt took its money.',
  'payment taken and not paid': ({ found, state }) =>
    `an attempt took ${found}, and the payment is ${state}: its customer could pay again.`,
  'payment paid without an attempt': () => 'it is paid, and no attempt took its money.',
  'payment taken with another amount': ({ wanted, found }) =>
    `it asks for ${wanted}, and its attempt took ${found}.`,
  'payment processing without an attempt': () =>
    'it is processing, and no attempt is under way: nothing will end it.',
  'payment with an attempt under way': ({ state }) =>
    `it is ${state}, and an attempt to pay it is still under way.`,
  'payment with several attempts under way': () =>
    'more than one attempt to pay it is under way: its customer could pay twice.',
  'payment failed without an attempt': () => 'it failed, and nobody ever tried to pay it.',
  'refund without its capture': ({ id, state }) =>
    `${id} gives money back that was not taken for this payment, which is ${state}.`,
  'payment reported as paid': ({ state }) => `events reported it as paid, and it is ${state}.`,
  'refund removed': ({ id, wanted }) =>
    `events reported the refund ${id} of ${wanted}, and it is not stored.`,
  'refund reported as succeeded': ({ id, state }) =>
    `events reported ${id} as succeeded, and the refund is ${state}.`,
  'total differs': ({ id, wanted, found }) =>
    `the entries from ${id} come to ${wanted}, and the total that balances are read from is ${found}.`,
  'sandbox charge of no attempt': ({ id, found }) =>
    `the sandbox took ${found} under ${id}, which is no attempt of ours.`,
  'sandbox charge missing': ({ id, wanted }) => `${id} took ${wanted}, and the sandbox has no such charge.`,
  'sandbox charge differs': ({ id, wanted, found }) => `${id} took ${wanted}, and the sandbox says ${found}.`,
  'sandbox charge not recorded': ({ id, found, state }) =>
    `the sandbox took ${found} for ${id}, which is ${state}; the money was not sent back.`,
  'sandbox refund of no refund': ({ id, found }) =>
    `the sandbox gave back ${found} under ${id}, which is no refund of ours.`,
  'sandbox refund missing': ({ id, wanted }) =>
    `${id} gave back ${wanted}, and the sandbox has no such refund.`,
  'sandbox refund differs': ({ id, wanted, found }) =>
    `${id} is a refund of ${wanted}, and the sandbox says ${found}.`,
  'sandbox refund of another charge': ({ id }) => `the sandbox made the refund ${id} of another charge.`,
  'sandbox refund not recorded': ({ id, found, state }) =>
    `the sandbox gave back ${found} for ${id}, which is ${state}.`,
};

/** What to do, by the first words of a fault that match. */
const remedies: readonly [RegExp, string][] = [
  [
    /^total/,
    'Restore the total from the entries, once paylink audit verify shows that the events are whole.',
  ],
  [
    /^sandbox/,
    'No real money moved. Somebody changed the sandbox’s tables or ours: run paylink audit verify.',
  ],
  [
    /^payment (taken and|reported)/,
    'Do not let it be paid again: compare with the processor’s statement, and run paylink audit verify.',
  ],
  [/^payment (processing|with several)/, 'Compare with the processor’s statement before anybody pays again.'],
  [
    /refund/,
    'Refund nothing more of it before you have compared it with the processor’s statement; run paylink audit verify.',
  ],
];
const usualAdvice = 'Compare it with the processor’s statement, and run paylink audit verify.';

function wrongOf(fault: string): (words: DescriptionValues) => string {
  const words = descriptions[fault] ?? wrongEntries[fault.slice(fault.indexOf(' ') + 1)];
  return words ?? (({ id, wanted, found }) => `${id} should stand at ${wanted} and stands at ${found}.`);
}

/** Describes a discrepancy: one sentence on what is wrong with which payment, and one on what to do. */
export function describeLedgerDiscrepancy(found: LedgerDiscrepancy): string {
  const { fault, sourceId: id, paymentId, PaymentLinkCode: code, currency, unlisted } = found;
  if (unlisted !== null)
    return `${fault}. Of the kind “${id}” there are ${unlisted} more disagreements than are listed. Mend these and look again.`;
  const about = paymentId === null ? '' : ` Payment ${paymentId}${code === null ? '' : ` (link ${code})`}:`;
  const description = wrongOf(fault)({
    id,
    wanted: amountText(found.expectedMinor, currency),
    found: amountText(found.postedMinor, found.postedCurrency ?? currency),
    state: found.state ?? 'unknown',
  });
  const advice = remedies.find(([words]) => words.test(fault))?.[1] ?? usualAdvice;
  return `${fault}.${about} ${about === '' ? description.charAt(0).toUpperCase() + description.slice(1) : description} ${advice}`;
}
