// Sentences with `{names}` in them, filled with values: as markup, where every value is escaped, or as
// plain text. It must never leave a name unfilled without an error.

import { type Html, html } from './html.ts';

function valueNamed<T>(values: Record<string, T>, name: string): T {
  if (!Object.hasOwn(values, name))
    throw new Error(`a sentence wants the value {${name}}, which was not given`);
  return values[name] as T;
}

/**
 * Puts values into the `{names}` of a sentence, as markup. Strings are escaped; text that a
 * merchant or a customer wrote belongs into `userText` first. Throws when a value is missing.
 */
export function fill(sentence: string, values: Record<string, Html | string | number>): Html {
  const parts = sentence.split(/\{(\w+)\}/);
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`${valueNamed(values, part)}`))}`;
}

/** The same as plain text, for a title. The result is not escaped. Throws when a value is missing. */
export function fillPlain(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => valueNamed(values, name));
}
