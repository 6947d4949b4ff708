// Moves shared parts of the API's description to its components. Validation keeps the schemas of the routes.

import { errorCatalogue } from '../base/errors.ts';
import { locales } from '../base/locale.ts';
import { currencies } from '../base/money.ts';
import { apiVersions } from './api-versions.ts';
import { roles, serviceKeyScopes } from './roles.ts';

type Schema = Record<string, unknown>;
type Content = Record<string, { schema?: Schema }>;
type Response = { description?: string; content?: Content; headers?: Record<string, object> };
type Parameter = { in?: string; name?: string; schema?: Schema };
type Operation = {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { content?: Content };
  responses?: Record<string, Response>;
};
type Described = {
  paths?: Record<string, object | undefined>;
  webhooks?: Record<string, object | undefined>;
  components?: { schemas?: Record<string, unknown> };
};

type Components = {
  schemas: Map<string, Schema>;
  parameters: Map<string, Parameter>;
  headers: Map<string, object>;
  /** By status: the response, and of all operations the references to it and the codes that they name. */
  errors: Map<string, { response: Response; descriptions: Set<string>; references: Response[] }>;
};

const json = 'application/json';

/** The names of error responses by their status, as in RFC 9110. */
const errorNames: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  431: 'RequestHeaderFieldsTooLarge',
  500: 'InternalServerError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
};

/** The names of enums that several schemas use, or that may be null: generators would number their models. */
const enumNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ApiKeyStatus: ['active', 'expiring', 'expired', 'revoked'],
    ApiVersion: apiVersions.map(({ date }) => date),
    BankLineMatchedBy: ['reference', 'person'],
    BankLineStatus: ['new', 'matched', 'review', 'ignored', 'resolved'],
    BankRefundStatus: ['waiting', 'sent', 'failed'],
    BankStatementKind: ['camt.052', 'camt.053', 'camt.054'],
    Currency: currencies,
    LedgerAccount: ['processor', 'merchant', 'refunds', 'fees', 'suspense'],
    Locale: locales,
    LogoVariant: ['light', 'dark'],
    Mode: ['test', 'live'],
    PasskeyCredentialType: ['public-key'],
    PaymentStatus: ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'],
    RefundKind: ['merchant', 'surplus'],
    RefundStatus: ['created', 'processing', 'unknown', 'succeeded', 'failed'],
    RetryPolicy: ['none', 'fixable', 'all'],
    Role: roles,
    ServiceKeyScope: serviceKeyScopes,
    TestClockStatus: ['idle', 'advancing'],
    WebhookDeliveryState: ['pending', 'delivered', 'failed'],
    WebhookEndpointDisabledReason: ['switched_off', 'gone', 'failing'],
    WebhookEndpointStatus: ['enabled', 'disabled', 'deleted'],
  }).map(([name, values]) => [JSON.stringify(values), name]),
);

/** The document with its named schemas, its shared parameters and its error responses under `components`. */
export function nameComponents<Document extends Described>(document: Document): Document {
  const found: Components = {
    schemas: new Map(),
    parameters: new Map(),
    headers: new Map(),
    errors: new Map(),
  };
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {}))
    found.schemas.set(name, withoutTitle(nameWithin(schema as Schema, found)));
  const shared = sharedParameters(document);
  const rewrite = (paths: Described['paths']) =>
    mapValues(paths ?? {}, (methods) =>
      mapValues((methods ?? {}) as Record<string, Operation>, (operation) =>
        nameOperation(operation, found, shared),
      ),
    );
  const paths = rewrite(document.paths);
  const webhooks = rewrite(document.webhooks);
  for (const { references, descriptions } of found.errors.values())
    if (descriptions.size === 1) for (const reference of references) delete reference.description;
  const responses = [...found.errors].map(([status, { response, descriptions }]): [string, Response] => [
    errorNames[status] ?? status,
    { ...response, description: describeAll(descriptions) },
  ]);
  const components = {
    ...document.components,
    schemas: sorted([...found.schemas]),
    parameters: sorted([...found.parameters]),
    headers: sorted([...found.headers]),
    responses: sorted(responses),
  };
  return { ...document, components, paths, webhooks };
}

function nameOperation(operation: Operation, found: Components, shared: ReadonlySet<string>): Operation {
  const { operationId = '', parameters, requestBody, responses = {} } = operation;
  const prefix = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;
  return {
    ...operation,
    ...(parameters
      ? { parameters: parameters.map((parameter) => nameParameter(parameter, found, shared)) }
      : {}),
    ...(requestBody ? { requestBody: nameContent(requestBody, found, `${prefix}Request`) } : {}),
    responses: mapValues(responses, (response, status) =>
      Number(status) >= 400 && response.content
        ? nameError(status, response, found)
        : nameHeaders(nameContent(response, found), found),
    ),
  };
}

/** A JSON body has the title of its schema. Without one, a request has `fallback`, and a response is an error. */
function nameContent<Body extends { content?: Content }>(
  body: Body,
  found: Components,
  fallback?: string,
): Body {
  const schema = body.content?.[json]?.schema;
  if (!body.content || !schema || schema.type === 'null') return body;
  const title = schema.title ?? fallback;
  if (title === undefined) throw new Error(`give this response a title: ${JSON.stringify(schema)}`);
  const { description: _, ...reference } = nameSchema({ ...schema, title }, found);
  return { ...body, content: { ...body.content, [json]: { ...body.content[json], schema: reference } } };
}

