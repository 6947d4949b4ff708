// Every key of the service, derived from the one master key, so that equal processes share them
// without storing them. Each purpose has its own key (HKDF, RFC 5869): none can stand in for another.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign as signBytes,
  timingSafeEqual,
} from 'node:crypto';
import { calculateJwkThumbprint, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';

export type TokenType = 'at+jwt' | 'payment-result+jwt';

export type Keyring = {
  /** Tells the master key from others; no secret. Kept beside what was sealed under it. */
  keyId: string;
  /** The public key set (RFC 7517) as `/.well-known/jwks.json` shows it. */
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
  /** A message authentication code for a purpose, 32 bytes. */
  mac(purpose: MacPurpose, message: string): Buffer;
  /**
   * Seals bytes with AES-256-GCM. `context` says where they are kept: what was sealed for one place opens in no
   * other. It should hold something random of its place, which gives every place a key of its own.
   */
  seal(purpose: SealPurpose, context: string, plain: Uint8Array): Buffer;
  /** Opens what `seal` sealed for the same place. Throws when it was changed, moved, or sealed by another key. */
  open(purpose: SealPurpose, context: string, sealed: Uint8Array): Buffer;
};

export type MacPurpose = 'api-key' | 'form' | 'digest' | 'invitation';
export type SealPurpose = 'answer' | 'webhook-secret' | 'credentials';

const macPurposes: readonly MacPurpose[] = ['api-key', 'form', 'digest', 'invitation'];
const sealPurposes: readonly SealPurpose[] = ['answer', 'webhook-secret', 'credentials'];

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

// The DER prefix of a PKCS #8 Ed25519 private key (RFC 8410 section 7); the 32-byte seed follows it.
const ed25519Pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function derive(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, 'paylink', `paylink/${purpose}/v1`, 32));
}

function ed25519Key(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ed25519Pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}

function sealWith(key: Buffer, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce);
  const body = Buffer.concat([sealing.update(plain), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), body]);
}

function openWith(key: Buffer, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed);
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]);
}

/** Opens the keyring of a master key of 32 bytes. */
export async function openKeyring(masterKey: Buffer): Promise<Keyring> {
  const privateKey = ed25519Key(derive(masterKey, 'signing'));
  const publicKey = createPublicKey(privateKey);
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(publicJwk);
  const macKeys = new Map(macPurposes.map((purpose) => [purpose, derive(masterKey, purpose)]));
  const sealKeys = new Map(sealPurposes.map((purpose) => [purpose, derive(masterKey, `seal-${purpose}`)]));
  const placeKey = (purpose: SealPurpose, context: string) =>
    createHmac('sha256', sealKeys.get(purpose) as Buffer)
      .update(context)
      .digest();
  return {
    keyId: derive(masterKey, 'key-id').toString('hex').slice(0, 16),
    jwks: { keys: [{ ...publicJwk, kid, alg: 'EdDSA', use: 'sig' }] },
    sign: async (type, claims) =>
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: type }).sign(privateKey),
    signText: (text) => signBytes(null, Buffer.from(text), privateKey),
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
    seal: (purpose, context, plain) => sealWith(placeKey(purpose, context), plain),
    open: (purpose, context, sealed) => openWith(placeKey(purpose, context), sealed),
  };
}

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function isEqualSecret(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
