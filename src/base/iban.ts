// IBANs (ISO 13616). Must not: accept a number with an invalid form, which a bank would return.

import { isSEPACountry, isValidBIC, ValidationErrorsIBAN, validateIBAN } from 'ibantools';

export type IbanError =
  | 'bad_characters'
  | 'unknown_country'
  | 'wrong_length'
  | 'wrong_form'
  | 'wrong_check_digits';

/** In the order of reporting. National check digits are not checked: some valid accounts break them. */
const errorsByCode: readonly [ValidationErrorsIBAN, IbanError][] = [
  [ValidationErrorsIBAN.NoIBANCountry, 'unknown_country'],
  [ValidationErrorsIBAN.WrongBBANLength, 'wrong_length'],
  [ValidationErrorsIBAN.ChecksumNotNumber, 'wrong_check_digits'],
  [ValidationErrorsIBAN.WrongBBANFormat, 'wrong_form'],
  [ValidationErrorsIBAN.WrongIBANChecksum, 'wrong_check_digits'],
];

export function normaliseIban(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase();
}

/** Reads a typed account number: `{ iban }` without spaces, or the fault. */
export function parseIban(text: string): { iban: string } | { fault: IbanError } {
  const iban = normaliseIban(text);
  if (!/^[A-Z0-9]+$/.test(iban)) return { fault: 'bad_characters' };
  const found = new Set(validateIBAN(iban).errorCodes);
  const fault = errorsByCode.find(([code]) => found.has(code));
  return fault ? { fault: fault[1] } : { iban };
}

/** Whether SEPA credit transfers reach an account, judged by its country. */
export function isSepaIban(iban: string): boolean {
  return isSEPACountry(iban.slice(0, 2));
}

/** Countries of the European Economic Area, by the first letters of their IBANs. */
const eea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
);

/** Whether a transfer to an account needs the bank's BIC: outside the EEA. */
export function needsBic(iban: string): boolean {
  return !eea.has(iban.slice(0, 2));
}

/** Formats a text in groups of four, as printed: for IBANs and creditor references. */
export function formatIban(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Reads a typed bank code (BIC, ISO 9362); null when its form is invalid. */
export function parseBic(text: string): string | null {
  const bic = text.replace(/\s+/g, '').toUpperCase();
  return isValidBIC(bic) ? bic : null;
}
