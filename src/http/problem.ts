// Turns every error of a request into an RFC 9457 problem document. Causes go to the log; the caller sees
// only the text of the catalogue. No other file writes an error response for the API.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { ApiError, errors, type FieldError } from '../base/errors.ts';
import { isUnavailable } from '../db/outage.ts';
import { addToLog } from './log-requests.ts';
import type { Problem } from './openapi.ts';
import { describeValidation } from './validation.ts';

/** The RFC 9457 members, our `code`, `requestId` and `errors`, and the two response fields of the interface. */
export type ProblemDocument = Static<typeof Problem>;

export function toProblem(apiError: ApiError, requestId: string, baseUrl: string): ProblemDocument {
  return {
    type: `${baseUrl}/problems/${apiError.code}`,
    title: apiError.title,
    status: apiError.status,
    detail: apiError.detail,
    instance: `urn:paylink:request:${requestId}`,
    code: apiError.code,
    requestId,
    errors: apiError.errors,
    responseCode: String(apiError.status),
    responseMessage: apiError.title,
  };
}

const frameworkErrors: Record<string, () => ApiError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: errors.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: errors.unsupportedMediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: errors.badRequest,
  FST_ERR_CTP_EMPTY_JSON_BODY: errors.malformedJson,
  FST_ERR_BAD_URL: errors.badRequest,
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: errors.unsupportedMediaType,
  FST_ERR_MAX_PARAM_LENGTH: errors.notFound,
};

/** The API error for any error. An unexpected one becomes `internal_error` with its cause. */
export function toApiError(
  error: FastifyError | Error,
  bodyErrors: readonly FieldError[] | null = null,
): ApiError {
  if (error instanceof ApiError) return error;
  if ('validation' in error && error.validation) return describeValidation(error.validation, bodyErrors);
  const code = 'code' in error ? String(error.code) : '';
  // The caller disconnected before its body was complete: nobody can receive a response.
  if (code === 'ECONNRESET' && error.message === 'aborted') return errors.badRequest();
  const known = frameworkErrors[code];
  if (known) return known();
  if (isUnavailable(error)) return errors.unavailable({ cause: error, headers: { 'retry-after': '2' } });
  return errors.internalError({ cause: error });
}

/** Adds an API error to its request and its log line. An error of the service gets a line of its own, with its cause. */
export function noteApiError(request: FastifyRequest, apiError: ApiError): void {
  request.apiError = apiError;
  if (request.isLogged === false) return;
  const fields = apiError.errors.map((fault) => fault.field);
  addToLog(request, { code: apiError.code, ...(fields.length > 0 && { fields }) });
  if (apiError.status >= 500 && apiError.cause !== undefined)
    request.log.error({ code: apiError.code, err: apiError.cause }, apiError.title);
}

/** Fastify's error handler for everything that responds with JSON. */
export function problemHandler(baseUrl: string) {
  return function handleError(
    error: FastifyError | Error,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const apiError = toApiError(error, request.bodyErrors);
    noteApiError(request, apiError);
    void reply
      .code(apiError.status)
      .headers(apiError.headers)
      .type('application/problem+json')
      .send(JSON.stringify(toProblem(apiError, request.id, baseUrl)));
  };
}
