// What a new password must be, beside long enough, which its schema says: not the account's own address,
// and none of those that everybody tries first.

import type { FieldFault } from '../base/errors.ts';
import { commonPasswords } from './common-passwords.ts';

/** The least length of a new password, in characters. */
export const minPasswordLength = 12;

/** Why a text may not become the password of an account; null when it may. `field` is what to name. */
export function faultOfPassword(password: string, email: string, field: string): FieldFault | null {
  const plain = password.normalize('NFKC').toLowerCase();
  if (plain === email.toLowerCase())
    return { field, code: 'too_easy', detail: 'This must not be the e-mail address of the account.' };
  if (commonPasswords.has(plain))
    return { field, code: 'too_easy', detail: 'This is one of the most common passwords.' };
  return null;
}
