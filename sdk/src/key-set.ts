// The public keys of a service: cached for five minutes, and fetched again, at most once a minute, when a key
// is missing. Only Ed25519 keys are used.

import { routes } from './api-routes.ts';
import { type Bytes, fromBase64url } from './bytes.ts';
import { withCallerStack } from './caller-stack.ts';
import { PaylinkError } from './errors.ts';
import { readBaseUrl } from './options.ts';
import { type Fetch, type RequestLimits, send, withDeadline } from './transport.ts';

/** A key set (RFC 7517) as `/.well-known/jwks.json` returns it. */
export type KeySet = { keys: Record<string, unknown>[] };

const cacheTtlMs = 5 * 60_000;
const leastAgeMs = 60_000;
const limits: RequestLimits = { timeoutMs: 10_000, deadlineMs: 20_000, maxRetries: 2 };

type CachedKeySet = { keySet: KeySet; fetchedAtMs: number };

const cache = new Map<string, CachedKeySet>();
const underWay = new Map<string, Promise<CachedKeySet>>();

/** Fetches the key set of a service. Throws `PaylinkConnectionError` and the other errors of a call. */
export async function fetchKeySet(
  baseUrl: string | URL,
  options: { fetch?: Fetch | undefined; signal?: AbortSignal | undefined } = {},
): Promise<KeySet> {
  return await withCallerStack(async () => await fetchKeys(baseUrl, options));
}

async function fetchKeys(
  baseUrl: string | URL,
  options: { fetch?: Fetch | undefined; signal?: AbortSignal | undefined },
): Promise<KeySet> {
  const { path, method } = routes.getKeySet;
  const request = {
    name: 'getKeySet',
    method,
    url: readBaseUrl(baseUrl) + path,
    headers: { accept: 'application/json' },
    isSafeToRepeat: true,
    isJson: true,
  };
  const fetchFrom: Fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const { value } = await withDeadline(limits, options.signal, false, async (signal, endsAtMs) => {
    return await send(fetchFrom, request, limits, { signal, endsAtMs });
  });
  if (!isKeySet(value)) throw new PaylinkError('unreadable_answer', 'The key set of the service is none.');
  return value;
}

/** The key set of a service, from the cache unless it is old or lacks the key with this ID. */
export async function keySetContaining(
  keyId: string,
  baseUrl: string,
  fetchFrom: Fetch | undefined,
): Promise<KeySet> {
  const known = cache.get(baseUrl);
  const ageMs = known ? Date.now() - known.fetchedAtMs : Number.POSITIVE_INFINITY;
  const hasKey = known?.keySet.keys.some(({ kid }) => kid === keyId);
  if (known && ageMs < (hasKey ? cacheTtlMs : leastAgeMs)) return known.keySet;
  const fetched = underWay.get(baseUrl) ?? refresh(baseUrl, fetchFrom);
  return (await fetched).keySet;
}

function refresh(baseUrl: string, fetchFrom: Fetch | undefined): Promise<CachedKeySet> {
  const fetched = fetchKeys(baseUrl, { fetch: fetchFrom })
    .then((keySet) => {
      const entry = { keySet, fetchedAtMs: Date.now() };
      cache.set(baseUrl, entry);
      return entry;
    })
    .finally(() => underWay.delete(baseUrl));
  underWay.set(baseUrl, fetched);
  return fetched;
}

/** The Ed25519 keys of a set, optionally with this key ID. */
export function ed25519KeysOf(keySet: KeySet, keyId?: string): string[] {
  return keySet.keys
    .filter(({ kty, crv, use }) => kty === 'OKP' && crv === 'Ed25519' && (use === undefined || use === 'sig'))
    .filter(({ kid }) => keyId === undefined || kid === keyId)
    .flatMap(({ x }) => (typeof x === 'string' ? [x] : []));
}

/** Whether the key with this public part made a signature. Throws if Ed25519 is unavailable. */
export async function isSignedBy(publicPart: string, signature: Bytes, content: Bytes): Promise<boolean> {
  if (fromBase64url(publicPart)?.length !== 32) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicPart };
  const key = await crypto.subtle
    .importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify'])
    .catch((cause: unknown) => {
      throw new PaylinkError('unsupported', 'There is no Ed25519 in the WebCrypto of this platform.', {
        cause,
      });
    });
  return await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, content);
}

function isKeySet(value: unknown): value is KeySet {
  const keys = (value as Partial<KeySet> | undefined)?.keys;
  return Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null);
}
