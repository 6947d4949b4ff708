// How the fake PayPal signs webhooks: with a real RSA key and a real certificate that it serves. The key is in memory
// and in a temporary folder that is deleted at once. Must not: import code of the service.

import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

export type Signing = {
  /** The path in the header's address at which `certificate` is served. */
  certificateId: string;
  certificate: string;
  /** A signer for one transmission: each attempt has the same ID, and its own time. */
  transmit(certUrl: string, webhookId: string): (body: string, at: Date) => Record<string, string>;
};

/** Creates a key and a certificate like PayPal's; with `subject`, one that is issued to somebody else. */
export function createSigning(subject = '/O=PayPal/CN=messageverificationcerts.sandbox.paypal.com'): Signing {
  const folder = mkdtempSync(join(tmpdir(), 'paylink-fake-paypal-'));
  try {
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = ['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile, '-out', certificateFile];
    execFileSync('openssl', ['req', '-x509', ...made, '-days', '3650', '-subj', subject], {
      stdio: 'ignore',
    });
    const key = readFileSync(keyFile, 'utf8');
    return {
      certificateId: `CERT-${randomBytes(4).toString('hex')}-${randomBytes(4).toString('hex')}`,
      certificate: readFileSync(certificateFile, 'utf8'),
      transmit: (certUrl, webhookId) => {
        const transmissionId = randomUUID();
        return (body, at) => {
          const time = at.toISOString().replace(/\.\d+Z$/, 'Z');
          const signed = `${transmissionId}|${time}|${webhookId}|${crc32(body)}`;
          return {
            'paypal-auth-algo': 'SHA256withRSA',
            'paypal-cert-url': certUrl,
            'paypal-transmission-id': transmissionId,
            'paypal-transmission-time': time,
            'paypal-transmission-sig': sign('sha256', Buffer.from(signed), key).toString('base64'),
          };
        };
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
