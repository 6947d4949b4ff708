// Turns everything that can go wrong in a request into one RFC 9457 problem document. Causes go to
// the log; a caller sees only what the catalogue says. No other file writes an error response for
// the API.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errors, type FieldFault, Refusal } from '../base/errors.ts';
import { isUnavailable } from '../db/outage.ts';
import { describeValidation } from './validation.ts';

/** RFC 9457 members, our `code`, `requestId` and `errors`, and the interface's two response fields. */
export type ProblemDocument = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  requestId: string;
  errors: { field: string; code: string; detail: string }[];
  responseCode: string;
  responseMessage: string;
};

export function toProblem(refusal: Refusal, requestId: string, baseUrl: string): ProblemDocument {
  return {
    type: `${baseUrl}/problems/${refusal.code}`,
    title: refusal.title,
    status: refusal.status,
    detail: refusal.detail,
    instance: `urn:paylink:request:${requestId}`,
    code: refusal.code,
    requestId,
    errors: refusal.errors,
    responseCode: String(refusal.status),
    responseMessage: refusal.title,
  };
}

const frameworkRefusals: Record<string, () => Refusal> = {
  FST_ERR_CTP_BODY_TOO_LARGE: errors.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: errors.unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: errors.badRequest,
  FST_ERR_CTP_EMPTY_JSON_BODY: errors.malformedJson,
  FST_ERR_BAD_URL: errors.badRequest,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: errors.unsupportedMediaType,
  FST_ERR_MAX_PARAM_LENGTH: errors.notFound,
};

/** The refusal that an error stands for. What nobody foresaw is `internal_error` with the cause kept. */
export function toRefusal(
  error: FastifyError | Error,
  bodyFaults: readonly FieldFault[] | null = null,
): Refusal {
  if (error instanceof Refusal) return error;
  if ('validation' in error && error.validation) return describeValidation(error.validation, bodyFaults);
  const code = 'code' in error ? String(error.code) : '';
  // The caller hung up before its body was whole; nobody is left to answer, and nothing of ours failed.
  if (code === 'ECONNRESET' && error.message === 'aborted') return errors.badRequest();
  const known = frameworkRefusals[code];
  if (known) return known();
  if (isUnavailable(error)) return errors.unavailable({ cause: error, headers: { 'retry-after': '2' } });
  return errors.internal({ cause: error });
}

/** Logs a refusal with its cause: ours as errors, the caller's as information. */
export function logRefusal(request: FastifyRequest, refusal: Refusal): void {
  if (refusal.status >= 500 && refusal.cause !== undefined)
    request.log.error({ code: refusal.code, err: refusal.cause }, refusal.title);
  else
    request.log.info(
      { code: refusal.code, fields: refusal.errors.map((fault) => fault.field) },
      refusal.title,
    );
}

/** Fastify's error handler for everything that answers JSON. */
export function problemHandler(baseUrl: string) {
  return function handleError(
    error: FastifyError | Error,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const refusal = toRefusal(error, request.bodyFaults);
    if (request.isLogged) logRefusal(request, refusal);
    void reply
      .code(refusal.status)
      .headers(refusal.headers)
      .type('application/problem+json')
      .send(JSON.stringify(toProblem(refusal, request.id, baseUrl)));
  };
}
