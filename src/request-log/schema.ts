// The shapes of the request log in the API.

import { type Static, Type } from 'typebox';
import { listSchema, pageParameters, querySchema } from '../http/page-query.ts';
import { exampleCode, ids, moment, oneOf } from '../http/schema-parts.ts';

/** The methods of the routes that are recorded. */
export const loggedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const exampleId = 'req_01m7wf3wswavyweszg1v4e9mnn';

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const fields = {
  requestId: Type.String({ description: 'The request ID: `X-Request-Id` of the response' }),
  createdAt: moment('When the call began'),
  mode: oneOf(['test', 'live'], 'The mode of its credentials'),
  method: Type.String({ description: 'The HTTP method' }),
  path: Type.String({ description: 'The path, with the IDs in it' }),
  query: textOrNull('The query, redacted; null without one'),
  status: Type.Integer({ description: 'The HTTP status of the response' }),
  durationMs: Type.Integer({ description: 'Milliseconds until the response was sent' }),
  keyId: textOrNull('The ID of the API key; null for a call from the dashboard'),
  actor: Type.String({ description: 'Who called, such as account:acc_…' }),
  clientAddress: Type.String({
    description: 'The address of the client: IPv4, or the network (/64) of an IPv6 address',
  }),
  errorCode: textOrNull('The error code; null for a call that succeeded'),
  idempotentReplayed: Type.Boolean({ description: 'Whether the response is that of an earlier call' }),
};

const example = {
  requestId: exampleId,
  createdAt: '2026-11-20T10:00:00.000Z',
  mode: 'test' as const,
  method: 'POST',
  path: `/v1/payments/${exampleCode}/refunds`,
  query: null,
  status: 409,
  durationMs: 12,
  keyId: ids.key,
  actor: `account:${ids.account}`,
  clientAddress: '203.0.113.9',
  errorCode: 'refund_too_large',
  idempotentReplayed: false,
};

export const ApiRequest = Type.Object(fields, {
  title: 'ApiRequest',
  description: 'A call of the API',
  examples: [example],
});
export type ApiRequest = Static<typeof ApiRequest>;

export const ApiRequestDetails = Type.Object(
  {
    ...fields,
    requestBody: textOrNull(
      'The body as JSON, redacted and cut after 4,096 characters; null for none or a file',
    ),
    responseBody: textOrNull('The same of the response; an error without its sentences'),
  },
  {
    title: 'ApiRequestDetails',
    description: 'A call of the API with its bodies',
    examples: [
      {
        ...example,
        requestBody: '{"amount":120,"reason":"[redacted]"}',
        responseBody:
          '{"code":"refund_too_large","title":"The refund is larger than what is left","errors":[]}',
      },
    ],
  },
);
export type ApiRequestDetails = Static<typeof ApiRequestDetails>;

export const ApiRequestList = listSchema(ApiRequest, {
  description: 'Calls, newest first',
  examples: [{ data: [example], nextCursor: null }],
});

const time = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, description, examples: ['2026-11-20T00:00:00Z'] }));

export const ApiRequestQuery = querySchema({
  status: Type.Optional(
    Type.String({
      pattern: '^[1-5]([0-9][0-9]|xx)$',
      'x-hint': 'This must be a status such as 404, or a class of them such as 4xx.',
      description: 'Status of the response, or a class such as 4xx',
      examples: ['4xx'],
    }),
  ),
  method: Type.Optional(
    Type.String({ enum: [...loggedMethods], description: 'The HTTP method', examples: ['POST'] }),
  ),
  path: Type.Optional(
    Type.String({
      pattern: '^/[\\w/.-]{0,199}$',
      'x-hint': 'This must be the beginning of a path such as /v1/payments.',
      description: 'The beginning of the path',
      examples: ['/v1/payments'],
    }),
  ),
  keyId: Type.Optional(
    Type.String({
      pattern: '^[\\w-]{1,64}$',
      'x-hint': 'This must be the ID of a key, not the key itself.',
      description: 'The ID of the API key',
      examples: [ids.key],
    }),
  ),
  requestId: Type.Optional(
    Type.String({
      pattern: '^[\\w.~:+/=@-]{1,128}$',
      'x-hint': 'This must be a request ID such as that in X-Request-Id.',
      description: 'The request ID',
      examples: [exampleId],
    }),
  ),
  createdFrom: time('Calls at this time or later; RFC 3339'),
  createdTo: time('Calls before this time; RFC 3339'),
  ...pageParameters,
});
export type ApiRequestQuery = Static<typeof ApiRequestQuery>;

export const ApiRequestParams = Type.Object({
  requestId: Type.String({
    pattern: '^[\\w.~:+/=@-]{1,128}$',
    'x-hint': 'This must be a request ID such as that in X-Request-Id.',
    description: 'The request ID of the call',
    examples: [exampleId],
  }),
});
