// Under which ids a request is known: our own, or the one that a trusted proxy gave it, and the trace that it is a part
// of. Must never believe a header of anybody else: ids lead people through logs.

import type { IncomingMessage } from 'node:http';
import { newId } from '../base/ids.ts';
import type { IsTrusted } from './trusted-proxies.ts';

/** Ids as proxies make them: UUIDs, hexadecimal or base64 text, addresses joined by colons. */
const idPattern = /^[\w.~:+/=@-]{1,128}$/;

/** W3C Trace Context: version, trace id, parent id, flags; a later version may add more. */
const traceparentPattern =
  /^(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;
const isZero = (id: string | undefined) => id === undefined || /^0+$/.test(id);

/** The `X-Request-Id` of a trusted proxy where it has the form of an id, else a new one. */
export function requestIdOf(
  request: IncomingMessage,
  { isTrusted, now }: { isTrusted: IsTrusted; now: Date },
): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && idPattern.test(given) && isTrusted(request)) return given;
  return newId('req', now);
}

/** The trace id of the `traceparent` of a trusted proxy; null when there is none that holds. */
export function traceIdOf(request: IncomingMessage, isTrusted: IsTrusted): string | null {
  const given = request.headers.traceparent;
  if (typeof given !== 'string') return null;
  const { version, trace, parent, more } = traceparentPattern.exec(given)?.groups ?? {};
  if (trace === undefined || isZero(trace) || isZero(parent) || version === 'ff') return null;
  if (version === '00' && more !== undefined) return null;
  return isTrusted(request) ? trace : null;
}
