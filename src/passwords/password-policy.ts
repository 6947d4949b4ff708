// What a new password must be, beside long enough, which its schema says: not the account's own address, not one or few
// characters over and over, and nothing that everybody tries first.

import type { FieldError } from '../base/errors.ts';
import { readCommonPasswords } from './common-passwords.ts';

/** The least length of a new password, in characters. */
export const minPasswordLength = 12;

/** Different characters that a new password has at least, blanks and invisible ones not counted. */
const minDifferentCharacters = 5;

// Spaces of every kind, the blank of Braille, control characters, and what Unicode says is not shown.
const invisibleCharacters = /[\p{White_Space}\u2800\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** The shortest word that counts as a common password with something added. */
const minWordLength = 4;

/** The shortest text that a text is a repetition of; undefined for none. Only a few lengths divide that of the text. */
function repeatedIn(text: string): string | undefined {
  for (let length = minWordLength; length <= text.length / 2; length++) {
    if (text.length % length !== 0) continue;
    const unit = text.slice(0, length);
    if (unit.repeat(text.length / length) === text) return unit;
  }
  return undefined;
}

/** What guessers derive a text from: the text itself, what is repeated in it, and it without digits and signs around it. */
function rootsOf(text: string): string[] {
  const repeated = repeatedIn(text);
  const word = text.replace(/^\P{L}+/u, '').replace(/(?<!\P{L})\P{L}+$/u, '');
  return [text, ...(repeated ? [repeated] : []), ...(word.length >= minWordLength ? [word] : [])];
}

/** Why a text may not become the password of an account; null when it may. `field` is what to name. */
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
