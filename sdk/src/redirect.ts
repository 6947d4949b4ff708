// The signed result that a customer's browser brings back: a JWT of the service (RFC 7519, Ed25519). Its
// claims count only after signature, type, issuer, audience and time were verified, in that order.

import { fromBase64url, utf8 } from './bytes.ts';
import { withCallerStack } from './caller-stack.ts';
import { SignatureError } from './errors.ts';
import { ed25519KeysOf, isSignedBy, type KeySet, keySetContaining } from './key-set.ts';
import { readBaseUrl } from './options.ts';
import type { Payment } from './resources.ts';
import type { Fetch } from './transport.ts';

/** Your own order, as you stored it: given values are compared with the result. */
export type Expected = {
  customerOrderId?: string | undefined;
  /** In major units, as you sent it. */
  amount?: number | undefined;
  currency?: string | undefined;
};

/** The verified content of a result. */
export type RedirectResult = {
  PaymentLinkCode: string;
  customerOrderId: string;
  /** In major units, as you requested it. */
  amount: number;
  currency: string;
  /** The status of the payment when this was signed: ship once, when it is `paid`. */
  status: Payment['status'];
  signedAt: Date;
  expiresAt: Date;
};

export type VerifyRedirectOptions = {
  /** The service's setting BASE_URL, the issuer of the result. */
  baseUrl: string | URL;
  /** Your company, `co_…`, the audience of the result. */
  companyId: string;
  expect?: Expected | undefined;
  /** The keys, to avoid fetching them. */
  keySet?: KeySet | undefined;
  fetch?: Fetch | undefined;
  /** The allowed difference between the clocks in seconds; default 30. */
  leewaySeconds?: number | undefined;
  now?: Date | undefined;
};

type Token = { header: Record<string, unknown>; claims: Record<string, unknown>; keyId: string };

/**
 * Verifies the address with which a customer returned, or its parameters. Returns the signed content. Throws
 * `SignatureError` when it is not genuine, not for you, not valid now or not your order, and the errors of a
 * call when the keys cannot be fetched.
 */
export async function verifyRedirect(
  address: string | URL | URLSearchParams,
  options: VerifyRedirectOptions,
): Promise<RedirectResult> {
  return await withCallerStack(async () => await verify(address, options));
}

async function verify(
  address: string | URL | URLSearchParams,
  options: VerifyRedirectOptions,
): Promise<RedirectResult> {
  const nowMs = (options.now ?? new Date()).getTime();
  const issuer = readBaseUrl(options.baseUrl);
  const jwt = resultIn(address);
  const { claims } = await readSigned(jwt, async (keyId) => {
    return options.keySet ?? (await keySetContaining(keyId, issuer, options.fetch));
  });
  if (claims.iss !== issuer || claims.aud !== options.companyId)
    throw new SignatureError(
      'not_for_you',
      'The result is of another service or for another company. baseUrl must be exactly the address in BASE_URL.',
    );
  const result = readResult(claims);
  checkTime(result, nowMs, (options.leewaySeconds ?? 30) * 1_000);
  for (const name of ['customerOrderId', 'amount', 'currency'] as const) {
    const expected = options.expect?.[name];
    if (expected !== undefined && expected !== result[name])
      throw new SignatureError('differs', `The result is genuine, but its ${name} is not the one expected.`);
  }
  return result;
}

function resultIn(address: string | URL | URLSearchParams): string {
  const parameters = address instanceof URLSearchParams ? address : searchOf(address);
  const values = parameters.getAll('paymentResult');
  if (values.length !== 1)
    throw new SignatureError('malformed', 'The address has no parameter paymentResult, or several.');
  return values[0] ?? '';
}

/** The parameters of a whole address, or of a path as a server receives it. */
function searchOf(address: string | URL): URLSearchParams {
  try {
    return new URL(address, 'http://localhost').searchParams;
  } catch (cause) {
    throw new SignatureError('malformed', 'This is not an address.', { cause });
  }
}

/** Verifies form, type and signature of a result. Returns its claims, which may still be for someone else. */
async function readSigned(jwt: string, keysFor: (keyId: string) => Promise<KeySet>): Promise<Token> {
  const parts = jwt.split('.');
  const [head = '', body = '', tail = ''] = parts;
  const signature = fromBase64url(tail);
  const [header, claims] = [jsonOf(head), jsonOf(body)];
  const keyId = header?.kid;
  if (parts.length !== 3 || !signature || !header || !claims || typeof keyId !== 'string')
    throw new SignatureError('malformed', 'The result is not a signed JWT.');
  // Accept no other algorithm from the header, and no other token type signed with the same keys.
  if (header.alg !== 'EdDSA' || header.typ !== 'payment-result+jwt' || 'crit' in header)
    throw new SignatureError('not_for_you', 'This is a token, but not the result of a payment.');
  const keys = ed25519KeysOf(await keysFor(keyId), keyId);
  if (keys.length === 0) throw new SignatureError('unknown_key', 'The service has no such key.');
  const content = utf8(`${head}.${body}`);
  for (const key of keys) if (await isSignedBy(key, signature, content)) return { header, claims, keyId };
  throw new SignatureError('wrong_signature', 'The result was not signed by the service, or was changed.');
}

function jsonOf(part: string): Record<string, unknown> | null {
  const bytes = fromBase64url(part);
  if (!bytes) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function readResult(claims: Record<string, unknown>): RedirectResult {
  const { sub, customerOrderId, amount, currency, status, iat, exp } = claims;
  const areTexts = [sub, customerOrderId, currency, status].every((claim) => typeof claim === 'string');
  const areNumbers = [amount, iat, exp].every((claim) => typeof claim === 'number');
  if (!areTexts || !areNumbers) throw new SignatureError('malformed', 'The result lacks a claim.');
  return {
    PaymentLinkCode: sub as string,
    customerOrderId: customerOrderId as string,
    amount: amount as number,
    currency: currency as string,
    status: status as RedirectResult['status'],
    signedAt: new Date((iat as number) * 1_000),
    expiresAt: new Date((exp as number) * 1_000),
  };
}

function checkTime({ signedAt, expiresAt }: RedirectResult, nowMs: number, leewayMs: number): void {
  if (nowMs >= expiresAt.getTime() + leewayMs)
    throw new SignatureError('expired', 'The result is too old. Ask the service for the payment.');
  if (nowMs < signedAt.getTime() - leewayMs)
    throw new SignatureError('too_early', 'The result is of the future: is the clock of this machine right?');
}
