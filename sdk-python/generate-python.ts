// Writes what the Python client knows of the API from openapi.json: its models, where each operation is found, and
// the resources of both clients; with --check it says which file is stale.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  type ApiDocument,
  answersOf,
  fileTypesOf,
  type NamedOperation,
  operationsOf,
  type Schema,
  writeStale,
} from '../sdk/generate-types.ts';
import {
  annotationOf,
  docstring,
  generatedMark,
  literal,
  nameOf,
  snake,
  writeModels,
} from './python-types.ts';
import { type Method, type Resource, resources } from './resources.ts';

const json = 'application/json';

/** Where each operation is found, and the model of its answer. */
export function writeRoutes(document: ApiDocument): string {
  const operations = operationsOf(document);
  return [
    generatedMark,
    '',
    'from __future__ import annotations',
    '',
    'from typing import Literal, TypeAlias',
    '',
    'from . import types as t',
    'from ._base import Route',
    '',
    'OperationId: TypeAlias = Literal[',
    ...operations.map(({ id }) => `    ${literal(id)},`),
    ']',
    '',
    'ROUTES: dict[str, Route] = {',
    ...operations.map((named) => {
      const { id, method, path, operation } = named;
      const isOpen = (operation.security ?? []).length === 0;
      const isJson = !answersOf(operation).includes('Response');
      const model = modelOf(named);
      const facts = [literal(method), literal(path), python(isOpen), python(isJson)];
      const types = fileTypesOf(operation).map((type) => `${literal(type)},`);
      return `    ${literal(id)}: Route(${facts.join(', ')}, ${model ? `t.${model}` : 'None'}, (${types.join(' ')})),`;
    }),
    '}',
    '',
  ].join('\n');
}

const python = (value: boolean) => (value ? 'True' : 'False');

/** The model of an operation's JSON answer; null if it answers nothing or a file. */
function modelOf({ id, operation }: NamedOperation): string | null {
  const schemas = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => (content?.[json] ? [content[json].schema ?? {}] : []));
  if (schemas.length === 0) return null;
  const [reference] = schemas.map(({ $ref }) => $ref);
  if (schemas.length > 1 || reference === undefined) throw new Error(`${id} has no named answer`);
  return nameOf(reference);
}

/** The resources of the client that waits, and of the asynchronous one. */
export function writeResources(document: ApiDocument): string {
  const operations = new Map(operationsOf(document).map((named) => [named.id, named]));
  const entries = Object.entries(resources);
  const classes = [false, true].flatMap((isAsync) =>
    entries.flatMap(([, resource]) => writeClass(document, operations, resource, isAsync)),
  );
  const groups = [false, true].flatMap((isAsync) => {
    const prefix = isAsync ? 'Async' : '';
    return [
      '',
      '',
      `class ${prefix}Resources:`,
      ...entries.map(([name, { className }]) => `    ${name}: ${prefix}${className}`),
      '',
      `    def _add_resources(self, request: ${prefix}Request) -> None:`,
      ...entries.map(([name, { className }]) => `        self.${name} = ${prefix}${className}(request)`),
    ];
  });
  return [
    generatedMark,
    '',
    'from __future__ import annotations',
    '',
    'import builtins',
    'from collections.abc import Mapping, Sequence',
    'from decimal import Decimal',
    'from typing import Any, Literal',
    '',
    'import httpx',
    '',
    'from . import types as t',
    'from ._base import OMITTED, AsyncRequest, CallOptions, Omitted, QueryText, Request',
    'from ._pages import AsyncFeedSource, AsyncPagedList, FeedSource, PagedList',
    ...classes,
    ...groups,
    '',
  ].join('\n');
}

type Operations = ReadonlyMap<string, NamedOperation>;

