// The API description without references, for tests of whole operations.

import type { Json } from './client.ts';

/** A copy with every `$ref` resolved; members next to a `$ref` override it. */
export function resolveReferences<Value>(document: object, value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(document, item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: unknown };
  if (typeof $ref === 'string')
    return { ...resolveReferences(document, findReferenced(document, $ref)), ...rest } as Value;
  const members = Object.entries(value).map(([name, member]) => [name, resolveReferences(document, member)]);
  return Object.fromEntries(members) as Value;
}

function findReferenced(document: object, reference: string): object {
  const parts = reference.replace(/^#\//, '').split('/');
  const found: unknown = parts.reduce<Json | undefined>(
    (within, part) => within?.[part] as Json,
    document as Json,
  );
  if (typeof found !== 'object' || found === null) throw new Error(`${reference} names nothing`);
  return found;
}
