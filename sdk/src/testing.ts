// For your tests: signs webhooks and payment results like the service, with your own keys. Must not: get a
// real secret.

import { type Bytes, concatenate, toBase64, toBase64url, utf8 } from './bytes.ts';
import { PaylinkError } from './errors.ts';
import type { KeySet } from './key-set.ts';
import type { RedirectResult } from './redirect.ts';
import { signWith } from './webhook-secret.ts';

/** A webhook as your server receives it. */
export type SignedWebhook = { body: string; headers: Record<string, string> };

export type WebhookToSign = {
  payload: unknown;
  /** The secret of the endpoint, `whsec_…`. */
  secret: string;
  id?: string | undefined;
  sentAt?: Date | undefined;
};

/** The secret of an endpoint that does not exist. */
export function makeWebhookSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/** Signs a webhook with a shared secret (`v1`). */
export async function signWebhook({ payload, secret, ...message }: WebhookToSign): Promise<SignedWebhook> {
  return await buildSignedWebhook(payload, message, 'v1', async (content) => await signWith(secret, content));
}

/** The claims that a test sets; the others get defaults. */
export type ResultToSign = Partial<Omit<RedirectResult, 'signedAt' | 'expiresAt'>> & {
  baseUrl: string;
  companyId: string;
  signedAt?: Date | undefined;
};

export type TestService = {
  /** The key set that the service would publish; pass it to `verifyRedirect` and `verifyWebhook`. */
  keySet: KeySet;
  /** The parameters of the address with which a customer would return. */
  signRedirect(result: ResultToSign): Promise<URLSearchParams>;
  /** Signs a webhook with the key of the set (`v1a`). */
  signWebhook(message: Omit<WebhookToSign, 'secret'>): Promise<SignedWebhook>;
};

/** Creates a key pair, and signs with it like the service. */
export async function createTestService(): Promise<TestService> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  // Ed25519 generates pairs; some compilers do not know this.
  if (pair instanceof CryptoKey) throw new PaylinkError('unsupported', 'WebCrypto made no pair of keys.');
  const { x = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const kid = 'test-key';
  const sign = async (content: Bytes) =>
    new Uint8Array(await crypto.subtle.sign({ name: 'Ed25519' }, pair.privateKey, content));
  return {
    keySet: { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }] },
    signRedirect: async (result) => {
      const claims = claimsOf(result);
      const header = { alg: 'EdDSA', kid, typ: 'payment-result+jwt' };
      const content = [header, claims].map((part) => toBase64url(utf8(JSON.stringify(part)))).join('.');
      const signature = toBase64url(await sign(utf8(content)));
      return new URLSearchParams({
        PaymentLinkCode: claims.sub,
        customerOrderId: claims.customerOrderId,
        status: claims.status,
        paymentResult: `${content}.${signature}`,
      });
    },
    signWebhook: async ({ payload, ...message }) => await buildSignedWebhook(payload, message, 'v1a', sign),
  };
}

function claimsOf(result: ResultToSign) {
  const issuedAt = Math.floor((result.signedAt ?? new Date()).getTime() / 1_000);
  return {
    iss: result.baseUrl,
    aud: result.companyId,
    sub: result.PaymentLinkCode ?? 'testcode00000000000000000000ab',
    customerOrderId: result.customerOrderId ?? 'order-1',
    amount: result.amount ?? 19.99,
    currency: result.currency ?? 'EUR',
    status: result.status ?? 'paid',
    iat: issuedAt,
    exp: issuedAt + 15 * 60,
  };
}

async function buildSignedWebhook(
  payload: unknown,
  message: { id?: string | undefined; sentAt?: Date | undefined },
  version: 'v1' | 'v1a',
  sign: (content: Bytes) => Promise<Bytes>,
): Promise<SignedWebhook> {
  const body = JSON.stringify(payload);
  const id = message.id ?? `msg_${toBase64url(crypto.getRandomValues(new Uint8Array(12)))}`;
  const timestamp = String(Math.floor((message.sentAt ?? new Date()).getTime() / 1_000));
  const signature = await sign(concatenate(utf8(`${id}.${timestamp}.`), utf8(body)));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `${version},${toBase64(signature)}`,
    },
  };
}
