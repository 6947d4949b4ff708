// The API's description as the reference page reads it: operations in sections, without references to parameters and
// responses. References to schemas stay, since the page links them.

export type Schema = { readonly [keyword: string]: unknown };

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
};

export type Media = { type: string; schema: Schema; example?: unknown };

export type Operation = {
  id: string;
  /** Empty for a message to a webhook endpoint. */
  method: string;
  /** The path; for a message, its event type. */
  path: string;
  summary: string;
  description: string;
  isDeprecated: boolean;
  /** Alternatives, each with the schemes that are needed together. None for a public operation. */
  security: readonly Readonly<Record<string, readonly string[]>>[];
  parameters: readonly Parameter[];
  /** The body in each of its media types. */
  body: readonly Media[];
  /** The successful response. */
  answer: { description: string; media: readonly Media[] } | null;
  errorCodes: readonly string[];
};

export type Section = { tag: string; description: string; operations: Operation[] };

export type Description = {
  version: string;
  text: string;
  sections: Section[];
  schemas: ReadonlyMap<string, Schema>;
};

type Reference = { $ref?: string };
type Content = Record<string, { schema?: Schema; example?: unknown }>;
type RawOperation = {
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter & Reference)[];
  requestBody?: { content?: Content };
  responses?: Record<string, Reference & { description?: string; content?: Content }>;
  'x-error-codes'?: string[];
};
/** An OpenAPI document, as far as the page reads it. */
export type ApiDocument = {
  info: { version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, RawOperation> | undefined>;
  webhooks?: Record<string, Record<string, RawOperation> | undefined>;
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> };
};

/** The tags that readers look for first. The others follow in the order of the description. */
const firstTags = ['payments', 'refunds', 'webhooks', 'webhook-messages', 'events', 'keys'];

const mediaOf = (content: Content = {}): Media[] =>
  Object.entries(content).map(([type, { schema = {}, example }]) => ({ type, schema, example }));

function readOperation(
  document: ApiDocument,
  [method, path, raw]: readonly [method: string, path: string, raw: RawOperation],
): Operation {
  const known = document.components?.parameters ?? {};
  const parameters = (raw.parameters ?? []).map(
    (one) => (one.$ref && known[one.$ref.slice(one.$ref.lastIndexOf('/') + 1)]) || one,
  );
  const { 200: success } = raw.responses ?? {};
  return {
    id: raw.operationId ?? path,
    method,
    path,
    summary: raw.summary ?? '',
    description: raw.description ?? '',
    isDeprecated: raw.deprecated === true,
    security: raw.security ?? [],
    parameters,
    body: mediaOf(raw.requestBody?.content),
    answer: success ? { description: success.description ?? '', media: mediaOf(success.content) } : null,
    errorCodes: raw['x-error-codes'] ?? [],
  };
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

function* listOperations(document: ApiDocument): Generator<{ tag: string; operation: Operation }> {
  for (const [path, operations = {}] of Object.entries(document.paths ?? {}))
    for (const [method, raw] of Object.entries(operations))
      if (methods.has(method))
        yield {
          tag: raw.tags?.[0] ?? '',
          operation: readOperation(document, [method.toUpperCase(), path, raw]),
        };
  for (const [type, messages = {}] of Object.entries(document.webhooks ?? {}))
    for (const raw of Object.values(messages))
      yield { tag: raw.tags?.[0] ?? '', operation: readOperation(document, ['', type, raw]) };
}

/** The operation that readers look for first begins its section. */
const rankOf = ({ path }: Operation) => (path === '/v1/payment/process' ? 0 : 1);

export function readDescription(document: ApiDocument): Description {
  const sections = new Map<string, Section>();
  const texts = new Map(document.tags?.map(({ name, description = '' }) => [name, description]));
  for (const tag of [...firstTags, ...texts.keys()])
    sections.set(tag, { tag, description: texts.get(tag) ?? '', operations: [] });
  for (const { tag, operation } of listOperations(document)) {
    const section = sections.get(tag) ?? { tag, description: '', operations: [] };
    section.operations.push(operation);
    sections.set(tag, section);
  }
  for (const section of sections.values()) section.operations.sort((a, b) => rankOf(a) - rankOf(b));
  return {
    version: document.info.version,
    text: document.info.description ?? '',
    sections: [...sections.values()].filter(({ operations }) => operations.length > 0),
    schemas: new Map(Object.entries(document.components?.schemas ?? {})),
  };
}
