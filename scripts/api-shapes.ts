// The shapes of the API's responses and messages, one line of text for each field, from its description. The test keeps
// those of every version that was released.

type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
};
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = { operationId?: string; responses?: Record<string, Content>; requestBody?: Content };
export type Description = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** By the name of the schema: each field with its type, `name?` for an optional one. */
export type Shapes = {
  schemas: Record<string, Record<string, string>>;
  /** The schema of each operation's successful response. */
  responses: Record<string, string>;
  /** The schema of the message of each event type. */
  messages: Record<string, string>;
};

const json = 'application/json';
const nameIn = (reference: string) => reference.split('/').at(-1) ?? '';
const literals = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('|');

/** A named enum is written out: its name may change, its values may only grow. */
function typeText(schema: Schema, schemas: Record<string, Schema>): string {
  const { $ref, type, items, anyOf, properties, additionalProperties } = schema;
  if ($ref) {
    const name = nameIn($ref);
    const named = schemas[name];
    return named?.enum ? literals(named.enum) : name;
  }
  if (schema.enum) return literals(schema.enum);
  if (anyOf) return anyOf.map((one) => typeText(one, schemas)).join('|');
  if (items) return `(${typeText(items, schemas)})[]`;
  if (properties) return JSON.stringify(fieldsOf(schema, schemas));
  if (typeof additionalProperties === 'object') return `{${typeText(additionalProperties, schemas)}}`;
  return type ?? 'any';
}

function fieldsOf({ properties = {}, required = [] }: Schema, schemas: Record<string, Schema>) {
  const fields = Object.entries(properties).map(([name, schema]) => [
    required.includes(name) ? name : `${name}?`,
    typeText(schema, schemas),
  ]);
  return Object.fromEntries(fields) as Record<string, string>;
}

/** The names of schemas inside a schema, itself included if it is a reference. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [nameIn(value.$ref)] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

const nameOf = ({ content }: Content) => nameIn(content?.[json]?.schema?.$ref ?? '');

const sorted = <Value>(record: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

export function readShapes({ paths, webhooks, components }: Description): Shapes {
  const { schemas } = components;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = operations.flatMap(({ operationId = '', responses = {} }) => {
    const found = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    return found.flatMap(([, response]) => (nameOf(response) ? [[operationId, nameOf(response)]] : []));
  });
  const messages = Object.entries(webhooks).map(([type, { post }]) => [
    type,
    nameOf(post?.requestBody ?? {}),
  ]);
  const shown = new Set<string>();
  const add = (name: string) => {
    if (shown.has(name)) return;
    shown.add(name);
    for (const inner of referencesIn(schemas[name])) add(inner);
  };
  for (const [, name = ''] of [...responses, ...messages]) add(name);
  const objects = [...shown].filter((name) => schemas[name]?.properties);
  const fields = objects.map((name) => [name, fieldsOf(schemas[name] ?? {}, schemas)]);
  return {
    schemas: sorted(Object.fromEntries(fields)),
    responses: sorted(Object.fromEntries(responses)),
    messages: sorted(Object.fromEntries(messages)),
  };
}

/** The members of a union, outside of brackets and texts. */
function membersOf(type: string): string[] {
  const members = [''];
  let depth = 0;
  let isText = false;
  for (const letter of type) {
    if (letter === '"') isText = !isText;
    if (!isText && /[([{]/.test(letter)) depth += 1;
    if (!isText && /[)\]}]/.test(letter)) depth -= 1;
    if (letter === '|' && depth === 0 && !isText) members.push('');
    else members[members.length - 1] += letter;
  }
  return members;
}

/** Whether a program that knows one type can read the other: only values of an enum may be added. */
function isCompatible(before: string, now: string | undefined): boolean {
  if (now === undefined) return false;
  const [old, present] = [membersOf(before), membersOf(now)];
  const added = present.filter((member) => !old.includes(member));
  const isEnum = old.some((member) => member.startsWith('"'));
  return (
    old.every((member) => present.includes(member)) &&
    added.every((member) => isEnum && member.startsWith('"'))
  );
}

/** What programs of the earlier shapes miss or misread in the later ones. Additions are none of it. */
export function breaksBetween(before: Shapes, now: Shapes): string[] {
  const fields = Object.entries(before.schemas).flatMap(([name, members]) =>
    Object.entries(members).flatMap(([field, type]) => {
      const present = now.schemas[name]?.[field] ?? now.schemas[name]?.[field.replace(/\?$/, '')];
      return isCompatible(type, present)
        ? []
        : [`${name}.${field} was ${type} and is ${present ?? 'missing'}`];
    }),
  );
  const named = (part: 'responses' | 'messages') =>
    Object.entries(before[part]).flatMap(([name, schema]) =>
      now[part][name] === schema ? [] : [`${name} was ${schema} and is ${now[part][name] ?? 'missing'}`],
    );
  return [...fields, ...named('responses'), ...named('messages')];
}

/** The earlier shapes with what was added since: a field that changed stays as it was, so that the test reports it. */
export function withAdditions(before: Shapes, now: Shapes): Shapes {
  const names = new Set([...Object.keys(before.schemas), ...Object.keys(now.schemas)]);
  const schemas = [...names].map((name) => [name, { ...now.schemas[name], ...before.schemas[name] }]);
  return {
    schemas: sorted(Object.fromEntries(schemas)),
    responses: sorted({ ...now.responses, ...before.responses }),
    messages: sorted({ ...now.messages, ...before.messages }),
  };
}
