// X.509 certificates for tests, in DER: an authority, and its servers, also with expired certificates.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export type KeyAndCertificate = { key: string; cert: string };
export type Authority = KeyAndCertificate & { privateKey: KeyObject; name: string };

type ServerCertificate = {
  /** DNS names and IPv4 addresses. */
  names: readonly string[];
  notAfter?: Date;
};

const algorithm = { ecdsaWithSha256: '2a8648ce3d040302', commonName: '550403' };
const extension = { subjectAltName: '551d11', basicConstraints: '551d13' };

/** One DER value: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const lengthBytes = Buffer.alloc(2);
  lengthBytes.writeUInt16BE(content.length);
  const length =
    content.length < 0x80 ? Buffer.of(content.length) : Buffer.concat([Buffer.of(0x82), lengthBytes]);
  return Buffer.concat([Buffer.of(tag), length, content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const yes = der(0x01, Buffer.of(0xff));

/** GeneralizedTime, whole seconds of UTC. */
const moment = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));

const nameOf = (name: string) =>
  sequence(der(0x31, sequence(objectId(algorithm.commonName), der(0x0c, Buffer.from(name)))));

const signatureAlgorithm = sequence(objectId(algorithm.ecdsaWithSha256));

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  );
  return sequence(objectId(extension.subjectAltName), der(0x04, sequence(...entries)));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

type Contents = {
  subject: string;
  issuer: string;
  publicKey: KeyObject;
  issuerKey: KeyObject;
  extensions: Buffer[];
  notAfter: Date;
};

function certificate(contents: Contents): string {
  const { subject, issuer, publicKey, issuerKey, extensions, notAfter } = contents;
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    // A unique positive number.
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    signatureAlgorithm,
    nameOf(issuer),
    sequence(moment(new Date('2020-01-01T00:00:00Z')), moment(notAfter)),
    nameOf(subject),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', signed, issuerKey);
  return pem('CERTIFICATE', sequence(signed, signatureAlgorithm, der(0x03, Buffer.of(0), signature)));
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyText = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const farAhead = new Date('2120-01-01T00:00:00Z');

/** A new, untrusted authority. */
export function makeAuthority(): Authority {
  const { privateKey, publicKey } = newKeys();
  const name = `Test authority ${createHash('sha256').update(keyText(privateKey)).digest('hex').slice(0, 8)}`;
  const extensions = [sequence(objectId(extension.basicConstraints), yes, der(0x04, sequence(yes)))];
  const contents = { subject: name, issuer: name, publicKey, issuerKey: privateKey, extensions };
  return {
    name,
    privateKey,
    key: keyText(privateKey),
    cert: certificate({ ...contents, notAfter: farAhead }),
  };
}

/** A server's key and certificate, signed by the authority. */
export function makeCertificate(
  authority: Authority,
  { names, notAfter = farAhead }: ServerCertificate,
): KeyAndCertificate {
  const { privateKey, publicKey } = newKeys();
  const cert = certificate({
    subject: 'Test server',
    issuer: authority.name,
    publicKey,
    issuerKey: authority.privateKey,
    extensions: [alternativeNames(names)],
    notAfter,
  });
  return { key: keyText(privateKey), cert };
}