/** A header has one form wherever it is sent. */
function nameHeaders(response: Response, found: Components): Response {
  if (!response.headers) return response;
  const headers = mapValues(response.headers, (header, field) => {
    const name = field.replaceAll('-', '');
    const known = found.headers.get(name) ?? header;
    if (JSON.stringify(known) !== JSON.stringify(header)) throw new Error(`two headers are named ${field}`);
    found.headers.set(name, header);
    return { $ref: `#/components/headers/${name}` };
  });
  return { ...response, headers };
}

/** An error of an operation refers to the response of its status, and says which codes it may have. */
function nameError(status: string, response: Response, found: Components): Response & { $ref: string } {
  const name = errorNames[status];
  if (name === undefined) throw new Error(`the error response ${status} has no name`);
  const { description = '' } = response;
  const reference = { $ref: `#/components/responses/${name}`, description };
  const known = found.errors.get(status) ?? { response, descriptions: new Set(), references: [] };
  known.descriptions.add(description);
  known.references.push(reference);
  found.errors.set(status, known);
  return reference;
}

/** All codes that operations name for a status, with what they mean. */
function describeAll(descriptions: ReadonlySet<string>): string {
  const named = [...descriptions].join(' ');
  return Object.values(errorCatalogue)
    .filter(({ code }) => named.includes(`\`${code}\``))
    .map(({ code, title }) => `\`${code}\`: ${title}.`)
    .join(' ');
}

/** Replaces each schema with a title, and each enum with a name, by a reference, from the inside out. */
function nameSchema(schema: Schema, found: Components): Schema {
  const enumName = enumNames.get(JSON.stringify(schema.enum));
  if (enumName !== undefined) {
    const { type, enum: values, ...texts } = withoutTitle(schema);
    found.schemas.set(enumName, { type, enum: values });
    return { $ref: `#/components/schemas/${enumName}`, ...texts };
  }
  const whole = nameWithin(schema, found);
  if (whole.title === undefined) return whole;
  const name = String(whole.title);
  const { description, ...form } = withoutTitle(whole);
  const known = found.schemas.get(name);
  if (known && formOf(known) !== JSON.stringify(form))
    throw new Error(`two different schemas are named ${name}`);
  const component = known ?? (description === undefined ? form : { description, ...form });
  found.schemas.set(name, component);
  const isOwn = description !== undefined && description !== component.description;
  return { $ref: `#/components/schemas/${name}`, ...(isOwn ? { description } : {}) };
}

function formOf({ description: _, ...form }: Schema): string {
  return JSON.stringify(form);
}

/** Examples stand beside the bodies of operations. */
function withoutTitle({ title: _, examples: __, ...schema }: Schema): Schema {
  return schema;
}

/** A schema whose parts are named. */
function nameWithin(schema: Schema, found: Components): Schema {
  const name = (value: unknown) =>
    typeof value === 'object' && value !== null ? nameSchema(value as Schema, found) : value;
  const { patternProperties, ...rest } = schema as Schema & { patternProperties?: Record<string, unknown> };
  // TypeBox's form of a record; generators know the other one.
  const additional = patternProperties?.['^.*$'];
  const whole: Schema = additional === undefined ? schema : { ...rest, additionalProperties: additional };
  return mapValues(whole, (value, keyword) => {
    if (keyword === 'properties' || keyword === 'patternProperties') return mapValues(value as Schema, name);
    if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
      return (value as unknown[]).map(name);
    return keyword === 'items' || keyword === 'additionalProperties' || keyword === 'not'
      ? name(value)
      : value;
  });
}

// Parameters --------------------------------------------------------------------------------------

function operationsOf(document: Described): Operation[] {
  return [document.paths, document.webhooks].flatMap((paths) =>
    Object.values(paths ?? {}).flatMap((methods) => Object.values(methods ?? {}) as Operation[]),
  );
}

/** The parameters that several operations have, as JSON. Where a name has two such forms, it is none of them. */
function sharedParameters(document: Described): Set<string> {
  const parameters = operationsOf(document).flatMap((operation) => operation.parameters ?? []);
  const forms = [...Map.groupBy(parameters, (parameter) => JSON.stringify(parameter)).values()];
  const repeated = forms.flatMap(([first, ...others]) => (first && others.length > 0 ? [first] : []));
  const byName = [...Map.groupBy(repeated, parameterName).values()];
  return new Set(byName.flatMap((group) => (group.length === 1 ? [JSON.stringify(group[0])] : [])));
}

function nameParameter(parameter: Parameter, found: Components, shared: ReadonlySet<string>): Parameter {
  const { schema } = parameter;
  const named = schema ? { ...parameter, schema: nameSchema(schema, found) } : parameter;
  if (!shared.has(JSON.stringify(parameter))) return named;
  const name = parameterName(parameter);
  found.parameters.set(name, named);
  return { $ref: `#/components/parameters/${name}` } as Parameter;
}

/** `Idempotency-Key` becomes `IdempotencyKeyHeader`, and `code` `CodeParameter`: no schema has such a name. */
function parameterName({ in: place, name = '' }: Parameter): string {
  const words = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${words}${place === 'header' ? 'Header' : 'Parameter'}`;
}

// Objects -----------------------------------------------------------------------------------------

function mapValues<Value, Result>(
  record: Record<string, Value>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function sorted<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
