// The settings of a connection for bank transfers. All of them are public: every customer sees them.

import { type IbanError, isSepaIban, needsBic, normaliseIban, parseBic, parseIban } from '../../base/iban.ts';
import type { CredentialCheck, CredentialError, CredentialField } from '../processor.ts';

export type BankTransferSettings = { holder: string; iban: string; bic: string | null; daysToPay: number };

const defaultDays = 7;
export const maxDaysToPay = 60;
/** The limit of the QR codes that banking apps scan. */
const maxHolderLength = 70;

export const bankTransferFields: readonly CredentialField[] = [
  {
    name: 'holder',
    label: 'Account holder',
    isSecret: false,
    isRequired: true,
    help: 'The name on the account, as your bank writes it. Banks compare it with what the customer orders.',
    maxLength: maxHolderLength,
  },
  {
    name: 'iban',
    label: 'IBAN',
    isSecret: false,
    isRequired: true,
    help: 'The account that customers pay to, such as DE02 1203 0000 0000 2020 51. It must accept euros.',
    maxLength: 42,
  },
  {
    name: 'bic',
    label: 'BIC',
    isSecret: false,
    isRequired: false,
    help: 'Required only for banks outside the EEA. 8 or 11 letters and digits.',
    maxLength: 14,
  },
  {
    name: 'daysToPay',
    label: 'Days to pay',
    isSecret: false,
    isRequired: false,
    help: `How many days a customer has, 1 to ${maxDaysToPay}; default ${defaultDays}.`,
    maxLength: 2,
  },
];

const ibanErrorMessages: Readonly<Record<IbanError, string>> = {
  bad_characters: 'An IBAN has letters A–Z and digits only.',
  unknown_country:
    'No country has IBANs that begin with these two letters. Compare it with your bank statement.',
  wrong_length: 'This IBAN is too short or too long for its country. Compare it with your bank statement.',
  wrong_form: 'This IBAN does not have the format of its country. Compare it with your bank statement.',
  wrong_check_digits: 'The check digits of this IBAN are wrong. Compare it with your bank statement.',
};

function checkHolder(holder: string): CredentialError[] {
  const isPlain = holder !== '' && [...holder].length <= maxHolderLength && !/\p{C}/u.test(holder);
  const detail = `This must be 1 to ${maxHolderLength} characters without line breaks.`;
  return isPlain ? [] : [{ field: 'holder', code: 'wrong_format', detail }];
}

function checkIban(text: string): CredentialError[] {
  const read = parseIban(text);
  if ('fault' in read) return [{ field: 'iban', code: read.fault, detail: ibanErrorMessages[read.fault] }];
  const detail = 'Accounts in this country cannot receive SEPA transfers.';
  return isSepaIban(read.iban) ? [] : [{ field: 'iban', code: 'not_sepa', detail }];
}

/** Without it banking apps reject the QR code on the page (EPC069-12). */
function checkBicIsPresent({ iban = '', bic = '' }: Readonly<Record<string, string>>): CredentialError[] {
  const read = parseIban(iban);
  if ('fault' in read || !isSepaIban(read.iban) || !needsBic(read.iban) || bic.trim() !== '') return [];
  const detail =
    'This is required for an account outside the EEA. Ask your bank for it; statements often show it as BIC or SWIFT.';
  return [{ field: 'bic', code: 'missing', detail }];
}

function checkRest({ bic = '', daysToPay = '' }: Readonly<Record<string, string>>): CredentialError[] {
  const faults: CredentialError[] = [];
  if (bic.trim() !== '' && parseBic(bic) === null)
    faults.push({ field: 'bic', code: 'wrong_format', detail: 'A BIC has 8 or 11 letters and digits.' });
  if (daysToPay !== '' && !isDays(daysToPay))
    faults.push({ field: 'daysToPay', code: 'out_of_range', detail: `This must be 1 to ${maxDaysToPay}.` });
  return faults;
}

const isDays = (text: string) => /^[1-9][0-9]?$/.test(text) && Number(text) <= maxDaysToPay;

/** Validates the settings. Nobody can confirm the owner of the account: the merchant states the holder. */
export function checkBankTransferSettings(credentials: Readonly<Record<string, string>>): CredentialCheck {
  const holder = credentials.holder?.trim() ?? '';
  const faults = [...errorsOf(credentials), ...checkBicIsPresent(credentials)];
  if (faults.length > 0) return { kind: 'bad', faults };
  return { kind: 'good', holder, account: normaliseIban(credentials.iban ?? '') };
}

/** Faults that make settings unusable. Older settings may lack a BIC, which only removes the QR code from the page. */
function errorsOf(credentials: Readonly<Record<string, string>>): CredentialError[] {
  const holder = credentials.holder?.trim() ?? '';
  return [...checkHolder(holder), ...checkIban(credentials.iban ?? ''), ...checkRest(credentials)];
}

/** Parses settings that were validated when they were saved. Throws for others. */
export function parseBankTransferSettings(
  credentials: Readonly<Record<string, string>>,
): BankTransferSettings {
  const read = parseIban(credentials.iban ?? '');
  if (errorsOf(credentials).length > 0 || 'fault' in read)
    throw new Error('the settings for bank transfers are invalid');
  return {
    holder: credentials.holder?.trim() ?? '',
    iban: read.iban,
    bic: parseBic(credentials.bic ?? ''),
    daysToPay: Number(credentials.daysToPay || defaultDays),
  };
}
