// A passkey device (WebAuthn level 2, ES256, attestation "none"). Tests can manipulate its responses.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Json } from './client.ts';

export type Bent = { origin?: string; rpId?: string; isVerified?: boolean; counter?: number; type?: string };

export type Device = {
  /** The result of navigator.credentials.create. */
  create(options: Json, bent?: Bent): Json;
  /** The result of navigator.credentials.get. */
  get(options: Json, bent?: Bent): Json;
};

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** A head of CBOR (RFC 8949 section 3): kind and number. */
function head(kind: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(kind << 5) | value]);
  if (value < 256) return Buffer.from([(kind << 5) | 24, value]);
  return Buffer.from([(kind << 5) | 25, value >> 8, value & 0xff]);
}
const bytesOf = (bytes: Buffer) => Buffer.concat([head(2, bytes.length), bytes]);
const textOf = (text: string) => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const numberOf = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const mapOf = (...pairs: [Buffer, Buffer][]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };

export function createDevice(baseUrl: string): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = mapOf(
    [numberOf(1), numberOf(2)],
    [numberOf(3), numberOf(-7)],
    [numberOf(-1), numberOf(1)],
    [numberOf(-2), bytesOf(Buffer.from(x, 'base64url'))],
    [numberOf(-3), bytesOf(Buffer.from(y, 'base64url'))],
  );
  const credentialId = randomBytes(16);
  const id = credentialId.toString('base64url');
  let uses = 0;
  let userHandle = '';
  const clientData = (type: string, { challenge }: Json, bent: Bent) =>
    Buffer.from(
      JSON.stringify({ type: bent.type ?? type, challenge, origin: bent.origin ?? new URL(baseUrl).origin }),
    );
  const deviceData = (bent: Bent, attested: Buffer) => {
    const { rpId = new URL(baseUrl).hostname, isVerified = true, counter = ++uses } = bent;
    const flag =
      flags.present | (isVerified ? flags.verified : 0) | (attested.length > 0 ? flags.attested : 0);
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flag]), counted, attested]);
  };
  const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return {
    create: (options, bent = {}) => {
      userHandle = String((options.user as Json).id);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 16]), credentialId, key]);
      const attestation = mapOf(
        [textOf('fmt'), textOf('none')],
        [textOf('attStmt'), mapOf()],
        [textOf('authData'), bytesOf(deviceData(bent, attested))],
      );
      const clientDataJSON = clientData('webauthn.create', options, bent).toString('base64url');
      const attestationObject = attestation.toString('base64url');
      return { ...credential, response: { clientDataJSON, attestationObject, transports: ['internal'] } };
    },
    get: (options, bent = {}) => {
      const client = clientData('webauthn.get', options, bent);
      const device = deviceData(bent, Buffer.alloc(0));
      const signature = sign('sha256', Buffer.concat([device, sha256(client)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: device.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle,
        },
      };
    },
  };
}
