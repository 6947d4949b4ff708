// Sends one request to an address that a merchant chose, so that nobody gets inside through us: every
// address of the host is checked, and exactly a checked one is connected to. Nothing else in Paylink may
// open a connection to a host that a caller named. Each request has a connection of its own.

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
  /** How names are looked up; without it, by the servers that the machine is set to. */
  resolve?: Resolve;
  /** How an address is connected to; for tests, which have no internet. */
  dial?: Dial;
};

export type OutboundRequest = ExchangeRequest & {
  url: string;
  /** For everything together: look-up, connection, request, and the whole answer. */
  timeoutMs: number;
  /** How much of the answer's body is read. */
  maxAnswerBytes: number;
  policy: OutboundPolicy;
};

/** Words for the merchant. None tells an address that was looked up: it may be one of the inside. */
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
 * Posts `body` to `url`. What keeps an answer from coming is a value, not an exception; any status is
 * an answer, 3xx too, which is not followed. `durationMs` is the whole time taken.
 */
export async function sendRequest(request: OutboundRequest): Promise<OutboundResult> {
  const startedAtMs = performance.now();
  const deadline = new AbortController();
  const isLate = Promise.withResolvers<{ fault: OutboundError }>();
  // Late is said before the sockets close, which would look like a reset.
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
