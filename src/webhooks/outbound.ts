// Sends one request to a URL that a merchant chose, without giving access to the internal network: every
// address of the host is checked, and only a checked one is connected to. No other code in Paylink may open a
// connection to a host that a caller named. Each request has its own connection.

import { type Dial, dialAddress, openConnection } from './outbound-connect.ts';
import {
  type ExchangeError,
  type ExchangeRequest,
  type ExchangeResponse,
  postMessage,
} from './outbound-exchange.ts';
import { findAddresses, type Resolve, resolveBySystem } from './outbound-lookup.ts';
import { readTarget, type TargetRules } from './outbound-target.ts';

export type OutboundPolicy = TargetRules & {
  /** How names are resolved; by default with the DNS servers of the system. */
  resolve?: Resolve;
  /** How to connect to an address; for tests, which have no internet. */
  dial?: Dial;
};

export type OutboundRequest = ExchangeRequest & {
  url: string;
  /** For everything together: lookup, connection, request, and the whole response. */
  timeoutMs: number;
  /** How much of the response body is read. */
  maxAnswerBytes: number;
  policy: OutboundPolicy;
};

/** Error codes for the merchant. None reveals a resolved address: it may be an internal one. */
export type OutboundError =
  | 'refused_url'
  | 'blocked_address'
  | 'dns_failed'
  | 'connect_failed'
  | 'timed_out'
  | ExchangeError;

export type OutboundResult = (ExchangeResponse | { fault: OutboundError }) & { durationMs: number };

async function send(
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<ExchangeResponse | { fault: OutboundError }> {
  const { url, maxAnswerBytes, policy } = request;
  const read = readTarget(url, policy);
  if ('refusal' in read) return { fault: 'refused_url' };
  const { target } = read;
  const found = await findAddresses(target, policy, policy.resolve ?? resolveBySystem);
  if ('fault' in found) return found;
  const { addresses } = found;
  const connected = await openConnection({ target, addresses, dial: policy.dial ?? dialAddress }, signal);
  if ('fault' in connected) return connected;
  try {
    return await postMessage({ socket: connected.socket, target, message: request }, maxAnswerBytes);
  } finally {
    connected.socket.destroy();
  }
}

/**
 * Posts `body` to `url`. A failure is a value, not an exception. Any status is a response, 3xx too, which is
 * not followed. `durationMs` is the whole time taken.
 */
export async function sendRequest(request: OutboundRequest): Promise<OutboundResult> {
  const startedAtMs = performance.now();
  const deadline = new AbortController();
  const isLate = Promise.withResolvers<{ fault: OutboundError }>();
  // The timeout is recorded before the sockets close, which would look like a reset.
  const timer = setTimeout(() => {
    isLate.resolve({ fault: 'timed_out' });
    deadline.abort();
  }, request.timeoutMs);
  try {
    const outcome = await Promise.race([isLate.promise, send(request, deadline.signal)]);
    return { ...outcome, durationMs: Math.round(performance.now() - startedAtMs) };
  } finally {
    clearTimeout(timer);
  }
}
