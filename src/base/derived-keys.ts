// The keys derived from one master key, one for each purpose (HKDF, RFC 5869). Must not: expose a key.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';

const macPurposes = [
  'api-key',
  'service-key',
  'form',
  'digest',
  'invitation',
  'password-reset',
  'processor-webhook',
  'key-check',
  'company-file',
] as const;
const encryptionPurposes = [
  'answer',
  'webhook-secret',
  'credentials',
  'second-factor',
  'feed-cursor',
] as const;
export type MacPurpose = (typeof macPurposes)[number];
export type EncryptionPurpose = (typeof encryptionPurposes)[number];

export type DerivedKeys = {
  /** Identifies the master key: 16 hexadecimal digits, derived like a key, not secret. */
  keyId: string;
  /** The ID of the signing key in a JWT: its thumbprint (RFC 7638). */
  kid: string;
  publicJwk: JWK;
  privateKey: KeyObject;
  publicKey: KeyObject;
  mac(purpose: MacPurpose, message: string): Buffer;
  /** Encrypts bytes for a context. The result begins with the key ID. */
  seal(purpose: EncryptionPurpose, context: string, plain: Uint8Array): Buffer;
  /** Also decrypts what was encrypted before key IDs were stored. Throws for anything else. */
  open(purpose: EncryptionPurpose, context: string, sealed: Uint8Array): Buffer;
  /** Whether the ciphertext has the ID of this master key. */
  isKeyOf(sealed: Uint8Array): boolean;
};

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 8;

/** The first byte of a ciphertext. The key ID, nonce, tag and body follow. */
const ciphertextVersion = Buffer.from([1]);

// The DER prefix of a PKCS #8 Ed25519 private key (RFC 8410 section 7); the 32-byte seed follows it.
const ed25519Pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

function derive(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, 'paylink', `paylink/${purpose}/v1`, 32));
}

function ed25519Key(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ed25519Pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}

/** `head` is authenticated, but not encrypted. */
function encryptWith(key: Buffer, head: Buffer, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipherStream = createCipheriv(cipher, key, nonce).setAAD(head);
  const body = Buffer.concat([cipherStream.update(plain), cipherStream.final()]);
  return Buffer.concat([head, nonce, cipherStream.getAuthTag(), body]);
}

function decryptWith(key: Buffer, head: Buffer, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed).subarray(head.length);
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAAD(head);
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]);
}

export async function deriveKeys(masterKey: Buffer): Promise<DerivedKeys> {
  const privateKey = ed25519Key(derive(masterKey, 'signing'));
  const publicKey = createPublicKey(privateKey);
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK;
  // Use key objects: converting raw bytes at every use costs more than the MAC itself.
  const macKeys = new Map(
    macPurposes.map((purpose) => [purpose, createSecretKey(derive(masterKey, purpose))]),
  );
  const encryptionKeys = new Map(
    encryptionPurposes.map((purpose) => [purpose, derive(masterKey, `seal-${purpose}`)]),
  );
  const keyId = derive(masterKey, 'key-id').subarray(0, keyIdBytes);
  const head = Buffer.concat([ciphertextVersion, keyId]);
  const withoutHead = Buffer.alloc(0);
  const isKeyOf = (sealed: Uint8Array) => head.equals(sealed.subarray(0, head.length));
  const contextKey = (purpose: EncryptionPurpose, context: string) =>
    createHmac('sha256', encryptionKeys.get(purpose) as Buffer)
      .update(context)
      .digest();
  return {
    keyId: keyId.toString('hex'),
    kid: await calculateJwkThumbprint(publicJwk),
    publicJwk,
    privateKey,
    publicKey,
    mac: (purpose, message) =>
      createHmac('sha256', macKeys.get(purpose) as KeyObject)
        .update(message)
        .digest(),
    seal: (purpose, context, plain) => encryptWith(contextKey(purpose, context), head, plain),
    open: (purpose, context, sealed) =>
      decryptWith(contextKey(purpose, context), isKeyOf(sealed) ? head : withoutHead, sealed),
    isKeyOf,
  };
}
