// The IDs of a request and its trace. Must not: accept a header from anybody but a trusted proxy.

import type { IncomingMessage } from 'node:http';
import { newId } from '../base/ids.ts';
import type { RemoteSpan } from '../base/spans.ts';
import type { IsTrusted } from './trusted-proxies.ts';

/** IDs in the forms of common proxies: UUIDs, hexadecimal or base64 text, addresses joined by colons. */
const idPattern = /^[\w.~:+/=@-]{1,128}$/;

/** W3C Trace Context: version, trace ID, parent ID, flags; a later version may add more. */
const traceparentPattern =
  /^(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
const isZero = (id: string | undefined) => id === undefined || /^0+$/.test(id);

/** The `X-Request-Id` of a trusted proxy if its form is valid, else a new ID. */
export function requestIdOf(
  request: IncomingMessage,
  { isTrusted, now }: { isTrusted: IsTrusted; now: Date },
): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && idPattern.test(given) && isTrusted(request)) return given;
  return newId('req', now);
}

/** The span in the `traceparent` of a trusted proxy; null when it is missing or invalid. */
export function remoteSpanOf(request: IncomingMessage, isTrusted: IsTrusted): RemoteSpan | null {
  const given = request.headers.traceparent;
  if (typeof given !== 'string') return null;
  const { version, trace, parent, flags, more } = traceparentPattern.exec(given)?.groups ?? {};
  if (trace === undefined || parent === undefined || isZero(trace) || isZero(parent)) return null;
  if (version === 'ff' || (version === '00' && more !== undefined) || !isTrusted(request)) return null;
  // The lowest bit says whether the caller records the trace.
  return { traceId: trace, spanId: parent, isSampled: (Number.parseInt(flags ?? '0', 16) & 1) === 1 };
}
