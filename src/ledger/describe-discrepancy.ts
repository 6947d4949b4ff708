// Describes discrepancies of the ledger for an operator: which payment, what is wrong, and what to do.

import { isCurrency, toDecimalText } from '../base/money.ts';
import type { LedgerDiscrepancy, MinorUnits } from './verify-ledger.ts';

function amountText(minor: MinorUnits | null, currency: string | null): string {
  if (minor === null) return 'nothing';
  if (typeof minor === 'number' && currency !== null && isCurrency(currency))
    return `${toDecimalText(minor, currency)} ${currency}`;
  return `${minor} minor units${currency === null ? '' : ` of ${currency}`}`;
}

type DescriptionValues = { id: string; expected: string; posted: string; state: string };

/** What is wrong with an entry. The kind of entry precedes these names, as in `capture missing`. */
const entryDescriptions: Readonly<Record<string, string>> = {
  missing: '{id} moved {expected}, but the ledger has no entry for it.',
  unfounded: 'the ledger has an entry of {posted} for {id}, which moved no money.',
  differs: '{id} moved {expected}, but its entry has {posted}.',
  'in another currency': '{id} moved {expected}, but its entry has {posted}.',
  'on other accounts': 'the entry of {id} of {posted} has the wrong accounts for its kind.',
  'of another payment': 'the entry of {id} names the wrong payment.',
  'posted twice': '{id} moved {expected}, but the ledger has several entries for it, which total {posted}.',
};

/** The descriptions of other faults, by their full name. */
const descriptions: Readonly<Record<string, string>> = {
  'refunded amount differs': '{expected} was refunded, but the payment counts {posted} as refunded.',
  'pending refunds differ':
    'its refunds in progress total {expected}, but the payment has {posted} reserved for them.',
  'refunds exceed the payment': 'its amount is {expected}, but its refunds total {posted}.',
  'payment taken twice': 'more than one attempt collected its amount.',
  'payment taken and not paid':
    'an attempt collected {posted}, but the payment is {state}: the customer could pay again.',
  'payment paid without an attempt': 'it is paid, but no attempt collected its amount.',
  'payment taken with another amount': 'its amount is {expected}, but its attempt collected {posted}.',
  'payment processing without an attempt':
    'it is processing, but no attempt is in progress: nothing will end it.',
  'payment with an attempt under way': 'it is {state}, but an attempt is still in progress.',
  'payment with several attempts under way':
    'more than one attempt is in progress: the customer could pay twice.',
  'payment failed without an attempt': 'it failed without an attempt.',
  'refund without its capture':
    '{id} refunds money that was not collected for this payment, which is {state}.',
  'payment reported as paid': 'an event reported it as paid, but it is {state}.',
  'refund removed': 'an event reported the refund {id} of {expected}, but it is not stored.',
  'refund reported as succeeded': 'an event reported {id} as succeeded, but the refund is {state}.',
  'total differs':
    'the entries from {id} total {expected}, but the stored total of the balances is {posted}.',
  'sandbox charge of no attempt': 'the sandbox collected {posted} under {id}, which is not an attempt.',
  'sandbox charge missing': '{id} collected {expected}, but the sandbox has no such charge.',
  'sandbox charge differs': '{id} collected {expected}, but the sandbox recorded {posted}.',
  'sandbox charge not recorded':
    'the sandbox collected {posted} for {id}, which is {state}; the money was not refunded.',
  'sandbox refund of no refund': 'the sandbox refunded {posted} under {id}, which is not a refund.',
  'sandbox refund missing': '{id} refunded {expected}, but the sandbox has no such refund.',
  'sandbox refund differs': '{id} is a refund of {expected}, but the sandbox recorded {posted}.',
  'sandbox refund of another charge': 'the sandbox has the refund {id} for another charge.',
  'sandbox refund not recorded': 'the sandbox refunded {posted} for {id}, which is {state}.',
};

/** What to do, by the first words of a fault that match. */
const remedies: readonly [RegExp, string][] = [
  [/^total/, 'Run paylink audit verify. If it finds nothing, restore the total from the entries.'],
  [
    /^sandbox/,
    'No real money moved. The sandbox’s tables or Paylink’s were changed: run paylink audit verify.',
  ],
  [
    /^payment (taken and|reported)/,
    'Make sure that nobody pays it again. Compare it with the processor’s statement, and run paylink audit verify.',
  ],
  [
    /^payment (processing|with several)/,
    'Compare it with the processor’s statement before anybody pays it again.',
  ],
  [
    /refund/,
    'Before you refund more of it, compare it with the processor’s statement, and run paylink audit verify.',
  ],
];
const defaultRemedy = 'Compare it with the processor’s statement, and run paylink audit verify.';

function describe(fault: string, values: DescriptionValues): string {
  const template =
    descriptions[fault] ??
    entryDescriptions[fault.slice(fault.indexOf(' ') + 1)] ??
    '{id} should be {expected}, but is {posted}.';
  return template.replaceAll(/\{(\w+)\}/g, (_, name) => values[name as keyof DescriptionValues]);
}

/** Describes a discrepancy: one sentence on what is wrong with which payment, and one on what to do. */
export function describeLedgerDiscrepancy(found: LedgerDiscrepancy): string {
  const { fault, sourceId: id, paymentId, PaymentLinkCode: code, currency, unlisted } = found;
  if (unlisted !== null)
    return `${fault}. There are ${unlisted} more disagreements of the kind “${id}”. Fix the listed ones and run the check again.`;
  const about = paymentId === null ? '' : ` Payment ${paymentId}${code === null ? '' : ` (link ${code})`}:`;
  const description = describe(fault, {
    id,
    expected: amountText(found.expectedMinor, currency),
    posted: amountText(found.postedMinor, found.postedCurrency ?? currency),
    state: found.state ?? 'unknown',
  });
  const remedy = remedies.find(([pattern]) => pattern.test(fault))?.[1] ?? defaultRemedy;
  return `${fault}.${about} ${about === '' ? description.charAt(0).toUpperCase() + description.slice(1) : description} ${remedy}`;
}
