// References of a fixtures file to earlier responses, such as `${payment.PaymentLinkCode}`. Must not: run anything, or
// read what a response inherits instead of having it.

/** One reference: the name of a step, or `run`, and the fields that lead to the value. */
export type Reference = { whole: string; name: string; fields: readonly string[] };

const referencePattern = /\$\{([^{}]*)\}|\$\$\{/g;
const wellFormed = /^[A-Za-z][\w-]*(\.[\w-]+)*$/;

/** The references in a text, and the invalid ones. `$${` stands for `${` itself. */
export function findReferences(text: string): { references: Reference[]; invalid: string[] } {
  const references: Reference[] = [];
  const invalid: string[] = [];
  for (const [whole, path] of text.matchAll(referencePattern)) {
    if (path === undefined) continue;
    if (!wellFormed.test(path)) invalid.push(whole);
    const [name = '', ...fields] = path.split('.');
    references.push({ whole, name, fields });
  }
  if (/\$\{/.test(text.replaceAll(referencePattern, ''))) invalid.push('${');
  return { references, invalid };
}

/** All texts in a value, names of fields excluded. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** A reference that cannot be resolved, in words that follow the number of the step. */
export class UnresolvedReferenceError extends Error {
  override readonly name = 'UnresolvedReferenceError';
}

function readReference({ whole, name, fields }: Reference, values: ReadonlyMap<string, unknown>): unknown {
  let value = values.get(name);
  for (const field of fields) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field))
      throw new UnresolvedReferenceError(
        `${whole}: the response of "${name}" has no field "${fields.join('.')}"`,
      );
    value = (value as Record<string, unknown>)[field];
  }
  return value;
}

function textOf(reference: Reference, values: ReadonlyMap<string, unknown>): string {
  const value = readReference(reference, values);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new UnresolvedReferenceError(`${reference.whole} is not a text, and cannot be a part of one`);
}

function fillText(
  text: string,
  values: ReadonlyMap<string, unknown>,
  encode: (part: string, reference: Reference) => string,
): string {
  const references = findReferences(text).references.values();
  return text.replaceAll(referencePattern, (whole, path?: string) => {
    const reference = path === undefined ? undefined : references.next().value;
    return reference === undefined ? whole.slice(1) : encode(textOf(reference, values), reference);
  });
}

/** A value with its references replaced. A text that is one reference becomes the value itself, of any type. */
export function fillValue(value: unknown, values: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => fillValue(one, values));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillValue(one, values)]));
  if (typeof value !== 'string') return value;
  const [only] = findReferences(value).references;
  return only?.whole === value ? readReference(only, values) : fillText(value, values, (part) => part);
}

/** A path with its references replaced, each by one part of a path. */
export function fillPath(path: string, values: ReadonlyMap<string, unknown>): string {
  return fillText(path, values, (part, { whole }) => {
    // An empty or dotted part would lead to another address.
    if (/^\.{0,2}$/.test(part))
      throw new UnresolvedReferenceError(`${whole} is "${part}", which cannot be in a path`);
    return encodeURIComponent(part);
  });
}
