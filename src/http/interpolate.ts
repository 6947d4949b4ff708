// Fills `{names}` in sentences, as markup or as plain text. Must not: leave a name unfilled without an error.

import { LRUCache } from 'lru-cache';
import { type Html, html } from './html.ts';

function requireValue<T>(values: Record<string, T>, name: string): T {
  if (!Object.hasOwn(values, name))
    throw new Error(`a sentence wants the value {${name}}, which was not given`);
  return values[name] as T;
}

/** A sentence split at its names: the parts between them, and the names. */
type ParsedTemplate = { between: readonly Html[]; names: readonly string[] };

/** More than the number of sentences; pages repeat the same ones. */
const cuts = new LRUCache<string, ParsedTemplate>({ max: 1_000 });

function parseTemplate(sentence: string): ParsedTemplate {
  const cached = cuts.get(sentence);
  if (cached) return cached;
  const parts = sentence.split(/\{(\w+)\}/);
  const between = parts.filter((_, index) => index % 2 === 0).map((part) => html`${part}`);
  const parsed = { between, names: parts.filter((_, index) => index % 2 === 1) };
  cuts.set(sentence, parsed);
  return parsed;
}

/** Escapes strings; pass text of merchants and customers through `userText` first. Throws when a value is missing. */
export function interpolate(sentence: string, values: Record<string, Html | string | number>): Html {
  const { between, names } = parseTemplate(sentence);
  return html`${between.map((text, index) => {
    const name = names[index];
    return name === undefined ? text : html`${text}${requireValue(values, name)}`;
  })}`;
}

/** The same as plain text, for a title. The result is not escaped. Throws when a value is missing. */
export function interpolateText(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => requireValue(values, name));
}
