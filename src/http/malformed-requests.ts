// Refuses requests that the parser accepts against HTTP/1.1 (RFC 9112): another version, no Host or several,
// and path or query parameters that cannot be stored.

import { isIP } from 'node:net';
import { type ApiError, errors, type FieldError, maxFieldErrors } from '../base/errors.ts';
import type { HttpServer } from './http-server.ts';

/** `uri-host [":" port]` of RFC 3986: a name or an IPv4 address, or an IPv6 address in brackets. */
const hostPattern =
  /^(?:\[([0-9a-f:.]{2,45})\]|(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2}){1,255})(?::(\d{0,5}))?$/i;

/** Whether a Host header has the form of RFC 9110 section 7.2 and is not empty. */
export function isHost(value: string): boolean {
  const [whole, address, port = ''] = hostPattern.exec(value) ?? [];
  if (whole === undefined || Number(port) > 65_535) return false;
  return address === undefined || isIP(address) === 6;
}

function hostsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
}

type RequestLine = { httpVersion: string; rawHeaders: readonly string[] };

function requestLineError({ httpVersion, rawHeaders }: RequestLine): ApiError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return errors.badRequest({ detail: 'Send the request as HTTP/1.1.', headers: { connection: 'close' } });
  const [host, ...others] = hostsOf(rawHeaders);
  if (others.length > 0) return errors.badRequest({ detail: 'Send one Host header, not several.' });
  if (host === undefined)
    return httpVersion === '1.1' ? errors.badRequest({ detail: 'Send a Host header.' }) : undefined;
  return isHost(host)
    ? undefined
    : errors.badRequest({
        detail: 'The Host header must be a host name or an address, like pay.example.com.',
      });
}

/** Whether PostgreSQL can store a text. */
const isStorable = (value: unknown) =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));

/** No ID contains such characters, so the address cannot exist. */
function hasInvalidParam(params: unknown): boolean {
  return Object.values(params ?? {}).some((value) => !isStorable(value));
}

function queryErrors(query: unknown): FieldError[] {
  return Object.entries(query ?? {})
    .filter(([name, value]) => !isStorable(name) || ![value].flat().every(isStorable))
    .map(([name]) => ({
      field: isStorable(name) ? name : 'query',
      code: 'not_text',
      detail: 'The text has a NUL character or half of a surrogate pair. Remove it.',
    }));
}

/** 400 for an invalid request line or Host, 404 for an impossible path parameter, 422 for an invalid query. */
export function rejectMalformedRequests(app: HttpServer): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const fault = requestLineError(request.raw);
    done(fault ?? (hasInvalidParam(request.params) ? errors.notFound() : undefined));
  });
  // After authentication: strangers learn nothing about the query.
  app.addHook('preValidation', (request, _reply, done) => {
    const { schema } = request.routeOptions as { schema?: { hide?: boolean; querystring?: unknown } };
    // A route of the API without a query schema reads no query.
    const isRead = !schema || schema.hide === true || schema.querystring !== undefined;
    const faults = isRead ? queryErrors(request.query) : [];
    done(faults.length > 0 ? errors.invalidFields({ errors: faults.slice(0, maxFieldErrors) }) : undefined);
  });
}
