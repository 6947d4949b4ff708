// Turns validation errors into sentences that name the field and the remedy. It knows the keywords of JSON
// Schema, but no domain. A schema adds its own hint as `x-hint`.

import { distance } from 'fastest-levenshtein';
import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { type ApiError, errors, type FieldError, maxFieldErrors } from '../base/errors.ts';

type SchemaError = FastifySchemaValidationError & {
  parentSchema?: Record<string, unknown>;
  schema?: unknown;
};

function fieldOf(schemaError: SchemaError): string {
  const path = schemaError.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (schemaError.keyword === 'required') path.push(String(schemaError.params.missingProperty));
  if (schemaError.keyword === 'additionalProperties')
    path.push(String(schemaError.params.additionalProperty));
  return path.join('.') || 'body';
}

/** The known name closest to an unknown one, if it is close enough to be a typing error. */
export function closestName(name: string, known: readonly string[]): string | null {
  const simple = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  let best: { candidate: string; far: number } | null = null;
  for (const candidate of known) {
    const far = distance(simple(name).slice(0, 64), simple(candidate));
    if (!best || far < best.far) best = { candidate, far };
  }
  return best && best.far <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : null;
}

function describeUnknown(schemaError: SchemaError): string {
  const known = Object.keys((schemaError.parentSchema?.properties as object | undefined) ?? {});
  const nearest = closestName(String(schemaError.params.additionalProperty), known);
  return nearest
    ? `This field is not known. Did you mean ${nearest}?`
    : `This field is not known. Known: ${known.join(', ')}.`;
}

const sentences: Record<string, { code: string; say: (schemaError: SchemaError) => string }> = {
  required: { code: 'missing', say: () => 'This field is required.' },
  additionalProperties: { code: 'unknown_field', say: describeUnknown },
  type: { code: 'wrong_type', say: (f) => `This must be ${article(String(f.params.type))}.` },
  enum: {
    code: 'not_allowed',
    say: (f) => `Allowed values: ${(f.params.allowedValues as string[]).join(', ')}.`,
  },
  minLength: {
    code: 'too_short',
    say: (f) =>
      f.params.limit === 1 ? 'This must not be empty.' : `This needs at least ${f.params.limit} characters.`,
  },
  maxLength: { code: 'too_long', say: (f) => `This may have at most ${f.params.limit} characters.` },
  maxProperties: { code: 'too_many', say: (f) => `This may have at most ${f.params.limit} entries.` },
  minItems: { code: 'too_few', say: (f) => `This needs at least ${f.params.limit} entries.` },
  maxItems: { code: 'too_many', say: (f) => `This may have at most ${f.params.limit} entries.` },
  uniqueItems: { code: 'repeated', say: () => 'This may have each entry only once.' },
  minimum: { code: 'out_of_range', say: (f) => `This must be at least ${f.params.limit}.` },
  maximum: { code: 'out_of_range', say: (f) => `This may be at most ${f.params.limit}.` },
  pattern: { code: 'wrong_format', say: () => 'This has the wrong format.' },
};

function article(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

function toFieldError(schemaError: SchemaError): FieldError {
  const sentence = sentences[schemaError.keyword] ?? { code: 'invalid', say: () => 'This is not valid.' };
  const hint = schemaError.keyword === 'pattern' ? schemaError.parentSchema?.['x-hint'] : undefined;
  return {
    field: fieldOf(schemaError).slice(0, 200),
    code: sentence.code,
    detail: typeof hint === 'string' ? hint : sentence.say(schemaError),
  };
}

/** A nullable value fails both branches. Report the fault of the other branch. */
const isOfNullBranch = ({ keyword, params }: SchemaError) =>
  keyword === 'anyOf' || (keyword === 'type' && params.type === 'null');

/** The faults of a body: from parsing its values and from its schema, each field once. */
function listFieldErrors(
  bodyErrors: readonly FieldError[] | null,
  schemaErrors: readonly FastifySchemaValidationError[],
): FieldError[] {
  const specific = schemaErrors.filter((schemaError) => !isOfNullBranch(schemaError));
  const faults = [
    ...(bodyErrors ?? []),
    ...(specific.length > 0 ? specific : schemaErrors).map(toFieldError),
  ];
  const byField = new Map<string, FieldError>();
  for (const fault of faults) if (!byField.has(fault.field)) byField.set(fault.field, fault);
  return [...byField.values()];
}

export function describeValidation(
  schemaErrors: readonly FastifySchemaValidationError[],
  bodyErrors: readonly FieldError[] | null,
): ApiError {
  return errors.invalidFields({ errors: listFieldErrors(bodyErrors, schemaErrors).slice(0, maxFieldErrors) });
}

/** For a route with `reportsAllErrors` and `attachValidation`, whose handler adds its own faults. */
export function bodyErrorsOf(request: FastifyRequest): FieldError[] {
  return listFieldErrors(request.bodyErrors, request.validationError?.validation ?? []);
}
