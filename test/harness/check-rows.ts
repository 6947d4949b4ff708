// Compares every row that a declared statement returns in this process with its declaration. So the whole suite proves
// of expressions and outer joins what the catalogue does not know. A module that is loaded with a planted fault has a
// listener of its own, which is none.

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

/** What is wrong with a row; null if it is as declared. */
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
    // Thrown past the caller, which might report a failure and go on.
    process.nextTick(() => {
      throw new Error(`a row is not as its statement declares: ${fault}\n${text}`);
    });
  }
});
