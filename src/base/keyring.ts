// Every key of the service, derived from the one master key, so that equal processes share them
// without storing them. Each purpose has its own key (HKDF, RFC 5869): none can stand in for another.

import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { calculateJwkThumbprint, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';

export type TokenType = 'at+jwt' | 'payment-result+jwt';

export type Keyring = {
  /** The public key set (RFC 7517) as `/.well-known/jwks.json` shows it. */
  jwks: { keys: JWK[] };
  /** Signs claims as a JWT (RFC 7519) with Ed25519; `iat` and `exp` are the caller's, in seconds. */
  sign(type: TokenType, claims: JWTPayload): Promise<string>;
  /** Verifies signature, type, issuer, audience and time. Throws jose's errors. */
  verify(
    type: TokenType,
    token: string,
    expected: { issuer: string; audience: string; now: Date },
  ): Promise<JWTPayload>;
  /** A message authentication code for a purpose, 32 bytes. */
  mac(purpose: MacPurpose, message: string): Buffer;
};

export type MacPurpose = 'api-key' | 'form' | 'digest';

const purposes: readonly MacPurpose[] = ['api-key', 'form', 'digest'];

// The DER prefix of a PKCS #8 Ed25519 private key (RFC 8410 section 7); the 32-byte seed follows it.
const ed25519Pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function derive(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, 'paylink', `paylink/${purpose}/v1`, 32));
}

function ed25519Key(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ed25519Pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}

/** Opens the keyring of a master key of 32 bytes. */
export async function openKeyring(masterKey: Buffer): Promise<Keyring> {
  const privateKey = ed25519Key(derive(masterKey, 'signing'));
  const publicKey = createPublicKey(privateKey);
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(publicJwk);
  const macKeys = new Map(purposes.map((purpose) => [purpose, derive(masterKey, purpose)]));
  return {
    jwks: { keys: [{ ...publicJwk, kid, alg: 'EdDSA', use: 'sig' }] },
    sign: async (type, claims) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: type }).sign(privateKey),
    verify: async (type, token, expected) => {
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: ['EdDSA'],
        typ: type,
        issuer: expected.issuer,
        audience: expected.audience,
        currentDate: expected.now,
        requiredClaims: ['exp', 'iat', 'sub'],
      });
      return payload;
    },
    mac: (purpose, message) =>
      createHmac('sha256', macKeys.get(purpose) as Buffer)
        .update(message)
        .digest(),
  };
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function isEqualSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
