// The fields of `-d`, as a JSON body or a query. Must not: guess a type; `NAME=VALUE` is text, `NAME:=JSON` is not.

import type { OptionSpec, ParsedArguments } from './command.ts';
import { usageError } from './command-error.ts';
import { parseExactJson } from './exact-json.ts';

export const bodyFieldOption: OptionSpec = {
  name: 'field',
  short: 'd',
  value: 'NAME=VALUE',
  help: 'a field of the body, as text; NAME:=JSON for anything else',
  isRepeatable: true,
};
export const queryFieldOption: OptionSpec = {
  name: 'field',
  short: 'd',
  value: 'NAME=VALUE',
  help: 'a parameter of the query',
  isRepeatable: true,
};

type Fields = { [name: string]: unknown };

/** Without a prototype, so that `__proto__` is a name like any other. */
const newFields = (): Fields => Object.create(null);

function splitPair(pair: string): { name: string; isJson: boolean; value: string } {
  const [, name, colon, value] = /^([^=]*[^=:])(:?)=([\s\S]*)$/.exec(pair) ?? [];
  if (name === undefined || value === undefined)
    throw usageError(`-d must have the form NAME=VALUE or NAME:=JSON, not "${pair}".`);
  return { name, isJson: colon === ':', value };
}

/** `metadata[cart]` is `['metadata', 'cart']`, and `events[]` is `['events', '']`. */
function splitName(name: string): string[] {
  const [, first = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (first === '') throw usageError(`-d does not know the name "${name}". Nested ones have the form a[b].`);
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, part = '']) => part)];
}

const refuse = (name: string) => usageError(`-d gives "${name}" two values that do not fit together.`);

function place(fields: Fields, name: string, value: unknown): void {
  const parts = splitName(name);
  let holder: Fields | unknown[] = fields;
  for (const [index, part] of parts.entries()) {
    if (Array.isArray(holder) !== (part === '')) throw refuse(name);
    const next = parts[index + 1];
    if (next === undefined) {
      if (Array.isArray(holder)) holder.push(value);
      else if (part in holder) throw refuse(name);
      else holder[part] = value;
      return;
    }
    if (Array.isArray(holder)) throw usageError(`-d "${name}": give the list as JSON, with NAME:=[…].`);
    const inner: unknown = holder[part] ?? (next === '' ? [] : newFields());
    if (typeof inner !== 'object' || inner === null) throw refuse(name);
    holder[part] = inner;
    holder = inner as Fields | unknown[];
  }
}

/** The fields as a body; undefined without any. */
export function readBodyFields(given: ParsedArguments): Fields | undefined {
  if (!given.has('field')) return undefined;
  const fields = newFields();
  for (const pair of given.texts('field')) {
    const { name, isJson, value } = splitPair(pair);
    place(fields, name, isJson ? parseExactJson(value, `-d ${name}`) : value);
  }
  return fields;
}

/** The fields as parameters of a query. */
export function readQueryFields(given: ParsedArguments): Record<string, string> {
  const query = new Map<string, string>();
  for (const pair of given.texts('field')) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined)
      throw usageError(`-d must have the form NAME=VALUE, not "${pair}".`);
    if (query.has(name)) throw usageError(`-d gives "${name}" more than once.`);
    query.set(name, value);
  }
  return Object.fromEntries(query);
}
