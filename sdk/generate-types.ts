// Writes what the SDK knows of the API from openapi.json: src/api-types.ts (types of every operation) and
// src/api-routes.ts (where each is found); with --check it says which of them is stale. A form of schema
// that it does not know stops it: it must never write a type that it guessed.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  description?: string;
  deprecated?: boolean;
};
type Content = Record<string, { schema?: Schema }>;
type Parameter = { in: string; name: string; required?: boolean; description?: string; schema?: Schema };
type Operation = {
  operationId?: string;
  summary?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  security?: Record<string, unknown>[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
};
type Reference = { $ref: string };
type Described = Omit<Operation, 'parameters'> & { parameters?: (Parameter | Reference)[] };
export type ApiDocument = {
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> };
  paths: Record<string, Record<string, Described>>;
  /** The messages to merchants, by the type of their event. */
  webhooks?: Record<string, { post?: { requestBody?: { content: Content } } }>;
};

export type NamedOperation = { id: string; method: string; path: string; operation: Operation };

const json = 'application/json';

/** The types of every operation as a TypeScript file. Throws on a schema that it cannot express. */
export function writeTypes(document: ApiDocument): string {
  const shared = Object.entries(document.components?.schemas ?? {});
  return [
    '// Generated from openapi.json by generate-types.ts: change the routes of the service, never this file.',
    '',
    '/** A parameter of the query that the service reads from text. */',
    'export type QueryText = string | number | boolean | Date;',
    '',
    '/** A body that is a file: it is sent as it is. */',
    'export type FileBody = Blob | Uint8Array<ArrayBuffer> | string;',
    ...shared.flatMap(([name, schema]) => [
      '',
      ...comment(schema, ''),
      `export type ${name} = ${typeOf(schema, '')};`,
    ]),
    '',
    '/** Every operation: what it takes and what it answers. */',
    'export type Operations = {',
    ...operationsOf(document).flatMap(writeOperation),
    '};',
    ...writeWebhookEvents(document),
    '',
  ].join('\n');
}

/** The messages to merchants by the type of their event, and the union of them, if the document has any. */
function writeWebhookEvents(document: ApiDocument): string[] {
  const events = webhookEventsOf(document);
  if (events.length === 0) return [];
  return [
    '',
    '/** The content of a webhook by the type of its event. */',
    'export type WebhookEvents = {',
    ...events.map(({ type, schema }) => `  ${key(type)}: ${typeOf(schema, '  ')};`),
    '};',
    '',
    '/** The content of a webhook: its `type` decides what `data` has. A newer service may have more types. */',
    'export type WebhookEvent = WebhookEvents[keyof WebhookEvents];',
  ];
}

/** The event types with the schemas of their messages. Throws on a type without a schema. */
export function webhookEventsOf({ webhooks = {} }: ApiDocument): { type: string; schema: Schema }[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const schema = post?.requestBody?.content[json]?.schema;
    if (!schema) throw new Error(`the webhook ${type} has no schema`);
    return { type, schema };
  });
}

/** Where each operation is found as a TypeScript file. */
export function writeRoutes(document: ApiDocument): string {
  return [
    '// Generated from openapi.json by generate-types.ts: change the routes of the service, never this file.',
    '',
    "import type { Operations } from './api-types.ts';",
    '',
    '/** Method and path; whether it takes credentials, and whether it answers JSON; the types of a body that is a file. */',
    'export type Route = { method: string; path: string; isOpen: boolean; isJson: boolean; fileTypes?: readonly string[] };',
    '',
    'export const routes: Readonly<Record<keyof Operations, Route>> = {',
    ...operationsOf(document).map(({ id, method, path, operation }) => {
      const isOpen = (operation.security ?? []).length === 0;
      const isJson = !answersOf(operation).includes('Response');
      const types = fileTypesOf(operation);
      const file = types.length === 0 ? '' : `, fileTypes: [${types.map(quote).join(', ')}]`;
      return `  ${id}: { method: ${quote(method)}, path: ${quote(path)}, isOpen: ${isOpen}, isJson: ${isJson}${file} },`;
    }),
    '};',
    ...writeLocales(document),
    '',
  ].join('\n');
}

/** The languages of the customer's pages, if the document has them. */
function writeLocales({ components }: ApiDocument): string[] {
  const locales = components?.schemas?.Locale?.enum;
  if (!locales) return [];
  return [
    '',
    "/** The languages of the customer's pages. */",
    `export const locales = [${locales.map((tag) => quote(String(tag))).join(', ')}] as const;`,
  ];
}

/** Every operation, with its shared parameters resolved. Throws on one without a name. */
export function operationsOf(document: ApiDocument): NamedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const id = operation.operationId ?? '';
      if (!isIdentifier(id)) throw new Error(`${method} ${path} has no operationId that can be a name`);
      const parameters = (operation.parameters ?? []).map((one) => resolveParameter(document, one));
      return { id, method: method.toUpperCase(), path, operation: { ...operation, parameters } };
    }),
  );
}

function resolveParameter({ components }: ApiDocument, parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = /^#\/components\/parameters\/(\w+)$/.exec(parameter.$ref)?.[1] ?? '';
  const found = components?.parameters?.[name];
  if (!found) throw new Error(`${parameter.$ref} is not one of the shared parameters`);
  return found;
}

function writeOperation({ id, operation }: NamedOperation): string[] {
  const { summary: description, deprecated } = operation;
  return [
    ...comment({ ...(description ? { description } : {}), ...(deprecated ? { deprecated } : {}) }, '  '),
    `  ${id}: {`,
    `    input: ${inputOf(operation)};`,
    `    answer: ${answersOf(operation).join(' | ')};`,
    '  };',
  ];
}

