// The text in the QR code of a bank transfer, by EPC069-12. Must not: exceed the limits of the standard: an app then
// rejects the code or, worse, truncates it.

import { needsBic } from './iban.ts';
import { toDecimalText } from './money.ts';

/** The standard's requirements for the symbol: error correction M, version 13 at most. */
export const epcCodeForm = { correction: 'medium', maxVersion: 13 } as const;

const maxNameLength = 70;
const maxAmountMinor = 99_999_999_999;
const maxBytes = 331;

export type EpcTransfer = {
  holder: string;
  iban: string;
  bic: string | null;
  /** Euro cents, 1 to 99,999,999,999. */
  amountMinor: number;
  /** ISO 11649, without spaces. */
  reference: string;
};

function checkTransfer({ holder, iban, bic, amountMinor }: EpcTransfer): void {
  if (holder.trim() === '' || [...holder].length > maxNameLength)
    throw new RangeError(`the name in an EPC code has 1 to ${maxNameLength} characters`);
  // A line break begins the next field: a name must not be able to inject an IBAN.
  if (/\p{Cc}/u.test(holder)) throw new RangeError('the name in an EPC code has no control characters');
  if (bic === null && needsBic(iban))
    throw new RangeError('an EPC code needs the BIC of a bank outside the EEA');
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1 || amountMinor > maxAmountMinor)
    throw new RangeError('the amount in an EPC code is 0.01 to 999999999.99');
}

/** Version 002, UTF-8, SEPA credit transfer. Throws RangeError for values that the code cannot hold. */
export function writeEpcCode(transfer: EpcTransfer): string {
  checkTransfer(transfer);
  const { holder, iban, bic, amountMinor, reference } = transfer;
  const purpose = '';
  const text = [
    'BCD',
    '002',
    '1',
    'SCT',
    bic ?? '',
    holder,
    iban,
    `EUR${toDecimalText(amountMinor, 'EUR')}`,
    purpose,
    reference,
  ].join('\n');
  if (Buffer.byteLength(text) > maxBytes) throw new RangeError(`an EPC code holds at most ${maxBytes} bytes`);
  return text;
}
