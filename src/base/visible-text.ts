// Checks that people can see a text: two different names must not look the same. Pure.

/** White space, and blanks that Unicode classifies as symbols: the Braille blank and the null note head. */
const blank = '\\p{White_Space}\\u2800\\u{1D159}';
/** Control and format characters, and those that Unicode renders as nothing. Joiners are among them. */
export const hiddenCharacters = '\\p{C}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}';

/** For a schema: a visible name without hidden characters. Blanks come first, so that matching is linear. */
export const visiblePattern: string = `^[\\p{Zs}\\u2800\\u{1D159}]*[^${hiddenCharacters}${blank}][^${hiddenCharacters}]*$`;
export const visibleHint = 'This must contain only printable characters, at least one of them not blank.';

/** Embeddings, overrides and isolates: they change the direction of the text that follows, too. */
export const directionControls = '\\u202A-\\u202E\\u2066-\\u2069';

const direction = new RegExp(`[${directionControls}]`, 'u');
const hidden = new RegExp(`[${hiddenCharacters}]`, 'u');
const visible = new RegExp(`[^${hiddenCharacters}${blank}]`, 'u');
const allBlank = new RegExp(`^[${blank}]*$`, 'u');
const blankAtEnd = new RegExp(`^[${blank}]|[${blank}]$`, 'u');

/** Whether a text has characters that render as nothing: control, format and default-ignorable characters. */
export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text);
}

export function isBlank(text: string): boolean {
  return allBlank.test(text);
}

/** Whether a text could change the direction of what follows it. */
export function hasDirectionControls(text: string): boolean {
  return direction.test(text);
}

/** Whether a text has a character that people see. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

/** Whether a text begins or ends with a blank, so that it looks like another text. */
export function hasBlankAtEnd(text: string): boolean {
  return blankAtEnd.test(text);
}
