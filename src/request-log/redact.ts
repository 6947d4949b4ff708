// What the request log keeps of a body or a query: only what the schema of the route declares, and of that numbers,
// fixed values and the texts in shown-fields.ts. Must not: show a value or a name that the schema does not know.

import { hidden, showPlainOf, showTextOf } from './shown-fields.ts';

/** The part of JSON Schema that the routes use. */
export type JsonSchema = {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  content?: Readonly<Record<string, { schema: JsonSchema }>>;
};

/** Returns what the log shows of a value. */
export type Redact = (value: unknown) => unknown;

/** The entries of a list that are shown. */
const shownEntries = 5;

/** Longer numbers could be those of cards; amounts have fewer digits. */
const longestNumber = 1e11;

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The name of the value, and whether only what is shown as it is remains: nulls and masked texts are left out. */
type Place = { name: string; isBrief: boolean };

function redactObject(properties: Readonly<Record<string, JsonSchema>>, { isBrief }: Place): Redact {
  const known = new Map(
    Object.entries(properties).map(([name, schema]) => [name, compile(schema, { name, isBrief })]),
  );
  return (value) => {
    if (!isObject(value) || Buffer.isBuffer(value)) return hidden;
    const shown: Record<string, unknown> = {};
    let unknown = 0;
    for (const name of Object.keys(value)) {
      const redact = known.get(name);
      const member = value[name];
      if (!redact) unknown += 1;
      else if (member !== undefined && !(isBrief && member === null)) {
        const result = redact(member);
        if (!isBrief || result !== hidden) shown[name] = result;
      }
    }
    if (unknown > 0 && !isBrief) shown['[unknown fields]'] = unknown;
    return shown;
  };
}

function redactList(items: JsonSchema, place: Place): Redact {
  const redact = compile(items, place);
  return (value) => {
    if (!Array.isArray(value)) return hidden;
    const shown = value.slice(0, shownEntries).map(redact);
    return value.length > shownEntries ? [...shown, `[${value.length - shownEntries} more]`] : shown;
  };
}

function redactAny(branches: readonly JsonSchema[], place: Place): Redact {
  const compiled = branches.map((branch) => compile(branch, place));
  return (value) => {
    for (const redact of compiled) {
      const shown = redact(value);
      if (shown !== hidden) return shown;
    }
    return hidden;
  };
}

const redactNumber: Redact = (value) =>
  typeof value === 'number' && Math.abs(value) < longestNumber ? value : hidden;

function redactString({ name, isBrief }: Place): Redact {
  const show = isBrief ? showPlainOf(name) : showTextOf(name);
  return (value) => (typeof value === 'string' ? show(value) : hidden);
}

const redactors: Readonly<Record<string, (place: Place) => Redact>> = {
  boolean: () => (value) => (typeof value === 'boolean' ? value : hidden),
  number: () => redactNumber,
  integer: () => redactNumber,
  string: redactString,
};

function compile(schema: JsonSchema, place: Place): Redact {
  const ofValue = compileValue(schema, place);
  return (value) => (value === null ? null : ofValue(value));
}

function compileValue(schema: JsonSchema, place: Place): Redact {
  const { type, const: only, enum: fixed, anyOf, properties, items } = schema;
  if (only !== undefined) return (value) => (value === only ? value : hidden);
  if (fixed) return (value) => (fixed.includes(value) ? value : hidden);
  if (anyOf) return redactAny(anyOf, place);
  if (properties) return redactObject(properties, place);
  if (items) return redactList(items, place);
  return redactors[String(type)]?.(place) ?? (() => hidden);
}

/** Compiles the redaction of values of a schema; without one nothing is shown. */
export const compileRedaction = (
  schema: JsonSchema | undefined,
  { isBrief = false }: { isBrief?: boolean } = {},
): Redact => (schema ? compile(schema, { name: '', isBrief }) : () => hidden);

/** The names of all fields of a schema. */
export function namesOf(schema: JsonSchema | undefined): string[] {
  if (!schema) return [];
  const { properties = {}, items, anyOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, member]) => [name, ...namesOf(member)]);
  return [...own, ...namesOf(items), ...anyOf.flatMap(namesOf)];
}
