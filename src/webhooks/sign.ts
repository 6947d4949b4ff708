// The secrets of endpoints, and the signatures of Standard Webhooks 1.0.0: `v1` under each active secret of
// the endpoint, `v1a` under the published key. A secret must not be stored unencrypted, or logged.

import { createHmac, randomBytes } from 'node:crypto';
import type { Keyring } from '../base/keyring.ts';

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** A new secret in the form that merchants get. */
export function newSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

const encryptionContextOf = (companyId: string, endpointId: string) =>
  JSON.stringify([companyId, endpointId]);

/** A secret in its stored form. It can be decrypted for its own endpoint only. */
export function encryptSecret(
  keyring: Keyring,
  at: { companyId: string; endpointId: string },
  secret: string,
): Buffer {
  return keyring.seal(
    'webhook-secret',
    encryptionContextOf(at.companyId, at.endpointId),
    Buffer.from(secret),
  );
}

/** The secret that `encryptSecret` encrypted. */
export function decryptSecret(
  keyring: Keyring,
  at: { companyId: string; endpointId: string },
  sealed: Uint8Array,
): string {
  return keyring
    .open('webhook-secret', encryptionContextOf(at.companyId, at.endpointId), sealed)
    .toString('utf8');
}

/**
 * The headers of a message: its ID, the time of this attempt, and a signature for each secret and for the key.
 */
export function signMessage(
  keyring: Keyring,
  message: { id: string; at: Date; body: string; secrets: readonly string[] },
): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const macs = message.secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': [...macs, `v1a,${keyring.signText(signed).toString('base64')}`].join(' '),
  };
}
