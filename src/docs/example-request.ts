// The request that the code examples of an operation send. The examples take credentials from the environment, so no
// example contains a secret.

import type { Operation } from './description.ts';

/** A header whose value ends with that of an environment variable, if it names one. */
export type ExampleHeader = { name: string; value: string; variable?: string };

export type ExampleBody =
  | { kind: 'json'; value: unknown }
  /** A file in the working directory. */
  | { kind: 'file'; name: string };

export type ExampleRequest = {
  method: string;
  url: string;
  headers: readonly ExampleHeader[];
  body: ExampleBody | null;
};

/** Replaces parts of an example. */
export type ExampleValues = {
  params?: Readonly<Record<string, string>>;
  body?: unknown;
  idempotencyKey?: string;
};

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'application/xml': 'xml',
};

/** A service key where the operation takes one, else the three headers of the login. */
function credentialsOf({ security }: Operation): ExampleHeader[] {
  if (security.length === 0) return [];
  if (security.some((alternative) => 'serviceKey' in alternative))
    return [{ name: 'Authorization', value: 'Bearer ', variable: 'PAYLINK_SERVICE_KEY' }];
  return [
    { name: 'Authorization', value: 'Bearer ', variable: 'PAYLINK_TOKEN' },
    { name: 'X-API-KEY', value: '', variable: 'PAYLINK_API_KEY' },
    { name: 'X-COMPANY-ID', value: '', variable: 'PAYLINK_COMPANY_ID' },
  ];
}

function bodyOf({ body }: Operation, values: ExampleValues): { type: string; body: ExampleBody } | null {
  const json = body.find(({ type }) => type === 'application/json');
  if (json) {
    const value = values.body === undefined ? (json.example ?? {}) : values.body;
    return { type: json.type, body: { kind: 'json', value } };
  }
  const [file] = body;
  if (!file) return null;
  return { type: file.type, body: { kind: 'file', name: `file.${extensions[file.type] ?? 'bin'}` } };
}

function urlOf(operation: Operation, baseUrl: string, params: Readonly<Record<string, string>>): string {
  const parameterOf = (name: string) => {
    const example = operation.parameters.find((one) => one.name === name)?.example;
    return params[name] ?? String(example ?? name);
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameterOf(name)),
  );
  const required = operation.parameters.filter((one) => one.in === 'query' && one.required);
  const query = new URLSearchParams(
    Object.fromEntries(required.map(({ name }) => [name, parameterOf(name)])),
  );
  return `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
}

/** Without `values`, the request has the examples of the description. */
export function exampleRequest(
  operation: Operation,
  baseUrl: string,
  values: ExampleValues = {},
): ExampleRequest {
  const content = bodyOf(operation, values);
  const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key');
  // One for each operation: a key that another operation used is refused.
  const idempotencyKey = values.idempotencyKey ?? `${operation.id}-1001`;
  return {
    method: operation.method,
    url: urlOf(operation, baseUrl, values.params ?? {}),
    headers: [
      ...credentialsOf(operation),
      ...(content ? [{ name: 'Content-Type', value: content.type }] : []),
      ...(takesKey ? [{ name: 'Idempotency-Key', value: idempotencyKey }] : []),
    ],
    body: content?.body ?? null,
  };
}
