// Every key of the service, derived from the one master key, so that equal processes share them without
// storing them. While the master key is being changed the keyring holds two: what either has made is good,
// and what is made anew is made with the current one.

import { sign as signBytes, timingSafeEqual } from 'node:crypto';
import { type JWK, type JWTPayload, errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import { isBase64url } from './base64url.ts';
import { type DerivedKeys, deriveKeys, type EncryptionPurpose, type MacPurpose } from './derived-keys.ts';

export type TokenType = 'at+jwt' | 'payment-result+jwt';

export type Keyring = {
  /** Names the current master key; no secret. */
  keyId: string;
  /** Names the other master key; null when there is none. */
  otherKeyId: string | null;
  /** The public key set (RFC 7517) as `/.well-known/jwks.json` shows it, the current key first. */
  jwks: { keys: JWK[] };
  /** Signs claims as a JWT (RFC 7519) with Ed25519; `iat` and `exp` are the caller's, in seconds. */
  sign(type: TokenType, claims: JWTPayload): Promise<string>;
  /**
   * Signs a text with the same key, as it is (RFC 8032). For webhooks alone: what opens with an event's id
   * can't be taken for a JWT, nor a JWT for it.
   */
  signText(text: string): Buffer;
  /** Verifies signature, type, issuer, audience and time. Throws jose's errors. */
  verify(
    type: TokenType,
    token: string,
    expected: { issuer: string; audience: string; now: Date },
  ): Promise<JWTPayload>;
  /** A message authentication code for a purpose, 32 bytes, to give away or to keep. */
  mac(purpose: MacPurpose, message: string): Buffer;
  /** Every code that is good for a message, the current key's first: for a comparison with one that was given. */
  goodMacs(purpose: MacPurpose, message: string): Buffer[];
  /**
   * Seals bytes with AES-256-GCM. `context` says where they are kept: what was sealed for one place opens in no
   * other. It should hold something random of its place, which gives every place a key of its own.
   */
  seal(purpose: EncryptionPurpose, context: string, plain: Uint8Array): Buffer;
  /** Opens what `seal` sealed for the same place. Throws when it was changed, moved, or sealed by another key. */
  open(purpose: EncryptionPurpose, context: string, ciphertext: Uint8Array): Buffer;
  /** Whether sealed bytes say that the current key sealed them; that they open is another question. */
  isSealedByCurrent(ciphertext: Uint8Array): boolean;
};

/** Opens with the key that is named in what was sealed; where none is, it was sealed before that was written down. */
function decryptWithAny(
  ring: readonly DerivedKeys[],
  [purpose, context, ciphertext]: Parameters<Keyring['open']>,
): Buffer {
  const matchingKeys = ring.filter((keys) => keys.isNamedBy(ciphertext));
  for (const keys of matchingKeys.length > 0 ? matchingKeys : ring)
    try {
      return keys.open(purpose, context, ciphertext);
    } catch {
      // The next one may; why this one could not is the same for each.
    }
  throw new Error('what was sealed was changed, or moved, or its master key is not in the settings');
}

/**
 * Opens the keyring of a master key of 32 bytes and, while it is being changed, of another one whose work is
 * good, too.
 */
export async function openKeyring(masterKey: Buffer, otherKey: Buffer | null = null): Promise<Keyring> {
  const current = await deriveKeys(masterKey);
  const other = otherKey && !otherKey.equals(masterKey) ? await deriveKeys(otherKey) : null;
  const ring = other ? [current, other] : [current];
  const { kid, privateKey } = current;
  return {
    keyId: current.keyId,
    otherKeyId: other?.keyId ?? null,
    jwks: { keys: ring.map((keys) => ({ ...keys.publicJwk, kid: keys.kid, alg: 'EdDSA', use: 'sig' })) },
    sign: async (type, claims) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: type }).sign(privateKey),
    signText: (text) => signBytes(null, Buffer.from(text), privateKey),
    verify: async (type, token, expected) => {
      // Signatures alone would leave several texts for one token.
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
    goodMacs: (purpose, message) => ring.map((keys) => keys.mac(purpose, message)),
    seal: (purpose, context, plain) => current.seal(purpose, context, plain),
    open: (...ciphertext) => decryptWithAny(ring, ciphertext),
    isSealedByCurrent: (ciphertext) => current.isNamedBy(ciphertext),
  };
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function isEqualSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