function writeClass(
  document: ApiDocument,
  operations: Operations,
  resource: Resource,
  isAsync: boolean,
): string[] {
  const { className, about, methods } = resource;
  const prefix = isAsync ? 'Async' : '';
  const base = className === 'Events' ? `(${prefix}FeedSource)` : '';
  return [
    '',
    '',
    `class ${prefix}${className}${base}:`,
    docstring(about, '    '),
    '',
    `    def __init__(self, request: ${prefix}Request) -> None:`,
    '        self._request = request',
    ...Object.entries(methods).flatMap(([name, method]) => {
      const id = typeof method === 'string' ? method : method.operation;
      const named = operations.get(id);
      if (!named) throw new Error(`there is no operation ${id}`);
      return ['', ...writeMethod(document, { name, method, named, isAsync })];
    }),
  ];
}

type Parameter = { name: string; annotation: string; wire: string; isNeeded: boolean };

function writeMethod(
  document: ApiDocument,
  { name, method, named, isAsync }: { name: string; method: Method; named: NamedOperation; isAsync: boolean },
): string[] {
  const { id, operation } = named;
  const parametersIn = (place: string) =>
    (operation.parameters ?? []).filter((one) => one.in === place && !isDeprecated(one.schema));
  const path = parametersIn('path').map((one) => parameterOf(one.name, 'str', true));
  const query = parametersIn('query').map(({ name: wire, required = false, schema = {} }) =>
    parameterOf(
      wire,
      schema.type === 'string' && !schema.enum ? 'QueryText' : inputOf(document, schema),
      required,
    ),
  );
  const fileTypes = fileTypesOf(operation);
  const body = bodyParametersOf(document, named);
  const options = [...query, ...body].sort((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
  const names = [...path, ...options].map((one) => one.name);
  if (new Set(names).size < names.length) throw new Error(`${id} has two parameters of one name`);
  const answer = answerOf(document, named, method, isAsync);
  const isPaged = answer.includes('PagedList[');
  const file = fileTypes.length === 0 ? [] : ['file: bytes'];
  const contentType =
    fileTypes.length > 1 ? [`content_type: Literal[${fileTypes.map(literal).join(', ')}]`] : [];
  const keywords = [
    ...contentType,
    ...options.map(
      (one) => `${one.name}: ${one.isNeeded ? one.annotation : `${one.annotation} | Omitted = OMITTED`}`,
    ),
    'options: CallOptions | None = None',
  ];
  const positional = ['self', ...path.map((one) => `${one.name}: str`), ...file];
  return [
    `    ${isAsync && !isPaged ? 'async ' : ''}def ${name}(`,
    ...[...positional, '*', ...keywords].map((one) => `        ${one},`),
    `    ) -> ${answer}:`,
    docstring(operation.summary ?? id, '        '),
    ...writeCall({
      named,
      method,
      path,
      query,
      body,
      isAsync,
      answer,
      hasFile: fileTypes.length > 0,
      hasType: contentType.length > 0,
    }),
  ];
}

function parameterOf(wire: string, annotation: string, isNeeded: boolean): Parameter {
  return { name: snake(wire), annotation, wire, isNeeded };
}

/** The client never had former names, so it takes only the current ones. */
const isDeprecated = (schema: Schema | undefined) => schema?.deprecated === true;

/** The properties of a JSON body, each a parameter. */
function bodyParametersOf(document: ApiDocument, { id, operation }: NamedOperation): Parameter[] {
  const schema = operation.requestBody?.content[json]?.schema;
  if (!schema) return [];
  const { properties, required = [] } = document.components?.schemas?.[nameOf(schema.$ref ?? '')] ?? {};
  if (!properties) throw new Error(`the body of ${id} has no properties`);
  const parent = nameOf(schema.$ref ?? '');
  const given = Object.entries(properties).filter(([, property]) => !isDeprecated(property));
  return given.map(([wire, property]) => {
    const own = `t.${parent}${wire.charAt(0).toUpperCase()}${wire.slice(1)}`;
    return parameterOf(wire, inputOf(document, property, own), required.includes(wire));
  });
}

/** The annotation of what a caller gives: wider than what the service answers. */
function inputOf(document: ApiDocument, schema: Schema, inlineName?: string): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    const { properties, type } = document.components?.schemas?.[name] ?? {};
    if (type === 'object' && !properties)
      return inputOf(document, document.components?.schemas?.[name] ?? {});
    return `t.${name}`;
  }
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (schema.anyOf) return schema.anyOf.map((one) => inputOf(document, one, inlineName)).join(' | ');
  if (schema.type === 'number') return 'float | Decimal';
  if (schema.type === 'array') return `Sequence[${inputOf(document, schema.items ?? {}, inlineName)}]`;
  if (schema.type === 'object' && !schema.properties)
    return annotationOf(schema, () => '').replace(/^dict\[/, 'Mapping[');
  return annotationOf(schema, () => {
    if (inlineName === undefined) throw new Error(`an object without a name: ${JSON.stringify(schema)}`);
    return inlineName;
  });
}

function answerOf(document: ApiDocument, named: NamedOperation, method: Method, isAsync: boolean): string {
  if (answersOf(named.operation).includes('Response')) return 'httpx.Response';
  const model = modelOf(named);
  if (model === null) return 'None';
  const { properties = {} } = document.components?.schemas?.[model] ?? {};
  const item = properties.data?.items?.$ref;
  if (item === undefined || named.id === 'listEvents') return `t.${model}`;
  if (typeof method !== 'string') return `builtins.list[t.${nameOf(item)}]`; // Resources have a method `list`.
  return `${isAsync ? 'Async' : ''}PagedList[t.${nameOf(item)}, t.${model}]`;
}

type Call = {
  named: NamedOperation;
  method: Method;
  path: Parameter[];
  query: Parameter[];
  body: Parameter[];
  isAsync: boolean;
  answer: string;
  hasFile: boolean;
  hasType: boolean;
};

function writeCall({ named, method, path, query, body, isAsync, answer, hasFile, hasType }: Call): string[] {
  const dict = (ones: Parameter[], more = '') =>
    `{${[...ones.map((one) => `${literal(one.wire)}: ${one.name}`), ...(more ? [more] : [])].join(', ')}}`;
  const isPaged = answer.includes('PagedList[');
  const hasBody = named.operation.requestBody !== undefined;
  const parts = [
    literal(named.id),
    ...(path.length > 0 ? [`path=${dict(path)}`] : []),
    ...(query.length > 0 || isPaged ? [`query=${dict(query, isPaged ? '**place' : '')}`] : []),
    ...(hasFile ? ['body=file'] : hasBody ? [`body=${dict(body)}`] : []),
    ...(hasType ? ['content_type=content_type'] : []),
    'options=options',
  ];
  const call = `self._request(${parts.join(', ')})`;
  if (isPaged) return [`        return ${isAsync ? 'Async' : ''}PagedList(lambda place: ${call})`];
  const waited = isAsync ? `await ${call}` : call;
  if (answer === 'None') return [`        ${waited}`];
  if (typeof method !== 'string')
    return [`        page: Any = ${waited}`, `        data: ${answer} = page.data`, '        return data'];
  return [`        answer: ${answer} = ${waited}`, '        return answer'];
}

/** The generated modules by their path in the package. */
export function writePython(document: ApiDocument): Record<string, string> {
  return {
    'types.py': writeModels(document),
    '_routes.py': writeRoutes(document),
    '_resources.py': writeResources(document),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isCheck = process.argv.includes('--check');
  const document = JSON.parse(
    readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
  ) as ApiDocument;
  const stale = writeStale(
    new URL('.', import.meta.url),
    'sdk-python',
    'src/paylink_sdk',
    writePython(document),
    isCheck,
  );
  process.exitCode = isCheck && stale > 0 ? 1 : 0;
}
