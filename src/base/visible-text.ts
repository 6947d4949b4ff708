// Whether people can see what a text is: two that look the same must not be two names of things. Pure.

/** White space, and blanks that Unicode counts among the symbols: the Braille blank and the null note head. */
const blank = '\\p{White_Space}\\u2800\\u{1D159}';
/** Control and format characters, and those that Unicode says to show nothing for. Joiners are among them. */
export const hiddenCharacters = '\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';

/** For a schema: a name that can be seen, without hidden characters. Blanks come first, so that matching is linear. */
export const visiblePattern: string = `^[\\p{Zs}\\u2800\\u{1D159}]*[^${hiddenCharacters}${blank}][^${hiddenCharacters}]*$`;
export const visibleHint = 'This must have printable characters only, and not blanks alone.';

const hidden = new RegExp(`[${hiddenCharacters}]`, 'u');
const allBlank = new RegExp(`^[${blank}]*$`, 'u');
const blankAtEnd = new RegExp(`^[${blank}]|[${blank}]$`, 'u');

/** Whether a text has characters that nothing is shown for: control, format and default-ignorable characters. */
export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text);
}

/** Whether nothing is to be seen of a text. */
export function isBlank(text: string): boolean {
  return allBlank.test(text);
}

/** Whether a text begins or ends with a blank, so that it looks like another one. */
export function hasBlankAtEnd(text: string): boolean {
  return blankAtEnd.test(text);
}
