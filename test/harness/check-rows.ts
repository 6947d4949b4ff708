// Compares every row that a declared statement returns in this process with its declaration. So the whole suite checks
// expressions and outer joins, about which the catalogue has no information. A module loaded with a planted fault has
// a separate listener, which does nothing.

import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Columns, listenToRows } from '../../src/db/statements.ts';

const schemas = new WeakMap<Columns, TSchema>();

function schemaOf(columns: Columns): TSchema {
  const known = schemas.get(columns);
  if (known) return known;
  const properties = Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema]));
  const schema = Type.Object(properties, { additionalProperties: false });
  schemas.set(columns, schema);
  return schema;
}

/** The difference between a row and its declaration; null if there is none. */
export function rowFault(columns: Columns, row: Readonly<Record<string, unknown>>): string | null {
  const schema = schemaOf(columns);
  if (Value.Check(schema, row)) return null;
  return Value.Errors(schema, row)
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
    .join('; ');
}

listenToRows(({ text, columns, rows }) => {
  for (const row of rows) {
    const fault = rowFault(columns, row);
    if (fault === null) continue;
    // Thrown outside the caller, which might handle it as an ordinary failure.
    process.nextTick(() => {
      throw new Error(`a row is not as its statement declares: ${fault}\n${text}`);
    });
  }
});
