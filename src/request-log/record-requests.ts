// Records each call with credentials after its response was sent. Must not: change a response, keep it waiting, or record
// a value that redact.ts does not show.

import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { ApiError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { createTokenBuckets } from '../base/token-buckets.ts';
import type { Principal } from '../http/authentication.ts';
import { clientKeyOf } from '../http/client-network.ts';
import type { HttpServer } from '../http/http-server.ts';
import { actorOf } from '../http/roles.ts';
import { compileRedaction, type JsonSchema, namesOf, type Redact } from './redact.ts';
import { hidden, showId } from './shown-fields.ts';
import type { NewCall } from './store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False keeps a route out of the request log: the log itself. */
    isRecorded?: boolean;
    /** What the request log shows of the route's calls; set for the routes that it records. */
    recording?: () => Recording;
  }
  interface FastifyRequest {
    /** What the handler returned, if it is an object. */
    answerBody: unknown;
  }
}

type Recording = {
  body: Redact;
  query: Redact;
  answerOf(status: number): Redact;
  names: ReadonlySet<string>;
};

export type RecordDeps = {
  clock: Clock;
  /** Takes a call. Must not throw, nor wait. */
  record(call: NewCall): void;
  /** Counts calls that are not recorded because a company makes too many. */
  onDropped?: ((count: number) => void) | undefined;
};

/** A longer body is cut. */
export const maxBodyLength = 4_096;

/** Calls beyond a rate limit that are recorded, of a company in one process: a flood would fill the table. */
export const limitedPerMinute = 60;

/**
 * Successful calls that are recorded, of a company in one process: beyond them the log would cost a noticeable part of the
 * CPU. It is the default of RATE_LIMIT_PROCESS_PER_SECOND. Calls that failed are recorded in any case.
 */
export const succeededPerSecond = 100;

/** Headers that an error may name as a wrong field. */
const headers = ['Authorization', 'X-API-KEY', 'X-COMPANY-ID', 'Idempotency-Key', 'X-Paylink-Mode'];

/** Who called, for all kinds of principals. */
const callerOf = (principal: Principal) => ({
  actor: actorOf(principal),
  keyId: 'serviceKeyId' in principal ? principal.serviceKeyId : principal.keyId,
});

function once<T>(work: () => T): () => T {
  let done: T | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

const jsonOf = (schema: JsonSchema | undefined) => schema?.content?.['application/json']?.schema ?? schema;

function compileRecording({ schema }: RouteOptions): Recording {
  const {
    body,
    querystring,
    response = {},
  } = schema as {
    body?: JsonSchema;
    querystring?: JsonSchema;
    response?: Readonly<Record<string, JsonSchema>>;
  };
  const answers = new Map(
    Object.entries(response)
      .filter(([status]) => Number(status) < 300)
      // What a response repeats of the request, and what it does not have, would double the size of the log.
      .map(([status, answer]) => [Number(status), compileRedaction(jsonOf(answer), { isBrief: true })]),
  );
  return {
    body: compileRedaction(body),
    query: compileRedaction(querystring),
    answerOf: (status) => answers.get(status) ?? answers.get(200) ?? (() => hidden),
    names: new Set([...namesOf(body), ...namesOf(querystring), ...headers]),
  };
}

/** The path by the pattern of its route, with the IDs that it has. */
function pathOf(request: FastifyRequest): string {
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const pattern = request.routeOptions.url ?? '';
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => showId(params[name] ?? ''));
}

function queryOf({ query }: FastifyRequest, redact: Redact): string | null {
  if (!query || Object.keys(query).length === 0) return null;
  const shown = redact(query);
  if (shown === null || typeof shown !== 'object') return hidden;
  return Object.entries(shown)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .slice(0, maxBodyLength);
}

function cut(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= maxBodyLength ? text : `${text.slice(0, maxBodyLength - 1)}…`.toWellFormed();
}

