// Checks the arguments of a call against the tool's schema. Must not: change one.

import { closest } from 'fastest-levenshtein';
import type { TObject } from 'typebox';
import { Errors } from 'typebox/schema';

type Fault = { field: string; code: string; detail: string };

/** `/items/0/name` as `items.0.name`. */
const fieldOf = (pointer: string) => pointer.slice(1).replaceAll('/', '.');

function describeUnknown(at: string, schema: TObject): Fault {
  const known = Object.keys(schema.properties);
  const meant = at.includes('.') || known.length === 0 ? '' : ` Did you mean ${closest(at, known)}?`;
  return { field: at, code: 'unknown', detail: `There is no such argument.${meant}` };
}

type SchemaError = ReturnType<typeof Errors>[1][number];

/** A fault in the words of the argument. */
function describeError({ keyword, instancePath, message, params }: SchemaError, schema: TObject): Fault[] {
  const at = fieldOf(instancePath);
  // Each unknown field has an error of its own, before that of its object.
  if (keyword === 'boolean') return [describeUnknown(at, schema)];
  if (keyword === 'additionalProperties') return [];
  if (keyword === 'required')
    return (params as { requiredProperties: string[] }).requiredProperties.map((name) => ({
      field: at === '' ? name : `${at}.${name}`,
      code: 'missing',
      detail: 'This argument is required.',
    }));
  if (keyword === 'enum') {
    const { allowedValues } = params as { allowedValues: unknown[] };
    return [{ field: at, code: 'not_allowed', detail: `This must be one of: ${allowedValues.join(', ')}.` }];
  }
  return [{ field: at, code: keyword, detail: `This ${message}.` }];
}

/** What is wrong with the arguments, as far as the first errors name it; empty if nothing is. */
export function checkArguments(schema: TObject, given: unknown): Fault[] {
  const [isValid, errors] = Errors(schema, given);
  if (isValid) return [];
  const faults = errors.flatMap((error) => describeError(error, schema));
  return faults.length > 0
    ? faults
    : [{ field: '', code: 'invalid', detail: 'These do not fit the schema.' }];
}
