// Account numbers as ISO 13616 writes them: reading what people type, and showing it so that they can
// compare it. It must never take a number that a bank would have to send back for its form.

import { isSEPACountry, isValidBIC, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

export type IbanError =
  | 'bad_characters'
  | 'unknown_country'
  | 'wrong_length'
  | 'wrong_form'
  | 'wrong_check_digits';

/**
 * In the order in which they are worth telling. The check digits that some countries put into their own
 * part of the number are left to the bank: there are good accounts that break them.
 */
const errorsByCode: readonly [ValidationErrorsIBAN, IbanError][] = [
  [ValidationErrorsIBAN.NoIBANCountry, 'unknown_country'],
  [ValidationErrorsIBAN.WrongBBANLength, 'wrong_length'],
  [ValidationErrorsIBAN.ChecksumNotNumber, 'wrong_check_digits'],
  [ValidationErrorsIBAN.WrongBBANFormat, 'wrong_form'],
  [ValidationErrorsIBAN.WrongIBANChecksum, 'wrong_check_digits'],
];

/** An account number without the spaces that people put in, in upper case. */
export function normaliseIban(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase();
}

/** Reads an account number as typed: `{ iban }` without spaces, or what is wrong with it. */
export function parseIban(text: string): { iban: string } | { fault: IbanError } {
  const iban = normaliseIban(text);
  if (!/^[A-Z0-9]+$/.test(iban)) return { fault: 'bad_characters' };
  const found = new Set(validateIBAN(iban).errorCodes);
  const fault = errorsByCode.find(([code]) => found.has(code));
  return fault ? { fault: fault[1] } : { iban };
}

/** Whether an account can be paid by SEPA credit transfer, going by its country. */
export function isSepaIban(iban: string): boolean {
  return isSEPACountry(iban.slice(0, 2));
}

/** Countries of the European Economic Area by the letters that their account numbers begin with. */
const eea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
);

/** Whether a transfer to an account needs the BIC of its bank: outside the EEA. */
export function needsBic(iban: string): boolean {
  return !eea.has(iban.slice(0, 2));
}

/** A number in groups of four, as it is printed: account numbers and creditor references alike. */
export function formatIban(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Reads a bank's code (BIC, ISO 9362) as typed; null when it has not the form of one. */
export function parseBic(text: string): string | null {
  const bic = text.replace(/\s+/g, '').toUpperCase();
  return isValidBIC(bic) ? bic : null;
}