/** What a caller gives: the parts of the address, the query and the body, each where there is one. */
function inputOf(operation: Operation): string {
  const indent = '      ';
  const { requestBody: body } = operation;
  const members = [
    ...parameterMember(operation, 'path', indent),
    ...parameterMember(operation, 'query', indent),
    ...(body ? [member('body', body.required, bodyOf(body.content, indent), indent)] : []),
  ];
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n    }`;
}

/** What is no JSON is a file. */
function bodyOf(content: Content, indent: string): string {
  return content[json] ? typeOf(content[json].schema ?? {}, indent) : 'FileBody';
}

/** The types of the file that an operation takes as its body. */
export function fileTypesOf({ requestBody }: Operation): string[] {
  return Object.keys(requestBody?.content ?? {}).filter((type) => type !== json);
}

function parameterMember(operation: Operation, place: 'path' | 'query', indent: string): string[] {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  if (parameters.length === 0) return [];
  const inner = `${indent}  `;
  const lines = parameters.flatMap(({ name, required, description, schema = {} }) => {
    const reported = description ?? schema.description;
    const isText = place === 'query' && schema.type === 'string' && schema.enum === undefined;
    return [
      ...comment({ ...schema, ...(reported ? { description: reported } : {}) }, inner),
      member(name, required, isText ? 'QueryText' : typeOf(schema, inner), inner),
    ];
  });
  const isNeeded = parameters.some(({ required }) => required);
  return [member(place, isNeeded, `{\n${lines.join('\n')}\n${indent}}`, indent)];
}

/** A member of a type. One that may be left out may also be `undefined`: JSON and queries leave that out. */
function member(name: string, isNeeded: boolean | undefined, type: string, indent: string): string {
  return `${indent}${key(name)}${isNeeded ? '' : '?'}: ${type}${isNeeded ? '' : ' | undefined'};`;
}

/** The types of all good answers; what is no JSON is handed over as the Response itself. */
export function answersOf(operation: Operation): string[] {
  const types = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      const kinds = Object.entries(content ?? {});
      if (kinds.length === 0) return 'undefined';
      if (kinds.some(([kind]) => kind !== json)) return 'Response';
      return typeOf(kinds[0]?.[1].schema ?? {}, '    ');
    });
  if (types.includes('Response')) return ['Response'];
  return types.length === 0 ? ['undefined'] : [...new Set(types)];
}

/** A schema as a type; lines after the first are indented. */
export function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => literal(value)).join(' | ');
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return [...new Set(any.map((one) => typeOf(one, indent)))].join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => `(${typeOf(one, indent)})`).join(' & ');
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(' | ');
  return plainType(schema, indent);
}

function plainType(schema: Schema, indent: string): string {
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(' | ') || item.includes(' & ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return objectType(schema, indent);
    case undefined:
      if (schema.properties) return objectType(schema, indent);
      if (Object.keys(schema).every((word) => word === 'description' || word === 'examples'))
        return 'unknown';
  }
  throw new Error(`a schema that has no type in TypeScript here: ${JSON.stringify(schema)}`);
}

function objectType(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isNeeded = schema.required?.includes(name);
    return [...comment(property, inner), member(name, isNeeded, typeOf(property, inner), inner)];
  });
  const others = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].filter(
    (other) => typeof other === 'object',
  );
  if (members.length > 0) return `{\n${members.join('\n')}\n${indent}}`;
  if (others.length > 0) return `Record<string, ${others.map((other) => typeOf(other, indent)).join(' | ')}>`;
  return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
}

function comment({ description, deprecated }: Schema, indent: string): string[] {
  const text = description?.replaceAll('*/', '* /') ?? '';
  if (deprecated) return [`${indent}/** ${`@deprecated ${text.replace(/^Deprecated\. /, '')}`.trim()} */`];
  return text === '' ? [] : [`${indent}/** ${text} */`];
}

function nameOf(reference: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1];
  if (name === undefined) throw new Error(`${reference} is not one of the shared schemas`);
  return name;
}

const isIdentifier = (text: string) => /^[A-Za-z_]\w*$/.test(text);
const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const key = (name: string) => (isIdentifier(name) ? name : quote(name));
const literal = (value: unknown) => (typeof value === 'string' ? quote(value) : JSON.stringify(value));

/** Writes stale files below a folder of the package, or with `isCheck` only names them. Returns how many there are. */
export function writeStale(
  base: URL,
  packageName: string,
  folder: string,
  files: Record<string, string>,
  isCheck: boolean,
): number {
  let stale = 0;
  for (const [name, content] of Object.entries(files)) {
    const file = new URL(`${folder}/${name}`, base);
    let current = '';
    try {
      current = readFileSync(file, 'utf8');
    } catch {
      // Not written yet: stale.
    }
    if (current === content) continue;
    stale += 1;
    if (isCheck)
      console.error(`${packageName}/${folder}/${name} is stale: run "npm run goldens" and commit it.`);
    else writeFileSync(file, content);
  }
  return stale;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isCheck = process.argv.includes('--check');
  const base = new URL('.', import.meta.url);
  const document = JSON.parse(readFileSync(new URL('../openapi.json', base), 'utf8')) as ApiDocument;
  const files = { 'api-types.ts': writeTypes(document), 'api-routes.ts': writeRoutes(document) };
  const stale = writeStale(base, 'sdk', 'src', files, isCheck);
  process.exitCode = isCheck && stale > 0 ? 1 : 0;
}
