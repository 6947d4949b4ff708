// Every key of the service, derived from the master key. During a rotation it holds two master keys: it accepts what
// either produced, and produces with the current one.

import { sign as signBytes, timingSafeEqual } from 'node:crypto';
import { type JWK, type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { isBase64url } from './base64url.ts';
import { type DerivedKeys, deriveKeys, type EncryptionPurpose, type MacPurpose } from './derived-keys.ts';

export type TokenType = 'at+jwt' | 'payment-result+jwt';

export type Keyring = {
  /** Identifies the current master key; not secret. */
  keyId: string;
  /** Identifies the other master key; null when there is none. */
  oldKeyId: string | null;
  jwks: { keys: JWK[] };
  /** Signs claims as a JWT (RFC 7519) with Ed25519. The caller sets `iat` and `exp`, in seconds. */
  sign(type: TokenType, claims: JWTPayload): Promise<string>;
  /** RFC 8032. For webhooks only: the text begins with an event ID, so it and a JWT cannot be confused. */
  signText(text: string): Buffer;
  /** Verifies signature, type, issuer, audience and time. Throws jose's errors. */
  verify(
    type: TokenType,
    token: string,
    expected: { issuer: string; audience: string; now: Date },
  ): Promise<JWTPayload>;
  mac(purpose: MacPurpose, message: string): Buffer;
  /** Every accepted MAC of a message, the current key's first, to compare with a given one. */
  acceptedMacs(purpose: MacPurpose, message: string): Buffer[];
  /** AES-256-GCM. The ciphertext decrypts only in the same `context`, which should contain something random. */
  seal(purpose: EncryptionPurpose, context: string, plain: Uint8Array): Buffer;
  /** Throws when it was changed, moved, or encrypted with another key. */
  open(purpose: EncryptionPurpose, context: string, ciphertext: Uint8Array): Buffer;
  /** Whether the ciphertext has the ID of the current key. Does not check that it decrypts. */
  isSealedByCurrent(ciphertext: Uint8Array): boolean;
};

/** Without an ID, the ciphertext dates from before IDs were stored. */
function decryptWithAny(
  ring: readonly DerivedKeys[],
  [purpose, context, ciphertext]: Parameters<Keyring['open']>,
): Buffer {
  const matchingKeys = ring.filter((keys) => keys.isKeyOf(ciphertext));
  for (const keys of matchingKeys.length > 0 ? matchingKeys : ring)
    try {
      return keys.open(purpose, context, ciphertext);
    } catch {
      // Try the next key. The reason for the failure is the same for each.
    }
  throw new Error('what was sealed was changed, or moved, or its master key is not in the settings');
}

/** `otherKey`: during a rotation, also accepted. */
export async function openKeyring(masterKey: Buffer, otherKey: Buffer | null = null): Promise<Keyring> {
  const current = await deriveKeys(masterKey);
  const other = otherKey && !otherKey.equals(masterKey) ? await deriveKeys(otherKey) : null;
  const ring = other ? [current, other] : [current];
  const { kid, privateKey } = current;
  return {
    keyId: current.keyId,
    oldKeyId: other?.keyId ?? null,
    jwks: { keys: ring.map((keys) => ({ ...keys.publicJwk, kid: keys.kid, alg: 'EdDSA', use: 'sig' })) },
    sign: async (type, claims) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: type }).sign(privateKey),
    signText: (text) => signBytes(null, Buffer.from(text), privateKey),
    verify: async (type, token, expected) => {
      // Verifying the signature alone would accept several texts for one token.
      if (!token.split('.').every(isBase64url)) throw new joseErrors.JWTInvalid('the token is not base64url');
      const keyOf = (header: { kid?: string }) =>
        (ring.find((keys) => keys.kid === header.kid) ?? current).publicKey;
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: ['EdDSA'],
        typ: type,
        issuer: expected.issuer,
        audience: expected.audience,
        currentDate: expected.now,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return payload;
    },
    mac: (purpose, message) => current.mac(purpose, message),
    acceptedMacs: (purpose, message) => ring.map((keys) => keys.mac(purpose, message)),
    seal: (purpose, context, plain) => current.seal(purpose, context, plain),
    open: (...ciphertext) => decryptWithAny(ring, ciphertext),
    isSealedByCurrent: (ciphertext) => current.isKeyOf(ciphertext),
  };
}

export function isEqualSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
