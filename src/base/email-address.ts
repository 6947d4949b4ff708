// Which email addresses mail can be written to, and how two are compared. Narrower than what mail allows: no quotes, comments or
// lists, so that one address can never be read as two, or as a header.

import { hiddenCharacters } from './visible-text.ts';

/** For a schema: the form of an address, of any kind that mail allows. Hidden characters are refused: nobody sees that two differ. */
export const emailAddressPattern: string = `^[^\\s@${hiddenCharacters}]+@[^\\s@${hiddenCharacters}]+$`;
export const emailAddressHint = 'This must be an e-mail address, without spaces and hidden characters.';

const special = '\\s@<>()\\[\\]\\\\,;:"\\p{C}\\p{Default_Ignorable_Code_Point}';

/** A whole address such as `ada@example.com`, and nothing around it. */
export const plainEmailAddress: RegExp = new RegExp(`^[^${special}]{1,64}@[^${special}]{1,253}$`, 'u');

/** E-mail addresses are compared without regard to case. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