/** Files and missing bodies are not shown. */
function bodyOf({ body }: FastifyRequest, redact: Redact): string | null {
  if (body === null || typeof body !== 'object' || !isPlain(body)) return null;
  return cut(redact(body));
}

const isPlain = (value: object) =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Which error it was. The sentences of an error may repeat what was sent, so they are left out. */
function showError({ code, title, errors }: ApiError, names: ReadonlySet<string>) {
  const isKnown = (field: string) =>
    field.split(/[.[\]]+/).every((part) => part === '' || /^\d{1,3}$/.test(part) || names.has(part));
  return {
    ...{ code, title },
    errors: errors.map((fault) => ({
      field: isKnown(fault.field) ? fault.field : '[unknown field]',
      code: fault.code,
    })),
  };
}

function answerOf(request: FastifyRequest, status: number, { answerOf: redactOf, names }: Recording) {
  if (request.apiError) return cut(showError(request.apiError, names));
  const { answerBody } = request;
  return answerBody === null || !isPlain(answerBody as object) ? null : cut(redactOf(status)(answerBody));
}

function describe(
  request: FastifyRequest,
  reply: FastifyReply,
  { principal, recording, now }: { principal: Principal; recording: Recording; now: Date },
): NewCall {
  const { companyId, mode } = principal;
  const tookMs = Math.max(0, Math.round(reply.elapsedTime));
  const at = new Date(now.getTime() - tookMs);
  return {
    ...{ companyId, mode, ...callerOf(principal) },
    logId: newId('rql', at),
    requestId: request.id,
    at,
    method: request.method,
    path: pathOf(request),
    query: queryOf(request, recording.query),
    status: reply.statusCode,
    durationMs: tookMs,
    client: clientKeyOf(request),
    errorCode: request.apiError?.code ?? null,
    isReplay: reply.getHeader('idempotent-replayed') === 'true',
    requestBody: bodyOf(request, recording.body),
    responseBody: answerOf(request, reply.statusCode, recording),
  };
}

/**
 * Polling of the dashboard that succeeded: a browser marks it, and a program cannot. A failure is recorded, since the
 * dashboard shows its request ID.
 */
const isPolling = (request: FastifyRequest, reply: FastifyReply) =>
  request.headers['x-paylink-background'] === 'true' &&
  request.headers.authorization === undefined &&
  reply.statusCode < 400;

/** Records the calls of routes that require credentials. Call it before registering routes. */
export function recordRequests(app: HttpServer, { clock, record, onDropped }: RecordDeps): void {
  const limited = createTokenBuckets(clock, { quota: limitedPerMinute, windowMs: 60_000, most: 1_000 });
  const succeeded = createTokenBuckets(clock, { quota: succeededPerSecond, windowMs: 1_000, most: 1_000 });
  const isBeyond = ({ companyId }: Principal, status: number) => {
    if (status === 429) return !limited.take(companyId);
    return status < 400 && !succeeded.take(companyId);
  };
  app.addHook('onRoute', (route) => {
    const isPublic = (route.schema?.security ?? []).length === 0;
    if (!route.url.startsWith('/v1/') || isPublic || route.config?.isRecorded === false) return;
    route.config = { ...route.config, recording: once(() => compileRecording(route)) };
  });
  app.decorateRequest('answerBody', null);
  app.addHook('preSerialization', (request, _reply, payload, done) => {
    request.answerBody = payload;
    done(null, payload);
  });
  const recordCall = (request: FastifyRequest, reply: FastifyReply): void => {
    const { principal } = request;
    if (!principal || isPolling(request, reply)) return;
    const recording = request.routeOptions.config.recording?.();
    if (!recording) return;
    if (isBeyond(principal, reply.statusCode)) onDropped?.(1);
    else record(describe(request, reply, { principal, recording, now: clock.now() }));
  };
  app.addHook('onResponse', (request, reply, done) => {
    done();
    try {
      recordCall(request, reply);
    } catch (err) {
      // The response was sent: nothing of the call may fail now.
      request.log.warn({ err }, 'a call could not be recorded');
    }
  });
}
