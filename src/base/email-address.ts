// Which email addresses are accepted, and how two are compared. Narrower than RFC 5322: no quotes, comments
// or lists, so that an address cannot be read as two addresses or as a header.

import { hiddenCharacters } from './visible-text.ts';

/** Hidden characters are refused, because two addresses could look alike. */
export const emailAddressPattern: string = `^[^\\s@${hiddenCharacters}]+@[^\\s@${hiddenCharacters}]+$`;
export const emailAddressHint = 'This must be an email address, without spaces or hidden characters.';

const special = '\\s@<>()\\[\\]\\\\,;:"\\p{C}\\p{Default_Ignorable_Code_Point}';

/** A single address such as `ada@example.com`, without a name around it. */
export const plainEmailAddress: RegExp = new RegExp(`^[^${special}]{1,64}@[^${special}]{1,253}$`, 'u');

/** An address that its owner recognises and others can't read: `a•••@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email.slice(0, at)][0] ?? ''}•••${email.slice(at)}`;
}

/** Email addresses are compared case-insensitively. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
