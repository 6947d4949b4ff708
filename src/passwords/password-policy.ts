// The rules for a new password besides its length, which its schema checks: not the account's own address, not a few
// characters repeated, and nothing that guessers try first.

import type { FieldError } from '../base/errors.ts';
import { readCommonPasswords } from './common-passwords.ts';

/** Minimum length of a new password, in characters. */
export const minPasswordLength = 12;

/** Minimum of different characters in a new password, not counting blanks and invisible ones. */
const minDifferentCharacters = 5;

// Spaces of every kind, the Braille blank, control characters, and what Unicode declares invisible.
const invisibleCharacters = /[\p{White_Space}\u2800\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** The minimum length of a common password that is refused with additions. */
const minWordLength = 4;

/**
 * The shortest text whose repetition gives the text; undefined if there is none. Only a few lengths divide that of the
 * text.
 */
function repeatedIn(text: string): string | undefined {
  for (let length = minWordLength; length <= text.length / 2; length++) {
    if (text.length % length !== 0) continue;
    const unit = text.slice(0, length);
    if (unit.repeat(text.length / length) === text) return unit;
  }
  return undefined;
}

/** What guessers derive a text from: the text itself, its repeated part, and it without digits and signs around it. */
function rootsOf(text: string): string[] {
  const repeated = repeatedIn(text);
  const word = text.replace(/^\P{L}+/u, '').replace(/(?<!\P{L})\P{L}+$/u, '');
  return [text, ...(repeated ? [repeated] : []), ...(word.length >= minWordLength ? [word] : [])];
}

/** Why a text may not become the password of an account; null if it may. `field` is the name for the error. */
export async function passwordError(
  password: string,
  email: string,
  field: string,
): Promise<FieldError | null> {
  const code = 'too_easy';
  const plain = password.normalize('NFKC').toLowerCase();
  if (plain === email.toLowerCase())
    return { field, code, detail: 'This must not be the e-mail address of the account.' };
  if (new Set(plain.replace(invisibleCharacters, '')).size < minDifferentCharacters)
    return {
      field,
      code,
      detail: `This must have at least ${minDifferentCharacters} different characters; blanks do not count.`,
    };
  const common = await readCommonPasswords();
  if (rootsOf(plain).some((root) => common.has(root)))
    return { field, code, detail: 'This is one of the most common passwords, or one with something added.' };
  return null;
}
