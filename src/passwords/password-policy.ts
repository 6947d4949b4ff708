// The rules for a new password: not the address, not a few repeated characters, no common password.

import type { FieldError } from '../base/errors.ts';
import { readCommonPasswords } from './common-passwords.ts';

/** Minimum length of a new password, in characters. */
export const minPasswordLength = 12;

/** Minimum of different characters in a new password, not counting blanks and invisible ones. */
const minDifferentCharacters = 5;

const invisibleCharacters = /[\p{White_Space}\u2800\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** The minimum length of a common password that is refused with additions. */
const minWordLength = 4;

/** The shortest text whose repetition gives the text. */
function repeatedIn(text: string): string | undefined {
  for (let length = minWordLength; length <= text.length / 2; length++) {
    if (text.length % length !== 0) continue;
    const unit = text.slice(0, length);
    if (unit.repeat(text.length / length) === text) return unit;
  }
  return undefined;
}

/** The text, its repeated part, and the text without digits and signs around it. */
function rootsOf(text: string): string[] {
  const repeated = repeatedIn(text);
  const word = text.replace(/^\P{L}+/u, '').replace(/(?<!\P{L})\P{L}+$/u, '');
  return [text, ...(repeated ? [repeated] : []), ...(word.length >= minWordLength ? [word] : [])];
}

/** Why a password is refused; null if it is accepted. */
export async function passwordError(
  password: string,
  email: string,
  field: string,
): Promise<FieldError | null> {
  const code = 'too_easy';
  const plain = password.normalize('NFKC').toLowerCase();
  if (plain === email.toLowerCase())
    return { field, code, detail: 'This must not be the email address of the account.' };
  if (new Set(plain.replace(invisibleCharacters, '')).size < minDifferentCharacters)
    return {
      field,
      code,
      detail: `This must have at least ${minDifferentCharacters} different characters. Spaces do not count.`,
    };
  const common = await readCommonPasswords();
  if (rootsOf(plain).some((root) => common.has(root)))
    return {
      field,
      code,
      detail: 'This is one of the most common passwords, or a variation of one. Choose another password.',
    };
  return null;
}
